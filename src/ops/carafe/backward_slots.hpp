// What one worker of backward keeps in scratch: rows of pointers, widened maps, sums.
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/workspace.hpp"
#include "ops/carafe/blocking.hpp"

namespace mluop::carafe {

template <class T>
struct BackwardSlots {
  using Real = Compute<T>;

  /// Adds them to `layout`, for tiles of at most `columns` columns, halo included, and tasks of at most
  /// `channels` padded channels and `groups` groups. A gradient that the problem does not ask for needs
  /// nothing.
  BackwardSlots(const Problem& problem, bool takes_windows, std::int64_t columns,
                std::int64_t channels, std::int64_t groups, WorkspaceLayout& layout)
      : windows(takes_windows),
        padded(pads_groups<Real>(problem)),
        in_place(takes_windows ? !padded : maps_in_place<T>(problem)) {
    delta_rows = layout.add<const Real*>(problem.s);
    stored_delta_rows = layout.add<const T*>(problem.s);
    if (padded) delta = layout.add<Real>(problem.s * problem.s * columns * channels);
    if (problem.grad_mask != nullptr) add_grad_mask(problem, columns, channels, layout);
    if (problem.grad_input != nullptr) add_grad_input(problem, columns, channels, groups, layout);
  }

  bool windows;   // small groups, and windows that fit the registers
  bool padded;    // groups are not whole slots
  bool in_place;  // kernels read the input where it is

  // Of both gradients.
  Slot<const Real*> delta_rows;
  Slot<const T*> stored_delta_rows;
  Slot<Real> delta;
  // Of grad_mask.
  Slot<const Real*> input_rows;
  Slot<const T*> stored_input_rows;
  Slot<Real*> transposed_rows;
  std::int64_t transposed_pitch = 0, window_pitch = 0;
  Slot<Real> transposed_input, transposed_delta, transposed_products;
  Slot<Real> window_input, window_columns, window_delta;
  Slot<Real> input, pixels, packed, partials, sums;
  Slot<T> results;
  // Of grad_input.
  Slot<const Real*> mask_rows;
  Slot<const T*> stored_mask_rows;
  Slot<Real*> sum_rows;
  Slot<Real> mask, staging, strip, target_sums;

 private:
  void add_grad_mask(const Problem& problem, std::int64_t columns, std::int64_t channels,
                     WorkspaceLayout& layout) {
    const std::int64_t k = problem.k, s = problem.s;
    input_rows = layout.add<const Real*>(k);
    stored_input_rows = layout.add<const T*>(k);
    if (windows) {
      add_windows(problem, columns, channels, layout);
    } else if (transposes(problem)) {
      add_transposed(problem, columns, channels, layout);
    }
    if (packs_outputs<T>(problem)) packed = layout.add<Real>(2 * s * s * channels / problem.G);
    partials = layout.add<Real>(part_sums(k) * slot<Real>);
    sums = layout.add<Real>(part_sums(k));
    add_results(problem, columns, layout);
    if (in_place) return;
    input = layout.add<Real>(window_rows(problem) * columns * channels);
    if (!padded) pixels = layout.add<Real>(s * s * channels);
  }

  void add_windows(const Problem& problem, std::int64_t columns, std::int64_t channels,
                   WorkspaceLayout& layout) {
    const std::int64_t slots = (columns + problem.k - 1) / slot<Real> + 2;
    window_pitch = (slots * problem.k | 1) * slot<Real>;  // no two channels in the same set of L1
    window_input = layout.add<Real>(channels * window_pitch);
    window_columns = layout.add<Real>(channels / problem.G * slot<Real>);
    window_delta = layout.add<Real>(paired_outputs * channels);
  }

  void add_transposed(const Problem& problem, std::int64_t columns, std::int64_t channels,
                      WorkspaceLayout& layout) {
    const std::int64_t outputs = problem.s * problem.s;
    transposed_rows = layout.add<Real*>(problem.k);
    transposed_pitch = (columns + problem.k - 1) / slot<Real> * slot<Real> + 2 * slot<Real>;
    transposed_input = layout.add<Real>(window_rows(problem) * channels * transposed_pitch);
    transposed_delta = layout.add<Real>(outputs * (channels / problem.G) * slot<Real>);
    transposed_products = layout.add<Real>(outputs * problem.cells() * slot<Real>);
  }

  /// A large grad_mask is written past the caches, in rows of a tile that are collected in L2 first; those
  /// of windows in pieces, from two buffers.
  void add_results(const Problem& problem, std::int64_t columns, WorkspaceLayout& layout) {
    constexpr std::int64_t least = std::int64_t{8} << 20, most_of_a_row = std::int64_t{1} << 18;
    constexpr std::int64_t size = sizeof(T);
    const std::int64_t s = problem.s, pixel = s * problem.mask_channels();
    const std::int64_t row = s * pixel * (windows ? streamed_columns(pixel * size) : columns);
    const std::int64_t bytes = problem.N * problem.H * problem.W * s * pixel * size;
    if (bytes < least || row * size > most_of_a_row) return;
    results = layout.add<T>(windows ? 2 * row : row);
  }

  void add_grad_input(const Problem& problem, std::int64_t columns, std::int64_t channels,
                      std::int64_t groups, WorkspaceLayout& layout) {
    const std::int64_t k = problem.k, s = problem.s, rows = window_rows(problem);
    mask_rows = layout.add<const Real*>(s);
    stored_mask_rows = layout.add<const T*>(s);
    sum_rows = layout.add<Real*>(k);
    if (padded) {
      staging = layout.add<Real>(rows * columns * channels);
    } else if (!in_place) {
      strip = layout.add<Real>(strip_elements);
    }
    if (!std::is_same_v<T, Real>) {
      const std::int64_t widened = windows ? weight_columns : columns;
      mask = layout.add<Real>(s * s * widened * groups * problem.cells());
    }
    target_sums = layout.add<Real>(rows * (columns + k - 1) * channels);
  }
};

}  // namespace mluop::carafe
