// How a gather is cut for the caches and the threads.
#include "ops/rotated_feature_align/gather.hpp"

#include <algorithm>

#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {
namespace {

constexpr std::int64_t pixels_per_task = 128;

/// Channels are blocked so that the slice of an image that neighbouring pixels sample stays in L2.
std::int64_t channels_per_block(const Problem& problem, std::size_t element) {
  constexpr std::int64_t slice_bytes = std::int64_t{1} << 20;
  constexpr std::int64_t least = 256;
  constexpr std::int64_t sampled_rows = 16;
  const std::int64_t cells = std::min(problem.H, sampled_rows) * problem.W;
  const std::int64_t fitting = slice_bytes / (cells * static_cast<std::int64_t>(element));
  const std::int64_t blocks = (problem.C - 1) / std::max(fitting, least) + 1;
  const std::int64_t even = (problem.C - 1) / blocks + 1;
  return (even + 63) / 64 * 64;  // whole cache lines of every dtype
}

}  // namespace

template <class T>
void gather_pixels(const Problem& problem, const GatherKernels& kernels, std::int64_t begin,
                   std::int64_t count, int threads, const TapLists<Compute<T>>& lists) {
  const auto kernel = kernels.of<T>();
  const std::int64_t C = problem.C;
  const std::int64_t cells = problem.cells();
  const std::int64_t width = channels_per_block(problem, sizeof(T));
  const std::int64_t channel_blocks = (C - 1) / width + 1;
  const std::int64_t pixel_blocks = (count - 1) / pixels_per_task + 1;
  const auto* const features = static_cast<const T*>(problem.features);
  auto* const result = static_cast<T*>(problem.result);

  parallel_for(threads, channel_blocks * pixel_blocks, 1,
               [&](std::int64_t from, std::int64_t to, int) {
                 for (std::int64_t block = from; block < to; ++block) {
                   const std::int64_t channel = block / pixel_blocks * width;
                   std::int64_t list = block % pixel_blocks * pixels_per_task;
                   const std::int64_t end = std::min(list + pixels_per_task, count);
                   while (list < end) {
                     const std::int64_t pixel = begin + list;
                     const std::int64_t image = pixel / cells;
                     const std::int64_t rows = std::min(end - list, (image + 1) * cells - pixel);
                     kernel({features + image * cells * C, features + pixel * C, result + pixel * C,
                             C, lists.taps, lists.first + list, lists.last + list, rows, channel,
                             std::min(channel + width, C)});
                     list += rows;
                   }
                 }
               });
}

template void gather_pixels<float>(const Problem&, const GatherKernels&, std::int64_t, std::int64_t,
                                   int, const TapLists<float>&);
template void gather_pixels<double>(const Problem&, const GatherKernels&, std::int64_t,
                                    std::int64_t, int, const TapLists<double>&);
template void gather_pixels<Half>(const Problem&, const GatherKernels&, std::int64_t, std::int64_t,
                                  int, const TapLists<float>&);
template void gather_pixels<BFloat16>(const Problem&, const GatherKernels&, std::int64_t,
                                      std::int64_t, int, const TapLists<float>&);

}  // namespace mluop::rotated_feature_align
