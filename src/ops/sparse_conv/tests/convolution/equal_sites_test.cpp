// Thousands of rows on few sites: an offset has many times more pairs than there are output rows.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/run_everywhere.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Generator;
using testing::Handle;
using testing::HostTensor;

constexpr std::int64_t rows = testing::sanitized ? 500 : 5000;

/// 5000 rows on 64 sites, through mluOpGetIndicePairs as a network would.
PairTable crowd(Generator& random, Geometry geometry) {
  geometry.output_space =
      geometry.sub_m != 0 ? geometry.input_space : reference::convolved_space(geometry);
  const std::vector<std::int32_t> indices = tables::any_sites(random, geometry, rows);
  const std::int64_t sites = reference::make_pairs(geometry, indices).Y;
  PairsCall call(geometry, indices, sites);
  EXPECT_EQ(call.run(Handle{}), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const auto num = call.output(2);
  return {rows, call.num_act_out(), call.output(1), {num.begin(), num.end()}};
}

PairTable strided_crowd(Generator& random) {
  return crowd(random, {.input_space = {4, 4, 4}, .filter_space = {2, 2, 2}});
}

PairTable sub_m_crowd(Generator& random) {
  return crowd(random,
               {.pad = {0, 1, 1}, .input_space = {4, 4, 4}, .filter_space = {1, 3, 3}, .sub_m = 1});
}

void expect_within_bounds(const Direction& direction, const Operands& operands,
                          const HostTensor& result) {
  const std::vector<double> expected = direction.reference(operands);
  const std::vector<double> bounds = error_bounds(direction, operands, expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double value = result.get(static_cast<std::int64_t>(i));
    ASSERT_LE(std::abs(value - expected[i]), bounds[i]) << "at " << i << ": " << value;
  }
}

/// The reference with one thread, and equal bits with more.
void expect_everywhere(const Operands& operands) {
  for (const Direction* direction : directions()) {
    for (const std::string& level : Handle{}.levels()) {
      SCOPED_TRACE(std::string{direction->op} + ' ' + level);
      const auto computed = [&](int threads) {
        Handle handle;
        handle.threads(threads).isa(level);
        return direction->compute(handle, operands);
      };
      const HostTensor result = computed(1);
      expect_within_bounds(*direction, operands, result);
      for (const int threads : testing::thread_counts) {
        EXPECT_TRUE(std::ranges::equal(computed(threads).raw(), result.raw()))
            << threads << " threads";
      }
    }
  }
}

struct Crowd {
  const char* name;
  PairTable (*draw)(Generator& random);
  std::vector<std::int64_t> kernel;
  bool sub_m, inverse;
};

class ConvolutionEqualSites : public ::testing::TestWithParam<Crowd> {};

INSTANTIATE_TEST_SUITE_P(, ConvolutionEqualSites,
                         ::testing::Values(Crowd{"strided", strided_crowd, {2, 2, 2}, false, false},
                                           Crowd{"inverse", strided_crowd, {2, 2, 2}, false, true},
                                           Crowd{"sub_m", sub_m_crowd, {1, 3, 3}, true, false}),
                         [](const auto& test) { return std::string{test.param.name}; });

TEST_P(ConvolutionEqualSites, AreAddedUp) {
  Generator random("sparse_conv/equal sites");
  SCOPED_TRACE(random.describe());
  const auto table = std::make_shared<const PairTable>(GetParam().draw(random));
  if (!GetParam().sub_m) {
    ASSERT_GT(std::ranges::max(table->num), 10 * table->Y);
  }
  // Vectors with a rest, and what fills tiles.
  const std::int64_t channels[][2] = {{5, 19}, {64, 48}};
  for (const auto& [Ci, Co] : channels) {
    for (const mluOpDataType_t dtype : testing::floating_dtypes) {
      if (Ci > 5 && dtype == MLUOP_DTYPE_DOUBLE) continue;  // no tiles, and a slow reference
      SCOPED_TRACE(std::string{name_of(dtype)} + ", " + std::to_string(Ci) + " channels");
      Operands operands(table, {MLUOP_LAYOUT_ARRAY, GetParam().kernel, Ci, Co}, dtype,
                        GetParam().inverse, GetParam().sub_m);
      for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
        random.fill_uniform(operands.*tensor, -1, 1);
      }
      expect_everywhere(operands);
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
