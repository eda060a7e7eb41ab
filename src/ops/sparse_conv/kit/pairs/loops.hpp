// Index pairs of a strided convolution by a hash map, as they are usually made on a CPU.
#pragma once

#include <cstdint>
#include <span>

#include "ops/sparse_conv/kit/pairs/reference.hpp"

namespace mluop::sparse_conv {

/// One std::unordered_map from output site to row, a look-up per row and offset, then the sites in ascending
/// order. Neither sub_m nor transposed. Writes pairs [K, 2, L], out_indices [sites, axes + 1] and num [K],
/// and returns the number of sites.
std::int64_t hash_map_strided_pairs(const reference::Geometry& geometry,
                                    std::span<const std::int32_t> indices, std::int32_t* pairs,
                                    std::int32_t* out_indices, std::int32_t* num);

}  // namespace mluop::sparse_conv
