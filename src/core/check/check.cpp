// Sizes, and the rules of Check on a call as a whole.
#include "core/check/check.hpp"

#include <cassert>

#include "core/check/sentence.hpp"
#include "runtime/plan.hpp"

namespace mluop {
void Size::push(Dim* dim, std::int64_t number) {
  assert(static_cast<std::size_t>(count_) < factors_.size());
  factors_[static_cast<std::size_t>(count_++)] = {dim, number};
}

Size operator*(Size left, const Size& right) {
  for (int i = 0; i < right.count_; ++i) {
    const auto& factor = right.factors_[static_cast<std::size_t>(i)];
    left.push(factor.dim, factor.number);
  }
  return left;
}

std::optional<std::int64_t> Size::evaluate() const noexcept {
  std::int64_t product = 1;
  for (int i = 0; i < count_; ++i) {
    const Factor& factor = factors_[static_cast<std::size_t>(i)];
    const std::int64_t value = factor.dim != nullptr ? factor.dim->value() : factor.number;
    if (__builtin_mul_overflow(product, value, &product)) return std::nullopt;
  }
  return product;
}

std::string Size::text() const {
  std::string text;
  for (int i = 0; i < count_; ++i) {
    const Factor& factor = factors_[static_cast<std::size_t>(i)];
    if (i != 0) text += " * ";
    text += factor.dim != nullptr ? factor.dim->name() : text_of(factor.number);
  }
  return text;
}

Check::Check(const char* function, const mluOpContext* handle) : function_(function) {
  present("handle", handle);
  if (handle == nullptr) return;
  card_limits_ = handle->card_limits();
  each_dim_ = handle->check_each_dim;
}

Check& Check::fail(Status status, const std::string& problem) {
  if (!running_) return *this;
  running_ = false;
  status_ = mluop::fail(status, std::string(function_) + ": " + problem);
  return *this;
}

Check& Check::present(const char* name, const void* pointer) {
  if (pointer == nullptr) fail(MLUOP_STATUS_BAD_PARAM, join(name, "must not be null"));
  return *this;
}

Check& Check::require_each(const char* name, const std::int64_t* values, std::int64_t count,
                           const Rule& rule) {
  for (std::int64_t i = 0; running_ && i < count; ++i) {
    if (!rule.holds(values[i])) require((name + ('[' + text_of(i) + ']')).c_str(), values[i], rule);
  }
  return *this;
}

Check& Check::shape(const Tensor& tensor, std::initializer_list<Size> sizes) {
  int axis = 0;
  for (const Size& size : sizes) dim(tensor, axis++, size);
  return *this;
}

Check& Check::dim(const Tensor& tensor, int axis, const Size& size) {
  if (!running_) return *this;
  const std::int64_t actual = tensor.desc->dim(axis);
  Dim* const dim = size.lone_dim() ? size.factors_[0].dim : nullptr;
  if (dim != nullptr && !dim->bound()) {
    dim->value_ = actual;
    dim->tensor_ = tensor.name;
    dim->axis_ = axis;
    return *this;
  }
  const auto expected = size.evaluate();
  if (expected == actual) return *this;
  std::string wanted = size.text();
  if (!expected) {
    wanted += ", which overflows";
  } else if (dim != nullptr || size.count_ > 1) {
    wanted += " = " + text_of(*expected);
  }
  if (dim != nullptr && dim->tensor_ != nullptr) {
    wanted += std::string(" (") + dim->tensor_ + " dim " + text_of(dim->axis_) + ")";
  }
  return fail(MLUOP_STATUS_BAD_PARAM, join(tensor.name, "dim " + text_of(axis) + " must be " +
                                                            wanted + ", got " + text_of(actual)));
}

Check& Check::workspace(const void* pointer, std::size_t given, std::size_t needed) {
  note_plan("workspace_bytes", static_cast<std::int64_t>(needed));
  if (given > 0) present("workspace", pointer);
  if (running_ && given < needed) {
    fail(MLUOP_STATUS_BAD_PARAM,
         "workspace_size must be at least " + text_of(needed) + ", got " + text_of(given));
  }
  return *this;
}

Status Check::answer_size(std::size_t* size, std::size_t bytes) const noexcept {
  if (status_ == MLUOP_STATUS_SUCCESS && size != nullptr) *size = bytes;
  return status_;
}

}  // namespace mluop
