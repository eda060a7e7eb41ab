// The layers of CenterPoint's sparse encoder on scanned streets: what the cases of this family run on.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ops/sparse_conv/kit/pairs/reference.hpp"

namespace mluop::sparse_conv {

/// A sparse convolution and the active sites it is given.
class Layer {
 public:
  Layer(std::string name, const reference::Geometry& geometry, std::vector<std::int32_t> indices);

  const std::string& name() const { return name_; }
  const reference::Geometry& geometry() const { return geometry_; }
  /// [L, 4], rows (batch, d, h, w).
  const std::vector<std::int32_t>& indices() const { return indices_; }
  std::int64_t rows() const;
  /// By the reference, made on first use and then kept.
  const reference::IndexPairs& pairs() const;

 private:
  std::string name_;
  reference::Geometry geometry_;
  std::vector<std::int32_t> indices_;
  mutable std::once_flag paired_;
  mutable reference::IndexPairs pairs_;
};

/// Layers come in two families, "centerpoint" at full size and "small". In each, the submanifold layers
/// subm1 to subm4 lie between the strided down1, down2, down3 and extra, which lead from one resolution
/// to the next.
const std::vector<std::string>& layer_names();

/// The layer of a name such as "centerpoint_down3" or "small_subm1", made on first use and then
/// kept. The number of its rows is fixed (centerpoint: 248636 at the first resolution, then 280511,
/// 149100, 58838): the scans are as long as it takes for that many sites to be active at the layer's
/// resolution. Throws std::out_of_range for other names.
const Layer& layer(std::string_view name);

/// All layers of a family in the order in which the encoder applies them, each on the sites that the
/// ones before it leave; only the first number of rows is fixed. Made on first use and kept.
const std::deque<Layer>& encoder(std::string_view family);

}  // namespace mluop::sparse_conv
