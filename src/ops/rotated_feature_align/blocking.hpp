// How both directions cut a map into blocks of pixels and channels: for the caches, never by threads.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/rotated_feature_align/gather_kernel.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {

/// Consecutive pixels of one image and a range of channels.
struct Block {
  std::int64_t image;
  std::int64_t begin, end;  // pixels of the batch, not of the image
  std::int64_t channel_begin, channel_end;
};

/// Rows that share a piece of channels. With five points neighbours sample the same cells, which then
/// come from L1; with one point streaming whole rows is better.
inline std::int64_t rows_per_run(const Problem& problem) { return problem.points == 1 ? 1 : 8; }

/// The threads worth waking: a few microseconds of multiply-adds for each.
inline int useful_threads(const Problem& problem, int threads) {
  constexpr std::int64_t least_work = std::int64_t{1} << 16;
  const std::int64_t work =
      problem.N * problem.cells() * (problem.taps_per_pixel() + 1) * problem.C;
  return static_cast<int>(std::clamp<std::int64_t>(work / least_work, 1, threads));
}

/// Channels per block: a band of sampled rows of that many channels stays in L2.
std::int64_t channels_per_block(const Problem& problem, std::size_t element);

/// Calls body(block) for blocks that cover pixels [begin, end) and all channels; the blocks of one
/// range of channels come before those of the next.
template <class Body>
void for_each_block(const Problem& problem, std::size_t element, std::int64_t begin,
                    std::int64_t end, int threads, Body&& body) {
  constexpr std::int64_t pixels_per_block = 512;
  const std::int64_t width = channels_per_block(problem, element);
  const std::int64_t channel_blocks = (problem.C - 1) / width + 1;
  const std::int64_t pixel_blocks = (end - begin - 1) / pixels_per_block + 1;
  parallel_for(threads, channel_blocks * pixel_blocks, 1,
               [&](std::int64_t task, std::int64_t, int) {
                 Block block{};
                 block.channel_begin = task / pixel_blocks * width;
                 block.channel_end = std::min(block.channel_begin + width, problem.C);
                 const std::int64_t from = begin + task % pixel_blocks * pixels_per_block;
                 const std::int64_t to = std::min(from + pixels_per_block, end);
                 for (block.begin = from; block.begin < to; block.begin = block.end) {
                   block.image = block.begin / problem.cells();
                   block.end = std::min(to, (block.image + 1) * problem.cells());
                   body(std::as_const(block));
                 }
               });
}

/// The gather of a block whose lists start at `first` and `last`.
template <class T>
Gather<T> gather_of(const Problem& problem, const Block& block, const Tap<Compute<T>>* taps,
                    const std::int64_t* first, const std::int64_t* last) {
  const auto* const features = static_cast<const T*>(problem.features);
  return {.image = features + block.image * problem.cells() * problem.C,
          .self = features + block.begin * problem.C,
          .result = static_cast<T*>(problem.result) + block.begin * problem.C,
          .C = problem.C,
          .taps = taps,
          .first = first,
          .last = last,
          .rows = block.end - block.begin,
          .run = rows_per_run(problem),
          .channel_begin = block.channel_begin,
          .channel_end = block.channel_end};
}

}  // namespace mluop::rotated_feature_align
