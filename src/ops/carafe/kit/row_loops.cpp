// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/carafe/kit/row_loops.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/kit/row_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe {
namespace HWY_NAMESPACE {
namespace {

using reference::Shape;

constexpr std::int64_t block = 64;  // channels whose sums stay in registers

/// sum[c] += weight · value[c]; a whole block has a constant length, which compilers vectorise better.
template <class Real>
HWY_INLINE void add(Real weight, const Real* HWY_RESTRICT value, std::int64_t count,
                    Real* HWY_RESTRICT sum) {
  if (count == block) {
    for (std::int64_t c = 0; c < block; ++c) sum[c] += weight * value[c];
  } else {
    for (std::int64_t c = 0; c < count; ++c) sum[c] += weight * value[c];
  }
}

/// Calls visit(first channel, number of channels, group) for blocks of channels of one group.
template <class Visit>
HWY_INLINE void for_each_block(const Shape& shape, Visit&& visit) {
  const std::int64_t per_group = shape.C / shape.G;
  for (std::int64_t g = 0; g < shape.G; ++g) {
    for (std::int64_t c = 0; c < per_group; c += block) {
      visit(g * per_group + c, std::min(block, per_group - c), g);
    }
  }
}

template <class Real>
void forward(const Shape& shape, const Real* input, const Real* mask, std::int64_t y, Real* row) {
  const auto [N, H, W, C, k, G, s] = shape;
  const std::int64_t r = k / 2, top = y / s - r;
  for (std::int64_t x = 0; x < s * W; ++x) {
    const std::int64_t left = x / s - r;
    for_each_block(shape, [&](std::int64_t c, std::int64_t count, std::int64_t g) {
      const Real* weights = mask + ((y * s * W + x) * G + g) * k * k;
      Real sum[block] = {};
      for (std::int64_t kh = std::max<std::int64_t>(0, -top); kh < std::min(k, H - top); ++kh) {
        for (std::int64_t kw = std::max<std::int64_t>(0, -left); kw < std::min(k, W - left); ++kw) {
          add(weights[kh * k + kw], input + ((top + kh) * W + left + kw) * C + c, count, sum);
        }
      }
      std::copy_n(sum, count, row + x * C + c);
    });
  }
}

/// The outputs whose windows have pixel (i, j) as cell (kh, kw) come from pixel (i + r − kh, j + r − kw).
template <class Real>
void grad_input(const Shape& shape, const Real* mask, const Real* grad_output, std::int64_t i,
                Real* row) {
  const auto [N, H, W, C, k, G, s] = shape;
  const std::int64_t r = k / 2;
  for (std::int64_t j = 0; j < W; ++j) {
    for_each_block(shape, [&](std::int64_t c, std::int64_t count, std::int64_t g) {
      Real sum[block] = {};
      for (std::int64_t kh = 0; kh < k; ++kh) {
        const std::int64_t from_y = i + r - kh;
        if (from_y < 0 || from_y >= H) continue;
        for (std::int64_t kw = 0; kw < k; ++kw) {
          const std::int64_t from_x = j + r - kw;
          if (from_x < 0 || from_x >= W) continue;
          for (std::int64_t y = s * from_y; y < s * (from_y + 1); ++y) {
            for (std::int64_t x = s * from_x; x < s * (from_x + 1); ++x) {
              const std::int64_t pixel = y * s * W + x;
              add(mask[(pixel * G + g) * k * k + kh * k + kw], grad_output + pixel * C + c, count,
                  sum);
            }
          }
        }
      }
      std::copy_n(sum, count, row + j * C + c);
    });
  }
}

/// Sums of every 16th channel, then the sum of those.
template <class Real>
HWY_INLINE Real dot(const Real* HWY_RESTRICT a, const Real* HWY_RESTRICT b, std::int64_t count) {
  constexpr std::int64_t lanes = 16;
  Real sums[lanes] = {};
  std::int64_t c = 0;
  for (; c + lanes <= count; c += lanes) {
    for (std::int64_t lane = 0; lane < lanes; ++lane) sums[lane] += a[c + lane] * b[c + lane];
  }
  Real sum = 0;
  for (; c < count; ++c) sum += a[c] * b[c];
  for (const Real part : sums) sum += part;
  return sum;
}

template <class Real>
void grad_mask(const Shape& shape, const Real* input, const Real* grad_output, std::int64_t y,
               Real* row) {
  const auto [N, H, W, C, k, G, s] = shape;
  const std::int64_t r = k / 2, top = y / s - r, per_group = C / G;
  for (std::int64_t x = 0; x < s * W; ++x) {
    const Real* delta = grad_output + (y * s * W + x) * C;
    for (std::int64_t g = 0; g < G; ++g) {
      for (std::int64_t cell = 0; cell < k * k; ++cell) {
        const std::int64_t iy = top + cell / k, ix = x / s - r + cell % k;
        const bool used = iy >= 0 && iy < H && ix >= 0 && ix < W;
        row[(x * G + g) * k * k + cell] =
            used ? dot(delta + g * per_group, input + (iy * W + ix) * C + g * per_group, per_group)
                 : Real(0);
      }
    }
  }
}

template <class Real>
const RowLoops<Real>* loops() {
  static constexpr RowLoops<Real> all{&forward<Real>, &grad_input<Real>, &grad_mask<Real>};
  return &all;
}
const RowLoops<float>* float_loops() { return loops<float>(); }
const RowLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::carafe
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

template <>
const RowLoops<float>& row_loops(Isa isa) {
  static constexpr PerIsa<const RowLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const RowLoops<double>& row_loops(Isa isa) {
  static constexpr PerIsa<const RowLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::carafe
#endif
