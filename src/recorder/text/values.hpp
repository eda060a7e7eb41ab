// Elements of tensors as text of case files that reads back with the same bits.
#pragma once

#include <cstddef>
#include <string>

#include "mlu_op.h"
#include "recorder/order.hpp"

namespace mluop::recorder {

/// Writes the elements of a tensor one by one.
class Values {
 public:
  /// `data` has `count` elements. If decimals would lose information (double, because the field has the
  /// precision of float; NaN payloads), the tensor is written as bit patterns.
  Values(mluOpDataType_t dtype, const void* data, std::size_t count, Notation notation);

  /// The field of a case file that holds them: "value_h", "value_f", "value_i", …
  const char* field() const noexcept { return field_; }
  void append(std::size_t index, std::string& text) const { append_(data_, index, text); }

 private:
  const void* data_;
  const char* field_;
  void (*append_)(const void* data, std::size_t index, std::string& text);
};

/// The shortest decimals that read back as the same float, also by readers that parse a double and narrow it.
std::string decimals_of(float value);

}  // namespace mluop::recorder
