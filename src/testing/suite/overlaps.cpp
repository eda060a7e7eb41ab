// One block of memory for a whole call, in which every pair of arguments is made to overlap.
#include "testing/suite/overlaps.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>

namespace mluop::testing {
namespace {

using Role = PlaceableMemory::Role;
using Snapshot = std::vector<std::byte>;

constexpr std::size_t line = 64;

/// The memory of a call, laid out in one block: at first apart, with room around each piece.
class Block {
 public:
  explicit Block(PlaceableCall call) : call_(std::move(call)) {
    std::size_t most = 0;
    for (const PlaceableMemory& piece : call_.memory) {
      if (piece.bytes == 0) throw std::logic_error(piece.name + " has no memory to overlap");
      most = std::max(most, piece.bytes);
    }
    const std::size_t room = (most + line) / line * line;
    bytes_.resize(3 * room * call_.memory.size() + line, std::byte{0xA5});
    const auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    std::byte* next = bytes_.data() + (line - address % line) + room;
    for (const PlaceableMemory& piece : call_.memory) {
      *piece.place = next;
      next += 3 * room;
    }
  }

  std::byte* at(std::size_t i) const { return static_cast<std::byte*>(*call_.memory[i].place); }
  std::ptrdiff_t size(std::size_t i) const {
    return static_cast<std::ptrdiff_t>(call_.memory[i].bytes);
  }
  void move(std::size_t i, std::byte* place) { *call_.memory[i].place = place; }

  /// Puts the contents of inputs where these now are.
  void load() {
    for (std::size_t i = 0; i < call_.memory.size(); ++i) {
      if (call_.memory[i].role != Role::input) continue;
      if (call_.memory[i].contents != nullptr) {
        std::memcpy(at(i), call_.memory[i].contents, call_.memory[i].bytes);
      } else {
        load_floats(i);
      }
    }
  }
  Snapshot piece(std::size_t i) const { return {at(i), at(i) + size(i)}; }
  void load_piece(std::size_t i, const Snapshot& data) { std::ranges::copy(data, at(i)); }

  mluOpStatus_t call() const { return call_.call(); }
  const Snapshot& all() const { return bytes_; }
  std::vector<Snapshot> outputs() const {
    std::vector<Snapshot> outputs;
    for (std::size_t i = 0; i < call_.memory.size(); ++i) {
      if (call_.memory[i].role == Role::output) outputs.push_back(piece(i));
    }
    return outputs;
  }

 private:
  /// Others for each piece, the same wherever it lies.
  void load_floats(std::size_t i) {
    for (std::size_t k = 0; k < call_.memory[i].bytes / sizeof(float); ++k) {
      const float value = static_cast<float>((k + 5 * i) % 13) / 4 - 1.5f;
      std::memcpy(at(i) + k * sizeof value, &value, sizeof value);
    }
  }

  PlaceableCall call_;
  Snapshot bytes_;
};

class Trial {
 public:
  Trial(const char* function, const std::string& mode, const std::function<PlaceableCall()>& make)
      : function_(function), mode_(mode), make_(make), memory_(make().memory) {
    Block apart{make()};
    apart.load();
    tell("memory apart", detail::status_problem(apart.call(), MLUOP_STATUS_SUCCESS));
    usual_ = apart.outputs();
  }

  /// `one` is what a message names first.
  void try_pair(std::size_t one, std::size_t other) const {
    if (memory_[one].role == Role::input) return try_inputs(one, other);
    const Block block{make_()};
    for (const std::ptrdiff_t shift :
         {std::ptrdiff_t{0}, block.size(one) - 1, 1 - block.size(other)}) {
      try_overlap(one, other, shift);
    }
    try_touching(one, other);
    try_touching(other, one);
  }

 private:
  void tell(const std::string& what, std::string problem) const {
    detail::tell_listener(function_, mode_, what.c_str(), std::move(problem));
  }

  void try_overlap(std::size_t one, std::size_t other, std::ptrdiff_t shift) const {
    Block block{make_()};
    block.move(other, block.at(one) + shift);
    block.load();
    const Snapshot before = block.all();
    detail::leave_another_error();
    const std::string text =
        memory_[one].name + " must not overlap " + memory_[other].name + " in memory";
    std::string problem = detail::status_problem(block.call(), MLUOP_STATUS_BAD_PARAM);
    if (problem.empty()) problem = detail::sentence_problem(function_, text.c_str());
    if (problem.empty() && block.all() != before) problem = "memory was written";
    tell(text + ", " + std::to_string(shift) + " bytes apart", problem);
  }

  /// `first` ends where `second` begins; the latter is aligned, and so is the end of the former.
  void try_touching(std::size_t first, std::size_t second) const {
    Block block{make_()};
    block.move(first, block.at(second) - block.size(first));
    block.load();
    std::string problem = detail::status_problem(block.call(), MLUOP_STATUS_SUCCESS);
    if (problem.empty() && block.outputs() != usual_) problem = "other results than usual";
    tell(memory_[first].name + " just before " + memory_[second].name, problem);
  }

  void try_inputs(std::size_t one, std::size_t other) const {
    Block shared{make_()}, copies{make_()};
    shared.move(other, shared.at(one));
    shared.load();
    copies.load();
    copies.load_piece(one, shared.piece(one));
    copies.load_piece(other, shared.piece(other));
    std::string problem = detail::status_problem(shared.call(), copies.call());
    if (problem.empty() && shared.outputs() != copies.outputs()) {
      problem = "other results than those of copies";
    }
    tell(memory_[one].name + " and " + memory_[other].name + " in one place", problem);
  }

  const char* function_;
  const std::string& mode_;
  const std::function<PlaceableCall()>& make_;
  std::vector<PlaceableMemory> memory_;
  std::vector<Snapshot> usual_;
};

}  // namespace

void expect_overlaps_refused(const char* function, const std::string& mode,
                             const std::function<PlaceableCall()>& make) {
  const Trial trial{function, mode, make};
  const std::vector<PlaceableMemory> memory = make().memory;
  for (std::size_t i = 0; i < memory.size(); ++i) {
    for (std::size_t j = i + 1; j < memory.size(); ++j) {
      // Messages name what is written first, and of two such the workspace or the earlier output.
      const bool in_order = memory[j].role == memory[i].role;
      trial.try_pair(in_order ? i : j, in_order ? j : i);
    }
  }
}

}  // namespace mluop::testing
