// A message of a case file and its position, for errors with line and field.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>

#include "core/status/text.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::casefile {

inline std::string_view piece_of(std::string_view text) { return text; }
inline std::string piece_of(std::integral auto number) { return std::to_string(number); }
inline std::string piece_of(std::floating_point auto number) { return text_of(number); }

/// Concatenates texts and numbers.
template <class... Pieces>
std::string sentence(const Pieces&... pieces) {
  std::string text;
  (text.append(piece_of(pieces)), ...);
  return text;
}

/// Replaces control characters, so that messages stay on one line.
inline std::string printable(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c == 0x7f; }, '?');
  return text;
}

class Place {
 public:
  using Tree = google::protobuf::TextFormat::ParseInfoTree;

  /// `tree` has the lines of a text file; binary files have none.
  Place(const google::protobuf::Message& message, const Tree* tree, std::string name = "",
        int line = 0)
      : message_(message), tree_(tree), name_(std::move(name)), line_(line) {}

  /// The message in a field of this one.
  Place nested(const char* field, const google::protobuf::Message& message, int index = -1) const {
    const auto* descriptor = message_.GetDescriptor()->FindFieldByName(field);
    const Tree* tree = tree_ != nullptr ? tree_->GetTreeForNested(descriptor, index) : nullptr;
    return {message, tree, full_name(field, index), line_of(field, index)};
  }

  /// Throws CaseError. `index` is that of an element of a repeated field.
  [[noreturn]] void fail(const char* field, const std::string& problem, int index = -1) const {
    throw testing::CaseError(full_name(field, index), problem, line_of(field, index));
  }

  const std::string& name() const { return name_; }

  /// 0 if unknown; the line of the message is used instead.
  int line_of(const std::string& field, int index = -1) const {
    const auto* descriptor = message_.GetDescriptor()->FindFieldByName(field);
    if (tree_ == nullptr || descriptor == nullptr) return line_;
    const int at = descriptor->is_repeated() && index < 0 ? 0 : index;
    const int line = tree_->GetLocation(descriptor, at).line;
    return line < 0 ? line_ : line + 1;
  }

 private:
  std::string full_name(const std::string& field, int index) const {
    std::string text = name_.empty() || field.empty() ? name_ + field : name_ + "." + field;
    return index < 0 ? text : sentence(text, "[", index, "]");
  }

  const google::protobuf::Message& message_;
  const Tree* tree_;
  std::string name_;
  int line_;
};

}  // namespace mluop::casefile
