// Half of cosine and sine of float angles, with the bits that the C library gives; included per target.
#if defined(MLUOPS_ROTATED_BOXES_TURN_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_ROTATED_BOXES_TURN_INL_HPP
#undef MLUOPS_ROTATED_BOXES_TURN_INL_HPP
#else
#define MLUOPS_ROTATED_BOXES_TURN_INL_HPP
#endif

#include <hwy/highway.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "ops/rotated_boxes/points-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::rotated_boxes::HWY_NAMESPACE {

/// 1 / first!, -1 / (first + 2)!, 1 / (first + 4)!, ...: enough of them for less than an eighth of a turn.
constexpr std::array<double, 9> series_of(int first) {
  std::array<double, 9> coefficients{};
  double factorial = 1;
  int n = first;  // 0 or 1
  for (double& coefficient : coefficients) {
    coefficient = 1 / factorial;
    factorial *= ++n;
    factorial *= -++n;
  }
  return coefficients;
}
inline constexpr std::array<double, 9> cosine_series = series_of(0), sine_series = series_of(1);

template <class D, class V = hn::Vec<D>>
HWY_INLINE V sum_of(D d, V square, const std::array<double, 9>& series) {
  V sum = hn::Set(d, series[8]);
  for (int term = 7; term >= 0; --term) {
    sum = hn::Add(hn::Mul(sum, square), hn::Set(d, series[static_cast<std::size_t>(term)]));
  }
  return sum;
}

/// The floats next to all numbers around `value` that are as near as `error`; false if they differ.
template <class D, class V = hn::Vec<D>, class DF = hn::Rebind<float, D>>
HWY_INLINE hn::Mask<DF> rounds_surely(D d, V value, V error, float* to) {
  const DF df;
  const auto low = hn::DemoteTo(df, hn::Sub(value, error));
  const auto high = hn::DemoteTo(df, hn::Add(value, error));
  hn::StoreU(hn::Mul(low, hn::Set(df, 0.5f)), df, to);
  static_cast<void>(d);
  return hn::Eq(low, high);
}

/// `count` angles, rounded up to whole vectors of double; the results of NaN and infinity are NaN.
///
/// A vector computes cosine and sine in double with a relative error far below 2^-47. Where all numbers that
/// near round to one float, it is the float that the C library's result rounds to, in every rounding mode.
/// Elsewhere, some one in a million angles and large ones, the C library is asked.
HWY_INLINE void half_turns(const float* angles, std::int64_t count, float* half_cos,
                           float* half_sin) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  constexpr std::int64_t lanes = lanes_of<double>;
  const auto per_quarter = hn::Set(d, 0x1.45f306dc9c883p-1);  // 2 / pi
  // pi / 2 in two parts; numbers of 13 bits times the first are exact.
  const auto quarter = hn::Set(d, 0x1.921fb544p+0),
             quarter_rest = hn::Set(d, 0x1.0b4611a626331p-34);
  for (std::int64_t i = 0; i < count; i += lanes) {
    const auto angle = hn::PromoteTo(d, hn::LoadU(df, angles + i));
    const auto number = hn::Floor(hn::Add(hn::Mul(angle, per_quarter), hn::Set(d, 0.5)));
    const auto r = hn::Sub(hn::Sub(angle, hn::Mul(number, quarter)), hn::Mul(number, quarter_rest));
    const auto square = hn::Mul(r, r);
    const auto cosine = sum_of(d, square, cosine_series);
    const auto sine = hn::Mul(r, sum_of(d, square, sine_series));
    const auto turn = hn::Sub(
        number, hn::Mul(hn::Set(d, 4), hn::Floor(hn::Mul(number, hn::Set(d, 0.25)))));  // 0 to 3
    const auto one = hn::Eq(turn, hn::Set(d, 1)), two = hn::Eq(turn, hn::Set(d, 2));
    const auto three = hn::Eq(turn, hn::Set(d, 3));
    const auto odd = hn::Or(one, three);
    auto c = hn::IfThenElse(odd, sine, cosine), s = hn::IfThenElse(odd, cosine, sine);
    c = hn::IfThenElse(hn::Or(one, two), hn::Neg(c), c);
    s = hn::IfThenElse(hn::Or(two, three), hn::Neg(s), s);
    const auto rest = hn::Mul(hn::Abs(number), hn::Set(d, 1e-24));
    const auto near = hn::Set(d, 0x1p-47);
    const auto sure =
        hn::And(rounds_surely(d, c, hn::Add(hn::Mul(hn::Abs(c), near), rest), half_cos + i),
                rounds_surely(d, s, hn::Add(hn::Mul(hn::Abs(s), near), rest), half_sin + i));
    const auto small = hn::Le(hn::Abs(hn::LoadU(df, angles + i)), hn::Set(df, 8192.0f));
    unsigned unsure = bits_of_mask(df, hn::Not(hn::And(sure, small)));
    for (; unsure != 0; unsure &= unsure - 1) {
      const std::int64_t at = i + std::countr_zero(unsure);
      half_cos[at] = static_cast<float>(std::cos(static_cast<double>(angles[at]))) * 0.5f;
      half_sin[at] = static_cast<float>(std::sin(static_cast<double>(angles[at]))) * 0.5f;
    }
  }
}

/// Those of double are the C library's.
HWY_INLINE void half_turns(const double* angles, std::int64_t count, double* half_cos,
                           double* half_sin) {
  for (std::int64_t i = 0; i < count; ++i) {
    if (i > 0 && angles[i] == angles[i - 1]) {  // as anchors often are
      half_cos[i] = half_cos[i - 1];
      half_sin[i] = half_sin[i - 1];
    } else {
      half_cos[i] = std::cos(angles[i]) * 0.5;
      half_sin[i] = std::sin(angles[i]) * 0.5;
    }
  }
}

}  // namespace mluop::rotated_boxes::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
