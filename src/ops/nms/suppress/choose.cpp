// The designs of mluOpNms, mluOpCpuNms and mluOpCpuNms3d.
#include "ops/nms/suppress/run.hpp"

namespace mluop::nms {
namespace {

constexpr std::array designs{SuppressDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<Problem>, run_suppress}};

}  // namespace

constinit const OperatorInfo nms_operator = operator_with<designs>("nms");
constinit const OperatorInfo cpu_nms_operator = operator_with<designs>("cpu_nms");
constinit const OperatorInfo nms3d_operator = operator_with<designs>("nms3d");

Choice<SuppressDesign> choose_suppress(const OperatorInfo& op, const Problem& problem,
                                       mluOpContext& handle) {
  return choose(op, designs, problem, handle);
}

}  // namespace mluop::nms
