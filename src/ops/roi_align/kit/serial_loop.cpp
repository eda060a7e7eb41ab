#include "ops/roi_align/kit/serial_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace mluop::roi_align {
namespace {

using reference::Shape;

/// The positions and weights of a sample; weights are 0 and positions -1 outside.
template <class Real>
struct Position {
  std::int64_t at[4];
  Real weight[4];
  Real y, x;
};

template <class Real>
Position<Real> position_of(const Shape& shape, Real y, Real x) {
  Position<Real> result{{-1, -1, -1, -1}, {0, 0, 0, 0}, y, x};
  const bool inside = y >= Real(-1) && y <= Real(shape.H) && x >= Real(-1) && x <= Real(shape.W);
  if (!inside) return result;
  if (y <= 0) y = 0;
  if (x <= 0) x = 0;
  std::int64_t y_low = static_cast<std::int64_t>(y), x_low = static_cast<std::int64_t>(x);
  std::int64_t y_high = y_low + 1, x_high = x_low + 1;
  if (y_low >= shape.H - 1) y = Real(y_high = y_low = shape.H - 1);
  if (x_low >= shape.W - 1) x = Real(x_high = x_low = shape.W - 1);
  const Real ly = y - Real(y_low), lx = x - Real(x_low), hy = Real(1) - ly, hx = Real(1) - lx;
  const std::int64_t W = shape.W;
  const std::int64_t at[] = {y_low * W + x_low, y_low * W + x_high, y_high * W + x_low,
                             y_high * W + x_high};
  const Real weight[] = {hy * hx, hy * lx, ly * hx, ly * lx};
  std::copy_n(at, 4, result.at);
  std::copy_n(weight, 4, result.weight);
  return result;
}

template <class Real>
struct RoiGrid {
  std::int64_t image;
  Real start_w, start_h, bin_w, bin_h;
  std::int64_t grid_w, grid_h;

  RoiGrid(const Shape& shape, const Real* roi) : image(static_cast<std::int64_t>(roi[0])) {
    const Real offset = shape.aligned ? Real(0.5) : Real(0), scale = shape.spatial_scale;
    start_w = roi[1] * scale - offset;
    start_h = roi[2] * scale - offset;
    const Real end_w = roi[3] * scale - offset, end_h = roi[4] * scale - offset;
    Real width = end_w - start_w, height = end_h - start_h;
    if (!shape.aligned) {
      width = width > Real(1) ? width : Real(1);
      height = height > Real(1) ? height : Real(1);
    }
    bin_w = width / Real(shape.PW);
    bin_h = height / Real(shape.PH);
    grid_w = grid_of(shape, bin_w);
    grid_h = grid_of(shape, bin_h);
  }
  static std::int64_t grid_of(const Shape& shape, Real bin) {
    if (shape.sampling_ratio > 0) return shape.sampling_ratio;
    const float samples = std::ceil(float(bin));
    return samples > 0 && samples < 0x1p31f ? static_cast<std::int64_t>(samples) : 0;
  }
  Position<Real> position(const Shape& shape, std::int64_t ph, std::int64_t pw, std::int64_t iy,
                          std::int64_t ix) const {
    const Real y = start_h + Real(ph) * bin_h + (Real(iy) + Real(0.5)) * bin_h / Real(grid_h);
    const Real x = start_w + Real(pw) * bin_w + (Real(ix) + Real(0.5)) * bin_w / Real(grid_w);
    return position_of(shape, y, x);
  }
  Real count() const { return Real(std::max<std::int64_t>(grid_h * grid_w, 1)); }
};

template <class Real>
std::vector<Position<Real>> positions_of(const Shape& shape, const RoiGrid<Real>& roi) {
  std::vector<Position<Real>> all;
  for (std::int64_t bin = 0; bin < shape.PH * shape.PW; ++bin) {
    for (std::int64_t iy = 0; iy < roi.grid_h; ++iy) {
      for (std::int64_t ix = 0; ix < roi.grid_w; ++ix) {
        all.push_back(roi.position(shape, bin / shape.PW, bin % shape.PW, iy, ix));
      }
    }
  }
  return all;
}

template <class Real>
Real value_at(const Real* plane, const Position<Real>& p) {
  if (p.at[0] < 0) return 0;
  return p.weight[0] * plane[p.at[0]] + p.weight[1] * plane[p.at[1]] +
         p.weight[2] * plane[p.at[2]] + p.weight[3] * plane[p.at[3]];
}

template <class Real>
void add_at(Real* plane, const Position<Real>& p, Real gradient, Real count) {
  if (p.at[0] < 0) return;
  for (int i = 0; i < 4; ++i) plane[p.at[i]] += gradient * p.weight[i] / count;
}

}  // namespace

template <class Real>
void SerialForward<Real>::run(const Shape& shape) const {
  const std::int64_t bins = shape.PH * shape.PW;
  for (std::int64_t k = 0; k < shape.K; ++k) {
    const RoiGrid<Real> roi(shape, boxes + 5 * k);
    const std::vector<Position<Real>> positions = positions_of(shape, roi);
    const std::int64_t samples = roi.grid_h * roi.grid_w;
    for (std::int64_t c = 0; c < shape.C; ++c) {
      const Real* const plane = images + (roi.image * shape.C + c) * shape.H * shape.W;
      const Position<Real>* position = positions.data();
      for (std::int64_t bin = 0; bin < bins; ++bin) {
        Real sum = 0, largest = -std::numeric_limits<float>::max(), y = -1, x = -1;
        for (std::int64_t i = 0; i < samples; ++i, ++position) {
          const Real value = value_at(plane, *position);
          sum += value;
          if (!(value > largest)) continue;
          largest = value;
          y = position->y;
          x = position->x;
        }
        const std::int64_t at = (k * shape.C + c) * bins + bin;
        output[at] = shape.maximum ? largest : sum / roi.count();
        if (!shape.maximum) continue;
        argmax_x[at] = x;
        argmax_y[at] = y;
      }
    }
  }
}

template <class Real>
void SerialBackward<Real>::run(const Shape& shape) const {
  std::fill_n(images, shape.image_elements(), Real(0));
  for (std::int64_t at = 0; at < shape.bin_elements(); ++at) {
    const std::int64_t pw = at % shape.PW, ph = at / shape.PW % shape.PH;
    const std::int64_t c = at / shape.PW / shape.PH % shape.C;
    const RoiGrid<Real> roi(shape, boxes + at / shape.PW / shape.PH / shape.C * 5);
    Real* const plane = images + (roi.image * shape.C + c) * shape.H * shape.W;
    if (shape.maximum) {
      if (argmax_y[at] == Real(-1)) continue;
      add_at(plane, position_of(shape, argmax_y[at], argmax_x[at]), grads[at], Real(1));
      continue;
    }
    for (std::int64_t iy = 0; iy < roi.grid_h; ++iy) {
      for (std::int64_t ix = 0; ix < roi.grid_w; ++ix) {
        add_at(plane, roi.position(shape, ph, pw, iy, ix), grads[at], roi.count());
      }
    }
  }
}

template struct SerialForward<float>;
template struct SerialForward<double>;
template struct SerialBackward<float>;
template struct SerialBackward<double>;

}  // namespace mluop::roi_align
