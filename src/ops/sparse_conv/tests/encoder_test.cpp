// A whole encoder, forward and all gradients, against the same chain of references in double.
#include <gtest/gtest.h>

#include "ops/sparse_conv/kit/centerpoint.hpp"
#include "ops/sparse_conv/kit/encoder_run.hpp"
#include "testing/compare/compare.hpp"

namespace mluop::sparse_conv {
namespace {

using Values = std::vector<double>;

void expect_near(const Values& expected, const testing::HostTensor& result, double threshold,
                 const std::string& what) {
  const testing::Criterion criteria[] = {{testing::Measure::diff1, threshold},
                                         {testing::Measure::diff2, threshold}};
  const auto verdict = testing::evaluate(expected, result.values(), result.dtype(), criteria);
  EXPECT_TRUE(verdict.pass) << what << ": " << verdict.reason;
}

/// Rounding adds up over eight layers: the threshold is that of one convolution times eight.
struct Precision {
  mluOpDataType_t dtype;
  double threshold;
};

class Encoder : public ::testing::TestWithParam<Precision> {};

TEST_P(Encoder, AgreesWithTheReferencesLayerByLayer) {
  const auto [dtype, threshold] = GetParam();
  const EncoderRun encoder{"small", dtype};
  const testing::Handle handle;
  encoder.run(handle);

  std::vector<Values> features{encoder.operands(0).features.values()};
  for (std::size_t i = 0; i < encoder.layers(); ++i) {
    const Operands& operands = encoder.operands(i);
    features.push_back(reference::forward<double>(operands.convolution(), features.back(),
                                                  operands.filters.values()));
  }
  expect_near(features.back(), encoder.output(), threshold, "output");

  Values gradient = encoder.operands(encoder.layers() - 1).output_grad.values();
  for (std::size_t i = encoder.layers(); i-- > 0;) {
    const Operands& operands = encoder.operands(i);
    const auto convolution = operands.convolution();
    expect_near(reference::backward_filter<double>(convolution, features[i], gradient),
                encoder.filters_grad(i), threshold, "filters of layer " + std::to_string(i));
    gradient = reference::backward_data<double>(convolution, gradient, operands.filters.values());
  }
  expect_near(gradient, encoder.input_grad(), threshold, "input_grad");
}

TEST(EncoderPairs, AreThoseOfTheReference) {
  const EncoderRun run{"small", MLUOP_DTYPE_FLOAT};
  const auto& layers = encoder("small");
  ASSERT_EQ(run.layers(), layers.size());
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto& expected = layers[i].pairs();
    const auto found = run.pairs(i).output(1);
    EXPECT_TRUE(
        std::equal(found.begin(), found.end(), expected.pairs.begin(), expected.pairs.end()))
        << layers[i].name();
  }
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Encoder,
                         ::testing::Values(Precision{MLUOP_DTYPE_DOUBLE, 8e-14},
                                           Precision{MLUOP_DTYPE_FLOAT, 8e-6},
                                           Precision{MLUOP_DTYPE_HALF, 8e-3},
                                           Precision{MLUOP_DTYPE_BFLOAT16, 8e-2}));

}  // namespace
}  // namespace mluop::sparse_conv
