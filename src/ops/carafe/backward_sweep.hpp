// The rows of a tile from top to bottom: grad_output is widened once into a ring of rows, which serves
// grad_mask of the newest row and grad_input of the row that this one completes.
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
  /// tasks of at most `channels` padded channels and `groups` groups.
  BackwardSweep(const Problem& problem, const mluOpContext& handle, std::int64_t columns,
                std::int64_t channels, std::int64_t groups, WorkspaceLayout& layout)
      : problem_(problem),
        grad_mask_(chosen_kernels(grad_mask_kernels, backward_operator(), handle).template of<T>()),
        grad_input_(
            chosen_kernels(grad_input_kernels, backward_operator(), handle).template of<T>()),
        stream_bytes_(
            stream_kernels[static_cast<std::size_t>(chosen(backward_operator(), handle).isa)]),
        widen_(chosen_kernels(widen_kernels, backward_operator(), handle).template of<T>()) {
    const std::int64_t k = problem.k, s = problem.s;
    input_rows_ = layout.add<const Real*>(k);
    delta_rows_ = layout.add<const Real*>(ring());
    mask_rows_ = layout.add<const Real*>(ring());
    stored_mask_rows_ = layout.add<const T*>(ring());
    partials_ = layout.add<Real>(part_sums(k) * slot<Real>);
    sums_ = layout.add<Real>(part_sums(k));
    const std::int64_t results = s * s * columns * problem.mask_channels();
    if (streams_grad_mask(results)) results_ = layout.add<T>(results);
    if (!in_place_) {
      delta_ = layout.add<Real>(ring() * s * columns * channels);
      input_ = layout.add<Real>(window_rows(problem) * columns * channels);
      staging_ = layout.add<Real>(columns * channels);
    }
    if (widen_mask_) mask_ = layout.add<Real>(ring() * s * columns * groups * problem.cells());
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
         in_place_ ? nullptr : delta_.in(scratch), ring(), first * s},
        {mask_part<T>(problem_, tile.image, reached, task.block), widen_,
         widen_mask_ ? mask_.in(scratch) : nullptr, ring(), first * s}};
    for (std::int64_t h = first; h < tile.end + halo; ++h) {
      Stretches stretches;
      add_row(tile, h + 1, sources, stretches);
      Fetching fetching = stretches.fetching();
      if (task.grad_mask && h >= tile.begin && h < tile.end) {
        const GradMaskRow<T> row = grad_mask_row(tile, h, sources, fetching, scratch);
        grad_mask_(row);
        if (results_.count > 0) stream_grad_mask(tile, h, scratch);
      }
      if (task.grad_input && h - r >= tile.begin) {
        grad_input_(grad_input_row(tile, task.block, h - r, sources, fetching, scratch));
      }
    }
  }

 private:
  struct Sources {
    RowSource<T> input, delta, mask;
  };

  /// Rows of outputs in reach of a row of the input.
  std::int64_t ring() const noexcept { return window_rows(problem_) * problem_.s; }

  Columns columns_of(const Tile& tile) const noexcept {
    return {tile.columns.begin, tile.columns.end, problem_.W};
  }

  GradMaskRow<T> grad_mask_row(const Tile& tile, std::int64_t h, Sources& sources,
                               Fetching& fetching, std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, k);
    const bool streamed = results_.count > 0;
    T* const grad_mask =
        streamed ? results_.in(scratch)-tile.columns.begin * s * problem_.mask_channels()
                 : stored_grad_mask(tile.image, s * h);
    const Real** const input_rows = input_rows_.in(scratch);
    const Real** const delta_rows = delta_rows_.in(scratch);
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) {
      input_rows[kh] = sources.input.row(h + kh - r);
    }
    for (std::int64_t sy = 0; sy < s; ++sy) delta_rows[sy] = sources.delta.row(s * h + sy);
    return {.G = problem_.G,
            .padded = padded_to_slots<Real>(problem_.group_channels()),
            .columns = columns_of(tile),
            .k = k,
            .s = s,
            .kh_begin = kh_begin,
            .kh_end = kh_end,
            .input = {input_rows, sources.input.first(), sources.input.pixel()},
            .delta = {delta_rows, sources.delta.first() / s, sources.delta.pixel()},
            .grad_mask = grad_mask,
            .pitch = s * (streamed ? tile.columns.size() : problem_.W),
            .partials = partials_.in(scratch),
            .sums = sums_.in(scratch),
            .fetching = &fetching,
            .fetched_bytes = fetching.left() / 2};
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

  /// What row h needs and the rows above it did not.
  void add_row(const Tile& tile, std::int64_t h, const Sources& sources,
               Stretches& stretches) const {
    const std::int64_t s = problem_.s, input = h + problem_.reach();
    if (h >= std::min(problem_.H, tile.end + problem_.reach())) return;
    for (std::int64_t y = s * h; y < s * (h + 1); ++y) stretches.add_row(sources.delta.part(), y);
    for (std::int64_t y = s * h; y < s * (h + 1); ++y) stretches.add_row(sources.mask.part(), y);
    if (input < problem_.H) stretches.add_row(sources.input.part(), input);
  }

  GradInputRow<T> grad_input_row(const Tile& tile, const ChannelBlock& block, std::int64_t i,
                                 Sources& sources, Fetching& fetching, std::byte* scratch) const {
    const auto to = map_part<T>(problem_, problem_.grad_input, 1, tile.image, tile.columns, block);
    return {
        .block = block,
        .columns = columns_of(tile),
        .k = problem_.k,
        .s = problem_.s,
        .terms = collect_terms(i, sources, scratch),
        .delta = {delta_rows_.in(scratch), sources.delta.first() / problem_.s,
                  sources.delta.pixel()},
        .mask = {mask_rows_.in(scratch), sources.mask.first() / problem_.s, sources.mask.pixel()},
        .stored_mask = {stored_mask_rows_.in(scratch), 0, problem_.mask_channels()},
        .fetching = &fetching,
        .fetched_bytes = fetching.left(),
        .grad_input = {.row = const_cast<T*>(to.image) + i * to.pitch + to.offset,
                       .pitch = to.pitch,
                       .pixel = to.pixel,
                       .group = to.group,
                       .staging = in_place_ ? nullptr : staging_.in(scratch),
                       .stream = stream_}};
  }

  /// The rows of outputs in reach of row i, ascending; their number.
  std::int64_t collect_terms(std::int64_t i, Sources& sources, std::byte* scratch) const {
    const std::int64_t s = problem_.s, r = problem_.reach();
    std::int64_t terms = 0;
    const std::int64_t end = std::min(i + r + 1, problem_.H);
    for (std::int64_t h = std::max<std::int64_t>(i - r, 0); h < end; ++h) {
      for (std::int64_t y = s * h; y < s * (h + 1); ++y, ++terms) {
        const std::int64_t window_row = (i - h + r) * problem_.k;
        delta_rows_.in(scratch)[terms] = sources.delta.row(y);
        if (slides(problem_.k)) {
          mask_rows_.in(scratch)[terms] = sources.mask.row(y) + window_row;
        } else {
          stored_mask_rows_.in(scratch)[terms] = sources.mask.stored_row(y) + window_row;
        }
      }
    }
    return terms;
  }

  const Problem& problem_;
  GradMaskKernel<T> grad_mask_;
  GradInputKernel<T> grad_input_;
  StreamKernel stream_bytes_;
  WidenKernel<T> widen_;
  bool stream_ = maps_in_place<T>(problem_) && worth_streaming<T>(problem_, problem_.grad_input, 1);
  bool in_place_ = maps_in_place<T>(problem_);
  bool widen_mask_ = !std::is_same_v<T, Real> && slides(problem_.k);
  Slot<const Real*> input_rows_, delta_rows_, mask_rows_;
  Slot<const T*> stored_mask_rows_;
  Slot<T> results_;
  Slot<Real> delta_, input_, mask_, staging_, partials_, sums_;
};

}  // namespace mluop::carafe
