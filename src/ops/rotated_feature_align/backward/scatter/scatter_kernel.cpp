// The loops of `scatter`, written once for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/backward/scatter/scatter_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/backward/scatter/scatter_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "ops/rotated_feature_align/sampling/narrow-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

/// The loops for rows of at most `width` channels.
template <class T, int width>
class NarrowScatter {
 public:
  using Row = NarrowRow<T, width>;
  using Real = Compute<T>;

  HWY_INLINE explicit NarrowScatter(const Scatter<T>& scatter)
      : scatter_(scatter), sums_(scatter.sums - (scatter.begin - scatter.W) * width) {}

  HWY_INLINE void begin() const {
    const std::int64_t W = scatter_.W;
    std::fill_n(sums_at(scatter_.begin - W), W * width, Real{0});
    for (std::int64_t cell = scatter_.begin; cell < scatter_.end; ++cell) {
      load_row(cell).store_sums(sums_at(cell));
    }
    std::fill_n(sums_at(scatter_.end), W * width, Real{0});
  }

  HWY_INLINE void add(const SampledBoxes<Real>& block, std::int64_t first,
                      std::int64_t count) const {
    for (std::int64_t i = 0; i < count; ++i) {
      const Row row = load_row(first + i);
      for (int k = 0; k < block.points; ++k) add_point(row, block.at[k], i);
    }
  }

  /// In ascending order: a store of a whole vector may reach into the next row.
  HWY_INLINE void finish() const {
    T* const result = scatter_.result;
    const std::int64_t C = scatter_.C, last = scatter_.end - ceil_div(std::int64_t{width}, C) + 1;
    const std::int64_t middle = HWY_MAX(last, scatter_.begin);
    for (std::int64_t cell = scatter_.begin; cell < middle; ++cell) {
      Row::load_sums(sums_at(cell)).store(result + cell * C);
    }
    for (std::int64_t cell = middle; cell < scatter_.end; ++cell) {
      Row::load_sums(sums_at(cell)).store_last(result + cell * C, C);
    }
  }

 private:
  using D = typename Row::D;

  HWY_INLINE Row load_row(std::int64_t cell) const {
    const T* const from = scatter_.image + cell * scatter_.C;
    return cell < scatter_.whole_rows ? Row::load(from) : Row::load_last(from, scatter_.C);
  }
  HWY_INLINE Real* sums_at(std::int64_t cell) const { return sums_ + cell * width; }

  /// The high cells may be the low ones: they are added one after the other.
  HWY_INLINE void add_point(const Row& row, const typename SampledBoxes<Real>::Points& point,
                            std::int64_t i) const {
    const std::int64_t cell = point.cell[i], right = point.right[i], below = point.below[i];
    if (point.inside[i] == 0 || cell >= scatter_.end || cell + right + below < scatter_.begin) {
      return;
    }
    add_to(cell, point.weights[0][i], row);
    add_to(cell + right, point.weights[1][i], row);
    add_to(cell + below, point.weights[2][i], row);
    add_to(cell + below + right, point.weights[3][i], row);
  }
  HWY_INLINE void add_to(std::int64_t cell, Real weight, const Row& row) const {
    Row sums = Row::load_sums(sums_at(cell));
    sums.add(hn::Set(D(), weight), row);
    sums.store_sums(sums_at(cell));
  }

  const Scatter<T>& scatter_;
  Real* sums_;
};

template <class T>
void begin(const Scatter<T>& scatter) {
  with_width(scatter.C, [&]<int width> { NarrowScatter<T, width>(scatter).begin(); });
}

template <class T>
void add(const Scatter<T>& scatter, const SampledBoxes<Compute<T>>& block, std::int64_t first,
         std::int64_t count) {
  with_width(scatter.C,
             [&]<int width> { NarrowScatter<T, width>(scatter).add(block, first, count); });
}

template <class T>
void finish(const Scatter<T>& scatter) {
  with_width(scatter.C, [&]<int width> { NarrowScatter<T, width>(scatter).finish(); });
}

const ScatterKernels& scatters() {
  static constexpr ScatterKernels all{
      {begin<float>, begin<double>, begin<Half>, begin<BFloat16>},
      {add<float>, add<double>, add<Half>, add<BFloat16>},
      {finish<float>, finish<double>, finish<Half>, finish<BFloat16>}};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const ScatterKernels& (*)()> scatter_kernels = MLUOP_PER_ISA(scatters);

}  // namespace mluop::rotated_feature_align
#endif
