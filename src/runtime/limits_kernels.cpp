// FMA, read, copy and fill loops for the machine's limits.
#include "runtime/limits_kernels.hpp"

#include <functional>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "runtime/limits_kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Two FMA ports with a latency of four or five cycles need ten chains; twelve plus two constants fit the
// sixteen registers of AVX2.
constexpr int chains = 12;

// x = x·a + b with fixed point 1: values stay normal for any number of rounds.
template <class T>
double fma_loop(std::int64_t rounds) {
  const hn::ScalableTag<T> d;
  const auto a = hn::Set(d, static_cast<T>(0.75));
  const auto b = hn::Set(d, static_cast<T>(0.25));
  // Different initial values, so that the compiler cannot merge the chains.
  const auto start = [&](int chain) { return hn::Iota(d, static_cast<T>(rounds + chain)); };
  auto x0 = start(0), x1 = start(1), x2 = start(2), x3 = start(3), x4 = start(4), x5 = start(5);
  auto x6 = start(6), x7 = start(7), x8 = start(8), x9 = start(9), x10 = start(10), x11 = start(11);
  for (std::int64_t i = 0; i < rounds; ++i) {
    x0 = hn::MulAdd(x0, a, b);
    x1 = hn::MulAdd(x1, a, b);
    x2 = hn::MulAdd(x2, a, b);
    x3 = hn::MulAdd(x3, a, b);
    x4 = hn::MulAdd(x4, a, b);
    x5 = hn::MulAdd(x5, a, b);
    x6 = hn::MulAdd(x6, a, b);
    x7 = hn::MulAdd(x7, a, b);
    x8 = hn::MulAdd(x8, a, b);
    x9 = hn::MulAdd(x9, a, b);
    x10 = hn::MulAdd(x10, a, b);
    x11 = hn::MulAdd(x11, a, b);
  }
  const auto low = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), hn::Add(x4, x5));
  const auto high = hn::Add(hn::Add(hn::Add(x6, x7), hn::Add(x8, x9)), hn::Add(x10, x11));
  return static_cast<double>(hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high))));
}

template <class T>
FmaLoop fma() {
  const hn::ScalableTag<T> d;
  return {&fma_loop<T>, 2.0 * chains * static_cast<double>(hn::Lanes(d))};
}

using Word = std::uint64_t;
const hn::ScalableTag<Word> words;
using Vector = hn::Vec<decltype(words)>;

std::uint64_t read(const std::byte* from, std::int64_t bytes) {
  const auto* source = reinterpret_cast<const Word*>(from);
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(Word));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(words));
  auto mix0 = hn::Zero(words), mix1 = mix0, mix2 = mix0, mix3 = mix0;
  for (std::int64_t i = 0; i < count; i += 4 * lanes) {
    mix0 = hn::Xor(mix0, hn::Load(words, source + i));
    mix1 = hn::Xor(mix1, hn::Load(words, source + i + lanes));
    mix2 = hn::Xor(mix2, hn::Load(words, source + i + 2 * lanes));
    mix3 = hn::Xor(mix3, hn::Load(words, source + i + 3 * lanes));
  }
  HWY_ALIGN Word mixed[hn::MaxLanes(words)];
  hn::Store(hn::Xor(hn::Xor(mix0, mix1), hn::Xor(mix2, mix3)), words, mixed);
  return std::accumulate(mixed, mixed + lanes, Word{0}, std::bit_xor<>{});
}

struct Ordinary {
  static HWY_INLINE void put(Vector value, Word* to) { hn::Store(value, words, to); }
  static HWY_INLINE void finish() {}
};
struct Streaming {
  static HWY_INLINE void put(Vector value, Word* to) { hn::Stream(value, words, to); }
  static HWY_INLINE void finish() { hwy::FlushStream(); }
};

template <class Stores>
void copy_loop(const std::byte* from, std::byte* to, std::int64_t bytes) {
  const auto* source = reinterpret_cast<const Word*>(from);
  auto* target = reinterpret_cast<Word*>(to);
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(Word));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(words));
  for (std::int64_t i = 0; i < count; i += 4 * lanes) {
    const auto value0 = hn::Load(words, source + i);
    const auto value1 = hn::Load(words, source + i + lanes);
    const auto value2 = hn::Load(words, source + i + 2 * lanes);
    const auto value3 = hn::Load(words, source + i + 3 * lanes);
    Stores::put(value0, target + i);
    Stores::put(value1, target + i + lanes);
    Stores::put(value2, target + i + 2 * lanes);
    Stores::put(value3, target + i + 3 * lanes);
  }
  Stores::finish();
}

template <class Stores>
void fill_loop(std::byte* to, std::int64_t bytes) {
  auto* target = reinterpret_cast<Word*>(to);
  const std::int64_t count = bytes / static_cast<std::int64_t>(sizeof(Word));
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(words));
  const auto value = hn::Set(words, Word{1});
  for (std::int64_t i = 0; i < count; i += 4 * lanes) {
    Stores::put(value, target + i);
    Stores::put(value, target + i + lanes);
    Stores::put(value, target + i + 2 * lanes);
    Stores::put(value, target + i + 3 * lanes);
  }
  Stores::finish();
}

LimitKernels kernels() {
  return {fma<float>(),         fma<double>(),         &read,
          &copy_loop<Ordinary>, &copy_loop<Streaming>, &fill_loop<Ordinary>,
          &fill_loop<Streaming>};
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop {

LimitKernels limit_kernels(Isa level) {
  using Make = LimitKernels (*)();
  static constexpr PerIsa<Make> make{MLUOP_PER_ISA(kernels)};
  return make[static_cast<std::size_t>(vector_isa(level))]();
}

}  // namespace mluop
#endif
