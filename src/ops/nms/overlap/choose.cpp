// The designs of mluOpCpuBoxesOverlapBev.
#include "ops/nms/overlap/run.hpp"

namespace mluop::nms {
namespace {

constexpr std::array designs{OverlapDesign{
    {"general", Isa::generic, "everything"}, accepts_everything<OverlapProblem>, run_overlap}};

}  // namespace

constinit const OperatorInfo overlap_operator = operator_with<designs>("boxes_overlap_bev");

Choice<OverlapDesign> choose_overlap(const OverlapProblem& problem, mluOpContext& handle) {
  return choose(overlap_operator, designs, problem, handle);
}

}  // namespace mluop::nms
