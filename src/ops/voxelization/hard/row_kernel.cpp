// Writes voxels in whole cache lines, once for every vector width and compiled per instruction set.
//
// A voxel is some short rows and zeros, neither of which begin on a cache line. They are put together in a
// buffer in L1 and written from there, so that every line of the output is written once.
#include "ops/voxelization/hard/row_kernel.hpp"

#include <hwy/cache_control.h>

#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/voxelization/hard/row_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::voxelization::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::int64_t line = 64;

/// Bytes that follow each other in memory that this writer owns, whole lines of it with non-temporal stores
/// if that is wanted.
class LineWriter {
 public:
  LineWriter(std::byte* to, bool stream)
      : begin_(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to)) % line),
        fill_(begin_),
        line_(to - begin_),
        stream_(stream) {}
  LineWriter(const LineWriter&) = delete;
  LineWriter& operator=(const LineWriter&) = delete;

  /// Copies `bytes` bytes. May read beyond them, but not beyond `end`.
  HWY_INLINE void copy(const std::byte* from, std::int64_t bytes, const std::byte* end) {
    if (HWY_LIKELY(bytes <= short_bytes && end - from >= short_bytes)) {
      make_room();
      for (std::int64_t i = 0; i < bytes; i += lanes) put(load(from + i), buffer_ + fill_ + i);
      fill_ += bytes;
      return;
    }
    while (bytes > 0) {
      make_room();
      const std::int64_t some = HWY_MIN(bytes, short_bytes);
      std::memcpy(buffer_ + fill_, from, static_cast<std::size_t>(some));
      fill_ += some, from += some, bytes -= some;
    }
  }

  HWY_INLINE void zeros(std::int64_t bytes) {
    const auto zero = hn::Zero(d);
    while (bytes > 0) {
      make_room();
      const std::int64_t some = HWY_MIN(bytes, short_bytes);
      for (std::int64_t i = 0; i < some; i += lanes) put(zero, buffer_ + fill_ + i);
      fill_ += some, bytes -= some;
    }
  }

  void finish() {
    flush();
    if (fill_ > begin_) {
      std::memcpy(line_ + begin_, buffer_ + begin_, static_cast<std::size_t>(fill_ - begin_));
    }
    if (stream_) hwy::FlushStream();
  }

 private:
  static constexpr hn::ScalableTag<std::uint8_t> d{};
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  /// What is put into the buffer at a time.
  static constexpr std::int64_t short_bytes = 512;
  static constexpr std::int64_t capacity = 4096;

  using V = hn::Vec<hn::ScalableTag<std::uint8_t>>;
  static HWY_INLINE V load(const std::byte* from) {
    return hn::LoadU(d, reinterpret_cast<const std::uint8_t*>(from));
  }
  static HWY_INLINE void put(V value, std::byte* to) {
    hn::StoreU(value, d, reinterpret_cast<std::uint8_t*>(to));
  }

  HWY_INLINE void make_room() {
    if (HWY_UNLIKELY(fill_ >= capacity)) flush();
  }

  /// Writes the whole lines, of the first line what is ours, and keeps the rest.
  HWY_NOINLINE void flush() {
    const std::int64_t whole = fill_ / line * line;
    if (whole == 0) return;
    std::int64_t i = 0;
    if (begin_ > 0) {
      std::memcpy(line_ + begin_, buffer_ + begin_, static_cast<std::size_t>(line - begin_));
      begin_ = 0;
      i = line;
    }
    if (stream_) {
      for (; i < whole; i += lanes) {
        hn::Stream(load(buffer_ + i), d, reinterpret_cast<std::uint8_t*>(line_ + i));
      }
    } else {
      for (; i < whole; i += lanes) put(load(buffer_ + i), line_ + i);
    }
    for (i = 0; i < line; i += lanes) put(load(buffer_ + whole + i), buffer_ + i);
    line_ += whole;
    fill_ -= whole;
  }

  std::int64_t begin_;  // of our bytes in the first line of the buffer
  std::int64_t fill_;
  std::byte* line_;  // where the buffer begins in memory
  bool stream_;
  alignas(64) std::byte buffer_[capacity + short_bytes + 2 * line];
};

void write_voxels(const VoxelRows& rows, const Members* members, std::int64_t count,
                  std::byte* to) {
  constexpr std::int64_t ahead = 6;
  LineWriter writer(to, rows.stream);
  for (std::int64_t v = 0; v < count; ++v) {
    if (v + ahead < count) {
      const Members& later = members[v + ahead];
      for (std::int64_t i = 0; i < HWY_MIN(later.count, 4); ++i) {
        hwy::Prefetch(rows.points + later.points[i] * rows.row_bytes);
      }
    }
    const Members voxel = members[v];
    for (std::int64_t i = 0; i < voxel.count; ++i) {
      writer.copy(rows.points + voxel.points[i] * rows.row_bytes, rows.row_bytes, rows.points_end);
    }
    writer.zeros((rows.max_points - voxel.count) * rows.row_bytes);
  }
  writer.finish();
}

void write_zeros(std::byte* to, std::int64_t bytes, bool stream) {
  LineWriter writer(to, stream);
  writer.zeros(bytes);
  writer.finish();
}

const RowKernels& row_set() {
  static constexpr RowKernels all{write_voxels, write_zeros};
  return all;
}

}  // namespace mluop::voxelization::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::voxelization {

const PerIsa<const RowKernels& (*)()> row_kernels = MLUOP_PER_ISA(row_set);

}  // namespace mluop::voxelization
#endif
