// The rule of Check about memory: what a call writes is disjoint from everything else it uses.
#include <algorithm>

#include "core/check/check.hpp"
#include "core/numbers/dtype.hpp"

namespace mluop {
namespace {

std::uintptr_t address_of(const Region& region) noexcept {
  return reinterpret_cast<std::uintptr_t>(region.data);
}

bool holds_bytes(const Region& region) noexcept {
  return region.data != nullptr && region.bytes > 0;
}

/// "bytes [764, 768)".
std::string bytes_text(std::uintptr_t begin, std::size_t count) {
  return "bytes [" + text_of(std::uint64_t{begin}) + ", " + text_of(std::uint64_t{begin + count}) +
         ")";
}

/// Compares distances, not ends: a caller's size may reach beyond the last address.
bool overlap(const Region& one, const Region& other) noexcept {
  if (!holds_bytes(one) || !holds_bytes(other)) return false;
  const std::uintptr_t a = address_of(one), b = address_of(other);
  return a <= b ? b - a < one.bytes : a - b < other.bytes;
}

/// "output must not overlap input in memory: its bytes [0, 4) are bytes [764, 768) of input".
std::string overlap_problem(const Region& one, const Region& other) {
  const std::uintptr_t shared = std::max(address_of(one), address_of(other));
  const std::uintptr_t in_one = shared - address_of(one), in_other = shared - address_of(other);
  const std::size_t count = std::min(one.bytes - in_one, other.bytes - in_other);
  return std::string(one.name) + " must not overlap " + other.name + " in memory: its " +
         bytes_text(in_one, count) + " are " + bytes_text(in_other, count) + " of " + other.name;
}

}  // namespace

Tensor::operator Region() const noexcept {
  if (desc == nullptr) return {name};
  return {name, data, desc->element_count * size_of(desc->dtype)};
}

Check& Check::no_overlap(std::initializer_list<Region> inputs,
                         std::initializer_list<Region> outputs, const Region& workspace) {
  const auto apart = [&](const Region& one, const Region& other) {
    if (running_ && overlap(one, other)) fail(MLUOP_STATUS_BAD_PARAM, overlap_problem(one, other));
  };
  for (const Region& output : outputs) {
    for (const Region& input : inputs) apart(output, input);
  }
  for (const Region* output = outputs.begin(); output != outputs.end(); ++output) {
    for (const Region* later = output + 1; later != outputs.end(); ++later) apart(*output, *later);
  }
  for (const Region& input : inputs) apart(workspace, input);
  for (const Region& output : outputs) apart(workspace, output);
  return *this;
}

}  // namespace mluop
