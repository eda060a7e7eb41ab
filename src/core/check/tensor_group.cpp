// The rules of TensorGroup, on each tensor of a group, and the sentences they leave.
#include <limits>

#include "core/check/check.hpp"
#include "core/check/sentence.hpp"
#include "core/memory/memory.hpp"
#include "core/numbers/dtype.hpp"
#include "core/status/call_log.hpp"

namespace mluop {
namespace {

constexpr std::int64_t large_tensor = std::int64_t{1} << 31;

std::string word_for(int rank) { return text_of(rank); }
template <class Enumerator>
std::string word_for(Enumerator value) {
  return name_of(value);
}

/// "HALF, FLOAT or DOUBLE".
template <class Value>
std::string names_of(std::uint32_t set) {
  std::string names;
  for (int value = 0; value < 32; ++value) {
    if ((set >> value & 1u) == 0) continue;
    set &= ~(1u << value);
    if (!names.empty()) names += set == 0 ? " or " : ", ";
    names += word_for(static_cast<Value>(value));
  }
  return names;
}

template <class Value>
bool contains(std::uint32_t set, Value value) {
  return value >= 0 && value < 32 && (set >> value & 1u) != 0;
}

/// The members of a set of dtypes that are at least as wide as `dtype`.
std::uint32_t as_wide_as(mluOpDataType_t dtype, std::uint32_t set) {
  for (int value = 0; value < 32; ++value) {
    if (size_of(static_cast<mluOpDataType_t>(value)) < size_of(dtype)) set &= ~(1u << value);
  }
  return set;
}

/// Elements of a tensor without negative sizes; empty when the bytes exceed an address space.
std::optional<std::int64_t> addressable_elements(const mluOpTensorStruct& desc) {
  std::int64_t bytes = static_cast<std::int64_t>(size_of(desc.dtype));
  if (desc.empty()) return 0;
  std::int64_t elements = 1;
  for (std::int64_t size : desc.dims) {
    if (__builtin_mul_overflow(elements, size, &elements)) return std::nullopt;
  }
  if (__builtin_mul_overflow(bytes, elements, &bytes)) return std::nullopt;
  if (static_cast<std::size_t>(bytes) > address_space_bytes) return std::nullopt;
  return elements;
}

/// What keeps a tensor from the card, or nothing.
std::string card_size_problem(const mluOpTensorStruct& desc, bool each_dim) {
  if (each_dim) {
    for (int axis = 0; axis < desc.rank(); ++axis) {
      if (desc.dim(axis) >= large_tensor) {
        return "dim " + text_of(axis) + " must be less than " + text_of(large_tensor) + ", got " +
               text_of(desc.dim(axis));
      }
    }
  } else if (desc.element_count >= static_cast<std::uint64_t>(large_tensor)) {
    return "must have fewer than " + text_of(large_tensor) + " elements, got " +
           text_of(desc.element_count);
  }
  return {};
}

}  // namespace

TensorGroup::TensorGroup(Check& check, std::initializer_list<const Tensor*> tensors)
    : check_(check) {
  for (const Tensor* tensor : tensors) tensors_[static_cast<std::size_t>(count_++)] = tensor;
  if (CallLog* const log = CallLog::current()) [[unlikely]] {
    for (const Tensor* tensor : tensors) log->add_tensor(tensor->name, tensor->desc);
  }
}

template <class Rule>
TensorGroup& TensorGroup::each(Rule&& rule) {
  for (int i = 0; i < count_ && check_.running(); ++i) rule(*tensors_[static_cast<std::size_t>(i)]);
  return *this;
}

TensorGroup& TensorGroup::present() {
  return each([&](const Tensor& tensor) {
    if (tensor.desc == nullptr)
      check_.present((tensor.name + std::string("_desc")).c_str(), nullptr);
  });
}

/// "x <before> HALF or FLOAT<after>, got INT32".
template <class Value>
void TensorGroup::choose(const Tensor& tensor, const char* before, const char* after,
                         ChoiceSet<Value> set, Value actual, Status status) {
  const bool card_decides = check_.card_limits() && contains(set.all, actual);
  const std::uint32_t allowed = check_.card_limits() ? set.card : set.all;
  if (contains(allowed, actual)) return;
  check_.fail(status,
              join(tensor.name, before + (' ' + names_of<Value>(allowed)) + after + ", got " +
                                    word_for(actual) + (card_decides ? Check::card_suffix : "")));
}

TensorGroup& TensorGroup::rank(RankSet set, Status status) {
  return each([&](const Tensor& tensor) {
    choose(tensor, "must have", " dims", set, tensor.desc->rank(), status);
  });
}

TensorGroup& TensorGroup::layout(LayoutSet set, Status status) {
  return each([&](const Tensor& tensor) {
    choose(tensor, "layout must be", "", set, tensor.desc->layout, status);
  });
}

TensorGroup& TensorGroup::rank_of_layout(Status status) {
  return each([&](const Tensor& tensor) {
    if (tensor.desc->layout == MLUOP_LAYOUT_ARRAY) return;
    const std::string layout = name_of(tensor.desc->layout);
    choose(tensor, "must have", (" dims in layout " + layout).c_str(),
           RankSet{bits_of(layout.size())}, tensor.desc->rank(), status);
  });
}

TensorGroup& TensorGroup::dtype(DtypeSet set) {
  return each([&](const Tensor& tensor) {
    choose(tensor, "dtype must be", "", set, tensor.desc->dtype, MLUOP_STATUS_BAD_PARAM);
  });
}

TensorGroup& TensorGroup::plain_onchip_dtype() {
  return each([&](const Tensor& tensor) {
    if (tensor.desc->onchip_dtype == MLUOP_DTYPE_INVALID) return;
    choose(tensor, "on-chip dtype, if set, must be", "", DtypeSet{bits_of(tensor.desc->dtype)},
           tensor.desc->onchip_dtype, MLUOP_STATUS_BAD_PARAM);
  });
}

TensorGroup& TensorGroup::wide_onchip_dtype(DtypeSet set) {
  return each([&](const Tensor& tensor) {
    if (tensor.desc->onchip_dtype == MLUOP_DTYPE_INVALID) return;
    const DtypeSet wide{as_wide_as(tensor.desc->dtype, set.all),
                        as_wide_as(tensor.desc->dtype, set.card)};
    choose(tensor, "on-chip dtype, if set, must be", "", wide, tensor.desc->onchip_dtype,
           MLUOP_STATUS_BAD_PARAM);
  });
}

TensorGroup& TensorGroup::same_dtype() {
  const Tensor& first = *tensors_[0];
  return each([&](const Tensor& tensor) {
    if (tensor.desc->dtype == first.desc->dtype) return;
    check_.fail(MLUOP_STATUS_BAD_PARAM,
                join(tensor.name, std::string("dtype must be that of ") + first.name + " (" +
                                      name_of(first.desc->dtype) + "), got " +
                                      name_of(tensor.desc->dtype)));
  });
}

TensorGroup& TensorGroup::contiguous(Status status) {
  return each([&](const Tensor& tensor) {
    if (tensor.desc->empty() || tensor.desc->contiguous()) return;
    check_.fail(status, join(tensor.name, "must be contiguous, got strides " +
                                              list_of(tensor.desc->strides) + " for dims " +
                                              list_of(tensor.desc->dims)));
  });
}

TensorGroup& TensorGroup::size_limits() {
  return each([&](const Tensor& tensor) {
    if (check_.card_limits()) {
      if (const std::string problem = card_size_problem(*tensor.desc, check_.each_dim_);
          !problem.empty()) {
        check_.fail(MLUOP_STATUS_NOT_SUPPORTED, join(tensor.name, problem + Check::card_suffix));
        return;
      }
    }
    expect_addressable(tensor);
  });
}

TensorGroup& TensorGroup::addressable() {
  return each([&](const Tensor& tensor) { expect_addressable(tensor); });
}

void TensorGroup::expect_addressable(const Tensor& tensor) {
  for (int axis = 0; axis < tensor.desc->rank(); ++axis) {
    if (tensor.desc->dim(axis) >= 0) continue;
    check_.fail(MLUOP_STATUS_BAD_PARAM,
                join(tensor.name, "dim " + text_of(axis) + " must be at least 0, got " +
                                      text_of(tensor.desc->dim(axis))));
    return;
  }
  if (!addressable_elements(*tensor.desc)) {
    check_.fail(MLUOP_STATUS_BAD_PARAM, join(tensor.name, "must fit an address space, got dims " +
                                                              list_of(tensor.desc->dims)));
  }
}

TensorGroup& TensorGroup::not_empty() {
  return each([&](const Tensor& tensor) {
    for (int axis = 0; axis < tensor.desc->rank(); ++axis) {
      if (tensor.desc->dim(axis) != 0) continue;
      check_.fail(MLUOP_STATUS_BAD_PARAM,
                  join(tensor.name, "must not be empty: dim " + text_of(axis) + " is 0"));
      return;
    }
  });
}

TensorGroup& TensorGroup::data_present() {
  return each([&](const Tensor& tensor) { check_.present(tensor.name, tensor.data); });
}

}  // namespace mluop
