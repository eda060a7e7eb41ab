// The rows of a tile from top to bottom: each gives grad_mask of its outputs and adds to grad_input of the
// rows in reach, whose sums are kept in L2 until the last one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/workspace.hpp"
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

  /// Adds what one worker needs to `layout`, for tiles of at most `columns` columns, halo included, and
  /// tasks of at most `channels` padded channels and `groups` groups. A gradient that the problem does not
  /// ask for needs nothing.
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
        widen_(chosen_kernels(widen_kernels, backward_operator, handle).template of<T>()) {
    choose_window_kernels(handle);
    delta_rows_ = layout.add<const Real*>(problem.s);
    stored_delta_rows_ = layout.add<const T*>(problem.s);
    if (padded_) delta_ = layout.add<Real>(problem.s * problem.s * columns * channels);
    if (problem.grad_mask != nullptr) add_grad_mask(columns, channels, layout);
    if (problem.grad_input != nullptr) add_grad_input(columns, channels, groups, layout);
  }

  void run(const Tile& tile, const Task& task, std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach(), halo = task.grad_input ? r : 0;
    const std::int64_t first = std::max<std::int64_t>(tile.begin - halo, 0);
    const ColumnRange reached = with_halo(problem_, tile.columns);
    Sources sources{
        {map_part<T>(problem_, problem_.input, 1, tile.image, reached, task.block), widen_,
         in_place_ ? nullptr : input_.in(scratch), window_rows(problem_),
         std::max<std::int64_t>(tile.begin - r, 0)},
        {map_part<T>(problem_, problem_.grad_output, s, tile.image, reached, task.block), widen_,
         padded_ ? delta_.in(scratch) : nullptr, s, first * s},
        {mask_part<T>(problem_, tile.image, reached, task.block), widen_,
         std::is_same_v<T, Real> || windows_ ? nullptr : mask_.in(scratch), s, first * s},
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
        if (results_.count > 0 && !windows_) stream_grad_mask(tile, h, scratch);
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

  void choose_window_kernels(const mluOpContext& handle) {
    const GradMaskKernel<T> grad_mask =
        chosen_kernels(window_grad_mask_kernels, backward_operator, handle).template of<T>();
    if (grad_mask == nullptr || problem_.k != register_window || !transposes(problem_)) return;
    windows_ = true;
    in_place_ = !padded_;
    grad_mask_ = grad_mask;
    grad_input_ =
        chosen_kernels(window_grad_input_kernels, backward_operator, handle).template of<T>();
  }

  void add_grad_mask(std::int64_t columns, std::int64_t channels, WorkspaceLayout& layout) {
    const std::int64_t k = problem_.k, s = problem_.s;
    input_rows_ = layout.add<const Real*>(k);
    stored_input_rows_ = layout.add<const T*>(k);
    if (windows_) {
      add_windows(columns, channels, layout);
    } else if (transposes(problem_)) {
      transposed_rows_ = layout.add<Real*>(k);
      transposed_pitch_ = (columns + k - 1) / slot<Real> * slot<Real> + 2 * slot<Real>;
      transposed_input_ = layout.add<Real>(window_rows(problem_) * channels * transposed_pitch_);
      transposed_delta_ = layout.add<Real>(s * s * (channels / problem_.G) * slot<Real>);
      transposed_products_ = layout.add<Real>(s * s * problem_.cells() * slot<Real>);
    }
    if (packs_outputs<T>(problem_)) packed_ = layout.add<Real>(2 * s * s * channels / problem_.G);
    partials_ = layout.add<Real>(part_sums(k) * slot<Real>);
    sums_ = layout.add<Real>(part_sums(k));
    const std::int64_t collected = windows_ ? streamed_columns(pixel_results_bytes()) : columns;
    const std::int64_t results = s * s * collected * problem_.mask_channels();
    if (streams_grad_mask(results)) results_ = layout.add<T>(windows_ ? 2 * results : results);
    if (in_place_) return;
    input_ = layout.add<Real>(window_rows(problem_) * columns * channels);
    if (!padded_) pixels_ = layout.add<Real>(s * s * channels);
  }

  void add_grad_input(std::int64_t columns, std::int64_t channels, std::int64_t groups,
                      WorkspaceLayout& layout) {
    const std::int64_t k = problem_.k, s = problem_.s, rows = window_rows(problem_);
    mask_rows_ = layout.add<const Real*>(s);
    stored_mask_rows_ = layout.add<const T*>(s);
    sum_rows_ = layout.add<Real*>(k);
    if (padded_) {
      staging_ = layout.add<Real>(rows * columns * channels);
    } else if (!in_place_) {
      strip_ = layout.add<Real>(strip_elements);
    }
    if (!std::is_same_v<T, Real>) {
      const std::int64_t widened = windows_ ? weight_columns : columns;
      mask_ = layout.add<Real>(s * s * widened * groups * problem_.cells());
    }
    target_sums_ = layout.add<Real>(rows * (columns + k - 1) * channels);
  }

  void add_windows(std::int64_t columns, std::int64_t channels, WorkspaceLayout& layout) {
    const std::int64_t slots = (columns + problem_.k - 1) / slot<Real> + 2;
    window_pitch_ = (slots * problem_.k | 1) * slot<Real>;  // no two channels in the same set of L1
    window_rows_ = layout.add<Real>(channels * window_pitch_);
    window_columns_ = layout.add<Real>(channels / problem_.G * slot<Real>);
    window_delta_ = layout.add<Real>(paired_outputs * channels);
  }

  /// Bytes of grad_mask in a row that belong to one pixel of the low resolution.
  std::int64_t pixel_results_bytes() const noexcept {
    return problem_.s * problem_.mask_channels() * std::int64_t{sizeof(T)};
  }

  Columns columns_of(const Tile& tile) const noexcept {
    return {tile.columns.begin, tile.columns.end, problem_.W};
  }

  GradMaskRow<T> grad_mask_row(const Tile& tile, std::int64_t h, Sources& sources,
                               Fetching& fetching, std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, k);
    const bool streamed = results_.count > 0;
    const Real** const input_rows = input_rows_.in(scratch);
    const T** const stored_rows = stored_input_rows_.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      stored_rows[kh] = sources.input.stored_row(h + kh - r);
      if (!windows_ || padded_) input_rows[kh] = sources.input.row(h + kh - r);
    }
    set_delta(h, sources.delta, scratch);
    const std::int64_t fresh = std::max(kh_begin, sources.transposed - (h - r));
    sources.transposed = h - r + kh_end;
    return {.G = problem_.G,
            .padded = padded_to_slots<Real>(problem_.group_channels()),
            .columns = columns_of(tile),
            .k = k,
            .s = s,
            .kh_begin = kh_begin,
            .kh_end = kh_end,
            .input = {input_rows, sources.input.first(), sources.input.pixel()},
            .stored_input = {stored_rows, sources.input.first(), sources.input.pixel()},
            .delta = delta_of(sources, delta_rows_.in(scratch)),
            .stored_delta = delta_of(sources, stored_delta_rows_.in(scratch)),
            .pixels = pixels_.count > 0 ? pixels_.in(scratch) : nullptr,
            .packed = packed_.count > 0 ? packed_.in(scratch) : nullptr,
            .grad_mask = streamed ? results_.in(scratch) : stored_grad_mask(tile.image, s * h),
            .grad_mask_column = streamed ? tile.columns.begin : 0,
            .pitch = s * (streamed ? tile.columns.size() : problem_.W),
            .partials = partials_.in(scratch),
            .sums = sums_.in(scratch),
            .transposed = transposed_window(h, kh_begin, kh_end, fresh, scratch),
            .windows = windows(tile, h, fresh, scratch),
            .fetching = &fetching,
            .fetched_bytes = fetching.left()};
  }

  Transposed<Real> transposed_window(std::int64_t h, std::int64_t kh_begin, std::int64_t kh_end,
                                     std::int64_t fresh, std::byte* scratch) const {
    if (transposed_input_.count == 0) return {};
    const std::int64_t rows = window_rows(problem_);
    Real** const input = transposed_rows_.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      input[kh] = transposed_input_.in(scratch) +
                  (h + kh - problem_.reach()) % rows * (transposed_input_.count / rows);
    }
    return {problem_.group_channels(),
            input,
            transposed_pitch_,
            fresh,
            transposed_delta_.in(scratch),
            transposed_products_.in(scratch)};
  }

  Windows<T> windows(const Tile& tile, std::int64_t h, std::int64_t fresh,
                     std::byte* scratch) const {
    if (!windows_) return {};
    return {
        .channels = problem_.group_channels(),
        .rows = window_rows_.in(scratch),
        .pitch = window_pitch_,
        .top = (h + problem_.k - problem_.reach()) % problem_.k,
        .fresh = fresh,
        .columns = reinterpret_cast<std::byte*>(window_columns_.in(scratch)),
        .delta = window_delta_.in(scratch),
        .buffer = results_.count / 2,
        .streamed = results_.count > 0 ? stored_grad_mask(tile.image, problem_.s * h) : nullptr};
  }

  /// Row y of grad_mask at column 0.
  T* stored_grad_mask(std::int64_t image, std::int64_t y) const noexcept {
    return static_cast<T*>(problem_.grad_mask) + (image * problem_.H * problem_.s + y) *
                                                     problem_.s * problem_.W *
                                                     problem_.mask_channels();
  }

  /// A large grad_mask is written past the caches, in rows of a tile that are collected in L2 first.
  bool streams_grad_mask(std::int64_t elements_of_a_row) const noexcept {
    constexpr std::int64_t least = std::int64_t{8} << 20, most_of_a_row = std::int64_t{1} << 18;
    const std::int64_t outputs = problem_.N * problem_.H * problem_.W * problem_.s * problem_.s;
    constexpr std::int64_t size = sizeof(T);
    return outputs * problem_.mask_channels() * size >= least &&
           elements_of_a_row * size <= most_of_a_row;
  }

  void stream_grad_mask(const Tile& tile, std::int64_t h, std::byte* scratch) const {
    const std::int64_t pixel = problem_.s * problem_.mask_channels();
    const T* from = results_.in(scratch);
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
    Real** const sums = sum_rows_.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      sums[kh] = target_sums_.in(scratch) + (h + kh - r) % rows * (target_sums_.count / rows);
    }
    set_delta(h, sources.delta, scratch);
    for (std::int64_t sy = 0; sy < s; ++sy) {
      stored_mask_rows_.in(scratch)[sy] = sources.mask.stored_row(s * h + sy);
      if (!windows_) mask_rows_.in(scratch)[sy] = sources.mask.row(s * h + sy);
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
        .stored_delta = delta_of(sources, stored_delta_rows_.in(scratch)),
        .delta = delta_of(sources, delta_rows_.in(scratch)),
        .mask = {mask_rows_.in(scratch), sources.mask.first() / s, sources.mask.pixel()},
        .stored_mask = {stored_mask_rows_.in(scratch), 0, problem_.mask_channels()},
        .weights = mask_.count > 0 ? mask_.in(scratch) : nullptr,
        .sums = sums,
        .strip = strip_.count > 0 ? strip_.in(scratch) : nullptr,
        .fetching = &fetching,
        .fetched_bytes = fetching.left(),
        .grad_input = {.row = const_cast<T*>(to.image) + (h + kh_begin - r) * to.pitch + to.offset,
                       .pitch = to.pitch,
                       .pixel = to.pixel,
                       .group = to.group,
                       .staging = padded_ ? staging_.in(scratch) : nullptr,
                       .stream = stream_}};
  }

  /// The rows of grad_output of row h: in place, or with padding.
  void set_delta(std::int64_t h, RowSource<T>& delta, std::byte* scratch) const {
    for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
      const std::int64_t y = problem_.s * h + sy;
      stored_delta_rows_.in(scratch)[sy] = delta.stored_row(y);
      if (padded_ || std::is_same_v<T, Real>) delta_rows_.in(scratch)[sy] = delta.row(y);
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
  bool in_place_ = maps_in_place<T>(problem_);
  bool padded_ = pads_groups<Real>(problem_);
  bool windows_ = false;  // small groups, and windows that fit the registers
  Slot<const Real*> input_rows_, delta_rows_, mask_rows_;
  Slot<const T*> stored_delta_rows_, stored_mask_rows_, stored_input_rows_;
  Slot<Real*> sum_rows_, transposed_rows_;
  std::int64_t transposed_pitch_ = 0, window_pitch_ = 0;
  Slot<Real> transposed_input_, transposed_delta_, transposed_products_;
  Slot<Real> window_rows_, window_columns_, window_delta_;
  Slot<T> results_;
  Slot<Real> delta_, input_, pixels_, mask_, staging_, strip_, packed_, partials_, sums_,
      target_sums_;
};

}  // namespace mluop::carafe
