// The driver of backward for one design: tiles and bands of rows, one task for each.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/handle/handle.hpp"
#include "core/memory/workspace.hpp"
#include "ops/carafe/backward/sweep.hpp"
#include "runtime/parallel.hpp"

namespace mluop::carafe {

/// All channels in one sweep. If windows have too many rows for the caches, grad_mask first and then grad_input
/// block by block. Maps are cut the same way when one of the two gradients is left out.
template <class T, class Stored, class GradMask, class GradInput>
class Backward {
 public:
  using Real = Compute<T>;

  Backward(const Problem& problem, Isa isa)
      : problem_(problem),
        blocks_(problem, problem.k <= 7 ? channels() : most_channels),
        tiles_(problem.W, columns_per_tile(problem, pixel_bytes())),
        bands_(problem.H, rows_per_band(problem, tiles_, 8)),
        sweep_(problem, isa, {tile_columns(problem, tiles_), channels(), problem.G}, layout_) {}

  void run(mluOpContext& handle) const {
    note_cuts(tiles_, bands_, blocks_.count());
    const std::int64_t tasks = problem_.N * bands_.count * tiles_.count;
    const int threads = team_size(threads_for(problem_, handle.threads), tasks, 1);
    std::byte* const scratch =
        handle.scratch.require(layout_.bytes() * static_cast<std::size_t>(threads));
    parallel_for(threads, tasks, 1, [&](std::int64_t task, std::int64_t, int worker) {
      run_tile(tile_at(task), scratch + layout_.bytes() * static_cast<std::size_t>(worker));
    });
  }

 private:
  static constexpr std::int64_t most_channels = 256;  // of a block: its accumulators stay in L2

  std::int64_t channels() const noexcept {
    return problem_.G * padded_to_slots<Real>(problem_.group_channels());
  }

  /// What a row of the window keeps for each of its pixels, plus its share of the outputs of this row and the
  /// next.
  std::int64_t pixel_bytes() const noexcept {
    constexpr std::int64_t stored = sizeof(T), computed = sizeof(Real);
    const std::int64_t input = channels() * GradMask::input_copies;
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
  Sweep<T, Stored, GradMask, GradInput> sweep_;
};

/// Runs a design for the dtype T, whose groups are read in place, or padded in scratch.
template <template <class, class> class GradMask, template <class, class> class GradInput, class T>
void run_backward(const Problem& problem, Isa isa, mluOpContext& handle) {
  using Real = Compute<T>;
  if (pads_groups<Real>(problem)) {
    Backward<T, Real, GradMask<T, Real>, GradInput<T, Real>>(problem, isa).run(handle);
  } else {
    Backward<T, T, GradMask<T, T>, GradInput<T, T>>(problem, isa).run(handle);
  }
}

}  // namespace mluop::carafe
