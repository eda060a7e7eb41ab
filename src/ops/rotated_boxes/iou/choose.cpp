// The designs of mluOpBoxIouRotated.
#include "ops/rotated_boxes/iou/run.hpp"

namespace mluop::rotated_boxes {
namespace {

constexpr std::array designs{
    IouDesign{{"general", Isa::generic, "everything"}, accepts_everything<IouProblem>, run_iou}};

}  // namespace

constinit const OperatorInfo iou_operator = operator_with<designs>("box_iou_rotated");

Choice<IouDesign> choose_iou(const IouProblem& problem, mluOpContext& handle) {
  return choose(iou_operator, designs, problem, handle);
}

}  // namespace mluop::rotated_boxes
