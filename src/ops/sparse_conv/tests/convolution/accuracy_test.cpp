// The matrix units are no less accurate than the vector kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/compare/compare.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;
using testing::Handle;
using testing::Measure;

using Draw = double (*)(Generator&);

/// How the elements are distributed: rounding errors add up differently.
struct Distribution {
  const char* name;
  Draw draw;
};
constexpr Distribution distributions[] = {
    {"uniform", [](Generator& random) { return random.uniform(-1, 1); }},
    {"positive", [](Generator& random) { return random.uniform(0, 1); }},
    {"gaussian", [](Generator& random) { return random.gaussian(0, 1); }},
    {"many_magnitudes", [](Generator& random) {
       return random.uniform(-1, 1) * static_cast<double>(1 << random.integer(0, 12));
     }}};

Operands random_operands(std::int64_t Ci, std::int64_t Co, const Distribution& distribution,
                         mluOpDataType_t dtype) {
  Generator random(std::string{"sparse_conv/accuracy/"} + distribution.name);
  const std::int64_t rows = 600;
  std::vector<std::int64_t> counts;
  for (int k = 0; k < 27; ++k) counts.push_back(random.integer(rows / 4, rows));
  Operands operands(std::make_shared<const PairTable>(tables::random(random, rows, rows, counts)),
                    {MLUOP_LAYOUT_ARRAY, {3, 3, 3}, Ci, Co}, dtype);
  for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
    testing::fill(operands.*tensor, [&] { return distribution.draw(random); });
  }
  return operands;
}

class ConvolutionAccuracy : public ::testing::TestWithParam<const Direction*> {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionAccuracy,
                         ::testing::ValuesIn(directions().begin(), directions().end()),
                         [](const auto& test) { return test.param->name(); });

/// Errors against the exact sums, before and after rounding alike: where storing the result rounds
/// more than computing it, both are equal up to chance, for which 3 % are allowed.
TEST_P(ConvolutionAccuracy, AmxIsAtLeastAsAccurateAsFloat) {
  if (testing::sanitized) GTEST_SKIP() << "a matter of numbers, not of memory";
  const Direction& direction = *GetParam();
  if (Handle{}.isa() != "amx") GTEST_SKIP() << "no matrix units here";
  const std::int64_t channels[][2] = {{128, 128}, {64, 128}, {16, 32}, {5, 16}, {100, 60}};
  for (const auto& [Ci, Co] : channels) {
    for (const Distribution& distribution : distributions) {
      for (const mluOpDataType_t dtype :
           {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16}) {
        const Operands operands = random_operands(Ci, Co, distribution, dtype);
        const std::vector<double> exact = direction.in_double(operands);
        const auto error_of = [&](const char* level, Measure measure) {
          Handle handle;
          handle.isa(level);
          return testing::measure(measure, exact, direction.compute(handle, operands).values(),
                                  dtype);
        };
        for (const Measure measure : {Measure::diff1, Measure::diff2}) {
          const double amx = error_of("amx", measure);
          const double in_float = error_of("avx512", measure);
          EXPECT_LE(amx, 1.03 * in_float) << Ci << " -> " << Co << ", " << distribution.name << ' '
                                          << name_of(dtype) << ", " << testing::name_of(measure);
        }
      }
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
