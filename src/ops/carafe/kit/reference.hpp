// CARAFE from its formula, in extended or double precision: what results are held to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mluop::carafe::reference {

/// Input is [N,H,W,C], mask [N,sH,sW,G·k²], output [N,sH,sW,C].
struct Shape {
  std::int64_t N, H, W, C;
  std::int64_t k, G, s;

  std::int64_t pixels() const { return N * H * W; }
  std::int64_t outputs() const { return pixels() * s * s; }
  std::int64_t input_elements() const { return pixels() * C; }
  std::int64_t output_elements() const { return outputs() * C; }
  std::int64_t mask_channels() const { return G * k * k; }
  std::int64_t mask_elements() const { return outputs() * mask_channels(); }
};

/// Calls visit(output pixel, input pixel, cell) for every used cell of every window: pixels are numbers
/// within the batch, the cell is kh·k + kw.
template <class Visit>
void for_each_cell(const Shape& shape, Visit&& visit) {
  const std::int64_t r = (shape.k - 1) / 2, Ho = shape.s * shape.H, Wo = shape.s * shape.W;
  for (std::int64_t n = 0; n < shape.N; ++n) {
    for (std::int64_t y = 0; y < Ho; ++y) {
      for (std::int64_t x = 0; x < Wo; ++x) {
        for (std::int64_t kh = 0; kh < shape.k; ++kh) {
          for (std::int64_t kw = 0; kw < shape.k; ++kw) {
            const std::int64_t iy = y / shape.s + kh - r, ix = x / shape.s + kw - r;
            if (iy < 0 || iy > shape.H - 1 || ix < 0 || ix > shape.W - 1) continue;
            visit((n * Ho + y) * Wo + x, (n * shape.H + iy) * shape.W + ix, kh * shape.k + kw);
          }
        }
      }
    }
  }
}

/// The cells of all windows that lie inside the map.
inline std::int64_t used_cells(const Shape& shape) {
  const auto along = [&](std::int64_t size) {
    const std::int64_t r = (shape.k - 1) / 2;
    std::int64_t used = 0;
    for (std::int64_t centre = 0; centre < size; ++centre) {
      for (std::int64_t at = centre - r; at <= centre + r; ++at) used += at >= 0 && at < size;
    }
    return used;
  };
  return shape.N * shape.s * shape.s * along(shape.H) * along(shape.W);
}

/// output[pixel, c] = Σ input[cell, c] · mask[pixel, group of c, cell].
template <class Real>
std::vector<double> forward(const Shape& shape, std::span<const double> input,
                            std::span<const double> mask) {
  const std::int64_t per_group = shape.C / shape.G;
  std::vector<Real> output(static_cast<std::size_t>(shape.output_elements()));
  for_each_cell(shape, [&](std::int64_t to, std::int64_t from, std::int64_t cell) {
    for (std::int64_t g = 0; g < shape.G; ++g) {
      const Real weight =
          mask[static_cast<std::size_t>((to * shape.G + g) * shape.k * shape.k + cell)];
      Real* sum = &output[static_cast<std::size_t>(to * shape.C + g * per_group)];
      const double* value = &input[static_cast<std::size_t>(from * shape.C + g * per_group)];
      for (std::int64_t c = 0; c < per_group; ++c) sum[c] += weight * Real(value[c]);
    }
  });
  return {output.begin(), output.end()};
}

/// grad_input[cell, c] = Σ mask[pixel, group of c, cell] · grad_output[pixel, c].
template <class Real>
std::vector<double> grad_input(const Shape& shape, std::span<const double> mask,
                               std::span<const double> grad_output) {
  const std::int64_t per_group = shape.C / shape.G;
  std::vector<Real> result(static_cast<std::size_t>(shape.input_elements()));
  for_each_cell(shape, [&](std::int64_t from, std::int64_t to, std::int64_t cell) {
    for (std::int64_t g = 0; g < shape.G; ++g) {
      const Real weight =
          mask[static_cast<std::size_t>((from * shape.G + g) * shape.k * shape.k + cell)];
      Real* sum = &result[static_cast<std::size_t>(to * shape.C + g * per_group)];
      const double* delta = &grad_output[static_cast<std::size_t>(from * shape.C + g * per_group)];
      for (std::int64_t c = 0; c < per_group; ++c) sum[c] += weight * Real(delta[c]);
    }
  });
  return {result.begin(), result.end()};
}

/// grad_mask[pixel, g, cell] = Σ over the channels of g of grad_output[pixel, c] · input[cell, c]; 0
/// where the cell is not used.
template <class Real>
std::vector<double> grad_mask(const Shape& shape, std::span<const double> input,
                              std::span<const double> grad_output) {
  const std::int64_t per_group = shape.C / shape.G;
  std::vector<double> result(static_cast<std::size_t>(shape.mask_elements()));
  for_each_cell(shape, [&](std::int64_t pixel, std::int64_t from, std::int64_t cell) {
    for (std::int64_t g = 0; g < shape.G; ++g) {
      const double* value = &input[static_cast<std::size_t>(from * shape.C + g * per_group)];
      const double* delta = &grad_output[static_cast<std::size_t>(pixel * shape.C + g * per_group)];
      Real sum = 0;
      for (std::int64_t c = 0; c < per_group; ++c) sum += Real(delta[c]) * Real(value[c]);
      result[static_cast<std::size_t>((pixel * shape.G + g) * shape.k * shape.k + cell)] =
          static_cast<double>(sum);
    }
  });
  return result;
}

}  // namespace mluop::carafe::reference
