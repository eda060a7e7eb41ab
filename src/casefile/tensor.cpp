// Tensors of a case file: shape, dtype, layout, validation and memory.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "casefile/elements.hpp"
#include "casefile/node.hpp"
#include "testing/compare/rounding.hpp"
#include "testing/data/handle.hpp"

namespace mluop::casefile {
namespace {

using mluoptest::Tensor;
using testing::HostTensor;

/// INVALID for dtypes whose elements are not supported here.
mluOpDataType_t dtype_of(mluoptest::DataType dtype) {
  switch (dtype) {
    case mluoptest::DTYPE_HALF:
      return MLUOP_DTYPE_HALF;
    case mluoptest::DTYPE_FLOAT:
      return MLUOP_DTYPE_FLOAT;
    case mluoptest::DTYPE_INT8:
      return MLUOP_DTYPE_INT8;
    case mluoptest::DTYPE_INT16:
      return MLUOP_DTYPE_INT16;
    case mluoptest::DTYPE_INT32:
      return MLUOP_DTYPE_INT32;
    case mluoptest::DTYPE_BFLOAT16:
      return MLUOP_DTYPE_BFLOAT16;
    case mluoptest::DTYPE_DOUBLE:
      return MLUOP_DTYPE_DOUBLE;
    case mluoptest::DTYPE_UINT8:
      return MLUOP_DTYPE_UINT8;
    case mluoptest::DTYPE_UINT16:
      return MLUOP_DTYPE_UINT16;
    case mluoptest::DTYPE_UINT32:
      return MLUOP_DTYPE_UINT32;
    case mluoptest::DTYPE_BOOL:
      return MLUOP_DTYPE_BOOL;
    case mluoptest::DTYPE_INT64:
      return MLUOP_DTYPE_INT64;
    case mluoptest::DTYPE_UINT64:
      return MLUOP_DTYPE_UINT64;
    default:
      return MLUOP_DTYPE_INVALID;
  }
}

/// On-chip dtypes have no elements to read, so all are valid.
mluOpDataType_t onchip_dtype_of(mluoptest::DataType dtype) {
  switch (dtype) {
    case mluoptest::DTYPE_INT31:
      return MLUOP_DTYPE_INT31;
    case mluoptest::DTYPE_COMPLEX_HALF:
      return MLUOP_DTYPE_COMPLEX_HALF;
    case mluoptest::DTYPE_COMPLEX_FLOAT:
      return MLUOP_DTYPE_COMPLEX_FLOAT;
    default:
      return dtype_of(dtype);
  }
}

/// Files number the layouts differently from mlu_op.h.
mluOpTensorLayout_t layout_of(mluoptest::TensorLayout layout) {
  switch (layout) {
    case mluoptest::LAYOUT_NCHW:
      return MLUOP_LAYOUT_NCHW;
    case mluoptest::LAYOUT_NHWC:
      return MLUOP_LAYOUT_NHWC;
    case mluoptest::LAYOUT_HWCN:
      return MLUOP_LAYOUT_HWCN;
    case mluoptest::LAYOUT_NDHWC:
      return MLUOP_LAYOUT_NDHWC;
    case mluoptest::LAYOUT_ARRAY:
      return MLUOP_LAYOUT_ARRAY;
    case mluoptest::LAYOUT_TNC:
      return MLUOP_LAYOUT_TNC;
    case mluoptest::LAYOUT_NTC:
      return MLUOP_LAYOUT_NTC;
    case mluoptest::LAYOUT_NCDHW:
      return MLUOP_LAYOUT_NCDHW;
    case mluoptest::LAYOUT_NC:
      return MLUOP_LAYOUT_NC;
    case mluoptest::LAYOUT_NLC:
      return MLUOP_LAYOUT_NLC;
    case mluoptest::LAYOUT_NCL:
      return MLUOP_LAYOUT_NCL;
  }
  return MLUOP_LAYOUT_ARRAY;
}

std::vector<std::int64_t> sizes_of(const google::protobuf::RepeatedField<std::int64_t>& list,
                                   const Place& place, const char* field) {
  for (int i = 0; i < list.size(); ++i) {
    if (list[i] < 0) place.fail(field, sentence(list[i], " is negative"), i);
  }
  return {list.begin(), list.end()};
}

/// Elements from the first to the last; −1 if they cannot be counted.
std::int64_t stored_count(const std::vector<std::int64_t>& dims,
                          const std::vector<std::int64_t>& strides) {
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  std::int64_t count = 1, last = 0;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    std::int64_t step = 0;
    if (__builtin_mul_overflow(count, dims[axis], &count)) return -1;
    if (strides.empty()) continue;
    if (__builtin_mul_overflow(dims[axis] - 1, strides[axis], &step) ||
        __builtin_add_overflow(last, step, &last) || last > INT64_MAX - 1) {
      return -1;
    }
  }
  return std::max(count, strides.empty() ? 0 : last + 1);
}

/// Neither descriptor nor data; other fields are ignored.
bool is_null(const Tensor& tensor) { return tensor.id().find("NULL") != std::string::npos; }

struct Shape {
  mluOpDataType_t dtype;
  std::vector<std::int64_t> dims, strides;
};

Shape shape_of(const Tensor& tensor, const Place& place) {
  if (!tensor.has_shape()) place.fail("shape", "is missing");
  if (!tensor.has_dtype()) place.fail("dtype", "is missing or unknown");
  if (!tensor.has_layout()) place.fail("layout", "is missing or unknown");
  const mluOpDataType_t dtype = dtype_of(tensor.dtype());
  if (dtype == MLUOP_DTYPE_INVALID) {
    place.fail("dtype", sentence(mluoptest::DataType_Name(tensor.dtype()), " is not supported"));
  }
  const Place shape = place.nested("shape", tensor.shape());
  std::vector<std::int64_t> dims = sizes_of(tensor.shape().dims(), shape, "dims");
  std::vector<std::int64_t> strides = sizes_of(tensor.shape().dim_stride(), shape, "dim_stride");
  if (dims.empty() || dims.size() > MLUOP_DIM_MAX) {
    shape.fail("dims", sentence("has ", dims.size(), " entries, must have 1 to ", MLUOP_DIM_MAX));
  }
  if (!strides.empty() && strides.size() != dims.size()) {
    shape.fail("dim_stride",
               sentence("has ", strides.size(), " entries for ", dims.size(), " dims"));
  }
  return {dtype, std::move(dims), std::move(strides)};
}

/// An input is also stored as double, and as long double by references of double tensors.
constexpr std::size_t beside_inputs = 3 * sizeof(double);
/// Doubles per output element: its value, the reference and its rounded value, a plain result, and a pair
/// for differences.
constexpr std::size_t beside_outputs = 6 * sizeof(double);

/// Saturates at SIZE_MAX.
std::size_t memory_for(const Tensor& tensor, const Place& place, std::size_t beside) {
  if (is_null(tensor)) return 0;
  const auto [dtype, dims, strides] = shape_of(tensor, place);
  const std::int64_t count = stored_count(dims, strides);
  std::size_t bytes = 0;
  const bool countable =
      count >= 0 && !__builtin_mul_overflow(static_cast<std::size_t>(count),
                                            testing::encoded_size(dtype) + beside, &bytes);
  return countable ? bytes : SIZE_MAX;
}

}  // namespace

void expect_memory(const mluoptest::Node& node, const Place& place, std::size_t limit) {
  std::size_t total = 0, most = 0;
  std::optional<Place> largest;  // set if any memory is needed
  const auto add = [&](const char* field, const auto& tensors, std::size_t beside) {
    for (int i = 0; i < tensors.size(); ++i) {
      const Place here = place.nested(field, tensors[i], i);
      const std::size_t bytes = memory_for(tensors[i], here, beside);
      if (__builtin_add_overflow(total, bytes, &total)) total = SIZE_MAX;
      if (bytes <= most) continue;
      most = bytes;
      largest.emplace(here);
    }
  };
  add("input", node.input(), beside_inputs);
  add("output", node.output(), beside_outputs);
  if (total <= limit) return;
  constexpr std::size_t MiB = std::size_t{1} << 20;
  largest->fail("shape", sentence("is the largest of the tensors, which together need ",
                                  total == SIZE_MAX ? "more than " : "", total / MiB + 1,
                                  " MiB of memory; ", limit / MiB, " MiB are available"));
}

testing::FileTensor read_tensor(const Tensor& tensor, const Place& place) {
  testing::FileTensor result;
  result.id = printable(tensor.id());
  if (!tensor.has_id()) place.fail("id", "is missing");
  if (is_null(tensor)) return result;
  auto [dtype, dims, strides] = shape_of(tensor, place);
  result.tensor =
      HostTensor(result.id, dtype, layout_of(tensor.layout()), std::move(dims), std::move(strides));
  if (tensor.has_onchip_dtype()) {
    testing::expect_success(mluOpSetTensorDescriptorOnchipDataType(
                                result.tensor.descriptor(), onchip_dtype_of(tensor.onchip_dtype())),
                            "mluOpSetTensorDescriptorOnchipDataType");
  }
  return result;
}

}  // namespace mluop::casefile
