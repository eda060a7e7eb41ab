// Rotated feature align as the plain loop one would write first: its rounding error sets
// tolerances.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/rotated_feature_align/kit/reference.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::rotated_feature_align::plain {

using reference::Shape;

/// One sample as the loops use it; offsets are of whole pixels within an image.
template <class Real>
struct Sample {
  bool inside = false;
  std::int64_t offset1 = 0, offset2 = 0, offset3 = 0, offset4 = 0;
  Real w1 = 0, w2 = 0, w3 = 0, w4 = 0;

  Sample(Real y, Real x, std::int64_t H, std::int64_t W) {
    inside = !(y < -1 || y > Real(H) || x < -1 || x > Real(W) || std::isnan(y) || std::isnan(x));
    if (!inside) return;
    y = std::fmax(y, Real(0));
    x = std::fmax(x, Real(0));
    std::int64_t y_low = std::llrint(std::floor(y)), x_low = std::llrint(std::floor(x));
    std::int64_t y_high = y_low + 1, x_high = x_low + 1;
    if (y_high >= H) y_high = y_low = H - 1, y = Real(y_low);
    if (x_high >= W) x_high = x_low = W - 1, x = Real(x_low);
    const Real ly = y - Real(y_low), lx = x - Real(x_low);
    w1 = (1 - ly) * (1 - lx), w2 = (1 - ly) * lx, w3 = ly * (1 - lx), w4 = ly * lx;
    offset1 = y_low * W + x_low, offset2 = y_low * W + x_high;
    offset3 = y_high * W + x_low, offset4 = y_high * W + x_high;
  }
};

/// Calls visit(image, pixel, samples) with flat offsets into the [N·H·W, C] map.
template <class Real, class Visit>
void for_each_pixel(const Shape& s, std::span<const double> boxes, Visit&& visit) {
  const Real S = s.spatial_scale;
  std::vector<Sample<Real>> samples;
  for (std::int64_t pixel = 0; pixel < s.pixels(); ++pixel) {
    const double* b = boxes.data() + pixel * 5;
    const Real Y = Real(b[0]) * S, X = Real(b[1]) * S;
    samples.assign(1, Sample<Real>(Y, X, s.H, s.W));
    if (s.points == 5) {
      const Real w2 = Real(b[2]) * S / 2, h2 = Real(b[3]) * S / 2;
      const Real cw = std::cos(Real(b[4])) * w2, sw = std::sin(Real(b[4])) * w2;
      const Real ch = std::cos(Real(b[4])) * h2, sh = std::sin(Real(b[4])) * h2;
      samples.emplace_back(Y + sw + ch, X + cw - sh, s.H, s.W);
      samples.emplace_back(Y - sw + ch, X - cw - sh, s.H, s.W);
      samples.emplace_back(Y - sw - ch, X - cw + sh, s.H, s.W);
      samples.emplace_back(Y + sw - ch, X + cw + sh, s.H, s.W);
    }
    visit(pixel - pixel % (s.H * s.W), pixel, samples);
  }
}

template <class Real>
std::vector<double> stored(const std::vector<Real>& values, mluOpDataType_t dtype) {
  return testing::rounded_to(dtype, std::vector<double>(values.begin(), values.end()));
}

template <class Real>
std::vector<double> forward(const Shape& s, std::span<const double> features,
                            std::span<const double> boxes, mluOpDataType_t dtype) {
  const std::vector<Real> input(features.begin(), features.end());
  std::vector<Real> output = input;
  for_each_pixel<Real>(s, boxes, [&](std::int64_t image, std::int64_t pixel, const auto& samples) {
    Real* out = output.data() + pixel * s.C;
    const Real* in = input.data() + image * s.C;
    for (const Sample<Real>& p : samples) {
      if (!p.inside) continue;
      for (std::int64_t c = 0; c < s.C; ++c) {
        out[c] += p.w1 * in[p.offset1 * s.C + c] + p.w2 * in[p.offset2 * s.C + c] +
                  p.w3 * in[p.offset3 * s.C + c] + p.w4 * in[p.offset4 * s.C + c];
      }
    }
  });
  return stored(output, dtype);
}

template <class Real>
std::vector<double> backward(const Shape& s, std::span<const double> gradient,
                             std::span<const double> boxes, mluOpDataType_t dtype) {
  const std::vector<Real> top_output(gradient.begin(), gradient.end());
  std::vector<Real> bottom_input(top_output.size());
  for_each_pixel<Real>(s, boxes, [&](std::int64_t image, std::int64_t pixel, const auto& samples) {
    const Real* g = top_output.data() + pixel * s.C;
    Real* self = bottom_input.data() + pixel * s.C;
    for (std::int64_t c = 0; c < s.C; ++c) self[c] += g[c];
    Real* out = bottom_input.data() + image * s.C;
    for (const Sample<Real>& p : samples) {
      if (!p.inside) continue;
      for (std::int64_t c = 0; c < s.C; ++c) {
        out[p.offset1 * s.C + c] += g[c] * p.w1;
        out[p.offset2 * s.C + c] += g[c] * p.w2;
        out[p.offset3 * s.C + c] += g[c] * p.w3;
        out[p.offset4 * s.C + c] += g[c] * p.w4;
      }
    }
  });
  return stored(bottom_input, dtype);
}

}  // namespace mluop::rotated_feature_align::plain
