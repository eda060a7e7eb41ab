// The rows of MLU-OPS' own API tests of mluOpGetIndicePairs, under the card's limits.
#include <gtest/gtest.h>

#include <functional>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"
#include "testing/faults/read_environment.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

class GetIndicePairsApiRows : public ::testing::Test {
 protected:
  static void expect(mluOpStatus_t status, const char* what,
                     const std::function<void(Args&)>& change) {
    SCOPED_TRACE(what);
    Args args = on_the_card(change);
    EXPECT_EQ(call(args), status) << mluOpCpuGetLastError();
    args = on_the_card(change);
    EXPECT_EQ(query(args), status) << mluOpCpuGetLastError();
  }
  static Args on_the_card(const std::function<void(Args&)>& change) {
    Args args;
    args.limits = MLUOP_CPU_LIMITS_MLU;
    change(args);
    return args;
  }

 private:
  testing::ReadEnvironment limits_{"MLUOP_LIMITS", "mlu"};
};

TEST_F(GetIndicePairsApiRows, Succeed) {
  expect(SUCCESS, "the base", [](Args&) {});
  expect(SUCCESS, "no sites", [](Args& args) { args.sites(0); });
  expect(SUCCESS, "no rows of out_indices", [](Args& args) { args.rows.dims[0] = 0; });
}

TEST_F(GetIndicePairsApiRows, Tensors) {
  for (const auto& [name, tensor] : tensors) {
    expect(BAD_PARAM, name.c_str(),
           [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_FLOAT; });
    expect(BAD_PARAM, name.c_str(),
           [tensor = tensor](Args& args) { (args.*tensor).dims.push_back(1); });
    for (std::size_t axis = 0; axis < (Args{}.*tensor).dims.size(); ++axis) {
      expect(BAD_PARAM, name.c_str(),
             [tensor = tensor, axis](Args& args) { (args.*tensor).dims[axis] += 1; });
    }
  }
  expect(BAD_PARAM, "two sites in one cell", [](Args& args) { args.sites(2); });
  expect(BAD_PARAM, "28 offsets", [](Args& args) { args.offsets(28); });
}

TEST_F(GetIndicePairsApiRows, Geometry) {
  const auto sub_m = [](Args& args) {
    args.geometry.sub_m = 1;
    args.geometry.output_space = {1, 1, 1};
    args.rows.dims[0] = 1;
  };
  expect(SUCCESS, "sub_m", sub_m);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    expect(BAD_PARAM, "stride and dilation",
           [axis](Args& args) { args.geometry.stride[axis] = args.geometry.dilation[axis] = 2; });
    expect(BAD_PARAM, "sub_m with a stride", [=](Args& args) {
      sub_m(args);
      args.geometry.stride[axis] = 2;
    });
    expect(BAD_PARAM, "sub_m with a dilation", [=](Args& args) {
      sub_m(args);
      args.geometry.dilation[axis] = 2;
    });
    expect(BAD_PARAM, "sub_m with another output space", [=](Args& args) {
      sub_m(args);
      args.geometry.output_space[axis] = 3;
    });
  }
}

/// What the descriptor itself refuses.
TEST_F(GetIndicePairsApiRows, Descriptor) {
  mluOpSparseConvolutionDescriptor_t desc = nullptr;
  ASSERT_EQ(mluOpCreateSparseConvolutionDescriptor(&desc), SUCCESS);
  const auto set = [&](int dims, int batch, int pad, int stride, int dilation, int transpose,
                       int inverse) {
    const int pads[] = {1, pad, 1}, strides[] = {1, 1, stride}, dilations[] = {dilation, 1, 1};
    const int ones[] = {1, 1, 1}, threes[] = {3, 3, 3};
    return mluOpSetSparseConvolutionDescriptor(desc, dims, batch, pads, strides, dilations, ones,
                                               threes, threes, 0, transpose, inverse);
  };
  EXPECT_EQ(set(5, 1, 1, 1, 1, 0, 0), SUCCESS);
  EXPECT_EQ(set(4, 1, 1, 1, 1, 0, 0), BAD_PARAM);
  for (int batch : {0, -1}) EXPECT_EQ(set(5, batch, 1, 1, 1, 0, 0), BAD_PARAM);
  EXPECT_EQ(set(5, 1, -1, 1, 1, 0, 0), BAD_PARAM);
  for (int stride : {0, -1}) EXPECT_EQ(set(5, 1, 1, stride, 1, 0, 0), BAD_PARAM);
  for (int dilation : {0, -1}) EXPECT_EQ(set(5, 1, 1, 1, dilation, 0, 0), BAD_PARAM);
  EXPECT_EQ(set(5, 1, 1, 1, 1, 1, 0), BAD_PARAM);
  EXPECT_EQ(set(5, 1, 1, 1, 1, 0, 1), BAD_PARAM);
  EXPECT_EQ(mluOpDestroySparseConvolutionDescriptor(desc), SUCCESS);
}

}  // namespace
}  // namespace mluop::sparse_conv::pairs_checks
