// One problem: order, tiles, walk.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "ops/nms/suppress/aligned.hpp"
#include "ops/nms/suppress/turned.hpp"
#include "ops/suppression/score_order.hpp"

namespace mluop::nms {

template <class T>
class Walker {
 public:
  using Real = Compute<T>;

  /// `layout` is that of a worker.
  Walker(const Problem& problem, WorkspaceLayout& layout)
      : problem_(problem),
        order_(problem.scores != nullptr ? problem.N : 0, problem.dtype, layout),
        rectangles_slot_(layout.add<suppression::Rectangle>(problem.N)),
        tiles_(problem.N, layout),
        aligned_(problem.shape == Shape::turned ? 0 : problem.N, layout),
        turned_(problem.shape == Shape::turned ? problem.N : 0, layout) {}

  /// Keeps boxes of problem `number`, and writes their indices to `kept`; returns how many.
  std::int64_t run(std::int64_t number, Isa isa, int threads, std::byte* base, std::int32_t* kept) {
    const std::span<const std::int32_t> order = candidates(number, base);
    const auto index_of = [order](std::int64_t position) -> std::int64_t {
      return order.data() == nullptr ? position : order[static_cast<std::size_t>(position)];
    };
    const std::int64_t count =
        problem_.scores == nullptr ? problem_.N : static_cast<std::int64_t>(order.size());
    if (count == 0 || problem_.most == 0) return 0;
    tiles_.use(count);
    const GivenBoxes<T> given(problem_, number / problem_.classes);
    const std::int64_t found = walk_boxes(given, index_of, count, isa, threads, base, kept);
    for (std::int64_t i = 0; i < found; ++i) {
      kept[i] = static_cast<std::int32_t>(index_of(kept[i]));
    }
    return found;
  }

 private:
  /// The boxes that may be kept, by their scores; none where boxes are in order.
  std::span<const std::int32_t> candidates(std::int64_t number, std::byte* base) const {
    if (problem_.scores == nullptr) return {};
    const T* const scores = static_cast<const T*>(problem_.scores) + number * problem_.N;
    std::span<const std::int32_t> order{order_.sort(scores, base),
                                        static_cast<std::size_t>(problem_.N)};
    if (!problem_.above_confidence) return order;
    // NaN is first, but not above anything.
    const Real least = problem_.confidence_threshold;
    const auto first = std::ranges::partition_point(
        order, [&](std::int32_t i) { return std::isnan(to_compute(scores[i])); });
    const auto last = std::partition_point(
        first, order.end(), [&](std::int32_t i) { return to_compute(scores[i]) > least; });
    return {first, last};
  }

  template <class IndexOf>
  std::int64_t walk_boxes(const GivenBoxes<T>& given, IndexOf&& index_of, std::int64_t count,
                          Isa isa, int threads, std::byte* base, std::int32_t* kept) {
    suppression::Rectangle* const rectangles = rectangles_slot_.in(base);
    const auto level = static_cast<std::size_t>(isa);
    if (problem_.shape == Shape::turned) {
      turned_.set_bounds(problem_, given, count, threads, rectangles, base);
      tiles_.pack(rectangles, threads, base);
      turned_.fill(tiles_, bev_kernels[level](), base);
      return suppression::walk(tiles_, problem_.most, Turned<T>::sweep_grain, threads, turned_,
                               kept);
    }
    aligned_.set_bounds(problem_, given, index_of, count, threads, rectangles);
    tiles_.pack(rectangles, threads, base);
    aligned_.fill(problem_, given, index_of, tiles_, aligned_kernels[level](), threads, base);
    return suppression::walk(tiles_, problem_.most, Aligned<T>::sweep_grain, threads, aligned_,
                             kept);
  }

  const Problem& problem_;
  suppression::ScoreOrder order_;
  Slot<suppression::Rectangle> rectangles_slot_;
  suppression::Tiles tiles_;
  Aligned<T> aligned_;
  Turned<T> turned_;
};

}  // namespace mluop::nms
