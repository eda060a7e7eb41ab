// The fields of boxes, written once for every vector width and compiled per instruction set.
#include "ops/rotated_boxes/table/kernel.hpp"

#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/rotated_boxes/table/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/rotated_boxes/table/turn-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

template <class D>
struct BoundFields {
  hn::Vec<D> reach_x, reach_y, radius, side;
};

/// What boxes.hpp says about each kind of box.
template <class D, class Real = hn::TFromD<D>, class V = hn::Vec<D>>
HWY_INLINE BoundFields<D> bounds_of(D d, V x, V y, V w, V h, V c, V s, V area) {
  const V zero = hn::Zero(d), infinity = hn::Set(d, std::numeric_limits<Real>::infinity());
  const V far = hn::Set(d, away<Real>);
  x = hn::Abs(x);
  y = hn::Abs(y);
  w = hn::Abs(w);
  h = hn::Abs(h);
  c = hn::Abs(c);
  s = hn::Abs(s);
  const V diagonal = hn::Sqrt(hn::Add(hn::Mul(w, w), hn::Mul(h, h)));
  const V radius = hn::Add(hn::Mul(diagonal, hn::Set(d, static_cast<Real>(0.5 * (1 + 0x1p-10)))),
                           hn::Mul(hn::Add(x, y), hn::Set(d, static_cast<Real>(0x1p-21))));
  const auto below = [&](V value) HWY_ATTR { return hn::Lt(value, infinity); };
  const auto finite =
      hn::And(hn::And(below(x), below(y)), hn::And(below(hn::Add(c, s)), below(area)));
  const auto bounded = hn::And(finite, below(radius));
  const auto empty = hn::Lt(area, hn::Set(d, not_below<Real>(1e-14)));
  const auto reach = [&](V value) HWY_ATTR {
    return hn::IfThenElse(empty, hn::Neg(far), hn::IfThenElseZero(bounded, value));
  };
  const V other_side = hn::IfThenElseZero(finite, hn::Set(d, 1));
  const V side = hn::IfThenElse(bounded, hn::Min(w, h), other_side);
  return {reach(hn::Add(hn::Mul(c, w), hn::Mul(s, h))),
          reach(hn::Add(hn::Mul(s, w), hn::Mul(c, h))),
          hn::IfThenElse(empty, zero, hn::IfThenElse(bounded, radius, infinity)),
          hn::IfThenElse(empty, far, side)};
}

template <class Real>
void set_table(const Rows<Real>& rows, std::int64_t count, const BoxTable<Real>& table,
               std::int64_t place) {
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  alignas(64) Real half_cos[block_boxes], half_sin[block_boxes];
  half_turns(rows.fields[4], count, half_cos, half_sin);
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto x = hn::Load(d, rows.fields[0] + i), y = hn::Load(d, rows.fields[1] + i);
    const auto w = hn::Load(d, rows.fields[2] + i), h = hn::Load(d, rows.fields[3] + i);
    const auto c = hn::Load(d, half_cos + i), s = hn::Load(d, half_sin + i);
    const auto area = hn::Mul(w, h);
    const auto bounds = bounds_of(d, x, y, w, h, c, s, area);
    const auto put = [&](int field, hn::Vec<decltype(d)> value)
                         HWY_ATTR { hn::StoreU(value, d, table.field(field) + place + i); };
    put(Field::x, x);
    put(Field::y, y);
    put(Field::sin_h, hn::Mul(s, h));
    put(Field::cos_w, hn::Mul(c, w));
    put(Field::cos_h, hn::Mul(c, h));
    put(Field::sin_w, hn::Mul(s, w));
    put(Field::area, area);
    put(Field::reach_x, bounds.reach_x);
    put(Field::reach_y, bounds.reach_y);
    put(Field::radius, bounds.radius);
    put(Field::side, bounds.side);
  }
}

void set_floats(const Rows<float>& rows, std::int64_t count, const BoxTable<float>& table,
                std::int64_t place) {
  set_table(rows, count, table, place);
}
void set_doubles(const Rows<double>& rows, std::int64_t count, const BoxTable<double>& table,
                 std::int64_t place) {
  set_table(rows, count, table, place);
}

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::rotated_boxes {

template <>
TableKernel<float> table_kernel(Isa isa) {
  static constexpr PerIsa<TableKernel<float>> all{MLUOP_PER_ISA(set_floats)};
  return all[static_cast<std::size_t>(isa)];
}

template <>
TableKernel<double> table_kernel(Isa isa) {
  static constexpr PerIsa<TableKernel<double>> all{MLUOP_PER_ISA(set_doubles)};
  return all[static_cast<std::size_t>(isa)];
}

}  // namespace mluop::rotated_boxes
#endif
