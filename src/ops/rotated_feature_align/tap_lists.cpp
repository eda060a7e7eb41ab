// Building tap lists, and inverting them by a counting sort whose chunks run in parallel.
#include "ops/rotated_feature_align/tap_lists.hpp"

#include <algorithm>
#include <utility>

#include "runtime/parallel.hpp"

namespace mluop::rotated_feature_align {
namespace {

constexpr std::int64_t pixels_per_task = 128;

}  // namespace

template <class T>
void build_lists(const Problem& problem, std::int64_t begin, std::int64_t count, int threads,
                 const TapLists<Compute<T>>& lists) {
  const T* const boxes = static_cast<const T*>(problem.boxes) + begin * 5;
  parallel_for(threads, count, pixels_per_task, [&](std::int64_t from, std::int64_t to, int) {
    for (std::int64_t pixel = from; pixel < to; ++pixel) {
      Compute<T> box[5];
      load_box(boxes + pixel * 5, box);
      lists.first[pixel] = pixel * problem.taps_per_pixel();
      const auto* end = append_taps(box, problem, lists.taps + lists.first[pixel]);
      lists.last[pixel] = end - lists.taps;
    }
  });
}

InversionPlan::InversionPlan(const Problem& problem, std::int64_t image_count)
    : images(image_count),
      chunks_per_image(std::clamp<std::int64_t>(problem.cells() / 512, 1, 16)),
      pixels_per_chunk((problem.cells() + chunks_per_image - 1) / chunks_per_image) {}

template <class Real>
void invert_lists(const Problem& problem, const InversionPlan& plan, int threads,
                  const TapLists<Real>& lists, const TapLists<Real>& inverse,
                  std::int64_t* cursors) {
  const std::int64_t cells = problem.cells();
  // Calls visit(pixel of the image, tap) for each tap of a chunk, in order.
  const auto each_tap = [&](std::int64_t chunk, auto&& visit) {
    const std::int64_t image = chunk / plan.chunks_per_image;
    const std::int64_t begin = chunk % plan.chunks_per_image * plan.pixels_per_chunk;
    const std::int64_t end = std::min(begin + plan.pixels_per_chunk, cells);
    for (std::int64_t pixel = begin; pixel < end; ++pixel) {
      const std::int64_t list = image * cells + pixel;
      for (std::int64_t t = lists.first[list]; t < lists.last[list]; ++t) {
        visit(static_cast<std::uint32_t>(pixel), lists.taps[t]);
      }
    }
  };

  parallel_for(threads, plan.chunks(), 1, [&](std::int64_t from, std::int64_t to, int) {
    for (std::int64_t chunk = from; chunk < to; ++chunk) {
      std::int64_t* const count = cursors + chunk * cells;
      std::fill_n(count, cells, 0);
      each_tap(chunk, [&](std::uint32_t, const Tap<Real>& tap) { ++count[tap.cell]; });
    }
  });

  // Counts become positions: cell by cell, within a cell chunk by chunk. An image needs no more
  // room than its pixels' lists had, so images are independent of each other.
  parallel_for(threads, plan.images, 1, [&](std::int64_t from, std::int64_t to, int) {
    for (std::int64_t image = from; image < to; ++image) {
      std::int64_t position = image * cells * problem.taps_per_pixel();
      std::int64_t* const count = cursors + image * plan.chunks_per_image * cells;
      for (std::int64_t cell = 0; cell < cells; ++cell) {
        inverse.first[image * cells + cell] = position;
        for (std::int64_t chunk = 0; chunk < plan.chunks_per_image; ++chunk) {
          position += std::exchange(count[chunk * cells + cell], position);
        }
        inverse.last[image * cells + cell] = position;
      }
    }
  });

  parallel_for(threads, plan.chunks(), 1, [&](std::int64_t from, std::int64_t to, int) {
    for (std::int64_t chunk = from; chunk < to; ++chunk) {
      std::int64_t* const next = cursors + chunk * cells;
      each_tap(chunk, [&](std::uint32_t pixel, const Tap<Real>& tap) {
        inverse.taps[next[tap.cell]++] = {pixel, tap.weight};
      });
    }
  });
}

template void build_lists<float>(const Problem&, std::int64_t, std::int64_t, int,
                                 const TapLists<float>&);
template void build_lists<double>(const Problem&, std::int64_t, std::int64_t, int,
                                  const TapLists<double>&);
template void build_lists<Half>(const Problem&, std::int64_t, std::int64_t, int,
                                const TapLists<float>&);
template void build_lists<BFloat16>(const Problem&, std::int64_t, std::int64_t, int,
                                    const TapLists<float>&);
template void invert_lists(const Problem&, const InversionPlan&, int, const TapLists<float>&,
                           const TapLists<float>&, std::int64_t*);
template void invert_lists(const Problem&, const InversionPlan&, int, const TapLists<double>&,
                           const TapLists<double>&, std::int64_t*);

}  // namespace mluop::rotated_feature_align
