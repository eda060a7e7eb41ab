// Invalid tensors, and the guarantees of every call.
#include "hostile_call.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "testing/data/handle.hpp"

namespace mluop::fuzz {
namespace {

constexpr std::size_t most_bytes = 1 << 20;
constexpr std::byte untouched{0xA5};

constexpr std::array floating_dtypes{MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE,
                                     MLUOP_DTYPE_BFLOAT16};
constexpr std::array any_dtype{MLUOP_DTYPE_INVALID, MLUOP_DTYPE_HALF,     MLUOP_DTYPE_FLOAT,
                               MLUOP_DTYPE_DOUBLE,  MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_INT8,
                               MLUOP_DTYPE_INT16,   MLUOP_DTYPE_INT32,    MLUOP_DTYPE_INT64,
                               MLUOP_DTYPE_UINT8,   MLUOP_DTYPE_BOOL};
constexpr std::array any_layout{MLUOP_LAYOUT_ARRAY, MLUOP_LAYOUT_NHWC,  MLUOP_LAYOUT_NCHW,
                                MLUOP_LAYOUT_HWCN,  MLUOP_LAYOUT_NDHWC, MLUOP_LAYOUT_NCDHW,
                                MLUOP_LAYOUT_NC,    MLUOP_LAYOUT_TNC};

/// Bytes from the first element to the end of the last; SIZE_MAX if that overflows. Zero without elements.
std::size_t extent(const std::vector<std::int64_t>& dims, const std::vector<std::int64_t>& strides,
                   std::size_t element) {
  constexpr std::size_t endless = std::numeric_limits<std::size_t>::max();
  if (std::ranges::find(dims, 0) != dims.end()) return 0;
  if (std::ranges::any_of(dims, [](std::int64_t dim) { return dim < 0; })) return endless;
  if (std::ranges::any_of(strides, [](std::int64_t stride) { return stride < 0; })) return endless;
  std::int64_t last = 0, dense = 1;
  for (std::size_t i = dims.size(); i-- > 0;) {
    const std::int64_t stride = strides.empty() ? dense : strides[i];
    std::int64_t step = 0;
    if (__builtin_mul_overflow(dims[i] - 1, stride, &step) ||
        __builtin_add_overflow(last, step, &last) ||
        __builtin_mul_overflow(dense, dims[i], &dense)) {
      return endless;
    }
  }
  std::size_t total = 0;
  return __builtin_mul_overflow(static_cast<std::size_t>(last) + 1, element, &total) ? endless
                                                                                     : total;
}

}  // namespace

HostileTensor::HostileTensor(Bytes& bytes, Role role, mluOpDataType_t dtype,
                             mluOpTensorLayout_t layout, std::vector<std::int64_t> dims)
    : role_(role), dtype_(dtype), layout_(layout), dims_(std::move(dims)) {
  spoil(bytes);
  describe(bytes);
  allocate(bytes);
}

void HostileTensor::spoil(Bytes& bytes) {
  if (bytes.oddly()) dtype_ = bytes.one_of(any_dtype);
  if (bytes.oddly()) layout_ = bytes.one_of(any_layout);
  if (bytes.oddly()) dims_.resize(static_cast<std::size_t>(bytes.between(1, 8)), 1);
  for (std::int64_t& dim : dims_) dim = bytes.mostly(dim);
  if (bytes.oddly()) {
    for (std::size_t i = 0; i < dims_.size(); ++i) strides_.push_back(bytes.between(0, 60));
  }
}

/// Occasionally null. If the library rejects the shape, the descriptor stays without one.
void HostileTensor::describe(Bytes& bytes) {
  if (bytes.oddly()) return;
  mluOpTensorDescriptor_t created = nullptr;
  testing::expect_success(mluOpCreateTensorDescriptor(&created), "mluOpCreateTensorDescriptor");
  descriptor_.reset(created);
  const int rank = static_cast<int>(dims_.size());
  if (strides_.empty()) {
    mluOpSetTensorDescriptor_v2(created, layout_, dtype_, rank, dims_.data());
  } else {
    mluOpSetTensorDescriptorEx_v2(created, layout_, dtype_, rank, dims_.data(), strides_.data());
  }
}

void HostileTensor::allocate(Bytes& bytes) {
  std::size_t element = 0;
  if (mluOpGetSizeOfDataType(dtype_, &element) != MLUOP_STATUS_SUCCESS) return;
  const std::size_t needed = extent(dims_, strides_, element);
  if (needed > most_bytes || bytes.oddly()) return;
  bytes_ = needed;
  count_ = static_cast<std::int64_t>(needed / std::max<std::size_t>(element, 1));
  data_ = std::make_unique<std::byte[]>(needed);
  std::uint32_t state = bytes.take<std::uint16_t>() * 2654435761u + 1;
  std::generate_n(data_.get(), needed, [&] {
    state = state * 1664525u + 1013904223u;
    return static_cast<std::byte>(state >> 24);
  });
}

std::vector<std::int64_t> HostileTensor::rows(std::int64_t expected) const {
  constexpr std::int64_t most_rows = most_bytes / sizeof(std::int32_t);
  const std::int64_t claimed = std::clamp<std::int64_t>(dims_.front(), expected, most_rows);
  return std::vector<std::int64_t>(static_cast<std::size_t>(claimed));
}

void HostileTensor::fill_indices(Bytes& bytes, std::int64_t bound) {
  if (dtype_ != MLUOP_DTYPE_INT32) return;
  for (std::int64_t i = 0; i < count_; ++i) {
    const std::uint8_t step = bytes.take<std::uint8_t>();
    auto value = static_cast<std::int32_t>(bound > 0 ? (i + step) % bound : step);
    if (step == 255) value = bytes.mostly(bytes.take<std::int32_t>());
    if (step == 254) value = -1;
    std::memcpy(data_.get() + i * 4, &value, 4);
  }
}

void HostileTensor::fill_coordinates(Bytes& bytes, float low, float high) {
  if (dtype_ != MLUOP_DTYPE_FLOAT) return;
  for (std::int64_t i = 0; i < count_; ++i) {
    const std::uint8_t step = bytes.take<std::uint8_t>();
    const float value = step == 255 ? bytes.take<float>() : low + (high - low) * step / 254;
    std::memcpy(data_.get() + i * 4, &value, 4);
  }
}

mluOpDataType_t HostileCall::floating() {
  return bytes_.between(0, 1) == 0 ? MLUOP_DTYPE_FLOAT : bytes_.one_of(floating_dtypes);
}

HostileTensor& HostileCall::input(mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                                  std::vector<std::int64_t> dims) {
  return tensors_.emplace_back(bytes_, HostileTensor::Role::input, dtype, layout, std::move(dims));
}

HostileTensor& HostileCall::output(mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                                   std::vector<std::int64_t> dims) {
  return tensors_.emplace_back(bytes_, HostileTensor::Role::output, dtype, layout, std::move(dims));
}

HostileCall::Workspace HostileCall::workspace(
    const std::function<mluOpStatus_t(mluOpHandle_t, std::size_t*)>& query) {
  const testing::Handle handle;
  std::size_t size = 0;
  if (query(handle, &size) != MLUOP_STATUS_SUCCESS) size = 64;
  if (size > 64 * most_bytes) return {nullptr, 0};
  workspace_ = std::make_unique<std::byte[]>(size);
  return {bytes_.oddly() ? nullptr : workspace_.get(), std::min(bytes_.mostly(size), size)};
}

struct HostileCall::Outcome {
  mluOpStatus_t status;
  std::vector<std::vector<std::byte>> outputs;
};

HostileCall::Outcome HostileCall::attempt(int threads,
                                          const std::function<mluOpStatus_t(mluOpHandle_t)>& call) {
  for (HostileTensor& tensor : tensors_) {
    if (tensor.role() == HostileTensor::Role::output) {
      std::fill_n(tensor.data(), tensor.bytes(), untouched);
    }
  }
  testing::Handle handle;
  handle.threads(threads);
  mluOpGetSizeOfDataType(MLUOP_DTYPE_FLOAT, nullptr);  // sets another message
  Outcome outcome{call(handle), {}};
  const std::string_view sentence = mluOpCpuGetLastError();
  if (outcome.status != MLUOP_STATUS_SUCCESS &&
      (!sentence.starts_with("mluOp") || sentence.starts_with("mluOpGetSizeOfDataType"))) {
    throw Violation{"refused without a sentence"};
  }
  for (HostileTensor& tensor : tensors_) {
    if (tensor.role() == HostileTensor::Role::input) continue;
    outcome.outputs.emplace_back(tensor.data(), tensor.data() + tensor.bytes());
    const bool written = std::ranges::any_of(outcome.outputs.back(),
                                             [](std::byte byte) { return byte != untouched; });
    if (outcome.status != MLUOP_STATUS_SUCCESS && written) {
      throw Violation{"an output was written although the call was refused: " +
                      std::string{sentence}};
    }
  }
  return outcome;
}

bool HostileCall::run(const std::function<mluOpStatus_t(mluOpHandle_t)>& call) {
  const Outcome alone = attempt(1, call), together = attempt(3, call);
  if (alone.status != together.status) {
    throw Violation{"the status depends on the number of threads"};
  }
  if (alone.outputs != together.outputs) {
    throw Violation{"the bits depend on the number of threads"};
  }
  return alone.status == MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::fuzz
