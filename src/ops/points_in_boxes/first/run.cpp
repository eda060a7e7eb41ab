// Finds first boxes: batch elements in groups that bound the scratch, boxes in slabs, points in chunks.
#include "ops/points_in_boxes/first/run.hpp"

#include <algorithm>
#include <new>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/points_in_boxes/first/kernel.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::points_in_boxes {
namespace {

/// Cells along an axis, a power of two: preparing the grid must take a fraction of looking up the points.
std::int64_t side_of(std::int64_t points) {
  std::int64_t side = 1;
  while (side < most_side && 4 * side * side * 8 <= points) side *= 2;
  return side;
}

/// The threads worth waking: a few microseconds of work for each.
int first_threads(const Problem& problem, int threads) {
  constexpr double least_points = 4096;
  return threads_for(static_cast<double>(problem.B) * static_cast<double>(problem.M), least_points,
                     threads);
}

template <class T>
class First {
 public:
  using Real = Compute<T>;

  First(const Problem& problem, FirstKernel<T> kernel, mluOpContext& handle)
      : problem_(problem),
        kernel_(kernel),
        threads_(first_threads(problem, handle.threads)),
        stride_(table_stride(problem.T)),
        side_(side_of(problem.M)),
        words_(ceil_div(std::min(problem.T, slab_boxes), boxes_per_word)),
        group_(std::min(problem.B, batches_together())) {
    WorkspaceLayout layout;
    const auto tables = layout.add<Real>(group_ * table_size());
    const auto bounds = layout.add<Bounds<Real>>(group_ * problem.T);
    const auto grids = layout.add<Candidates<Real>>(group_);
    const auto used = layout.add<std::uint8_t>(group_ * cells());
    const auto marked = layout.add<std::uint64_t>(group_ * cells() * words_);
    std::byte* const scratch = handle.scratch.require(layout.bytes());
    tables_ = tables.in(scratch);
    bounds_ = bounds.in(scratch);
    grids_ = grids.in(scratch);
    used_ = used.in(scratch);
    marked_ = marked.in(scratch);
  }

  void run() const {
    note_plan("grid_side", side_);
    note_plan("batches_together", group_);
    for (std::int64_t b = 0; b < problem_.B; b += group_) {
      const std::int64_t batches = std::min(group_, problem_.B - b);
      set_tables(b, batches);
      for (std::int64_t slab = 0; slab < problem_.T; slab += slab_boxes) {
        mark(batches, slab);
        search(b, batches, slab);
      }
    }
  }

 private:
  std::int64_t cells() const { return side_ * side_; }
  std::int64_t table_size() const { return Field::count * stride_; }
  BoxTable<Real> table(std::int64_t b) const { return {tables_ + b * table_size(), stride_}; }

  /// As many batch elements as need 8 MB of scratch.
  std::int64_t batches_together() const {
    constexpr std::int64_t enough = std::int64_t{8} << 20;
    const std::int64_t each =
        static_cast<std::int64_t>(sizeof(Real)) * (Field::count + 4) * stride_ +
        cells() * (1 + 8 * words_);
    return std::max<std::int64_t>(1, enough / each);
  }

  void set_tables(std::int64_t first, std::int64_t batches) const {
    constexpr std::int64_t grain = 256;  // boxes; some ten microseconds of sine and cosine
    const std::int64_t per_batch = ceil_div(problem_.T, grain);
    const T* const boxes = static_cast<const T*>(problem_.boxes);
    parallel_for(problem_.T * batches < grain ? 1 : threads_, batches * per_batch, 1,
                 [&](std::int64_t task, std::int64_t, int) {
                   const std::int64_t b = task / per_batch, begin = task % per_batch * grain;
                   const std::int64_t end = std::min(problem_.T, begin + grain);
                   set_boxes(boxes + (first + b) * problem_.T * 7, begin, end, problem_.geometry,
                             table(b));
                   for (std::int64_t t = begin; t < end; ++t) {
                     bounds_[b * problem_.T + t] = bounds_of(table(b), t);
                   }
                 });
  }

  void mark(std::int64_t batches, std::int64_t slab) const {
    const std::int64_t count = std::min(slab_boxes, problem_.T - slab);
    parallel_for(threads_, batches, 1, [&](std::int64_t b, std::int64_t, int) {
      Candidates<Real>& grid = *new (grids_ + b) Candidates<Real>();
      grid.side = side_;
      grid.words = words_;
      grid.used = used_ + b * cells();
      grid.marked = marked_ + b * cells() * words_;
      grid.mark(bounds_ + b * problem_.T + slab, count);
    });
  }

  void search(std::int64_t first, std::int64_t batches, std::int64_t slab) const {
    constexpr std::int64_t grain = 2048;  // points
    const std::int64_t per_batch = ceil_div(problem_.M, grain);
    const T* const points = static_cast<const T*>(problem_.points);
    parallel_for(threads_, batches * per_batch, 1, [&](std::int64_t task, std::int64_t, int) {
      const std::int64_t b = task / per_batch, begin = task % per_batch * grain;
      const std::int64_t point = (first + b) * problem_.M + begin;
      kernel_({.points = points + 3 * point,
               .count = std::min(grain, problem_.M - begin),
               .boxes = table(b).from(slab),
               .candidates = grids_ + b,
               .first_box = static_cast<std::int32_t>(slab),
               .continued = slab > 0,
               .indices = problem_.result + point});
    });
  }

  const Problem& problem_;
  FirstKernel<T> kernel_;
  int threads_;
  std::int64_t stride_, side_, words_, group_;
  Real* tables_;
  Bounds<Real>* bounds_;
  Candidates<Real>* grids_;
  std::uint8_t* used_;
  std::uint64_t* marked_;
};

}  // namespace

void run_first(const Problem& problem, Isa isa, mluOpContext& handle) {
  if (problem.T == 0) {
    std::fill_n(problem.result, problem.B * problem.M, -1);
    return;
  }
  const auto& kernels = first_kernels[static_cast<std::size_t>(isa)]();
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    First<T>(problem, kernels.template of<T>(), handle).run();
  });
}

}  // namespace mluop::points_in_boxes
