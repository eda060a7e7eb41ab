// The choice among the ways to find pairs: a function of the shapes.
#include "ops/sparse_conv/pairs_run.hpp"

#include "core/workspace.hpp"
#include "ops/sparse_conv/reached_pairs.hpp"
#include "ops/sparse_conv/submanifold_pairs.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

/// Calls use(pairs, layout), `pairs` being what finds the pairs of this problem in a workspace of that
/// layout.
template <class Use>
auto with_way(const Problem& problem, Use&& use) {
  WorkspaceLayout layout;
  if (problem.sub_m) {
    const SubmanifoldPlan plan(problem);
    if (fits_narrow(plan.words(), problem.L)) {
      return use(SubmanifoldPairs<Narrow>(problem, plan, layout), layout);
    }
    return use(SubmanifoldPairs<Wide>(problem, plan, layout), layout);
  }
  const Walk walk(problem);
  if (MarkedPairs::suits(walk)) return use(MarkedPairs(walk, layout), layout);
  if (fits_narrow(walk.words(), problem.L * walk.most())) {
    return use(SortedPairs<Narrow>(walk, layout), layout);
  }
  return use(SortedPairs<Wide>(walk, layout), layout);
}

}  // namespace

std::size_t workspace_bytes(const Problem& problem) {
  return with_way(problem,
                  [](const auto&, const WorkspaceLayout& layout) { return layout.caller_bytes(); });
}

std::int64_t run(const Problem& problem, Isa implementation, const mluOpContext& handle,
                 void* workspace) {
  return with_way(problem, [&](const auto& pairs, const WorkspaceLayout& layout) {
    const CallerMemory memory(workspace, layout);
    const Run run{implementation, handle.threads, memory.base()};
    const std::int64_t sites = pairs.run(run);
    end_lists(problem, run);
    end_rows(problem, sites, run);
    return sites;
  });
}

}  // namespace mluop::sparse_conv::pairs
