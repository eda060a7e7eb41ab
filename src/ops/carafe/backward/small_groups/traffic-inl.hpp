// Memory traffic spread among the products, which would else wait for bursts of it; included per target.
#if defined(MLUOPS_CARAFE_SMALL_GROUPS_TRAFFIC_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_SMALL_GROUPS_TRAFFIC_INL_HPP
#undef MLUOPS_CARAFE_SMALL_GROUPS_TRAFFIC_INL_HPP
#else
#define MLUOPS_CARAFE_SMALL_GROUPS_TRAFFIC_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>

#include "core/numbers/integers.hpp"
#include "ops/carafe/backward/writing-inl.hpp"
#include "ops/carafe/rows/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

/// Lines that the next chunk reads, to be prefetched into L2, and results of the last chunk. Ranges that there is
/// no room for are left to the hardware prefetcher, or written at once.
class Traffic {
 public:
  template <class T>
  HWY_INLINE void read(const T* from, std::int64_t count) {
    if (reads_ == most) return;
    const auto* const bytes = reinterpret_cast<const std::byte*>(from);
    const std::int64_t size = count * std::int64_t{sizeof(T)};
    reading_[reads_++] = {bytes, bytes + size};
    read_lines_ += ceil_div(size, std::int64_t{64});
  }

  template <class T>
  HWY_INLINE void write(const T* from, T* to, std::int64_t count) {
    Writing writing =
        begin_writing(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                      count * std::int64_t{sizeof(T)});
    if (writes_ == most) return end_writing(writing);
    write_lines_ += (writing.end - writing.to) / 64;
    writing_[writes_++] = writing;
  }

  /// Spreads what there is over so many steps.
  HWY_INLINE void set_steps(std::int64_t steps) {
    reads_each_ = ceil_div(read_lines_, steps);
    writes_each_ = ceil_div(write_lines_, steps);
  }

  HWY_INLINE void step() {
    for (std::int64_t i = 0; i < reads_each_ && read_ < reads_; ++i) {
      prefetch_line(reading_[read_]);
      if (reading_[read_].next >= reading_[read_].end) ++read_;
    }
    for (std::int64_t i = 0; i < writes_each_ && written_ < writes_; ++i) {
      write_line(writing_[written_]);
      if (writing_[written_].done()) ++written_;
    }
  }

  /// Writes what is left, and forgets what was to be read.
  HWY_INLINE void finish() {
    for (; written_ < writes_; ++written_) end_writing(writing_[written_]);
    read_ = reads_ = written_ = writes_ = 0;
    read_lines_ = write_lines_ = 0;
  }

 private:
  static constexpr int most = 16;

  Lines reading_[most];
  Writing writing_[most];
  int read_ = 0, reads_ = 0, written_ = 0, writes_ = 0;
  std::int64_t read_lines_ = 0, write_lines_ = 0, reads_each_ = 0, writes_each_ = 0;
};

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
