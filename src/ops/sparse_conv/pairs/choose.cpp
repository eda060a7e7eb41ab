// The designs of get_indice_pairs.
#include <array>

#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "ops/sparse_conv/pairs/regular/reach.hpp"
#include "ops/sparse_conv/pairs/run.hpp"
#include "ops/sparse_conv/pairs/submanifold/plan.hpp"

namespace mluop::sparse_conv {
namespace pairs {
namespace {

bool accepts_submanifold(const Problem& problem) {
  return problem.sub_m && fits_narrow(SubmanifoldPlan(problem).words(), problem.L);
}

// Time of a word, which is cleared, counted and ranked, and of sorting a site that rows can meet; of
// those, half are met. The smaller estimate wins; both grow with threads alike.
constexpr Wide marked_word = 2, sorted_site = 3;

bool accepts_marked(const Problem& problem) {
  if (problem.sub_m) return false;
  const Walk walk(problem);
  const Wide met = static_cast<Wide>(problem.L) * static_cast<Wide>(walk.most());
  return walk.words() * marked_word <= met * sorted_site;
}

bool accepts_sorted(const Problem& problem) {
  if (problem.sub_m) return false;
  const Walk walk(problem);
  return fits_narrow(walk.words(), problem.L * walk.most());
}

constexpr std::array designs{
    PairsDesign{{"submanifold", Isa::generic, "sub_m, sites and row numbers of at most 64 bits"},
                accepts_submanifold,
                &submanifold_steps},
    PairsDesign{{"marked", Isa::generic,
                 "no sub_m, bit map of the output space cheaper than sorting the sites met"},
                accepts_marked,
                &marked_steps},
    PairsDesign{{"sorted", Isa::generic, "no sub_m, sites and pair numbers of at most 64 bits"},
                accepts_sorted,
                &sorted_steps},
    PairsDesign{
        {"general", Isa::generic, "everything"}, accepts_everything<Problem>, &general_steps}};

}  // namespace
}  // namespace pairs

constinit const OperatorInfo get_indice_pairs_operator =
    operator_with<pairs::designs>("get_indice_pairs");

Choice<pairs::PairsDesign> pairs::choose_design(const Problem& problem, mluOpContext& handle) {
  return choose(get_indice_pairs_operator, designs, problem, handle);
}

}  // namespace mluop::sparse_conv
