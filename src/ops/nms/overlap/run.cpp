// Overlaps by row of a; what depends on one box alone is computed once.
#include "ops/nms/overlap/run.hpp"

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/nms/overlap/kernel.hpp"
#include "runtime/parallel.hpp"

namespace mluop::nms {
namespace {

using suppression::Rectangle;
using suppression::tile_boxes;

template <class T>
class Overlap {
 public:
  using Real = Compute<T>;

  Overlap(const OverlapProblem& problem, Isa isa, mluOpContext& handle)
      : problem_(problem),
        kernel_(overlap_kernels[static_cast<std::size_t>(isa)]().template of<T>()),
        threads_(handle.threads),
        stride_(round_up(problem.M, tile_boxes)) {
    WorkspaceLayout layout;
    const auto a = layout.add<BevBox<Real>>(problem.N), b = layout.add<BevBox<Real>>(problem.M);
    const auto bounds = layout.add<Rectangle>(problem.N);
    const auto columns = layout.add<float>(4 * stride_);
    std::byte* const scratch = handle.scratch.require(layout.bytes());
    a_ = a.in(scratch);
    b_ = b.in(scratch);
    bounds_ = bounds.in(scratch);
    columns_ = columns.in(scratch);
  }

  void run() {
    constexpr double least_pairs = 1 << 14;  // worth a thread
    const double pairs = static_cast<double>(problem_.N) * static_cast<double>(problem_.M);
    const int threads = threads_for(pairs, least_pairs, threads_);
    read(threads);
    constexpr std::int64_t pairs_of_task = 1 << 13;
    const std::int64_t grain = std::max<std::int64_t>(1, pairs_of_task / problem_.M);
    parallel_for(threads, problem_.N, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        kernel_({.a = a_ + i,
                 .bounds = bounds_[i],
                 .b = b_,
                 .count = problem_.M,
                 .columns = {columns_, columns_ + stride_, columns_ + 2 * stride_,
                             columns_ + 3 * stride_},
                 .to = static_cast<T*>(problem_.overlap) + i * problem_.M});
      }
    });
  }

 private:
  void read(int threads) const {
    constexpr std::int64_t grain = 256;  // boxes: four sines and cosines each
    parallel_for(threads, problem_.N, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        a_[i] = read_bev_box(static_cast<const T*>(problem_.a), i, 7, 1);
        bounds_[i] = bounds_of(a_[i]);
      }
    });
    parallel_for(threads, stride_, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        Rectangle bounds = Rectangle::nowhere();
        if (i < problem_.M) {
          b_[i] = read_bev_box(static_cast<const T*>(problem_.b), i, 7, 1);
          bounds = bounds_of(b_[i]);
        }
        columns_[i] = bounds.low_x;
        columns_[stride_ + i] = bounds.high_x;
        columns_[2 * stride_ + i] = bounds.low_y;
        columns_[3 * stride_ + i] = bounds.high_y;
      }
    });
  }

  const OverlapProblem& problem_;
  OverlapKernel<T> kernel_;
  int threads_;
  std::int64_t stride_;
  BevBox<Real>* a_;
  BevBox<Real>* b_;
  Rectangle* bounds_;
  float* columns_;
};

}  // namespace

void run_overlap(const OverlapProblem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype,
                [&](auto stored) { Overlap<decltype(stored)>(problem, isa, handle).run(); });
}

}  // namespace mluop::nms
