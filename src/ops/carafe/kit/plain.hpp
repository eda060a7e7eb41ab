// CARAFE as the plain loops one would write first: their rounding error sets tolerances.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "ops/carafe/kit/reference.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::carafe::plain {

using reference::Shape;

template <class Real>
std::vector<double> stored(const std::vector<Real>& values, mluOpDataType_t dtype) {
  return testing::rounded_to(dtype, std::vector<double>(values.begin(), values.end()));
}

/// One output pixel: where it is, and the part of its window inside the map.
struct Pixel {
  std::int64_t number;     // within the batch
  std::int64_t top, left;  // of the window, in the map
  std::int64_t kh0, kh1, kw0, kw1;
  std::int64_t image;  // number of its first input pixel
};

template <class Visit>
void for_each_pixel(const Shape& s, Visit&& visit) {
  for (std::int64_t number = 0; number < s.outputs(); ++number) {
    Pixel pixel{};
    pixel.number = number;
    const std::int64_t x = number % (s.W * s.s), y = number / (s.W * s.s) % (s.H * s.s);
    pixel.top = y / s.s - s.k / 2;
    pixel.left = x / s.s - s.k / 2;
    pixel.kh0 = std::max<std::int64_t>(0, -pixel.top);
    pixel.kh1 = std::min(s.k, s.H - pixel.top);
    pixel.kw0 = std::max<std::int64_t>(0, -pixel.left);
    pixel.kw1 = std::min(s.k, s.W - pixel.left);
    pixel.image = number / (s.W * s.s * s.H * s.s) * s.H * s.W;
    visit(pixel);
  }
}

/// Calls visit(input pixel, cell) for the cells of one window.
template <class Visit>
void for_each_cell(const Shape& s, const Pixel& pixel, Visit&& visit) {
  for (std::int64_t kh = pixel.kh0; kh < pixel.kh1; ++kh) {
    for (std::int64_t kw = pixel.kw0; kw < pixel.kw1; ++kw) {
      visit(pixel.image + (pixel.top + kh) * s.W + pixel.left + kw, kh * s.k + kw);
    }
  }
}

template <class Real>
std::vector<double> forward(const Shape& s, std::span<const double> input,
                            std::span<const double> mask, mluOpDataType_t dtype) {
  const std::vector<Real> in(input.begin(), input.end()), weights(mask.begin(), mask.end());
  std::vector<Real> output(static_cast<std::size_t>(s.output_elements()));
  const std::int64_t cells = s.k * s.k;
  for_each_pixel(s, [&](const Pixel& pixel) {
    Real* out = output.data() + pixel.number * s.C;
    const Real* weight = weights.data() + pixel.number * s.mask_channels();
    for_each_cell(s, pixel, [&](std::int64_t from, std::int64_t cell) {
      const Real* value = in.data() + from * s.C;
      for (std::int64_t c = 0; c < s.C;) {
        const Real w = weight[c * s.G / s.C * cells + cell];
        for (const std::int64_t end = c + s.C / s.G; c < end; ++c) out[c] += w * value[c];
      }
    });
  });
  return stored(output, dtype);
}

template <class Real>
std::vector<double> grad_input(const Shape& s, std::span<const double> mask,
                               std::span<const double> grad_output, mluOpDataType_t dtype) {
  const std::vector<Real> weights(mask.begin(), mask.end());
  const std::vector<Real> gradient(grad_output.begin(), grad_output.end());
  std::vector<Real> result(static_cast<std::size_t>(s.input_elements()));
  const std::int64_t cells = s.k * s.k;
  for_each_pixel(s, [&](const Pixel& pixel) {
    const Real* delta = gradient.data() + pixel.number * s.C;
    const Real* weight = weights.data() + pixel.number * s.mask_channels();
    for_each_cell(s, pixel, [&](std::int64_t to, std::int64_t cell) {
      Real* out = result.data() + to * s.C;
      for (std::int64_t c = 0; c < s.C;) {
        const Real w = weight[c * s.G / s.C * cells + cell];
        for (const std::int64_t end = c + s.C / s.G; c < end; ++c) out[c] += w * delta[c];
      }
    });
  });
  return stored(result, dtype);
}

template <class Real>
std::vector<double> grad_mask(const Shape& s, std::span<const double> input,
                              std::span<const double> grad_output, mluOpDataType_t dtype) {
  const std::vector<Real> in(input.begin(), input.end());
  const std::vector<Real> gradient(grad_output.begin(), grad_output.end());
  std::vector<Real> result(static_cast<std::size_t>(s.mask_elements()));
  const std::int64_t cells = s.k * s.k;
  for_each_pixel(s, [&](const Pixel& pixel) {
    const Real* delta = gradient.data() + pixel.number * s.C;
    Real* out = result.data() + pixel.number * s.mask_channels();
    for_each_cell(s, pixel, [&](std::int64_t from, std::int64_t cell) {
      const Real* value = in.data() + from * s.C;
      for (std::int64_t c = 0; c < s.C;) {
        Real& sum = out[c * s.G / s.C * cells + cell];
        for (const std::int64_t end = c + s.C / s.G; c < end; ++c) sum += delta[c] * value[c];
      }
    });
  });
  return stored(result, dtype);
}

}  // namespace mluop::carafe::plain
