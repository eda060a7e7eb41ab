// mluOpCarafeForward: check, choose, run.
#include "core/status.hpp"
#include "core/workspace.hpp"
#include "ops/carafe/blocking.hpp"
#include "ops/carafe/parts.hpp"
#include "ops/carafe/recording.hpp"
#include "ops/carafe/stretches.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

template <class T>
class Forward {
 public:
  using Real = Compute<T>;

  Forward(const Problem& problem, const mluOpContext& handle)
      : problem_(problem),
        kernel_(chosen_kernels(forward_kernels, forward_operator, handle).template of<T>()),
        widen_(chosen_kernels(widen_kernels, forward_operator, handle).template of<T>()),
        blocks_(problem, forward_block),
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
    if (staged_) staging_ = layout_.add<Real>(most_outputs * blocks_.most_padded());
    if (widen_mask_) {
      constexpr std::int64_t most = 2048;  // weights: a part of L1
      mask_run_ = s * blocks_.most_groups() * k * k;
      while (mask_run_ % slot<Real> != 0 && 2 * s * mask_run_ <= most) {
        mask_run_ *= 2;
        mask_columns_ *= 2;
      }
      mask_ = layout_.add<Real>(s * mask_run_);
    }
  }

  void run(mluOpContext& handle) const {
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count * blocks_.count();
    const int threads = team_size(useful_threads(problem_, handle.threads), tasks, 1);
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
      Stretches stretches;
      if (h + 1 < problem_.H) {
        for (std::int64_t sy = 0; sy < problem_.s; ++sy) {
          stretches.add_row(mask, (h + 1) * problem_.s + sy);
        }
        // A row that is widened while the one before is computed has to be there by then.
        const std::int64_t next = h + (in_place_ ? 1 : 2) + problem_.reach();
        if (next < problem_.H) stretches.add_row(input.part(), next);
      }
      Fetching fetching = stretches.fetching();
      ForwardRow<T> row = row_of(image, h, block, columns, input, fetching, scratch);
      const std::int64_t below = h + 1 + problem_.reach();
      if (below < problem_.H) row.next_input = input.widen_later(below);
      kernel_(row);
    }
    kept = {end < problem_.H ? task + tiles_.count * blocks_.count() : -1, input.next()};
  }

  ForwardRow<T> row_of(std::int64_t image, std::int64_t h, const ChannelBlock& block,
                       ColumnRange columns, RowSource<T>& input, Fetching& fetching,
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
            .mask_pixels = widen_mask_ ? mask_.in(scratch) : nullptr,
            .mask_columns = mask_columns_,
            .mask_run = mask_run_,
            .output = {.row = const_cast<T*>(output.image) + s * h * output.pitch + output.offset,
                       .pitch = output.pitch,
                       .pixel = output.pixel,
                       .group = output.group,
                       .staging = staged_ ? staging_.in(scratch) : nullptr,
                       .stream = stream_},
            .fetching = &fetching,
            .fetched_bytes = fetching.left()};
  }

  /// Whether every block of channels consists of whole lines of T without padding.
  bool whole_lines() const noexcept {
    for (std::int64_t i = 0; i < blocks_.count(); ++i) {
      const ChannelBlock block = blocks_[i];
      constexpr std::int64_t line = 64 / sizeof(T);
      if (block.padded != block.channels || block.padded_total() % line != 0) return false;
    }
    return true;
  }

  /// What the ring of a worker holds: the rows that a task begins with, up to next_row.
  struct Kept {
    std::int64_t task, next_row;
  };

  const Problem& problem_;
  ForwardKernel<T> kernel_;
  WidenKernel<T> widen_;
  ChannelBlocks<Real> blocks_;
  Cut tiles_, bands_;
  bool in_place_ = maps_in_place<T>(problem_);
  bool widen_mask_ = !std::is_same_v<T, Real>;
  bool stream_ = worth_streaming<T>(problem_, problem_.output, problem_.s, std::int64_t{8} << 20) &&
                 whole_lines();
  bool staged_ = stream_ || pads_groups<Real>(problem_);
  std::int64_t mask_columns_ = 1, mask_run_ = 0;
  WorkspaceLayout layout_;
  Slot<const Real*> input_rows_;
  Slot<const T*> mask_rows_;
  Slot<Kept> kept_ = layout_.add<Kept>(1);
  Slot<Real> input_, mask_, staging_;
};

}  // namespace

constinit const OperatorInfo forward_operator = operator_per_isa<forward_kernels>("carafe_forward");

}  // namespace mluop::carafe

mluOpStatus_t MLUOP_WIN_API
mluOpCarafeForward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                   const mluOpTensorDescriptor_t input_desc, const void* input,
                   const mluOpTensorDescriptor_t mask_desc, const void* mask,
                   const mluOpTensorDescriptor_t output_desc, void* output) {
  using namespace mluop::carafe;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpCarafeForward", [&] {
    Problem problem;
    const ForwardArguments call{handle,
                                carafe_desc,
                                {"input", input_desc, input},
                                {"mask", mask_desc, mask},
                                {"output", output_desc, output}};
    const mluop::Status status = check_forward(call, problem);
    if (status != MLUOP_STATUS_SUCCESS || problem.N == 0) return status;
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] {
                                       mluop::with_floating(problem.dtype, [&](auto stored) {
                                         Forward<decltype(stored)>(problem, *handle).run(*handle);
                                       });
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
