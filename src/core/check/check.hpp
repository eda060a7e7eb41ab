// Declarative argument checks: rules run in order, the first failure wins, messages are derived.
//
//   Dim N{"N"}, H{"H"}, W{"W"}, C{"C"};
//   Check check{"mluOpCarafeForward", handle};
//   auto all = check.tensors(input, mask, output);
//   all.present().rank(4).dtype(floating).same_dtype();
//   check.shape(input, {N, H, W, C}).shape(output, {N, s * H, s * W, C});
//
// A rule that fails leaves its sentence as the last error and turns every later rule into a no-op.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <type_traits>

#include "core/check/rule.hpp"
#include "core/handle/handle.hpp"
#include "core/status/status.hpp"
#include "core/status/text.hpp"
#include "core/tensor/tensor_descriptor.hpp"

namespace mluop {

/// Memory that a call reads or writes: [data, data + bytes), by the name that messages use. Without
/// bytes or without data it overlaps nothing.
struct Region {
  const char* name;
  const void* data = nullptr;
  std::size_t bytes = 0;
};

/// A tensor argument: the name messages use, its descriptor and its data.
struct Tensor {
  const char* name;
  const mluOpTensorStruct* desc;
  const void* data = nullptr;

  /// Its memory, once it is known to be contiguous and within size limits; none without a descriptor.
  operator Region() const noexcept;  // NOLINT(google-explicit-constructor)
};

/// A size that recurs in several shapes: the first shape that uses it binds it, unless an argument
/// of the call gives its value.
class Dim {
 public:
  explicit Dim(const char* name) : name_(name) {}
  Dim(const char* name, std::int64_t value) : name_(name), value_(value) {}
  Dim(const Dim&) = delete;
  Dim& operator=(const Dim&) = delete;

  const char* name() const noexcept { return name_; }
  bool bound() const noexcept { return value_.has_value(); }
  std::int64_t value() const noexcept { return *value_; }
  explicit operator std::int64_t() const noexcept { return *value_; }

 private:
  friend class Check;
  const char* name_;
  std::optional<std::int64_t> value_;
  const char* tensor_ = nullptr;  // where it was bound; null for an argument
  int axis_ = 0;
};

/// A product of dims and numbers, evaluated without overflow when a shape uses it.
class Size {
 public:
  Size(std::int64_t number) { push(nullptr, number); }  // NOLINT(google-explicit-constructor)
  Size(int number) : Size(std::int64_t{number}) {}      // NOLINT(google-explicit-constructor)
  Size(Dim& dim) { push(&dim, 0); }                     // NOLINT(google-explicit-constructor)

  friend Size operator*(Size left, const Size& right);

  /// Of bound dims; empty when the product does not fit int64_t.
  std::optional<std::int64_t> evaluate() const noexcept;

 private:
  friend class Check;
  struct Factor {
    Dim* dim;
    std::int64_t number;
  };
  void push(Dim* dim, std::int64_t number);
  bool lone_dim() const noexcept { return count_ == 1 && factors_[0].dim != nullptr; }
  std::string text() const;

  std::array<Factor, 8> factors_{};
  int count_ = 0;
};
Size operator*(Size left, const Size& right);

/// A set of values below 32, one bit each; `card` is the subset the card has.
template <class Value>
struct ChoiceSet {
  std::uint32_t all;
  std::uint32_t card = all;
};
using DtypeSet = ChoiceSet<mluOpDataType_t>;
using LayoutSet = ChoiceSet<mluOpTensorLayout_t>;
using RankSet = ChoiceSet<int>;

template <class... Values>
constexpr std::uint32_t bits_of(Values... values) {
  return (... | (1u << values));
}
inline constexpr DtypeSet floating{
    bits_of(MLUOP_DTYPE_HALF, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16),
    bits_of(MLUOP_DTYPE_HALF, MLUOP_DTYPE_FLOAT)};
inline constexpr DtypeSet int32{bits_of(MLUOP_DTYPE_INT32)};

class Check;

/// Tensors that share rules; each rule visits them in the order given.
class TensorGroup {
 public:
  /// Descriptors are not null.
  TensorGroup& present();
  TensorGroup& rank(int rank) { return this->rank(RankSet{bits_of(rank)}); }
  TensorGroup& rank(RankSet set, Status status = MLUOP_STATUS_BAD_PARAM);
  TensorGroup& layout(mluOpTensorLayout_t layout) {
    return this->layout(LayoutSet{bits_of(layout)});
  }
  TensorGroup& layout(LayoutSet set, Status status = MLUOP_STATUS_BAD_PARAM);
  /// As many dims as the layout names; ARRAY names none.
  TensorGroup& rank_of_layout(Status status = MLUOP_STATUS_BAD_PARAM);
  TensorGroup& dtype(DtypeSet set);
  /// Every dtype equals the first tensor's.
  TensorGroup& same_dtype();
  /// The on-chip dtype is unset or the tensor's dtype.
  TensorGroup& plain_onchip_dtype();
  /// The on-chip dtype is unset or one of the set that is as wide as the tensor's dtype or wider.
  TensorGroup& wide_onchip_dtype(DtypeSet set);
  TensorGroup& contiguous(Status status = MLUOP_STATUS_NOT_SUPPORTED);
  /// Sizes are not negative and the bytes fit an address space; on the card, below 2^31 elements
  /// (or, with MLUOP_CHECK_DIM_SIZE=1, below 2^31 in every dim).
  TensorGroup& size_limits();
  /// The same without the limits of the card.
  TensorGroup& addressable();
  /// An empty tensor is an error.
  TensorGroup& not_empty();
  /// Data pointers are not null.
  TensorGroup& data_present();

 private:
  friend class Check;
  TensorGroup(Check& check, std::initializer_list<const Tensor*> tensors);
  template <class Rule>
  TensorGroup& each(Rule&& rule);
  void expect_addressable(const Tensor& tensor);
  template <class Value>
  void choose(const Tensor& tensor, const char* before, const char* after, ChoiceSet<Value> set,
              Value actual, Status status);

  Check& check_;
  std::array<const Tensor*, 8> tensors_{};
  int count_ = 0;
};

class Check {
 public:
  /// A null handle is the first failure.
  Check(const char* function, const mluOpContext* handle);
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;

  template <class... Tensors>
  TensorGroup tensors(const Tensors&... tensors) {
    return TensorGroup{*this, {&tensors...}};
  }

  /// Sizes of one tensor, from the first axis; the rank has been checked. Unbound dims bind.
  Check& shape(const Tensor& tensor, std::initializer_list<Size> sizes);
  /// One of these sizes.
  Check& dim(const Tensor& tensor, int axis, const Size& size);

  /// A rule about a value: BAD_PARAM, NOT_SUPPORTED, or NOT_SUPPORTED on the card only.
  template <class Value>
  Check& require(const char* name, const Value& value, const Rule& rule) {
    return apply(name, value, rule, MLUOP_STATUS_BAD_PARAM);
  }
  template <class Value>
  Check& support(const char* name, const Value& value, const Rule& rule) {
    return apply(name, value, rule, MLUOP_STATUS_NOT_SUPPORTED);
  }
  template <class Value>
  Check& on_card(const char* name, const Value& value, const Rule& rule,
                 Status status = MLUOP_STATUS_NOT_SUPPORTED) {
    return card_limits_ ? apply(name, value, rule, status, card_suffix) : *this;
  }

  /// A rule about each element of an array argument: BAD_PARAM.
  Check& require_each(const char* name, const std::int64_t* values, std::int64_t count,
                      const Rule& rule);

  /// A pointer argument that is not a tensor.
  Check& present(const char* name, const void* pointer);

  /// If any of the tensors is empty, the call is done: SUCCESS, nothing written.
  template <class... Tensors>
  Check& done_if_empty(const Tensors&... tensors) {
    if (running_ && (... || tensors.desc->empty())) running_ = false;
    return *this;
  }

  /// A workspace of `given` bytes where the problem needs `needed`.
  Check& workspace(const void* pointer, std::size_t given, std::size_t needed);

  /// No output shares memory with an input, with another output or with the workspace, nor the
  /// workspace with any of them. Inputs may overlap. The last rule before data are read; tensors are
  /// contiguous and within size limits, or the check has ended.
  ///
  /// The workspace is all of what the caller gave, used or not: what the call needs of it differs
  /// between versions, builds and the card, and the verdict must not.
  Check& no_overlap(std::initializer_list<Region> inputs, std::initializer_list<Region> outputs,
                    const Region& workspace = {"workspace"});

  /// The end of a workspace query: writes `bytes` unless a rule has failed. A query whose contract
  /// does not ask for `size` when tensors are empty may pass null.
  Status answer_size(std::size_t* size, std::size_t bytes) const noexcept;

  /// Records a failure found by a rule of the caller's own; only the first counts.
  Check& fail(Status status, const std::string& problem);

  /// Rules still apply: nothing failed and the call is not done early.
  bool running() const noexcept { return running_; }
  bool card_limits() const noexcept { return card_limits_; }
  const char* function() const noexcept { return function_; }
  Status status() const noexcept { return status_; }

  static constexpr const char* card_suffix = " (a limit of the card, in force on this handle)";

 private:
  friend class TensorGroup;

  template <class Value>
  Check& apply(const char* name, const Value& value, const Rule& rule, Status status,
               const char* suffix = "") {
    using Number = std::conditional_t<std::is_floating_point_v<Value>, Value, std::int64_t>;
    if (!running_) return *this;  // before the value is read: a dim may not be bound
    const auto number = static_cast<Number>(value);
    if (rule.holds(number)) return *this;
    return fail(status, std::string(name) + " must be " + rule.text() + ", got " + text_of(number) +
                            suffix);
  }

  const char* function_;
  Status status_ = MLUOP_STATUS_SUCCESS;
  bool running_ = true;
  bool card_limits_ = false;
  bool each_dim_ = false;
};

}  // namespace mluop
