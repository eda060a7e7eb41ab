// Each type lists its fields once, for writing and for reading.
#include "case_files/packed_verdict.hpp"

#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace mluop::cli {
namespace {

using casefile::CaseVerdict;
using casefile::OutputVerdict;
using testing::Measured;
using testing::Verdict;

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

void visit(Measured& one, auto& each) { each(one.measure, one.error, one.threshold, one.pass); }
void visit(Verdict& one, auto& each) { each(one.pass, one.measures, one.reason); }
void visit(OutputVerdict& one, auto& each) {
  each(one.output, one.dtype, one.compared, one.verdict);
}
void visit(CaseVerdict& one, auto& each) { each(one.problem, one.outputs, one.own_criteria); }

class Writer {
 public:
  void operator()(auto&... fields) { (field(fields), ...); }
  std::string take() { return std::move(bytes_); }

 private:
  void field(Plain auto& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void field(std::string& text) {
    std::size_t size = text.size();
    field(size);
    bytes_ += text;
  }
  template <class T>
  void field(std::vector<T>& list) {
    std::size_t size = list.size();
    field(size);
    for (T& one : list) visit(one, *this);
  }
  void field(auto& message) { visit(message, *this); }

  std::string bytes_;
};

/// Leaves a field unchanged if the bytes are too short for it.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}
  void operator()(auto&... fields) { (field(fields), ...); }
  bool whole() const { return whole_; }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view take(std::size_t size) {
    whole_ = whole_ && size <= rest_.size();
    if (!whole_) return {};
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }
  void field(Plain auto& value) {
    const std::string_view bytes = take(sizeof value);
    if (whole_) std::memcpy(&value, bytes.data(), sizeof value);
  }
  void field(std::string& text) {
    std::size_t size = 0;
    field(size);
    text = take(size);
  }
  template <class T>
  void field(std::vector<T>& list) {
    std::size_t size = 0;
    field(size);
    for (std::size_t i = 0; i < size && whole_; ++i) {
      visit(list.emplace_back(), *this);
    }
  }
  void field(auto& message) { visit(message, *this); }

  std::string_view rest_;
  bool whole_ = true;
};

template <class T>
std::string pack(T value) {
  Writer writer;
  writer(value);
  return writer.take();
}

template <class T>
bool unpack_one(std::string_view& bytes, T& value) {
  Reader reader(bytes);
  reader(value);
  bytes = reader.rest();
  return reader.whole();
}

}  // namespace

std::string packed(const std::string& text) { return pack(text); }
std::string packed(const CaseVerdict& verdict) { return pack(verdict); }
bool unpack(std::string_view& bytes, std::string& text) { return unpack_one(bytes, text); }
bool unpack(std::string_view& bytes, CaseVerdict& verdict) { return unpack_one(bytes, verdict); }

}  // namespace mluop::cli
