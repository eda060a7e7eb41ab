// Axis-aligned boxes of one problem on their walk.
#pragma once

#include <cstdint>

#include "ops/nms/aligned/kernel.hpp"
#include "ops/nms/suppress/boxes.hpp"
#include "runtime/parallel.hpp"

namespace mluop::nms {

/// Boxes of a chunk when a problem's boxes are read: some microseconds.
inline constexpr std::int64_t read_grain = 4096;

template <class T>
class Aligned {
 public:
  using Real = Compute<T>;
  static constexpr std::int64_t sweep_grain = 32;  // tiles

  Aligned(std::int64_t count, WorkspaceLayout& layout)
      : slots_(round_up(count, suppression::tile_boxes) + suppression::tile_boxes),
        fields_slot_(layout.add<Real>(5 * slots_)) {}

  /// Before packing: where the boxes are. index_of(position) is the number of a box.
  template <class IndexOf>
  void set_bounds(const Problem& problem, const GivenBoxes<T>& given, IndexOf&& index_of,
                  std::int64_t count, int threads, suppression::Rectangle* bounds) {
    parallel_for(threads, count, read_grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        bounds[i] = bounds_of(corners_of(problem, given, index_of(i)), problem);
      }
    });
  }

  /// After packing: the boxes by slot.
  template <class IndexOf>
  void fill(const Problem& problem, const GivenBoxes<T>& given, IndexOf&& index_of,
            const suppression::Tiles& tiles, const AlignedSet& kernels, int threads,
            std::byte* base) {
    kernels_ = kernels.of<Real>();
    Real* const fields = fields_slot_.in(base);
    boxes_ = {fields,
              fields + slots_,
              fields + 2 * slots_,
              fields + 3 * slots_,
              fields + 4 * slots_,
              static_cast<Real>(problem.offset),
              static_cast<Real>(problem.iou_threshold),
              problem.shape == Shape::upright};
    parallel_for(threads, tiles.slots(), read_grain,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   for (std::int64_t slot = begin; slot < end; ++slot) {
                     put(slot, corners_of(problem, given, index_of(tiles.position_of(slot))));
                   }
                 });
    for (int i = 0; i < suppression::tile_boxes; ++i) copy(0, tiles.slots() + i);
  }

  void copy(std::int64_t slot, std::int64_t to) const noexcept {
    put(to,
        {boxes_.x1[slot], boxes_.y1[slot], boxes_.x2[slot], boxes_.y2[slot], boxes_.area[slot]});
  }
  std::uint64_t resolve(const suppression::Block& block) const {
    return kernels_.resolve(block, boxes_);
  }
  void sweep(const suppression::Block& block, std::uint64_t kept, const suppression::Tiles& tiles,
             std::int64_t begin, std::int64_t end) const {
    kernels_.sweep(block, kept, tiles, begin, end, boxes_);
  }

 private:
  void put(std::int64_t slot, const Corners<Real>& box) const noexcept {
    boxes_.x1[slot] = box.x1;
    boxes_.y1[slot] = box.y1;
    boxes_.x2[slot] = box.x2;
    boxes_.y2[slot] = box.y2;
    boxes_.area[slot] = box.area;
  }

  std::int64_t slots_;
  Slot<Real> fields_slot_;
  AlignedBoxes<Real> boxes_{};
  AlignedKernels<Real> kernels_{};
};

}  // namespace mluop::nms
