// mluOpCarafeBackward: check, choose, run.
#include "core/status.hpp"
#include "core/workspace.hpp"
#include "ops/carafe/backward_sweep.hpp"
#include "ops/carafe/recording.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

/// All channels in one sweep or, where windows have too many rows for the caches, grad_mask first and then
/// grad_input block by block. Maps are cut the same way when one of the two is not asked for.
template <class T>
class Backward {
 public:
  using Real = Compute<T>;

  Backward(const Problem& problem, const mluOpContext& handle)
      : problem_(problem),
        blocks_(problem, problem.k <= 7 ? channels() : grad_input_block),
        tiles_(problem.W, columns_per_tile(problem, pixel_bytes())),
        bands_(problem.H, rows_per_band(problem, tiles_, 8)),
        sweep_(problem, handle, tile_columns(problem, tiles_), channels(), problem.G, layout_) {}

  void run(mluOpContext& handle) const {
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count;
    const int threads = team_size(useful_threads(problem_, handle.threads), tasks, 1);
    std::byte* const scratch =
        handle.scratch.require(layout_.bytes() * static_cast<std::size_t>(threads));
    parallel_for(threads, tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      run_tile(tile_at(task), scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    });
  }

 private:
  std::int64_t channels() const noexcept {
    return problem_.G * padded_to_slots<Real>(problem_.group_channels());
  }

  /// What a row of the window keeps of each of its pixels, and its share of the outputs of the present row and
  /// the next.
  std::int64_t pixel_bytes() const noexcept {
    constexpr std::int64_t stored = sizeof(T), computed = sizeof(Real);
    const std::int64_t input = channels() * (transposes(problem_) ? 2 : 1);
    const std::int64_t window = (input + blocks_.most_padded()) * computed;
    const std::int64_t delta = problem_.C * stored, mask = problem_.mask_channels() * computed;
    const std::int64_t outputs = 2 * problem_.s * problem_.s * (delta + mask);
    return window + outputs / window_rows(problem_);
  }

  Tile tile_at(std::int64_t task) const noexcept {
    const std::int64_t tile = task % tiles_.count, band = task / tiles_.count % bands_.count;
    return {task / tiles_.count / bands_.count,
            bands_.begin(band),
            bands_.end(band),
            {tiles_.begin(tile), tiles_.end(tile)}};
  }

  void run_tile(const Tile& tile, std::byte* scratch) const {
    const bool grad_mask = problem_.grad_mask != nullptr;
    const bool grad_input = problem_.grad_input != nullptr;
    if (blocks_.count() == 1) return sweep_.run(tile, {blocks_[0], grad_mask, grad_input}, scratch);
    const ChannelBlock all{0, problem_.G, 0, problem_.group_channels(),
                           padded_to_slots<Real>(problem_.group_channels())};
    if (grad_mask) sweep_.run(tile, {all, true, false}, scratch);
    for (std::int64_t block = 0; grad_input && block < blocks_.count(); ++block) {
      sweep_.run(tile, {blocks_[block], false, true}, scratch);
    }
  }

  const Problem& problem_;
  ChannelBlocks<Real> blocks_;
  Cut tiles_, bands_;
  WorkspaceLayout layout_;
  BackwardSweep<T> sweep_;
};

}  // namespace

constinit const OperatorInfo backward_operator =
    operator_per_isa<grad_input_kernels>("carafe_backward");

}  // namespace mluop::carafe

mluOpStatus_t MLUOP_WIN_API
mluOpCarafeBackward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                    const mluOpTensorDescriptor_t input_desc, const void* input,
                    const mluOpTensorDescriptor_t mask_desc, const void* mask,
                    const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output,
                    const mluOpTensorDescriptor_t grad_input_desc, void* grad_input,
                    const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask) {
  using namespace mluop::carafe;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpCarafeBackward", [&] {
    Problem problem;
    const BackwardArguments call{handle,
                                 carafe_desc,
                                 {"input", input_desc, input},
                                 {"mask", mask_desc, mask},
                                 {"grad_output", grad_output_desc, grad_output},
                                 {"grad_input", grad_input_desc, grad_input},
                                 {"grad_mask", grad_mask_desc, grad_mask}};
    const mluop::Status status = check_backward(call, problem);
    if (status != MLUOP_STATUS_SUCCESS || problem.N == 0) return status;
    return mluop::recorder::recorded([&] { return description_of(call); },
                                     [&] {
                                       mluop::with_floating(problem.dtype, [&](auto stored) {
                                         Backward<decltype(stored)>(problem, *handle).run(*handle);
                                       });
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
