// A buffer for the pairs of an offset, flushed in whole cache lines; included per target.
#if defined(MLUOPS_STAGED_LIST_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_STAGED_LIST_INL_HPP
#undef MLUOPS_STAGED_LIST_INL_HPP
#else
#define MLUOPS_STAGED_LIST_INL_HPP
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::pairs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t line_entries = 64 / sizeof(std::int32_t);

/// Buffers the pairs of an offset and writes them with non-temporal stores, a cache line at a time. Ordinary
/// stores to so many lists would read each line from memory before writing it.
class StagedList {
 public:
  /// The most pairs between two calls of flush. With 256, the lists of 32 offsets alone would take 70 KB
  /// of the caller's stack, of which the library promises to use less than 64.
  static constexpr std::int64_t block = 128;

  void open(std::int32_t* inputs, std::int32_t* outputs) {
    to_[0] = inputs;
    to_[1] = outputs;
    written_[0] = written_[1] = fill_ = 0;
  }
  HWY_INLINE void append(std::int32_t input, std::int32_t output) {
    entries_[0][fill_] = input;
    entries_[1][fill_] = output;
    ++fill_;
  }
  /// Writes whole lines and keeps the rest.
  void flush() {
    if (fill_ < line_entries) return;
    for (int side = 0; side < 2; ++side) stream(side);
    const std::int64_t done = std::min(written_[0], written_[1]);
    for (int side = 0; side < 2; ++side) {
      keep(entries_[side] + done, entries_[side]);
      to_[side] += done;
      written_[side] -= done;
    }
    fill_ -= done;
  }
  void close() {
    for (int side = 0; side < 2; ++side) {
      std::copy(entries_[side] + written_[side], entries_[side] + fill_,
                to_[side] + written_[side]);
    }
  }

 private:
  /// Entries beyond the last whole line stay. The start of a list, up to its first whole line, shares a
  /// line with the end of another and is written in the ordinary way.
  void stream(int side) {
    const std::int32_t* const from = entries_[side];
    std::int32_t* const to = to_[side];
    const auto starts_line = [&](std::int64_t i) {
      return reinterpret_cast<std::uintptr_t>(to + i) % 64 == 0;
    };
    std::int64_t i = written_[side];
    for (; i < fill_ && !starts_line(i); ++i) to[i] = from[i];
    const hn::CappedTag<std::int32_t, line_entries> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (; i + line_entries <= fill_; i += line_entries) {
      for (std::int64_t lane = 0; lane < line_entries; lane += lanes) {
        hn::Stream(hn::LoadU(d, from + i + lane), d, to + i + lane);
      }
    }
    written_[side] = i;
  }

  /// Moves the remainder of flush, less than a line, to the front.
  static HWY_INLINE void keep(const std::int32_t* from, std::int32_t* to) {
    const hn::CappedTag<std::int32_t, line_entries> d;
    const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
    for (std::int64_t i = 0; i < line_entries; i += lanes) {
      hn::StoreU(hn::LoadU(d, from + i), d, to + i);
    }
  }

  std::int32_t* to_[2];  // where the first entry goes
  std::int64_t written_[2];
  std::int64_t fill_;
  std::int32_t entries_[2][block + 2 * line_entries];
};

}  // namespace mluop::sparse_conv::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
