// HostTensor: element access, poison, guard zones and descriptor.
#include "testing/data/host_tensor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>

namespace mluop::testing {
namespace {

constexpr mluOpDataType_t all_dtypes[] = {
    MLUOP_DTYPE_HALF,  MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT,  MLUOP_DTYPE_DOUBLE,
    MLUOP_DTYPE_BOOL,  MLUOP_DTYPE_INT8,     MLUOP_DTYPE_INT16,  MLUOP_DTYPE_INT32,
    MLUOP_DTYPE_INT64, MLUOP_DTYPE_UINT8,    MLUOP_DTYPE_UINT16, MLUOP_DTYPE_UINT32,
    MLUOP_DTYPE_UINT64};

HostTensor tensor(mluOpDataType_t dtype, std::vector<std::int64_t> dims) {
  return {"t", dtype, MLUOP_LAYOUT_ARRAY, std::move(dims)};
}

TEST(HostTensor, StartsPoisonedAlignedAndIntact) {
  for (const mluOpDataType_t dtype : all_dtypes) {
    SCOPED_TRACE(dtype);
    const HostTensor t = tensor(dtype, {3, 5});
    EXPECT_EQ(t.count(), 15);
    EXPECT_EQ(t.bytes(), 15 * encoded_size(dtype));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(t.data()) % 64, 0u);
    EXPECT_TRUE(t.poisoned());
    EXPECT_TRUE(t.intact());
    if (is_floating(dtype)) {
      for (const double value : t.values()) EXPECT_TRUE(std::isnan(value));
    } else {
      for (const std::byte b : t.raw()) EXPECT_EQ(b, std::byte{0xA5});
    }
  }
}

TEST(HostTensor, ReadsBackWhatWasWrittenRounded) {
  for (const mluOpDataType_t dtype : all_dtypes) {
    SCOPED_TRACE(dtype);
    HostTensor t = tensor(dtype, {2, 2});
    t.assign(std::vector<double>{0, 1, 2.4, 100});
    const double rounded[] = {0, 1, rounded_to(dtype, 2.4), rounded_to(dtype, 100)};
    for (int i = 0; i < 4; ++i) EXPECT_EQ(t.get(i), rounded[i]);
    t.set(2, 0);
    EXPECT_EQ(t.values(), (std::vector<double>{0, 1, 0, rounded[3]}));
    EXPECT_FALSE(t.poisoned());
    EXPECT_TRUE(t.intact());
    t.poison();
    EXPECT_TRUE(t.poisoned());
  }
}

TEST(HostTensor, NoticesOneElementThatIsNoLongerPoisoned) {
  for (const mluOpDataType_t dtype : all_dtypes) {
    HostTensor t = tensor(dtype, {9});
    t.set(8, 1);
    EXPECT_FALSE(t.poisoned()) << dtype;
  }
}

TEST(HostTensor, NoticesWritesOutsideItsMemory) {
  HostTensor t = tensor(MLUOP_DTYPE_HALF, {7});
  auto* data = static_cast<unsigned char*>(t.data());
  for (const std::ptrdiff_t offset : {-64, -1, 14, 14 + 63}) {
    const unsigned char saved = data[offset];
    data[offset] ^= 1;
    EXPECT_FALSE(t.intact()) << offset;
    data[offset] = saved;
    EXPECT_TRUE(t.intact()) << offset;
  }
}

TEST(HostTensor, DescribesItselfToTheApi) {
  const HostTensor t{"t", MLUOP_DTYPE_BFLOAT16, MLUOP_LAYOUT_NHWC, {2, 3, 4, 5}};
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0;
  std::int64_t dims[MLUOP_DIM_MAX] = {};
  ASSERT_EQ(mluOpGetTensorDescriptor_v2(t.descriptor(), &layout, &dtype, &rank, dims),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(layout, MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(dtype, MLUOP_DTYPE_BFLOAT16);
  ASSERT_EQ(rank, 4);
  EXPECT_TRUE(std::equal(dims, dims + 4, t.dims().begin()));
}

TEST(HostTensor, MayBeEmpty) {
  HostTensor t = tensor(MLUOP_DTYPE_FLOAT, {4, 0});
  EXPECT_EQ(t.count(), 0);
  EXPECT_NE(t.data(), nullptr);
  EXPECT_TRUE(t.values().empty());
  EXPECT_TRUE(t.intact());
  EXPECT_EQ(mluOpGetTensorElementNum(t.descriptor()), 0u);
}

TEST(HostTensor, PutsElementsWhereItsStridesSay) {
  HostTensor t{"t", MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY, {2, 3}, {1, 4}};
  EXPECT_EQ(t.count(), 6);
  EXPECT_EQ(t.stored_count(), 10);
  EXPECT_EQ(t.bytes(), 40u);
  const std::vector<double> values{1, 2, 3, 4, 5, 6};
  t.assign(values);
  EXPECT_EQ(t.values(), values);
  EXPECT_EQ(t.values(2, 3), (std::vector<double>{3, 4, 5}));
  t.assign_from(4, std::vector<double>{7, 8});
  EXPECT_EQ(t.values(3, 3), (std::vector<double>{4, 7, 8}));
  t.assign(values);
  const auto* data = static_cast<const float*>(t.data());
  EXPECT_EQ(data[0], 1);
  EXPECT_EQ(data[1], 4);  // row 1
  EXPECT_EQ(data[9], 6);
  EXPECT_TRUE(std::isnan(data[2]));  // between the columns
  EXPECT_FALSE(t.poisoned());
  t.poison();
  EXPECT_TRUE(t.poisoned());
  EXPECT_TRUE(t.intact());
  int rank = 0;
  std::int64_t dims[MLUOP_DIM_MAX] = {}, strides[MLUOP_DIM_MAX] = {};
  mluOpTensorLayout_t layout;
  mluOpDataType_t dtype;
  ASSERT_EQ(mluOpGetTensorDescriptorEx_v2(t.descriptor(), &layout, &dtype, &rank, dims, strides),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(strides[1], 4);
}

TEST(HostTensor, LoadsMemoryOrElements) {
  HostTensor t{"t", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {2, 2}, {3, 1}};
  const std::int32_t elements[] = {1, 2, 3, 4}, memory[] = {5, 6, 7, 8, 9};
  t.load(std::as_bytes(std::span(elements)));
  EXPECT_EQ(t.values(), (std::vector<double>{1, 2, 3, 4}));
  t.load(std::as_bytes(std::span(memory)));
  EXPECT_EQ(t.values(), (std::vector<double>{5, 6, 8, 9}));
  EXPECT_THROW(t.load(std::as_bytes(std::span(memory).first(3))), std::invalid_argument);
  EXPECT_TRUE(t.intact());
}

TEST(HostTensor, RefusesStridesThatDoNotFit) {
  const auto make = [](std::vector<std::int64_t> dims, std::vector<std::int64_t> strides) {
    return HostTensor{"t", MLUOP_DTYPE_INT8, MLUOP_LAYOUT_ARRAY, dims, strides};
  };
  EXPECT_THROW(make({2, 2}, {1}), std::invalid_argument);
  EXPECT_THROW(make({2, 2}, {-1, 1}), std::invalid_argument);
  EXPECT_THROW(make({3}, {1ll << 62}), std::invalid_argument);
  EXPECT_EQ(make({0, 2}, {7, 7}).stored_count(), 0);
}

TEST(HostTensor, Moves) {
  HostTensor from = tensor(MLUOP_DTYPE_FLOAT, {2});
  from.assign(std::vector<double>{1, 2});
  const HostTensor to = std::move(from);
  EXPECT_EQ(to.values(), (std::vector<double>{1, 2}));
  EXPECT_TRUE(to.intact());
}

TEST(HostTensor, RefusesWhatItCannotHold) {
  HostTensor t = tensor(MLUOP_DTYPE_FLOAT, {2});
  EXPECT_THROW(t.assign(std::vector<double>{1}), std::invalid_argument);
  EXPECT_THROW(tensor(MLUOP_DTYPE_COMPLEX_HALF, {2}), std::invalid_argument);
  EXPECT_THROW(tensor(MLUOP_DTYPE_FLOAT, {-1}), std::invalid_argument);
  EXPECT_THROW(tensor(MLUOP_DTYPE_FLOAT, {1ll << 32, 1ll << 32}), std::invalid_argument);
  EXPECT_THROW(tensor(MLUOP_DTYPE_DOUBLE, {1ll << 61}), std::bad_alloc);
}

}  // namespace
}  // namespace mluop::testing
