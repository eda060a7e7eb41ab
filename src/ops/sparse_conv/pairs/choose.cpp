// The designs of get_indice_pairs.
#include <array>

#include "ops/sparse_conv/pairs/run.hpp"

namespace mluop::sparse_conv {
namespace pairs {
namespace {

constexpr std::array designs{
    PairsDesign{{"submanifold", Isa::generic, "sub_m, sites and row numbers of at most 64 bits"},
                accepts_submanifold,
                &submanifold_steps},
    PairsDesign{{"marked", Isa::generic,
                 "no sub_m, bit map of the output space no larger than a list of the sites met"},
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
