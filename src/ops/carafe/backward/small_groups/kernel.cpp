// Both gradients of small groups: lanes are groups and columns, so there are no sums across lanes and groups
// are not padded.
//
// The outputs of a chunk of columns are transposed once for both. grad_mask adds up channel by channel; its
// results are transposed back. grad_input multiplies by transposed masks. Lanes ascend by columns, and the cells
// of a row go from right to left, so that a target adds rows from top to bottom, within a row pixels from left
// to right, then the outputs of a pixel.
#include <hwy/cache_control.h>

#include <algorithm>

#include "ops/carafe/backward/small_groups/row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/small_groups/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/small_groups/chunk-inl.hpp"
#include "ops/carafe/backward/small_groups/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

template <class T>
class SmallGroups {
 public:
  using Real = Compute<T>;

  explicit SmallGroups(const SmallGroupsRow<T>& row)
      : row_(row), r_((row.k - 1) / 2), C_(row.G * row.channels), chunk_(row) {}

  HWY_INLINE void run() {
    if (row_.grad_mask != nullptr) {
      for (std::int64_t kh = row_.fresh; kh < row_.kh_end; ++kh) place_input(kh);
    }
    for (std::int64_t kh = row_.targets_begin; kh < row_.targets_end; ++kh) {
      if (row_.begins(kh)) std::fill_n(row_.sums[kh], row_.channels * row_.pitch, Real{});
    }
    const bool targets = row_.targets_begin < row_.targets_end;
    if (targets) run_columns({row_.sources.begin, row_.tile.begin}, false);
    run_columns(row_.tile, row_.grad_mask != nullptr);
    if (targets) run_columns({row_.tile.end, row_.sources.end}, false);
    for (std::int64_t kh = row_.targets_begin; kh < row_.targets_end; ++kh) {
      if (row_.ends(kh)) write_targets(kh);
    }
    chunk_.finish();
    if (row_.results != nullptr) hwy::FlushStream();
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  /// Lane of group 0 of a column in transposed rows.
  std::int64_t lane_of(std::int64_t column) const {
    return (column - row_.sources.begin + r_) * row_.G;
  }

  /// Calls step(offset, lanes, lane) for the vectors of lanes of columns [begin, end) of a row of the input:
  /// offset of the first in a stored row, how many there are, and its lane in transposed rows.
  template <class Step>
  HWY_INLINE void for_lanes(std::int64_t begin, std::int64_t end, const Step& step) const {
    const std::int64_t count = (end - begin) * row_.G;
    for (std::int64_t q = 0; q < count; q += lanes) {
      step(begin * C_ + q * row_.channels, HWY_MIN(count - q, lanes), lane_of(begin) + q);
    }
  }

  HWY_INLINE void place_input(std::int64_t kh) const {
    for_lanes(HWY_MAX(row_.tile.begin - r_, 0), HWY_MIN(row_.tile.end + r_, row_.W),
              [&](std::int64_t offset, std::int64_t valid, std::int64_t lane) HWY_ATTR {
                std::int64_t at[lanes];
                for (std::int64_t i = 0; i < lanes; ++i) {
                  at[i] = HWY_MIN(i, valid - 1) * row_.channels;
                }
                to_lanes(row_.input[kh] + offset, at, row_.channels, row_.input_lanes[kh] + lane,
                         row_.pitch);
              });
  }

  HWY_INLINE void write_targets(std::int64_t kh) const {
    T* const to = row_.grad_input + (kh - row_.targets_begin) * row_.W * C_;
    std::int64_t at[lanes];
    for (std::int64_t i = 0; i < lanes; ++i) at[i] = i * row_.channels;
    for_lanes(row_.tile.begin, row_.tile.end,
              [&](std::int64_t offset, std::int64_t valid, std::int64_t lane) HWY_ATTR {
                from_lanes(row_.sums[kh] + lane, row_.pitch, row_.channels, valid, to + offset, at);
              });
  }

  HWY_INLINE void run_columns(ColumnRange columns, bool products) {
    for (std::int64_t w = columns.begin; w < columns.end; w += row_.chunk.columns) {
      for (std::int64_t g = 0; g < row_.G; g += row_.chunk.groups) {
        chunk_.run(
            w, g,
            {HWY_MIN(columns.end - w, row_.chunk.columns), HWY_MIN(row_.G - g, row_.chunk.groups)},
            products);
      }
    }
  }

  const SmallGroupsRow<T>& row_;
  std::int64_t r_, C_;
  ChunkOfRow<T> chunk_;
};

template <class T>
void small_groups_row(const SmallGroupsRow<T>& row) {
  SmallGroups<T>(row).run();
}

const PerDtype<SmallGroupsKernel>& small_groups_table() {
  static constexpr PerDtype<SmallGroupsKernel> all{small_groups_row<float>,
                                                   small_groups_row<double>, small_groups_row<Half>,
                                                   small_groups_row<BFloat16>};
  return all;
}

#else

const PerDtype<SmallGroupsKernel>& small_groups_table() {
  static constexpr PerDtype<SmallGroupsKernel> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<SmallGroupsKernel>> small_groups_kernels =
    MLUOP_PER_ISA(small_groups_table);

}  // namespace mluop::carafe
#endif
