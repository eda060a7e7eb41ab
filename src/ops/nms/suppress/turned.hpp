// Turned boxes of one problem on their walk.
#pragma once

#include <cstdint>

#include "ops/nms/bev/kernel.hpp"
#include "ops/nms/suppress/boxes.hpp"
#include "runtime/parallel.hpp"

namespace mluop::nms {

template <class T>
class Turned {
 public:
  using Real = Compute<T>;
  static constexpr std::int64_t sweep_grain = 4;  // tiles

  Turned(std::int64_t count, WorkspaceLayout& layout)
      : slots_(round_up(count, suppression::tile_boxes) + suppression::tile_boxes),
        boxes_slot_(layout.add<BevBox<Real>>(count)),
        box_of_slot_(layout.add<std::int32_t>(slots_)),
        columns_slot_(layout.add<float>(4 * slots_)) {}

  void set_bounds(const Problem& problem, const GivenBoxes<T>& given, std::int64_t count,
                  int threads, suppression::Rectangle* bounds, std::byte* base) {
    BevBox<Real>* const boxes = boxes_slot_.in(base);
    table_.boxes = boxes;
    table_.threshold = static_cast<Real>(problem.iou_threshold);
    constexpr std::int64_t grain = 256;  // boxes: four sines and cosines each
    parallel_for(threads, count, grain, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t i = begin; i < end; ++i) {
        boxes[i] = read_bev_box(given.data, i, given.box_stride, given.field_stride);
        // A threshold below 0 suppresses boxes that do not meet.
        bounds[i] =
            problem.iou_threshold < 0 ? suppression::Rectangle::everywhere() : bounds_of(boxes[i]);
      }
    });
  }

  void fill(const suppression::Tiles& tiles, const BevSet& kernels, std::byte* base) {
    kernels_ = kernels.of<Real>();
    table_.box_of = box_of_slot_.in(base);
    float* const columns = columns_slot_.in(base);
    table_.low_x = columns;
    table_.high_x = columns + slots_;
    table_.low_y = columns + 2 * slots_;
    table_.high_y = columns + 3 * slots_;
    for (std::int64_t slot = 0; slot < tiles.slots(); ++slot) {
      const std::int64_t position = tiles.position_of(slot);
      table_.box_of[slot] = static_cast<std::int32_t>(position);
      put(slot, tiles.rectangle_of(position));
    }
    for (int i = 0; i < suppression::tile_boxes; ++i) copy(0, tiles.slots() + i);
  }

  void copy(std::int64_t slot, std::int64_t to) const noexcept {
    table_.box_of[to] = table_.box_of[slot];
    put(to, {table_.low_x[slot], table_.high_x[slot], table_.low_y[slot], table_.high_y[slot]});
  }
  std::uint64_t resolve(const suppression::Block& block) const {
    return kernels_.resolve(block, table_);
  }
  void sweep(const suppression::Block& block, std::uint64_t kept, const suppression::Tiles& tiles,
             std::int64_t begin, std::int64_t end) const {
    kernels_.sweep(block, kept, tiles, begin, end, table_);
  }

 private:
  void put(std::int64_t slot, const suppression::Rectangle& bounds) const noexcept {
    table_.low_x[slot] = bounds.low_x;
    table_.high_x[slot] = bounds.high_x;
    table_.low_y[slot] = bounds.low_y;
    table_.high_y[slot] = bounds.high_y;
  }

  std::int64_t slots_;
  Slot<BevBox<Real>> boxes_slot_;
  Slot<std::int32_t> box_of_slot_;
  Slot<float> columns_slot_;
  BevTable<Real> table_{};
  BevKernels<Real> kernels_{};
};

}  // namespace mluop::nms
