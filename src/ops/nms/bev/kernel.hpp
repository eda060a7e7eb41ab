// Which turned boxes of a tile a box suppresses.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ops/nms/bev/bev_box.hpp"
#include "ops/suppression/walk.hpp"
#include "runtime/isa.hpp"

namespace mluop::nms {

/// The bounds of boxes by slot, and which box a slot holds.
template <class Real>
struct BevTable {
  const BevBox<Real>* boxes;
  std::int32_t* box_of;
  float *low_x, *high_x, *low_y, *high_y;
  Real threshold;

  suppression::Columns from(std::int64_t slot) const noexcept {
    return {low_x + slot, high_x + slot, low_y + slot, high_y + slot};
  }
};

template <class Real>
struct BevKernels {
  std::uint64_t (*resolve)(const suppression::Block& block, const BevTable<Real>& table);
  void (*sweep)(const suppression::Block& block, std::uint64_t kept,
                const suppression::Tiles& tiles, std::int64_t begin, std::int64_t end,
                const BevTable<Real>& table);
};

struct BevSet {
  BevKernels<float> f32;
  BevKernels<double> f64;

  template <class Real>
  const BevKernels<Real>& of() const noexcept {
    if constexpr (std::is_same_v<Real, float>) {
      return f32;
    } else {
      return f64;
    }
  }
};

extern const PerIsa<const BevSet& (*)()> bev_kernels;

}  // namespace mluop::nms
