// Elements of tensors as the text of case files, so that they read back with the same bits.
#pragma once

#include <cstddef>
#include <string>

#include "mlu_op.h"
#include "recorder/order.hpp"

namespace mluop::recorder {

/// Elements of one tensor, written one by one.
class Values {
 public:
  /// `data` holds `count` elements. In decimals, a tensor whose numbers would not survive (double,
  /// whose field has the precision of float, and NaN, whose bits matter) is written in bits.
  Values(mluOpDataType_t dtype, const void* data, std::size_t count, Notation notation);

  /// The field of a case file that holds them: "value_h", "value_f", "value_i", …
  const char* field() const noexcept { return field_; }
  void append(std::size_t index, std::string& text) const { append_(data_, index, text); }

 private:
  const void* data_;
  const char* field_;
  void (*append_)(const void* data, std::size_t index, std::string& text);
};

/// The shortest decimals that read back as the same float, also for readers that parse a double and
/// then narrow it.
std::string decimals_of(float value);

}  // namespace mluop::recorder
