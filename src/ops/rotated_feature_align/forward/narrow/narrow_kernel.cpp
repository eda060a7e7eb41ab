// The loop of `narrow`, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/forward/narrow/narrow_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/forward/narrow/narrow_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/sampling/narrow-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

/// The loop for rows of at most `width` channels.
template <class T, int width>
class NarrowPixels {
 public:
  using Row = NarrowRow<T, width>;

  HWY_INLINE explicit NarrowPixels(const NarrowGather<T>& gather) : gather_(gather) {}

  /// In ascending order: a store of a whole vector may reach into the next row.
  HWY_INLINE void run() const {
    const std::int64_t C = gather_.C, count = gather_.count;
    const std::int64_t middle = HWY_MAX(count - ceil_div(std::int64_t{width}, C) + 1, 0);
    T* const result = gather_.result + gather_.first * C;
    for (std::int64_t i = 0; i < middle; ++i) sums_of(i).store(result + i * C);
    for (std::int64_t i = middle; i < count; ++i) sums_of(i).store_last(result + i * C, C);
  }

 private:
  using Points = typename SampledBoxes<Compute<T>>::Points;

  HWY_INLINE Row load_row(std::int64_t cell) const {
    const T* const from = gather_.image + cell * gather_.C;
    return cell < gather_.whole_rows ? Row::load(from) : Row::load_last(from, gather_.C);
  }
  HWY_INLINE Row sums_of(std::int64_t i) const {
    Row sums = load_row(gather_.first + i);
    for (int k = 0; k < gather_.boxes.points; ++k) {
      const Points& point = gather_.boxes.at[k];
      if (point.inside[i] != 0) add_point(sums, point, i);
    }
    return sums;
  }
  HWY_INLINE void add_point(Row& sums, const Points& point, std::int64_t i) const {
    const typename Row::D d;
    const std::int64_t cell = point.cell[i], right = point.right[i], below = point.below[i];
    sums.add(hn::Set(d, point.weights[0][i]), load_row(cell));
    sums.add(hn::Set(d, point.weights[1][i]), load_row(cell + right));
    sums.add(hn::Set(d, point.weights[2][i]), load_row(cell + below));
    sums.add(hn::Set(d, point.weights[3][i]), load_row(cell + below + right));
  }

  const NarrowGather<T>& gather_;
};

template <class T>
void gather_rows(const NarrowGather<T>& gather) {
  with_width(gather.C, [&]<int width> { NarrowPixels<T, width>(gather).run(); });
}

const PerDtype<NarrowKernel>& narrows() {
  static constexpr PerDtype<NarrowKernel> all{gather_rows<float>, gather_rows<double>,
                                              gather_rows<Half>, gather_rows<BFloat16>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const PerDtype<NarrowKernel>& (*)()> narrow_kernels = MLUOP_PER_ISA(narrows);

}  // namespace mluop::rotated_feature_align
#endif
