// The sample points of boxes and their bilinear weights, in the order the contract gives; written once
// for every vector width and compiled per instruction set.
#include "ops/rotated_feature_align/sampling/samples.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_feature_align/sampling/samples.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "core/numbers/integers.hpp"
#include "core/numbers/simd-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_feature_align::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Converts whole numbers in [0, 2^32), in two halves: vectors only convert to signed integers.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<std::uint32_t, D>> to_unsigned(D d, hn::Vec<D> whole) {
  using Real = hn::TFromD<D>;
  const hn::Rebind<std::int32_t, D> d_signed;
  const hn::Rebind<std::uint32_t, D> d_unsigned;
  const auto convert = [&](hn::Vec<D> value) {
    if constexpr (sizeof(Real) == sizeof(std::int32_t)) {
      return hn::BitCast(d_unsigned, hn::ConvertTo(d_signed, value));
    } else {
      return hn::BitCast(d_unsigned, hn::DemoteTo(d_signed, value));
    }
  };
  const auto high = hn::Trunc(hn::Mul(whole, hn::Set(d, Real{0x1p-16})));
  const auto low = hn::Sub(whole, hn::Mul(high, hn::Set(d, Real{0x1p16})));
  return hn::Or(hn::ShiftLeft<16>(convert(high)), convert(low));
}

/// Samples along one axis, `size` cells long.
template <class D>
class Axis {
 public:
  using Real = hn::TFromD<D>;
  using V = hn::Vec<D>;

  HWY_INLINE explicit Axis(std::int64_t size)
      : last_cell_(static_cast<std::uint32_t>(size - 1)), end_(static_cast<Real>(size)) {
    // The smallest representable number not below size - 1: whole numbers compare with it as with the last cell.
    last_ = static_cast<Real>(size - 1);
    if (static_cast<std::int64_t>(last_) < size - 1) {
      last_ = std::nextafter(last_, std::numeric_limits<Real>::infinity());
    }
  }

  /// A bilinear sample: the low cell, 1 if there is a high cell after it (else 0), and the weight of that.
  struct Span {
    hn::Vec<hn::Rebind<std::uint32_t, D>> low;
    V step, upper;
  };

  /// A position outside or NaN gives an arbitrary span inside.
  HWY_INLINE Span span_at(V position) const {
    const D d;
    position = hn::IfThenElseZero(hn::Gt(position, hn::Zero(d)), position);
    position = hn::Min(position, hn::Set(d, end_));
    const V low = hn::Trunc(position);
    const auto between = hn::Lt(low, hn::Set(d, last_));
    const V step = hn::IfThenElseZero(between, hn::Set(d, Real{1}));
    const hn::Rebind<std::uint32_t, D> d_cells;
    const auto is_between = hn::Ne(to_unsigned(d, step), hn::Zero(d_cells));
    return {hn::IfThenElse(is_between, to_unsigned(d, low), hn::Set(d_cells, last_cell_)), step,
            hn::IfThenElseZero(between, hn::Sub(position, low))};
  }

  /// A NaN coordinate is outside: it satisfies no comparison.
  HWY_INLINE hn::Mask<D> inside(V position) const {
    const D d;
    return hn::And(hn::Ge(position, hn::Set(d, Real{-1})), hn::Le(position, hn::Set(d, end_)));
  }

 private:
  std::uint32_t last_cell_;
  Real last_, end_;
};

/// A vector from the centre of each box of a block.
template <class Real>
struct Offsets {
  HWY_ALIGN Real x[SampledBoxes<Real>::most];
  HWY_ALIGN Real y[SampledBoxes<Real>::most];
};

/// Offsets from the centre of each of `count` boxes to the middles of two adjacent sides.
template <class Real>
HWY_INLINE void turn(const SampledBoxes<Real>& boxes, std::int64_t count, Real scale,
                     Offsets<Real>& width, Offsets<Real>& height) {
  const auto& fields = boxes.fields;
  for (std::int64_t i = 0; i < count; ++i) {
    const Real half_width = fields[2][i] * scale / 2;
    const Real half_height = fields[3][i] * scale / 2;
    const Real cosine = std::cos(fields[4][i]);
    const Real sine = std::sin(fields[4][i]);
    width.x[i] = cosine * half_width;
    width.y[i] = sine * half_width;
    height.x[i] = -sine * half_height;
    height.y[i] = cosine * half_height;
  }
}

/// Sample point `k` of the boxes from `i` on, a vector of them.
template <class D, class Real>
HWY_INLINE void locate_points(D d, const Axis<D>& columns, const Axis<D>& rows, std::uint32_t pitch,
                              hn::Vec<D> x, hn::Vec<D> y, std::int64_t i,
                              typename SampledBoxes<Real>::Points& at) {
  const hn::Rebind<std::uint32_t, D> d_cells;
  const auto row_pitch = hn::Set(d_cells, pitch);
  const auto one = hn::Set(d, Real{1});
  const auto across = columns.span_at(x), down = rows.span_at(y);
  const auto inside = hn::And(columns.inside(x), rows.inside(y));
  const auto left = hn::Sub(one, across.upper), top = hn::Sub(one, down.upper);
  hn::Store(to_unsigned(d, hn::IfThenElseZero(inside, one)), d_cells, at.inside + i);
  hn::Store(hn::Add(hn::Mul(down.low, row_pitch), across.low), d_cells, at.cell + i);
  hn::Store(to_unsigned(d, across.step), d_cells, at.right + i);
  hn::Store(hn::Mul(to_unsigned(d, down.step), row_pitch), d_cells, at.below + i);
  hn::Store(hn::Mul(top, left), d, at.weights[0] + i);
  hn::Store(hn::Mul(top, across.upper), d, at.weights[1] + i);
  hn::Store(hn::Mul(down.upper, left), d, at.weights[2] + i);
  hn::Store(hn::Mul(down.upper, across.upper), d, at.weights[3] + i);
}

template <class T>
void load(const T* from, std::int64_t first, std::int64_t count, SampledBoxes<Compute<T>>& boxes) {
  using Real = Compute<T>;
  using mluop::HWY_NAMESPACE::load_as;
  constexpr std::int64_t fields = 5;
  const hn::ScalableTag<Real> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  HWY_ALIGN Real values[fields * SampledBoxes<Real>::most];
  const std::int64_t whole = fields * count / lanes * lanes;
  for (std::int64_t i = 0; i < whole; i += lanes) hn::Store(load_as(d, from + i), d, values + i);
  for (std::int64_t i = whole; i < fields * count; ++i) values[i] = to_compute(from[i]);
  for (std::int64_t i = 0; i < count; ++i) {
    for (std::int64_t field = 0; field < fields; ++field) {
      boxes.fields[field][first + i] = values[i * fields + field];
    }
  }
}

template <class Real>
void locate(SampledBoxes<Real>& boxes, std::int64_t count, const Problem& problem,
            std::int64_t pitch) {
  using D = hn::ScalableTag<Real>;
  const D d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(D()));
  static_assert(SampledBoxes<Real>::most % lanes == 0);
  boxes.points = problem.points;
  const std::int64_t whole = round_up(count, lanes);
  for (auto& field : boxes.fields) std::fill(field + count, field + whole, Real{0});
  const auto scale = static_cast<Real>(problem.spatial_scale);
  Offsets<Real> width, height;
  if (problem.points > 1) turn(boxes, whole, scale, width, height);
  const Axis<D> columns{problem.W}, rows{problem.H};
  constexpr Real width_sign[] = {0, 1, -1, -1, 1};
  constexpr Real height_sign[] = {0, 1, 1, -1, -1};
  for (std::int64_t i = 0; i < whole; i += lanes) {
    const auto x = hn::Mul(hn::Load(d, boxes.fields[1] + i), hn::Set(d, scale));
    const auto y = hn::Mul(hn::Load(d, boxes.fields[0] + i), hn::Set(d, scale));
    const auto row_pitch = static_cast<std::uint32_t>(pitch);
    locate_points<D, Real>(d, columns, rows, row_pitch, x, y, i, boxes.at[0]);
    for (int k = 1; k < problem.points; ++k) {
      const auto corner = [&](hn::Vec<D> centre, const Real* across, const Real* down) {
        const auto side = hn::Add(centre, hn::Mul(hn::Set(d, width_sign[k]), hn::Load(d, across)));
        return hn::Add(side, hn::Mul(hn::Set(d, height_sign[k]), hn::Load(d, down)));
      };
      locate_points<D, Real>(d, columns, rows, row_pitch, corner(x, width.x + i, height.x + i),
                             corner(y, width.y + i, height.y + i), i, boxes.at[k]);
    }
  }
}

const Sampler& sampler() {
  static constexpr Sampler all{
      {load<float>, load<double>, load<Half>, load<BFloat16>}, locate<float>, locate<double>};
  return all;
}

}  // namespace mluop::rotated_feature_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_feature_align {

const PerIsa<const Sampler& (*)()> samplers = MLUOP_PER_ISA(sampler);

}  // namespace mluop::rotated_feature_align
#endif
