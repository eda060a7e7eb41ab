// Index pairs from their formula, slow and obvious: what get_indice_pairs is held to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mluop::sparse_conv::reference {

/// What a sparse-convolution descriptor says. Entries are those of D, H, W, or, with two axes, of H, W
/// in the first two places.
struct Geometry {
  int axes = 3;
  int batch = 1;
  std::array<int, 3> pad{0, 0, 0}, stride{1, 1, 1}, dilation{1, 1, 1};
  std::array<int, 3> input_space{1, 1, 1}, filter_space{1, 1, 1}, output_space{1, 1, 1};
  // The inverse convolution reads the pairs of its partner, so `inverse` changes none of them.
  int sub_m = 0, transpose = 0, inverse = 0;

  /// Kernel offsets, K.
  std::int64_t volume() const;
  /// The coordinates of kernel offset k, the last axis fastest.
  std::array<int, 3> offset(std::int64_t k) const;
  /// Entries in a row of indices: the batch and a coordinate per axis.
  int columns() const { return axes + 1; }
};

struct IndexPairs {
  std::int64_t L = 0, Y = 0;              // active input sites, active output sites
  std::vector<std::int32_t> out_indices;  // [Y, axes + 1]
  std::vector<std::int32_t> pairs;        // [K, 2, L], -1 after the pairs of each offset
  std::vector<std::int32_t> num;          // [K]

  std::int64_t total() const;
};

/// The sizes of the output that a convolution by this geometry can reach: (I + 2p - d(k-1) - 1) / s + 1
/// rounded down, 0 where the kernel does not fit; transposed, (I - 1)s - 2p + d(k-1) + 1 +
/// output_padding. The geometry's own output_space is not read.
std::array<int, 3> convolved_space(const Geometry& geometry,
                                   const std::array<int, 3>& output_padding = {0, 0, 0});

/// A row of indices: the batch and up to three coordinates.
using Site = std::array<std::int32_t, 4>;

/// The output sites that one input site meets, in the order of the kernel offsets.
std::vector<Site> output_sites(const Geometry& geometry, std::span<const std::int32_t> row);

/// The pairs of the active sites `indices` [L, axes + 1], rows (batch, coordinates), each within the
/// batch and the input space. Output sites ascend by linear index, or, with sub_m, are the input sites
/// in their order; pairs ascend by input row. Of several equal rows each makes pairs; with sub_m the
/// last of them stands for the site.
IndexPairs make_pairs(const Geometry& geometry, std::span<const std::int32_t> indices);

/// The pairs of a sub_m geometry the way they are usually made on a CPU, as a measure of speed: one
/// std::unordered_map from site to row, and a look-up per row and offset. Writes pairs [K, 2, L],
/// out_indices [L, axes + 1] and num [K].
void hash_map_pairs(const Geometry& geometry, std::span<const std::int32_t> indices,
                    std::int32_t* pairs, std::int32_t* out_indices, std::int32_t* num);

}  // namespace mluop::sparse_conv::reference
