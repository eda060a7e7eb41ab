// The functions of mlu_op.h for the sparse-convolution descriptor.
#include "ops/sparse_conv/descriptor.hpp"

#include <string>

#include "core/check/arguments.hpp"
#include "core/handle/handle.hpp"
#include "core/status/status.hpp"
#include "core/status/text.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

/// What the card has less of. There is no handle here, so the latest one's environment says whether that
/// matters.
class CardRules {
 public:
  CardRules() : apply_(limits_without_handle() == MLUOP_CPU_LIMITS_MLU) {}

  void require(const char* name, int value, const Rule& rule, const Rule& on_card) const {
    mluop::require(name, value, rule);
    if (!apply_ || on_card.holds(std::int64_t{value})) return;
    throw Failure{MLUOP_STATUS_BAD_PARAM, std::string{name} + " must be " + on_card.text() +
                                              ", got " + text_of(value) +
                                              " (a limit of the card, in force by MLUOP_LIMITS)"};
  }

 private:
  bool apply_;
};

void require_axis(const mluOpSparseConvolutionStruct::Axis& axis, int number) {
  const auto at_least = [number](const char* name, int value, int least) {
    require(std::string{name} + '[' + text_of(number) + ']', value, mluop::at_least(least));
  };
  at_least("pad", axis.pad, 0);
  at_least("stride", axis.stride, 1);
  at_least("dilation", axis.dilation, 1);
  at_least("input_space", axis.input_space, 1);
  at_least("filter_space", axis.filter_space, 1);
  at_least("output_space", axis.output_space, 1);
}

}  // namespace

mluOpStatus_t mluOpCreateSparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t* desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}}, MLUOP_STATUS_NOT_INITIALIZED);
    *desc = new mluOpSparseConvolutionStruct;
  });
}

mluOpStatus_t mluOpSetSparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t desc,
                                                  int dimNb, int batch_size, const int pad[],
                                                  const int stride[], const int dilation[],
                                                  const int input_space[], const int filter_space[],
                                                  const int output_space[], const int sub_m,
                                                  const int transpose, const int inverse) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc},
                     {"pad", pad},
                     {"stride", stride},
                     {"dilation", dilation},
                     {"input_space", input_space},
                     {"filter_space", filter_space},
                     {"output_space", output_space}});
    const CardRules rules;
    rules.require("dimNb", dimNb, one_of(4, 5), equal_to(5));
    require("batch_size", batch_size, at_least(1));
    rules.require("transpose", transpose, one_of(0, 1), equal_to(0));
    rules.require("inverse", inverse, one_of(0, 1), equal_to(0));

    mluOpSparseConvolutionStruct set{dimNb,   batch_size,       {}, sub_m, transpose,
                                     inverse, desc->num_act_out};
    for (int i = 0; i < set.axis_count(); ++i) {
      auto& axis = set.axes[static_cast<std::size_t>(i)];
      axis = {pad[i], stride[i], dilation[i], input_space[i], filter_space[i], output_space[i]};
      require_axis(axis, i);
    }
    *desc = set;
  });
}

mluOpStatus_t mluOpGetSparseConvolutionNumActOut(mluOpSparseConvolutionDescriptor_t desc,
                                                 int* num_act_out) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}, {"num_act_out", num_act_out}}, MLUOP_STATUS_NOT_INITIALIZED);
    *num_act_out = desc->num_act_out;
  });
}

mluOpStatus_t mluOpDestroySparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t desc) {
  return guarded(__func__, [&] {
    require_present({{"desc", desc}}, MLUOP_STATUS_EXECUTION_FAILED);
    delete desc;
  });
}
