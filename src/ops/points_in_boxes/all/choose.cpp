// The designs of mluOpCpuPointsInBoxesAll.
#include "ops/points_in_boxes/all/run.hpp"

namespace mluop::points_in_boxes {
namespace {

constexpr std::array designs{
    AllDesign{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_all}};

}  // namespace

constinit const OperatorInfo all_operator = operator_with<designs>("points_in_boxes_all");

Choice<AllDesign> choose_all(const Problem& problem, mluOpContext& handle) {
  return choose(all_operator, designs, problem, handle);
}

}  // namespace mluop::points_in_boxes
