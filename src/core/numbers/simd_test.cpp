// Conversions between stored types and float vectors, on every target, against scalar rules.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "runtime/isa.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/numbers/simd_test.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::HWY_NAMESPACE {

/// Converts `count` elements, a whole number of vectors of every width.
template <class T>
void widen(const T* from, float* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    store_as(d, load_as(d, from + i), to + i);
  }
}

template <class T>
void narrow(const float* from, T* to, std::size_t count) {
  const hn::ScalableTag<float> d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    store_as(d, load_as(d, from + i), to + i);
  }
}

void widen_half(const Half* from, float* to, std::size_t count) { widen(from, to, count); }
void widen_bfloat16(const BFloat16* from, float* to, std::size_t count) { widen(from, to, count); }
void narrow_half(const float* from, Half* to, std::size_t count) { narrow(from, to, count); }
void narrow_bfloat16(const float* from, BFloat16* to, std::size_t count) {
  narrow(from, to, count);
}

}  // namespace mluop::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop {
namespace {

template <class From, class To>
using Convert = void (*)(const From*, To*, std::size_t);

constexpr PerIsa<Convert<Half, float>> widen_halves = MLUOP_PER_ISA(widen_half);
constexpr PerIsa<Convert<BFloat16, float>> widen_bfloats = MLUOP_PER_ISA(widen_bfloat16);
constexpr PerIsa<Convert<float, Half>> narrow_halves = MLUOP_PER_ISA(narrow_half);
constexpr PerIsa<Convert<float, BFloat16>> narrow_bfloats = MLUOP_PER_ISA(narrow_bfloat16);

template <class Function>
void on_every_isa(const PerIsa<Function>& table, auto&& test) {
  for (std::size_t level = 0; level < isa_count; ++level) {
    const Isa isa = static_cast<Isa>(level);
    if (table[level] == nullptr || !isa_allows(detected_isa(), isa)) continue;
    SCOPED_TRACE(name_of(isa));
    test(table[level]);
  }
}

/// Floats that stress rounding: each pattern with neighbours, ties and all exponents.
std::vector<float> hard_floats() {
  std::vector<float> floats;
  for (std::uint32_t high = 0; high < 0x10000; high += 3) {
    for (std::uint32_t low : {0x0000u, 0x0001u, 0x0FFFu, 0x1000u, 0x1001u, 0x2FFFu, 0x3000u,
                              0x7FFFu, 0x8000u, 0x8001u, 0xEFFFu, 0xF000u, 0xFFFFu}) {
      floats.push_back(std::bit_cast<float>(high << 16 | low));
    }
  }
  for (double edge : {65504.0, 65519.996, 65520.0, 65536.0, 0x1p-24, 0x1p-25, 0x1.8p-25, 0x1p-14,
                      0x1.ffcp-15, 0x1.ffep-15, 0x1p-26}) {
    for (double sign : {1.0, -1.0}) floats.push_back(static_cast<float>(sign * edge));
  }
  while (floats.size() % 64 != 0) floats.push_back(0.0f);
  return floats;
}

TEST(Simd, HalfToFloatIsExactForEveryPattern) {
  std::vector<Half> halves(0x10000);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves[bits].bits = static_cast<std::uint16_t>(bits);
  }
  on_every_isa(widen_halves, [&](Convert<Half, float> convert) {
    std::vector<float> floats(halves.size());
    convert(halves.data(), floats.data(), halves.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const auto expected = static_cast<float>(std::bit_cast<_Float16>(halves[i].bits));
      for (float actual : {floats[i], to_float(halves[i])}) {
        if (std::isnan(expected)) {
          ASSERT_TRUE(std::isnan(actual)) << std::hex << i;
        } else {
          ASSERT_EQ(std::bit_cast<std::uint32_t>(actual), std::bit_cast<std::uint32_t>(expected))
              << std::hex << i;
        }
      }
    }
  });
}

TEST(Simd, FloatToHalfRoundsToNearestEven) {
  const auto floats = hard_floats();
  on_every_isa(narrow_halves, [&](Convert<float, Half> convert) {
    std::vector<Half> halves(floats.size());
    convert(floats.data(), halves.data(), floats.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const auto expected = std::bit_cast<std::uint16_t>(static_cast<_Float16>(floats[i]));
      if (std::isnan(floats[i])) {
        ASSERT_GT(halves[i].bits & 0x7FFF, 0x7C00) << floats[i];
      } else {
        ASSERT_EQ(halves[i].bits, expected) << floats[i];
      }
    }
  });
}

TEST(Simd, BFloat16ToFloatIsExactForEveryPattern) {
  std::vector<BFloat16> stored(0x10000);
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    stored[bits].bits = static_cast<std::uint16_t>(bits);
  }
  on_every_isa(widen_bfloats, [&](Convert<BFloat16, float> convert) {
    std::vector<float> floats(stored.size());
    convert(stored.data(), floats.data(), stored.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      ASSERT_EQ(std::bit_cast<std::uint32_t>(floats[i]), i << 16);
    }
  });
}

TEST(Simd, FloatToBFloat16RoundsToNearestEven) {
  const auto floats = hard_floats();
  on_every_isa(narrow_bfloats, [&](Convert<float, BFloat16> convert) {
    std::vector<BFloat16> stored(floats.size());
    convert(floats.data(), stored.data(), floats.size());
    for (std::size_t i = 0; i < floats.size(); ++i) {
      const auto bits = std::bit_cast<std::uint32_t>(floats[i]);
      if (std::isnan(floats[i])) {
        ASSERT_GT(stored[i].bits & 0x7FFF, 0x7F80) << floats[i];
        continue;
      }
      const std::uint32_t rest = bits & 0xFFFF;
      const bool up = rest > 0x8000 || (rest == 0x8000 && (bits >> 16 & 1) != 0);
      ASSERT_EQ(stored[i].bits, (bits >> 16) + (up ? 1 : 0)) << floats[i];
    }
  });
}

}  // namespace
}  // namespace mluop
#endif
