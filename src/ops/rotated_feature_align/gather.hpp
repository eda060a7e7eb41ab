// The gather over whole images: cut into blocks of pixels and channels, one writer each.
#pragma once

#include <cstdint>

#include "ops/rotated_feature_align/tap_lists.hpp"

namespace mluop::rotated_feature_align {

/// Computes the results of pixels [begin, begin + count) of the batch; list p belongs to pixel
/// `begin` + p.
template <class T>
void gather_pixels(const Problem& problem, const GatherKernels& kernels, std::int64_t begin,
                   std::int64_t count, int threads, const TapLists<Compute<T>>& lists);

}  // namespace mluop::rotated_feature_align
