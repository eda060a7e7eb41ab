// Non-temporal stores of buffered results, a line at a time; included per target.
#if defined(MLUOPS_CARAFE_WRITING_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_WRITING_INL_HPP
#undef MLUOPS_CARAFE_WRITING_INL_HPP
#else
#define MLUOPS_CARAFE_WRITING_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Whole cache lines still to be copied from a buffer with non-temporal stores.
struct Writing {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::byte* end = nullptr;

  bool done() const noexcept { return to == end; }
};

/// Writes the bytes of partial lines at once.
HWY_INLINE Writing begin_writing(const std::byte* from, std::byte* to, std::int64_t bytes) {
  const auto beyond = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to)) % 64;
  const std::int64_t head = HWY_MIN(beyond == 0 ? 0 : 64 - beyond, bytes);
  const std::int64_t whole = (bytes - head) / 64 * 64, tail = bytes - head - whole;
  if (head > 0) std::memcpy(to, from, static_cast<std::size_t>(head));
  if (tail > 0) {
    std::memcpy(to + head + whole, from + head + whole, static_cast<std::size_t>(tail));
  }
  return {from + head, to + head, to + head + whole};
}

HWY_INLINE void write_line(Writing& writing) {
  if (writing.done()) return;
  const hn::ScalableTag<std::uint8_t> d;
  constexpr std::size_t lanes = hn::MaxLanes(hn::ScalableTag<std::uint8_t>());
  const auto* const from = reinterpret_cast<const std::uint8_t*>(writing.from);
  auto* const to = reinterpret_cast<std::uint8_t*>(writing.to);
  for (std::size_t i = 0; i < 64; i += lanes) hn::Stream(hn::LoadU(d, from + i), d, to + i);
  writing.from += 64;
  writing.to += 64;
}

HWY_INLINE void end_writing(Writing& writing) {
  while (!writing.done()) write_line(writing);
}

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
