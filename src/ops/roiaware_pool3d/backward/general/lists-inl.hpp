// Averages of short lists, most of them empty: counts are read ahead; included per target.
#if defined(MLUOPS_ROIAWARE_SPARSE_LISTS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROIAWARE_SPARSE_LISTS_INL_HPP
#undef MLUOPS_ROIAWARE_SPARSE_LISTS_INL_HPP
#else
#define MLUOPS_ROIAWARE_SPARSE_LISTS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/roiaware_pool3d/backward/add_voxel-inl.hpp"
#include "ops/roiaware_pool3d/backward/indices-inl.hpp"
#include "ops/roiaware_pool3d/backward/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roiaware_pool3d::HWY_NAMESPACE {

/// The counts of a group of voxels. They lie a whole list apart, each on a cache line and often on a page
/// of its own, and their latency dominates. So they are read a few at a time between other work, and never
/// two neighbours in a row: the hardware prefetcher would take them for a stream and load the lines
/// between them.
class CountsOfGroup {
 public:
  static constexpr std::int64_t voxels = 1024;

  HWY_INLINE void start(const Indices& indices, std::int64_t begin) {
    list_size_ = indices.row_size;
    lists_ = indices.rows + begin * list_size_;
    size_ = HWY_MIN(voxels, indices.voxels - begin);
    next_ = size_ < voxels ? voxels : 0;  // a partial group is read at once
    if (size_ == voxels) return;
    for (std::int64_t v = 0; v < size_; ++v) counts_[v] = lists_[v * list_size_];
  }

  HWY_INLINE void read_some() {
    if (next_ == voxels) return;
    const std::int64_t row = apart - 1 - next_ / places;
    const std::int64_t first = next_ % places * apart + row;
    const std::int64_t next_row = row > 0 ? -1 : voxels + apart - 1;
    HWY_UNROLL(8)
    for (std::int64_t v = first; v < first + at_once * apart; v += apart) {
      // Every other line is prefetched to L2, which has more outstanding misses than L1.
      if (v / apart % 2 == 0) prefetch(lists_, (v + next_row) * list_size_ * 4);
      counts_[v] = lists_[v * list_size_];
    }
    next_ += at_once;
  }

  /// Reads the rest and finds the voxels with a count above 0; returns how many.
  HWY_INLINE std::int64_t finish(std::int32_t* found) {
    while (next_ < voxels) read_some();
    return find_occupied(counts_, size_, found);
  }

 private:
  static constexpr std::int64_t apart = 8, places = voxels / apart, at_once = 8;

  const std::int32_t* lists_;
  std::int64_t list_size_, size_, next_;
  std::int32_t counts_[voxels];
};

/// Occupied voxels that wait to be added; the data of the first `ahead` of them is prefetched.
class VoxelQueue {
 public:
  static constexpr std::int64_t ahead = 16;

  std::int64_t size() const { return size_; }
  std::int64_t operator[](std::int64_t i) const { return voxels_[i]; }

  HWY_INLINE void append(std::int64_t begin, const std::int32_t* found, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) voxels_[size_ + i] = begin + found[i];
    size_ += count;
  }

  /// At most `ahead` stay.
  HWY_INLINE void drop(std::int64_t count) {
    size_ -= count;
    for (std::int64_t i = 0; i < size_; ++i) voxels_[i] = voxels_[count + i];
  }

 private:
  std::int64_t size_ = 0;
  std::int64_t voxels_[CountsOfGroup::voxels + ahead];
};

/// Prefetches what adding an occupied voxel reads beside its count: the gradients, the list after its first
/// line, and the sums of its first point. Nothing is checked yet.
template <class T>
HWY_INLINE void prefetch_average(const Scatter<T>& s, std::int64_t voxel, std::int64_t C) {
  constexpr std::int64_t line = 16;
  const std::int32_t* const list = s.indices.rows + voxel * s.indices.row_size;
  const std::int64_t end = HWY_MIN(list[0], s.indices.row_size - 1);
  if (end < 1) return;
  prefetch(s.grad_out + voxel * C, 0);
  prefetch_sums(s, list[1], C);
  for (std::int64_t t = line; t <= end; t += line) prefetch(list + t, 0);
}

/// Software pipelining: while the voxels of a group are added, the counts of the next one are read.
template <int vectors, class T>
HWY_INLINE bool add_sparse_lists(const Scatter<T>& all) {
  const Scatter<T> s = all;  // a copy that no store can change
  const std::int64_t C = row_size_of<vectors>(s.C);
  CountsOfGroup counts;
  VoxelQueue queue;
  counts.start(s.indices, 0);
  for (std::int64_t begin = 0; begin < s.indices.voxels; begin += CountsOfGroup::voxels) {
    std::int32_t found[CountsOfGroup::voxels + index_lanes];
    const std::int64_t count = counts.finish(found);
    const std::int64_t prefetched = queue.size();
    queue.append(begin, found, count);
    counts.start(s.indices, HWY_MIN(begin + CountsOfGroup::voxels, s.indices.voxels));
    for (std::int64_t i = prefetched; i < HWY_MIN(VoxelQueue::ahead, queue.size()); ++i) {
      prefetch_average(s, queue[i], C);
    }
    std::int64_t added = 0;
    for (; added + VoxelQueue::ahead < queue.size(); ++added) {
      prefetch_average(s, queue[added + VoxelQueue::ahead], C);
      counts.read_some();
      if (!add_checked_average<true>(s, queue[added], C)) return false;
    }
    queue.drop(added);
  }
  for (std::int64_t i = 0; i < queue.size(); ++i) {
    if (!add_checked_average<true>(s, queue[i], C)) return false;
  }
  return true;
}

}  // namespace mluop::roiaware_pool3d::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
