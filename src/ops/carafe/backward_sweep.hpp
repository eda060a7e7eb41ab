// The rows of a tile from top to bottom: each gives grad_mask of its outputs and adds to grad_input of the
// rows in reach, whose sums are kept in L2 until the last one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/workspace.hpp"
#include "ops/carafe/backward_slots.hpp"
#include "ops/carafe/blocking.hpp"
#include "ops/carafe/parts.hpp"
#include "ops/carafe/stretches.hpp"

namespace mluop::carafe {

/// Rows [begin, end) and some columns of one image.
struct Tile {
  std::int64_t image, begin, end;
  ColumnRange columns;
};

/// The channels of a sweep and what it computes of them. grad_mask takes all channels at once.
struct Task {
  ChannelBlock block;
  bool grad_mask, grad_input;
};

template <class T>
class BackwardSweep {
 public:
  using Real = Compute<T>;

  /// Adds what one worker needs to `layout`; sizes as in BackwardSlots.
  BackwardSweep(const Problem& problem, const mluOpContext& handle, std::int64_t columns,
                std::int64_t channels, std::int64_t groups, WorkspaceLayout& layout)
      : problem_(problem),
        grad_mask_(
            chosen_kernels(transposes(problem) ? transposed_grad_mask_kernels : grad_mask_kernels,
                           backward_operator, handle)
                .template of<T>()),
        grad_input_(chosen_kernels(grad_input_kernels, backward_operator, handle).template of<T>()),
        stream_bytes_(
            stream_kernels[static_cast<std::size_t>(chosen(backward_operator, handle).isa)]),
        widen_(chosen_kernels(widen_kernels, backward_operator, handle).template of<T>()),
        slots_(problem, takes_windows(problem, handle), columns, channels, groups, layout) {
    if (!slots_.windows) return;
    grad_mask_ =
        chosen_kernels(window_grad_mask_kernels, backward_operator, handle).template of<T>();
    grad_input_ =
        chosen_kernels(window_grad_input_kernels, backward_operator, handle).template of<T>();
  }

  void run(const Tile& tile, const Task& task, std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach(), halo = task.grad_input ? r : 0;
    const std::int64_t first = std::max<std::int64_t>(tile.begin - halo, 0);
    const ColumnRange reached = with_halo(problem_, tile.columns);
    Sources sources{
        {map_part<T>(problem_, problem_.input, 1, tile.image, reached, task.block), widen_,
         slots_.in_place ? nullptr : slots_.input.in(scratch), window_rows(problem_),
         std::max<std::int64_t>(tile.begin - r, 0)},
        {map_part<T>(problem_, problem_.grad_output, s, tile.image, reached, task.block), widen_,
         slots_.padded ? slots_.delta.in(scratch) : nullptr, s, first * s},
        {mask_part<T>(problem_, tile.image, reached, task.block), widen_,
         std::is_same_v<T, Real> || slots_.windows ? nullptr : slots_.mask.in(scratch), s,
         first * s},
        0};
    const std::int64_t end = std::min(tile.end + halo, problem_.H);
    for (std::int64_t h = first; h < end; ++h) {
      Stretches stretches;
      if (h + 1 < end) add_row(h + 1, task, sources, stretches);
      Fetching fetching = stretches.fetching();
      if (task.grad_mask && h >= tile.begin && h < tile.end) {
        GradMaskRow<T> row = grad_mask_row(tile, h, sources, fetching, scratch);
        if (task.grad_input) row.fetched_bytes /= 2;  // the rest by grad_input
        grad_mask_(row);
        if (slots_.results.count > 0 && !slots_.windows) stream_grad_mask(tile, h, scratch);
      }
      if (task.grad_input) {
        grad_input_(grad_input_row(tile, task.block, h, sources, fetching, scratch));
      }
    }
  }

 private:
  struct Sources {
    RowSource<T> input, delta, mask;
    std::int64_t transposed;  // the first row of the input that is not transposed yet
  };

  /// Whether the window fits the registers and has loops there: those of small groups do.
  static bool takes_windows(const Problem& problem, const mluOpContext& handle) {
    return problem.k == register_window && transposes(problem) &&
           chosen_kernels(window_grad_mask_kernels, backward_operator, handle).template of<T>() !=
               nullptr;
  }

  Columns columns_of(const Tile& tile) const noexcept {
    return {tile.columns.begin, tile.columns.end, problem_.W};
  }

  GradMaskRow<T> grad_mask_row(const Tile& tile, std::int64_t h, Sources& sources,
                               Fetching& fetching, std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, k);
    const bool streamed = slots_.results.count > 0;
    const Real** const input_rows = slots_.input_rows.in(scratch);
    const T** const stored_rows = slots_.stored_input_rows.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      stored_rows[kh] = sources.input.stored_row(h + kh - r);
      if (!slots_.windows || slots_.padded) input_rows[kh] = sources.input.row(h + kh - r);
    }
    set_delta(h, sources.delta, scratch);
    const std::int64_t fresh = std::max(kh_begin, sources.transposed - (h - r));
    sources.transposed = h - r + kh_end;
    return {
        .G = problem_.G,
        .padded = padded_to_slots<Real>(problem_.group_channels()),
        .columns = columns_of(tile),
        .k = k,
        .s = s,
        .kh_begin = kh_begin,
        .kh_end = kh_end,
        .input = {input_rows, sources.input.first(), sources.input.pixel()},
        .stored_input = {stored_rows, sources.input.first(), sources.input.pixel()},
        .delta = delta_of(sources, slots_.delta_rows.in(scratch)),
        .stored_delta = delta_of(sources, slots_.stored_delta_rows.in(scratch)),
        .pixels = slots_.pixels.count > 0 ? slots_.pixels.in(scratch) : nullptr,
        .packed = slots_.packed.count > 0 ? slots_.packed.in(scratch) : nullptr,
        .grad_mask = streamed ? slots_.results.in(scratch) : stored_grad_mask(tile.image, s * h),
        .grad_mask_column = streamed ? tile.columns.begin : 0,
        .pitch = s * (streamed ? tile.columns.size() : problem_.W),
        .partials = slots_.partials.in(scratch),
        .sums = slots_.sums.in(scratch),
        .transposed = transposed_window(h, kh_begin, kh_end, fresh, scratch),
        .windows = windows(tile, h, fresh, scratch),
        .fetching = &fetching,
        .fetched_bytes = fetching.left()};
  }

  Transposed<Real> transposed_window(std::int64_t h, std::int64_t kh_begin, std::int64_t kh_end,
                                     std::int64_t fresh, std::byte* scratch) const {
    if (slots_.transposed_input.count == 0) return {};
    const std::int64_t rows = window_rows(problem_);
    Real** const input = slots_.transposed_rows.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      input[kh] = slots_.transposed_input.in(scratch) +
                  (h + kh - problem_.reach()) % rows * (slots_.transposed_input.count / rows);
    }
    return {problem_.group_channels(),
            input,
            slots_.transposed_pitch,
            fresh,
            slots_.transposed_delta.in(scratch),
            slots_.transposed_products.in(scratch)};
  }

  Windows<T> windows(const Tile& tile, std::int64_t h, std::int64_t fresh,
                     std::byte* scratch) const {
    if (!slots_.windows) return {};
    return {.channels = problem_.group_channels(),
            .rows = slots_.window_input.in(scratch),
            .pitch = slots_.window_pitch,
            .top = (h + problem_.k - problem_.reach()) % problem_.k,
            .fresh = fresh,
            .columns = reinterpret_cast<std::byte*>(slots_.window_columns.in(scratch)),
            .delta = slots_.window_delta.in(scratch),
            .buffer = slots_.results.count / 2,
            .streamed =
                slots_.results.count > 0 ? stored_grad_mask(tile.image, problem_.s * h) : nullptr};
  }

  /// Row y of grad_mask at column 0.
  T* stored_grad_mask(std::int64_t image, std::int64_t y) const noexcept {
    return static_cast<T*>(problem_.grad_mask) + (image * problem_.H * problem_.s + y) *
                                                     problem_.s * problem_.W *
                                                     problem_.mask_channels();
  }

  void stream_grad_mask(const Tile& tile, std::int64_t h, std::byte* scratch) const {
    const std::int64_t pixel = problem_.s * problem_.mask_channels();
    const T* from = slots_.results.in(scratch);
    for (std::int64_t y = problem_.s * h; y < problem_.s * (h + 1); ++y) {
      T* const to = stored_grad_mask(tile.image, y) + tile.columns.begin * pixel;
      stream_bytes_(reinterpret_cast<const std::byte*>(from), reinterpret_cast<std::byte*>(to),
                    tile.columns.size() * pixel * std::int64_t{sizeof(T)});
      from += tile.columns.size() * pixel;
    }
  }

  /// What row h needs and the rows above it did not: grad_input reads the mask, grad_mask the input.
  void add_row(std::int64_t h, const Task& task, const Sources& sources,
               Stretches& stretches) const {
    const std::int64_t s = problem_.s, input = h + problem_.reach();
    for (std::int64_t y = s * h; y < s * (h + 1); ++y) stretches.add_row(sources.delta.part(), y);
    for (std::int64_t y = s * h; task.grad_input && y < s * (h + 1); ++y) {
      stretches.add_row(sources.mask.part(), y);
    }
    if (task.grad_mask && input < problem_.H) stretches.add_row(sources.input.part(), input);
  }

  GradInputRow<T> grad_input_row(const Tile& tile, const ChannelBlock& block, std::int64_t h,
                                 Sources& sources, Fetching& fetching, std::byte* scratch) const {
    const auto to = map_part<T>(problem_, problem_.grad_input, 1, tile.image, tile.columns, block);
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(tile.begin + r - h, 0);
    const std::int64_t kh_end = std::min(tile.end + r - h, k), rows = window_rows(problem_);
    Real** const sums = slots_.sum_rows.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      sums[kh] =
          slots_.target_sums.in(scratch) + (h + kh - r) % rows * (slots_.target_sums.count / rows);
    }
    set_delta(h, sources.delta, scratch);
    for (std::int64_t sy = 0; sy < s; ++sy) {
      slots_.stored_mask_rows.in(scratch)[sy] = sources.mask.stored_row(s * h + sy);
      if (!slots_.windows) slots_.mask_rows.in(scratch)[sy] = sources.mask.row(s * h + sy);
    }
    return {
        .block = block,
        .columns = columns_of(tile),
        .k = k,
        .s = s,
        .kh_begin = kh_begin,
        .kh_end = kh_end,
        .first = h == 0,
        .last = h + 1 == problem_.H,
        .stored_delta = delta_of(sources, slots_.stored_delta_rows.in(scratch)),
        .delta = delta_of(sources, slots_.delta_rows.in(scratch)),
        .mask = {slots_.mask_rows.in(scratch), sources.mask.first() / s, sources.mask.pixel()},
        .stored_mask = {slots_.stored_mask_rows.in(scratch), 0, problem_.mask_channels()},
        .weights = slots_.mask.count > 0 ? slots_.mask.in(scratch) : nullptr,
        .sums = sums,
        .strip = slots_.strip.count > 0 ? slots_.strip.in(scratch) : nullptr,
        .fetching = &fetching,
        .fetched_bytes = fetching.left(),
        .grad_input = {.row = const_cast<T*>(to.image) + (h + kh_begin - r) * to.pitch + to.offset,
                       .pitch = to.pitch,
                       .pixel = to.pixel,
                       .group = to.group,
                       .staging = slots_.padded ? slots_.staging.in(scratch) : nullptr,
                       .stream = stream_}};
  }

  /// The rows of grad_output of row h: in place, or with padding.
  void set_delta(std::int64_t h, RowSource<T>& delta, std::byte* scratch) const {
    for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
      const std::int64_t y = problem_.s * h + sy;
      slots_.stored_delta_rows.in(scratch)[sy] = delta.stored_row(y);
      if (slots_.padded || std::is_same_v<T, Real>)
        slots_.delta_rows.in(scratch)[sy] = delta.row(y);
    }
  }
  template <class Element>
  Rows<Element> delta_of(const Sources& sources, const Element** rows) const {
    return {rows, sources.delta.first() / problem_.s, sources.delta.pixel()};
  }

  const Problem& problem_;
  GradMaskKernel<T> grad_mask_;
  GradInputKernel<T> grad_input_;
  StreamKernel stream_bytes_;
  WidenKernel<T> widen_;
  bool stream_ = maps_in_place<T>(problem_) && worth_streaming<T>(problem_, problem_.grad_input, 1);
  BackwardSlots<T> slots_;
};

}  // namespace mluop::carafe
