// Forward by tiles, bands of rows and blocks of channels: one kernel call for each row.
#include "ops/carafe/forward/run.hpp"

#include "core/memory/workspace.hpp"
#include "ops/carafe/forward/general/row.hpp"
#include "ops/carafe/rows/blocking.hpp"
#include "ops/carafe/rows/parts.hpp"
#include "ops/carafe/rows/prefetch.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

template <class T>
class Forward {
 public:
  using Real = Compute<T>;

  Forward(const Problem& problem, Isa isa)
      : problem_(problem),
        kernel_(kernels_for(isa, forward_kernels).template of<T>()),
        widen_(kernels_for(isa, widen_kernels).template of<T>()),
        blocks_(problem, most_channels),
        tiles_(problem.W,
               columns_per_tile(problem, blocks_.most_padded() * std::int64_t{sizeof(Real)})),
        bands_(problem.H, rows_per_band(problem, tiles_)) {
    const std::int64_t k = problem.k, s = problem.s;
    input_rows_ = layout_.add<const Real*>(k);
    mask_rows_ = layout_.add<const T*>(s);
    if (!in_place_) {
      input_ = layout_.add<Real>(window_rows(problem) * tile_columns(problem, tiles_) *
                                 blocks_.most_padded());
    }
    if (stream_) staging_ = layout_.add<Real>(most_outputs * blocks_.most_padded());
    if (collect_) collected_ = layout_.add<T>(s * collected_pitch_);
    if constexpr (widens) {
      constexpr std::int64_t most = 2048;  // part of L1
      weight_run_ = s * blocks_.most_groups() * k * k;
      while (weight_run_ % slot<Real> != 0 && 2 * s * weight_run_ <= most) {
        weight_run_ *= 2;
        weight_columns_ *= 2;
      }
      weights_ = layout_.add<Real>(s * weight_run_);
    }
  }

  void run(mluOpContext& handle) const {
    note_cuts(tiles_, bands_, blocks_.count());
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count * blocks_.count();
    const int threads = team_size(threads_for(problem_, handle.threads), tasks, 1);
    std::byte* const scratch =
        handle.scratch.require(layout_.bytes() * static_cast<std::size_t>(threads));
    for (int worker = 0; worker < threads; ++worker) {
      *kept_.in(scratch + layout_.bytes() * static_cast<std::size_t>(worker)) = {-1, 0};
    }
    parallel_for(threads, tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      run_task(task, scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    });
  }

 private:
  static constexpr bool widens = !std::is_same_v<T, Real>;
  static constexpr std::int64_t most_channels = 288;  // of a block: its window stays in L1
  static constexpr std::int64_t line = 64 / sizeof(T);
  // Bytes of the output from which on non-temporal stores pay, of registers and of collected rows.
  static constexpr std::int64_t stream_from = std::int64_t{8} << 20;
  static constexpr std::int64_t collect_from = std::int64_t{16} << 20;

  void run_task(std::int64_t task, std::byte* scratch) const {
    const ChannelBlock block = blocks_[task % blocks_.count()];
    const std::int64_t tile = task / blocks_.count() % tiles_.count;
    const std::int64_t band = task / blocks_.count() / tiles_.count;
    const std::int64_t image = band / bands_.count;
    const ColumnRange columns{tiles_.begin(tile), tiles_.end(tile)};
    const std::int64_t begin = bands_.begin(band % bands_.count);
    const std::int64_t end = bands_.end(band % bands_.count);
    Kept& kept = *kept_.in(scratch);
    const ColumnRange reached = with_halo(problem_, columns);
    RowSource<T> input{
        map_part<T>(problem_, problem_.input, 1, image, reached, block), widen_,
        in_place_ ? nullptr : input_.in(scratch), window_rows(problem_),
        kept.task == task ? kept.next_row : std::max<std::int64_t>(begin - problem_.reach(), 0)};
    const StoredPart<T> mask = mask_part<T>(problem_, image, columns, block);
    for (std::int64_t h = begin; h < end; ++h) {
      const PrefetchList ahead = rows_after(h, mask, input.part());
      Prefetch prefetch = ahead.prefetch();
      ForwardRow<T> row = row_of(image, h, block, columns, input, prefetch, scratch);
      const std::int64_t below = h + 1 + problem_.reach();
      if (below < problem_.H) row.next_input = input.widen_later(below);
      kernel_(row);
    }
    kept = {end < problem_.H ? task + tiles_.count * blocks_.count() : -1, input.next()};
  }

  /// What row h + 1 reads and row h does not.
  PrefetchList rows_after(std::int64_t h, const StoredPart<T>& mask,
                          const StoredPart<T>& input) const {
    PrefetchList ahead;
    if (h + 1 == problem_.H) return ahead;
    for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
      ahead.add_row(mask, (h + 1) * problem_.s + sy);
    }
    // A row that is widened is read while the row before it is computed, so prefetch it one row earlier.
    const std::int64_t next = h + (in_place_ ? 1 : 2) + problem_.reach();
    if (next < problem_.H) ahead.add_row(input, next);
    return ahead;
  }

  ForwardRow<T> row_of(std::int64_t image, std::int64_t h, const ChannelBlock& block,
                       ColumnRange columns, RowSource<T>& input, Prefetch& prefetch,
                       std::byte* scratch) const {
    const std::int64_t k = problem_.k, s = problem_.s, r = problem_.reach();
    const std::int64_t kh_begin = std::max<std::int64_t>(r - h, 0);
    const std::int64_t kh_end = std::min(problem_.H + r - h, k);
    const Real** const input_rows = input_rows_.in(scratch);
    const T** const mask_rows = mask_rows_.in(scratch);
    const T* const mask = static_cast<const T*>(problem_.mask) +
                          image * s * problem_.H * s * problem_.W * problem_.mask_channels() +
                          block.first_group * problem_.cells();
    for (std::int64_t kh = kh_begin; kh < kh_end; ++kh) input_rows[kh] = input.row(h + kh - r);
    for (std::int64_t sy = 0; sy < s; ++sy) {
      mask_rows[sy] = mask + (s * h + sy) * s * problem_.W * problem_.mask_channels();
    }
    const auto output = map_part<T>(problem_, problem_.output, s, image, columns, block);
    return {.block = block,
            .columns = {columns.begin, columns.end, problem_.W},
            .k = k,
            .s = s,
            .kh_begin = kh_begin,
            .kh_end = kh_end,
            .input = {input_rows, input.first(), input.pixel()},
            .next_input = {},
            .mask = mask_rows,
            .mask_pixel = problem_.mask_channels(),
            .weights = widens ? weights_.in(scratch) : nullptr,
            .weight_columns = weight_columns_,
            .weight_run = weight_run_,
            .output = {.row = const_cast<T*>(output.image) + s * h * output.pitch + output.offset,
                       .pitch = output.pitch,
                       .pixel = output.pixel,
                       .group = output.group,
                       .staged = stream_,
                       .staging = stream_ ? staging_.in(scratch) : nullptr,
                       .stream = stream_},
            .collected = collect_ ? collected_.in(scratch) : nullptr,
            .collected_pitch = collected_pitch_,
            .prefetch = &prefetch,
            .prefetch_bytes = prefetch.left()};
  }

  /// Whether every block of channels consists of whole lines of T without padding.
  bool whole_lines() const noexcept {
    for (std::int64_t i = 0; i < blocks_.count(); ++i) {
      const ChannelBlock block = blocks_[i];
      if (block.padded != block.channels || block.padded_total() % line != 0) return false;
    }
    return true;
  }

  /// What the ring of a worker holds after a task: the first rows of task `task`, up to next_row. The next band of
  /// the same tile and block reuses them if the same worker runs it.
  struct Kept {
    std::int64_t task, next_row;
  };

  const Problem& problem_;
  ForwardKernel<T> kernel_;
  WidenKernel<T> widen_;
  ChannelBlocks<Real> blocks_;
  Cut tiles_, bands_;
  // Parts of pixels are copied: their cells are often as far apart as the ways of L1 and would evict each other.
  bool in_place_ = maps_in_place<T>(problem_) && blocks_.count() == 1;
  bool stream_ =
      worth_streaming<T>(problem_, problem_.output, problem_.s, stream_from) && whole_lines();
  // Pixels that are not whole lines follow each other in a row if a block has all channels.
  bool collect_ = !stream_ && blocks_.count() == 1 && problem_.s <= most_collected_rows &&
                  too_large_for_caches<T>(problem_, problem_.s, collect_from) &&
                  reinterpret_cast<std::uintptr_t>(problem_.output) % sizeof(T) == 0;
  std::int64_t collected_pitch_ =
      round_up(problem_.s * problem_.C, line) + line;  // a pixel of the input, and part of a line
  std::int64_t weight_columns_ = 1, weight_run_ = 0;
  WorkspaceLayout layout_;
  Slot<const Real*> input_rows_;
  Slot<const T*> mask_rows_;
  Slot<Kept> kept_ = layout_.add<Kept>(1);
  Slot<Real> input_, weights_, staging_;
  Slot<T> collected_;
};

}  // namespace

void run_general_forward(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype,
                [&](auto stored) { Forward<decltype(stored)>(problem, isa).run(handle); });
}

}  // namespace mluop::carafe
