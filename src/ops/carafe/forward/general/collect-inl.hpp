// A row of results whose pixels are not whole cache lines, written with non-temporal stores; included per target.
#if defined(MLUOPS_CARAFE_COLLECT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_COLLECT_INL_HPP
#undef MLUOPS_CARAFE_COLLECT_INL_HPP
#else
#define MLUOPS_CARAFE_COLLECT_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Results of a row are put one behind the other into a buffer that begins where a cache line of the row does.
/// `write` moves its whole lines to memory. Ordinary stores write the first and the last line of the row, which other
/// tasks may share.
template <class T>
class CollectedRow {
 public:
  CollectedRow() = default;

  /// `buffer` is aligned to lines; `row` is the first result in memory.
  HWY_INLINE CollectedRow(T* buffer, T* row)
      : buffer_(buffer),
        begin_(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(row) % 64 / sizeof(T))),
        end_(begin_),
        to_(row - begin_) {}

  /// Room for the next results.
  HWY_INLINE T* take(std::int64_t count) {
    T* const room = buffer_ + end_;
    end_ += count;
    return room;
  }

  HWY_INLINE void write() {
    const std::int64_t whole = end_ / line * line;
    if (whole == 0) return;
    std::int64_t done = 0;
    if (begin_ > 0) {
      copy(begin_, line);
      done = line;
    }
    const hn::ScalableTag<std::uint8_t> d;
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
    const auto* const from = reinterpret_cast<const std::uint8_t*>(buffer_);
    auto* const to = reinterpret_cast<std::uint8_t*>(to_);
    const std::int64_t bytes = whole * size;
    for (std::int64_t i = done * size; i < bytes; i += lanes) {
      hn::Stream(hn::Load(d, from + i), d, to + i);
    }
    std::memcpy(buffer_, buffer_ + whole, static_cast<std::size_t>((end_ - whole) * size));
    to_ += whole;
    end_ -= whole;
    begin_ = 0;
  }

  HWY_INLINE void finish() {
    write();
    copy(begin_, end_);
  }

 private:
  static constexpr std::int64_t size = sizeof(T);
  static constexpr std::int64_t line = 64 / size;

  HWY_INLINE void copy(std::int64_t begin, std::int64_t end) const {
    std::memcpy(to_ + begin, buffer_ + begin, static_cast<std::size_t>((end - begin) * size));
  }

  T* buffer_;
  std::int64_t begin_, end_;  // results in the buffer
  T* to_;                     // where the buffer begins in memory
};

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
