// Fills a table from boxes as callers store them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ops/rotated_boxes/table/kernel.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_boxes {

/// Rows of boxes [N,fields], in memory's order or in a given one.
template <class T>
struct BoxRows {
  const T* boxes;
  std::int64_t count;
  std::int64_t fields = box_fields;
  const std::int32_t* order = nullptr;
};

/// The whole table; the places behind the boxes hold boxes that meet none.
template <class T>
void fill_table(const BoxRows<T>& from, const BoxTable<Compute<T>>& table, Isa isa, int threads) {
  using Real = Compute<T>;
  const TableKernel<Real> kernel = table_kernel<Real>(isa);
  parallel_for(threads, from.count, block_boxes, [&](std::int64_t begin, std::int64_t end, int) {
    Rows<Real> rows;
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t row = from.order == nullptr ? i : from.order[i];
      const T* const box = from.boxes + row * from.fields;
      for (int f = 0; f < box_fields; ++f) rows.fields[f][i - begin] = to_compute(box[f]);
    }
    // What vectors read beyond the last box.
    const std::int64_t used = round_up(end - begin, table_slack);
    for (auto& field : rows.fields) std::fill(field + (end - begin), field + used, Real{0});
    kernel(rows, end - begin, table, begin);
  });
  for (int f = 0; f < Field::count; ++f) {
    const bool reaches = f == Field::reach_x || f == Field::reach_y;
    const Real nothing = reaches ? -away<Real> : Real{0};
    std::fill(table.field(f) + from.count, table.field(f) + table.stride, nothing);
  }
}

}  // namespace mluop::rotated_boxes
