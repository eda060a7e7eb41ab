// Index pairs for the cases: drawn at random, or those that mluOpGetIndicePairs finds between sites.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "testing/data/generators.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::sparse_pool {

/// Pairs as the operators take them. Rows on side 0 are below L, on side 1 below Y.
struct PairTable {
  std::int64_t L = 0, Y = 0;
  testing::HostTensor pairs;         // indice_pairs [K, 2, L]
  std::vector<std::int64_t> num;     // indice_num [K]
  testing::HostTensor num_argument;  // the same in memory that is placed as tensors are

  PairTable(std::int64_t inputs, std::int64_t outputs, std::span<const std::int32_t> rows,
            std::vector<std::int64_t> counts);

  const std::int64_t* indice_num() const {
    return static_cast<const std::int64_t*>(num_argument.data());
  }
  std::span<const std::int32_t> rows() const {
    return {static_cast<const std::int32_t*>(pairs.data()),
            static_cast<std::size_t>(pairs.count())};
  }
  std::int64_t total() const;
};

namespace tables {

/// Random rows for each pair, so that rows and pairs repeat; entries after the pairs of an offset are out of
/// range.
PairTable random(testing::Generator& random, std::int64_t L, std::int64_t Y,
                 const std::vector<std::int64_t>& counts);

/// A window over the sites of some scenes, the same along every axis.
struct Window {
  int batch;
  std::array<int, 3> space;
  int kernel, stride;
  std::array<int, 3> pad;
};

/// Output sites and pairs of a layer.
struct Pooled {
  std::array<int, 3> space;
  std::vector<std::int32_t> sites;  // [Y, 4], rows (batch, d, h, w)
  std::int64_t L, Y;
  std::vector<std::int32_t> pairs;  // [K, 2, L]
  std::vector<std::int64_t> num;    // [K]

  /// If no window meets a site, the output is a row without pairs.
  PairTable table() const { return {L, std::max<std::int64_t>(Y, 1), pairs, num}; }
};
/// For sites [L, 4]; throws unless the operator succeeds.
Pooled pooled(const Window& window, std::span<const std::int32_t> sites);

/// `rows` distinct sites of all scenes together, ascending, each anywhere in its scene.
std::vector<std::int32_t> scattered_sites(testing::Generator& random, const Window& window,
                                          std::int64_t rows);

/// The voxels that the points of a car occupy in each of `rois` boxes of side³ cells: three of the sides of
/// a box within the box, as a scanner sees it. Ascending, `rows` in all.
std::vector<std::int32_t> roi_sites(testing::Generator& random, int rois, int side,
                                    std::int64_t rows);

}  // namespace tables
}  // namespace mluop::sparse_pool
