// Keeps boxes: sorts scores, packs boxes into tiles of neighbours, walks.
#include "ops/rotated_boxes/nms/run.hpp"

#include <algorithm>

#include "core/memory/workspace.hpp"
#include "ops/rotated_boxes/nms/kernel.hpp"
#include "ops/rotated_boxes/nms/rectangles.hpp"
#include "ops/rotated_boxes/table/fill.hpp"
#include "ops/suppression/score_order.hpp"
#include "ops/suppression/walk.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::rotated_boxes {
namespace {

using suppression::Block;
using suppression::Rectangle;
using suppression::ScoreOrder;
using suppression::tile_boxes;
using suppression::Tiles;

/// Boxes worth a thread, for sines, cosines and copies.
constexpr std::int64_t grain_boxes = 1024;
/// Tiles worth a thread, when a block of kept boxes is compared with them.
constexpr std::int64_t grain_tiles = 16;

template <class T>
class Nms {
 public:
  using Real = Compute<T>;

  Nms(const NmsProblem& problem, Isa isa, mluOpContext& handle)
      : problem_(problem),
        isa_(isa),
        kernels_(nms_kernels<Real>(isa)),
        threads_(threads_for(static_cast<double>(problem.N), grain_boxes / 4, handle.threads)),
        order_(problem.N, problem.dtype, layout_),
        tiles_(problem.N, layout_) {
    const auto by_position = layout_.add<Real>(Field::count * table_stride(problem.N));
    const auto by_slot = layout_.add<Real>(Field::count * slot_stride());
    const auto rectangles = layout_.add<Rectangle>(problem.N);
    base_ = handle.scratch.require(layout_.bytes());
    by_position_ = {by_position.in(base_), table_stride(problem.N)};
    suppression_ = {{by_slot.in(base_), slot_stride()},
                    static_cast<Real>(problem.iou_threshold),
                    problem.iou_threshold < 0};
    rectangles_ = rectangles.in(base_);
  }

  void run() {
    sorted_ = order_.sort(problem_.scores, base_);
    const std::int64_t kept = walk();
    *problem_.result_num = static_cast<std::int32_t>(kept);
    for (std::int64_t i = 0; i < kept; ++i) problem_.output[i] = sorted_[problem_.output[i]];
    std::fill(problem_.output + kept, problem_.output + problem_.N, 0);
  }

  // The steps of suppression::walk.
  void copy(std::int64_t slot, std::int64_t to_slot) const noexcept {
    for (int f = 0; f < Field::count; ++f) {
      Real* const field = suppression_.boxes.field(f);
      field[to_slot] = field[slot];
    }
  }
  std::uint64_t resolve(const Block& block) const { return kernels_.resolve(suppression_, block); }
  void sweep(const Block& block, std::uint64_t kept, const Tiles& tiles, std::int64_t begin,
             std::int64_t end) const {
    kernels_.sweep(suppression_, block, kept, tiles, begin, end);
  }

 private:
  /// The slots of the tiles, of a block, and what vectors may read behind it.
  std::int64_t slot_stride() const noexcept { return table_stride(tiles_.slots() + tile_boxes); }

  /// Writes the positions of the boxes that are kept to the output.
  std::int64_t walk() {
    // IoU is never greater than NaN.
    if (!(problem_.iou_threshold <= std::numeric_limits<float>::infinity())) {
      for (std::int64_t i = 0; i < problem_.N; ++i) {
        problem_.output[i] = static_cast<std::int32_t>(i);
      }
      return problem_.N;
    }
    fill_table<T>({static_cast<const T*>(problem_.boxes), problem_.N, problem_.fields, sorted_},
                  by_position_, isa_, threads_);
    set_rectangles();
    tiles_.pack(rectangles_, threads_, base_);
    note_plan("tiles", tiles_.tiles());
    set_slots();
    return suppression::walk(tiles_, problem_.N, grain_tiles, threads_, *this, problem_.output);
  }

  void set_rectangles() {
    if (suppression_.by_zero) {
      std::fill_n(rectangles_, problem_.N, Rectangle::everywhere());
      return;
    }
    Spread spread;
    each_regular(
        [&](std::int64_t i, const Bounds<Real>& bounds) { spread.add(x_of(i), y_of(i), bounds); });
    Margins margins(spread);
    each_regular([&](std::int64_t, const Bounds<Real>& bounds) { margins.add_side(bounds.side); });
    for (std::int64_t i = 0; i < problem_.N; ++i) {
      rectangles_[i] = margins.rectangle(x_of(i), y_of(i), Bounds<Real>(by_position_, i));
    }
  }

  template <class Visit>
  void each_regular(Visit&& visit) const {
    for (std::int64_t i = 0; i < problem_.N; ++i) {
      const Bounds<Real> bounds(by_position_, i);
      if (bounds.extent() == Extent::regular) visit(i, bounds);
    }
  }
  double x_of(std::int64_t i) const noexcept { return by_position_.at(Field::x, i); }
  double y_of(std::int64_t i) const noexcept { return by_position_.at(Field::y, i); }

  void set_slots() {
    parallel_for(threads_, tiles_.slots(), grain_boxes,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (int f = 0; f < Field::count; ++f) {
                     const Real* const from = by_position_.field(f);
                     Real* const to = suppression_.boxes.field(f);
                     for (std::int64_t slot = begin; slot < end; ++slot) {
                       to[slot] = from[tiles_.position_of(slot)];
                     }
                   }
                 });
    // Those of blocks that have fewer boxes, and behind them.
    for (int f = 0; f < Field::count; ++f) {
      Real* const field = suppression_.boxes.field(f);
      std::fill(field + tiles_.slots(), field + slot_stride(), Real{0});
    }
  }

  const NmsProblem& problem_;
  Isa isa_;
  const NmsKernels<Real>& kernels_;
  int threads_;
  WorkspaceLayout layout_;  // before what it lays out
  ScoreOrder order_;
  Tiles tiles_;
  std::byte* base_ = nullptr;
  const std::int32_t* sorted_ = nullptr;
  BoxTable<Real> by_position_{};
  Suppression<Real> suppression_{};
  Rectangle* rectangles_ = nullptr;
};

}  // namespace

void run_nms(const NmsProblem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    Nms<T>(problem, isa, handle).run();
  });
}

}  // namespace mluop::rotated_boxes
