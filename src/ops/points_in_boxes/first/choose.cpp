// The designs of mluOpPointsInBoxes and mluOpCpuPointsInBoxesPart.
#include "ops/points_in_boxes/first/run.hpp"

namespace mluop::points_in_boxes {
namespace {

constexpr std::array designs{
    FirstDesign{{"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_first}};

}  // namespace

constinit const OperatorInfo centred_operator = operator_with<designs>("points_in_boxes");
constinit const OperatorInfo part_operator = operator_with<designs>("points_in_boxes_part");

Choice<FirstDesign> choose_first(const OperatorInfo& op, const Problem& problem,
                                 mluOpContext& handle) {
  return choose(op, designs, problem, handle);
}

}  // namespace mluop::points_in_boxes
