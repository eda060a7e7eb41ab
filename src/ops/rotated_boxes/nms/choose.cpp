// The designs of mluOpNmsRotated.
#include "ops/rotated_boxes/nms/run.hpp"

namespace mluop::rotated_boxes {
namespace {

constexpr std::array designs{
    NmsDesign{{"general", Isa::generic, "everything"}, accepts_everything<NmsProblem>, run_nms}};

}  // namespace

constinit const OperatorInfo nms_operator = operator_with<designs>("nms_rotated");

Choice<NmsDesign> choose_nms(const NmsProblem& problem, mluOpContext& handle) {
  return choose(nms_operator, designs, problem, handle);
}

}  // namespace mluop::rotated_boxes
