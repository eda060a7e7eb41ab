// What the designs for few channels share: blocks of sampled pixels, and where rows may be read in whole vectors.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/rotated_feature_align/problem.hpp"
#include "ops/rotated_feature_align/sampling/samples.hpp"

namespace mluop::rotated_feature_align {

/// The most channels of a narrow row: two vectors of AVX-512.
inline constexpr std::int64_t narrow_channels = 32;

/// The elements of a row in vectors: the least power of two not below C.
inline std::int64_t narrow_width(std::int64_t C) noexcept {
  std::int64_t width = 1;
  while (width < C) width *= 2;
  return width;
}

/// The rows from the beginning of an image that may be read in whole vectors; of the last image of a tensor, those
/// at its end may not.
inline std::int64_t whole_rows(const Problem& problem, std::int64_t image) noexcept {
  const std::int64_t elements = (problem.N - image) * problem.cells() * problem.C;
  const std::int64_t beyond = elements - narrow_width(problem.C);
  return beyond < 0 ? 0 : std::min(beyond / problem.C + 1, problem.cells());
}

/// Samples pixels [first, first + count) of an image into a block.
template <class T>
void sample_block(const Problem& problem, const Sampler& sampler, std::int64_t image,
                  std::int64_t first, std::int64_t count, SampledBoxes<Compute<T>>& block) {
  const std::int64_t pixel = image * problem.cells() + first;
  sampler.load(static_cast<const T*>(problem.boxes) + pixel * 5, 0, count, block);
  sampler.locate(block, count, problem, problem.W);
}

}  // namespace mluop::rotated_feature_align
