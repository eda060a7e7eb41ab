// The designs of get_indice_pairs as a workspace size and a run.
#include "ops/sparse_conv/pairs/run.hpp"

#include "core/memory/workspace.hpp"
#include "ops/sparse_conv/pairs/regular/passes.hpp"
#include "ops/sparse_conv/pairs/submanifold/passes.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

// A design calls use(pairs, layout): `pairs` finds the pairs of a problem in a workspace of that layout.

template <class Packed>
struct Submanifold {
  template <class Use>
  static auto with(const Problem& problem, Use&& use) {
    WorkspaceLayout layout;
    const SubmanifoldPlan plan(problem);
    const SubmanifoldPairs<Packed> pairs(problem, plan, layout);
    return use(pairs, layout);
  }
};

/// `Pairs` is MarkedPairs or SortedPairs.
template <class Pairs>
struct Regular {
  template <class Use>
  static auto with(const Problem& problem, Use&& use) {
    WorkspaceLayout layout;
    const Walk walk(problem);
    const Pairs pairs(walk, layout);
    return use(pairs, layout);
  }
};

struct General {
  template <class Use>
  static auto with(const Problem& problem, Use&& use) {
    return problem.sub_m ? Submanifold<Wide>::with(problem, use)
                         : Regular<SortedPairs<Wide>>::with(problem, use);
  }
};

template <class DesignOf>
std::size_t workspace_bytes(const Problem& problem) {
  return DesignOf::with(
      problem, [](const auto&, const WorkspaceLayout& layout) { return layout.caller_bytes(); });
}

/// What a thread should have to do, in pairs that can be: a few ten microseconds. A row costs as much as
/// some pairs.
constexpr double least_work = 8192, row_work = 8, padding_work = 1.0 / 16;

double work(const Problem& problem) {
  const std::int64_t pairs = problem.sub_m ? problem.K : Walk(problem).most();
  return static_cast<double>(problem.L) * (row_work + static_cast<double>(pairs)) +
         static_cast<double>(problem.out_rows) * padding_work;
}

template <class DesignOf>
std::int64_t run(const Problem& problem, Isa isa, const mluOpContext& handle, void* workspace) {
  return DesignOf::with(problem, [&](const auto& pairs, const WorkspaceLayout& layout) {
    const CallerMemory memory(workspace, layout);
    const int threads = threads_for(work(problem), least_work, handle.threads);
    const Execution execution{isa, threads, memory.base()};
    const std::int64_t sites = pairs.run(execution);
    end_lists(problem, execution);
    end_rows(problem, sites, execution);
    return sites;
  });
}

template <class DesignOf>
constexpr PairsSteps steps{workspace_bytes<DesignOf>, run<DesignOf>};

}  // namespace

constinit const PairsSteps submanifold_steps = steps<Submanifold<Narrow>>;
constinit const PairsSteps marked_steps = steps<Regular<MarkedPairs>>;
constinit const PairsSteps sorted_steps = steps<Regular<SortedPairs<Narrow>>>;
constinit const PairsSteps general_steps = steps<General>;

}  // namespace mluop::sparse_conv::pairs
