// Which differences the hash of outputs sees: all but those between NaNs.
#include "measure/output_hash.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace mluop::cli {
namespace {

using testing::HostTensor;

template <class Element>
std::uint64_t hash_of_elements(mluOpDataType_t dtype, std::vector<Element> elements) {
  std::vector<HostTensor> tensors;
  tensors.emplace_back("x", dtype, MLUOP_LAYOUT_ARRAY,
                       std::vector<std::int64_t>{std::ssize(elements)});
  std::memcpy(tensors[0].data(), elements.data(), elements.size() * sizeof(Element));
  return hash_of(tensors);
}

std::uint64_t hash_of_float(std::vector<std::uint32_t> bits) {
  return hash_of_elements(MLUOP_DTYPE_FLOAT, std::move(bits));
}

TEST(OutputHash, SeesEveryBit) {
  const std::vector<std::uint32_t> one{0x3F800000, 0, 0x40000000};
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (int bit = 0; bit < 32; ++bit) {
      auto other = one;
      other[i] ^= 1U << bit;
      EXPECT_NE(hash_of_float(one), hash_of_float(other)) << i << ", bit " << bit;
    }
  }
}

TEST(OutputHash, SeesTwoChangedSigns) {
  EXPECT_NE(hash_of_float({0x3F800000, 0x3F800000}), hash_of_float({0xBF800000, 0xBF800000}));
  EXPECT_NE(hash_of_elements<std::uint64_t>(MLUOP_DTYPE_DOUBLE, {0, 0}),
            hash_of_elements<std::uint64_t>(MLUOP_DTYPE_DOUBLE, {1ULL << 63, 1ULL << 63}));
}

TEST(OutputHash, SeesOrderAndLength) {
  EXPECT_NE(hash_of_float({1, 2}), hash_of_float({2, 1}));
  EXPECT_NE(hash_of_float({}), hash_of_float({0}));
  EXPECT_NE(hash_of_float({0}), hash_of_float({0, 0}));
}

TEST(OutputHash, TakesAllNaNsForOne) {
  EXPECT_EQ(hash_of_float({0x7FC00000}), hash_of_float({0xFF800001}));
  EXPECT_EQ(hash_of_elements<std::uint16_t>(MLUOP_DTYPE_HALF, {0x7E00}),
            hash_of_elements<std::uint16_t>(MLUOP_DTYPE_HALF, {0xFC01}));
  EXPECT_EQ(hash_of_elements<std::uint16_t>(MLUOP_DTYPE_BFLOAT16, {0x7FC0}),
            hash_of_elements<std::uint16_t>(MLUOP_DTYPE_BFLOAT16, {0xFF81}));
  EXPECT_EQ(hash_of_elements<std::uint64_t>(MLUOP_DTYPE_DOUBLE, {0x7FF8000000000000}),
            hash_of_elements<std::uint64_t>(MLUOP_DTYPE_DOUBLE, {0xFFF0000000000001}));
}

TEST(OutputHash, TellsInfinitiesFromNaNAndFromEachOther) {
  EXPECT_NE(hash_of_float({0x7F800000}), hash_of_float({0x7F800001}));
  EXPECT_NE(hash_of_float({0x7F800000}), hash_of_float({0xFF800000}));
}

TEST(OutputHash, ReadsIntegersAsTheyAre) {
  EXPECT_NE(hash_of_elements<std::uint32_t>(MLUOP_DTYPE_INT32, {0x7FC00000}),
            hash_of_elements<std::uint32_t>(MLUOP_DTYPE_INT32, {0x7FC00001}));
}

}  // namespace
}  // namespace mluop::cli
