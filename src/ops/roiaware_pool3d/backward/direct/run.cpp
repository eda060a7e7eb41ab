// Design `direct`: threads list what is to be added, by voxels, then add it, by points; in the order of voxels.
#include <algorithm>
#include <type_traits>

#include "core/memory/workspace.hpp"
#include "ops/roiaware_pool3d/backward/direct/kernels.hpp"
#include "ops/roiaware_pool3d/backward/index_error.hpp"
#include "ops/roiaware_pool3d/backward/parts.hpp"
#include "ops/roiaware_pool3d/backward/run.hpp"

namespace mluop::roiaware_pool3d {
namespace {

template <class T>
class Direct {
 public:
  using Real = Compute<T>;

  Direct(const SampledProblem& call, const DirectKernels<T>& kernels, mluOpContext& handle)
      : call_(call),
        grid_(call.problem.grid),
        kernels_(kernels),
        parts_(call, handle.threads),
        chunks_(ceil_div(grid_.voxels(), chunk_voxels)) {
    WorkspaceLayout layout;
    const auto to = layout.add<std::int32_t>(chunks_ * room());
    const auto values = layout.add<Real>(chunks_ * room());
    const auto counts = layout.add<std::int64_t>(chunks_);
    const auto sums = layout.add<Real>(in_place ? 0 : grid_.M * grid_.C);
    std::byte* const scratch = handle.scratch.require(layout.bytes());
    elements_ = {to.in(scratch), values.in(scratch)};
    counts_ = counts.in(scratch);
    if constexpr (in_place) {
      sums_ = static_cast<Real*>(call.problem.grad_in);
    } else {
      sums_ = sums.in(scratch);
    }
  }

  Status run() const {
    parallel_for(parts_.threads(), chunks_, 1,
                 [&](std::int64_t chunk, std::int64_t, int) { list(chunk); });
    if (std::any_of(counts_, counts_ + chunks_, [](std::int64_t count) { return count < 0; })) {
      return fail_at_first_bad_index(call_.problem);
    }
    const std::int64_t points = ceil_div(grid_.M, parts_.threads());
    note_plan("tile_points", points);
    parallel_for(parts_.threads(), grid_.M, points, [&](std::int64_t begin, std::int64_t end, int) {
      add(begin * grid_.C, end * grid_.C);
    });
    return MLUOP_STATUS_SUCCESS;
  }

 private:
  static constexpr bool in_place = std::is_same_v<T, Real>;

  /// Elements of the list of a chunk.
  std::int64_t room() const {
    return round_up(std::min(grid_.voxels(), chunk_voxels) * grid_.C, elements_slack) +
           elements_slack;
  }

  Elements<Real> list_of(std::int64_t chunk) const {
    return {elements_.to + chunk * room(), elements_.values + chunk * room()};
  }

  void list(std::int64_t chunk) const {
    const std::int64_t begin = chunk * chunk_voxels;
    const std::int64_t end = std::min(begin + chunk_voxels, grid_.voxels());
    const T* const grad_out = static_cast<const T*>(call_.problem.grad_out);
    counts_[chunk] =
        kernels_.list(parts_.indices(begin, end), grad_out + begin * grid_.C, list_of(chunk));
  }

  /// Elements `begin` to `end` of grad_in, with one writer: every thread reads all lists.
  void add(std::int64_t begin, std::int64_t end) const {
    const bool all = end - begin == grid_.M * grid_.C;
    std::fill(sums_ + begin, sums_ + end, Real(0));
    for (std::int64_t chunk = 0; chunk < chunks_; ++chunk) {
      if (all) {
        kernels_.add_all(list_of(chunk), counts_[chunk], sums_);
      } else {
        kernels_.add(list_of(chunk), counts_[chunk], sums_, begin, end);
      }
    }
    if constexpr (!in_place) {
      kernels_.round(sums_ + begin, end - begin, static_cast<T*>(call_.problem.grad_in) + begin);
    }
  }

  const SampledProblem& call_;
  const Grid& grid_;
  const DirectKernels<T>& kernels_;
  Parts<T> parts_;
  std::int64_t chunks_;
  Elements<Real> elements_;
  std::int64_t* counts_;
  Real* sums_;
};

}  // namespace

Status run_direct(const SampledProblem& call, Isa isa, mluOpContext& handle) {
  const auto& kernels = direct_kernels[static_cast<std::size_t>(isa)]();
  return with_floating(call.problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    return Direct<T>(call, kernels.template of<T>(), handle).run();
  });
}

}  // namespace mluop::roiaware_pool3d
