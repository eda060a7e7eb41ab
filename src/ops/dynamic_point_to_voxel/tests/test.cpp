// Every case of dynamic point to voxel, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/dynamic_point_to_voxel/kit/cases.hpp"
#include "ops/dynamic_point_to_voxel/kit/loops.hpp"
#include "testing/compare/bits.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/faults/scarce_memory.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

using testing::Handle;
using testing::HostTensor;
using testing::sanitized;

struct CaseOf {
  const testing::Suite* suite;
  const testing::Case* test_case;
};

std::vector<CaseOf> every_case() {
  std::vector<CaseOf> all;
  for (const Direction* direction : directions) {
    const testing::Suite& suite = *testing::find_suite(direction->op);
    for (const testing::Case& one : suite.cases) all.push_back({&suite, &one});
  }
  return all;
}

class DynamicPointToVoxelCase : public ::testing::TestWithParam<CaseOf> {};

TEST_P(DynamicPointToVoxelCase, IsAccurateWithEqualBitsEverywhere) {
  const CaseOf& one = GetParam();
  const bool network = one.test_case->kind == testing::Case::Kind::network;
  // A sanitizer learns nothing from more of the same rows.
  if (network && sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const mluOpDataType_t dtype : one.suite->dtypes) {
    if (network && dtype != MLUOP_DTYPE_FLOAT) continue;
    SCOPED_TRACE(mluop::name_of(dtype));
    testing::expect_everywhere(*one.suite, *one.test_case, dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(, DynamicPointToVoxelCase, ::testing::ValuesIn(every_case()),
                         [](const auto& test) {
                           return test.param.suite->op + '_' + test.param.test_case->name;
                         });

constexpr mluOpReduceMode_t reduce_types[] = {MLUOP_REDUCE_DSUM, MLUOP_REDUCE_DMEAN,
                                              MLUOP_REDUCE_DMAX};

/// A maximum is one of its inputs, so thresholds do not do it justice.
TEST(DynamicPointToVoxel, MaximaAndGradientsAreExact) {
  for (const char* name : {"channels_17", "chunks", "skewed", "two_rounds", "special_values"}) {
    for (const Direction* direction : directions) {
      const auto inputs = cases::make_inputs(cases::definition_named(name), *direction,
                                             MLUOP_REDUCE_DMAX, MLUOP_DTYPE_FLOAT);
      const auto expected =
          reference_of(*direction, MLUOP_REDUCE_DMAX, pointers_to(inputs.tensors), inputs.shape.R);
      const Tensors outputs =
          compute(*direction, Handle(), MLUOP_REDUCE_DMAX, inputs.tensors, inputs.shape.R);
      const std::vector<double> actual = outputs[0].values();
      for (std::size_t i = 0; i < actual.size(); ++i) {
        const bool equal =
            actual[i] == expected[0][i] || (std::isnan(actual[i]) && std::isnan(expected[0][i]));
        ASSERT_TRUE(equal) << name << ' ' << i << ": " << actual[i] << " instead of "
                           << expected[0][i];
      }
    }
  }
}

/// Nothing is fused here, so that all levels agree.
TEST(DynamicPointToVoxel, AllLevelsHaveEqualBits) {
  for (const char* name : {"channels_17", "channels_300", "chunks", "special_gradients"}) {
    for (const Direction* direction : directions) {
      for (const mluOpReduceMode_t type : reduce_types) {
        for (const mluOpDataType_t dtype : testing::floating_dtypes) {
          const auto inputs =
              cases::make_inputs(cases::definition_named(name), *direction, type, dtype);
          testing::Bits first;
          for (const std::string& level : Handle().levels()) {
            Handle handle;
            handle.isa(level);
            Tensors outputs = compute(*direction, handle, type, inputs.tensors, inputs.shape.R);
            if (first.empty()) first = testing::snapshot(outputs);
            EXPECT_EQ(testing::first_difference(outputs, first), "") << name << ' ' << level;
          }
        }
      }
    }
  }
}

std::vector<std::vector<std::byte>> bytes_of(const Tensors& tensors) {
  std::vector<std::vector<std::byte>> all;
  for (const HostTensor& one : tensors) all.emplace_back(one.raw().begin(), one.raw().end());
  return all;
}

/// Coordinates above all: the card writes -1 into rows of points that are invalid.
TEST(DynamicPointToVoxel, OverwritesWhateverTheOutputsHeldAndLeavesItsInputsAlone) {
  for (const Direction* direction : directions) {
    for (const mluOpReduceMode_t type : reduce_types) {
      const auto inputs = cases::make_inputs(cases::definition_named("more_rows"), *direction, type,
                                             MLUOP_DTYPE_HALF);
      const auto before = bytes_of(inputs.tensors);
      Handle handle;
      Tensors outputs = compute(*direction, handle, type, inputs.tensors, inputs.shape.R);
      const auto expected = bytes_of(outputs);
      for (const double garbage : {0.0, -1.0, 6e4}) {
        for (HostTensor& output : outputs) testing::fill(output, [garbage] { return garbage; });
        ASSERT_EQ(run(*direction, handle, type, inputs.tensors, outputs), MLUOP_STATUS_SUCCESS);
        EXPECT_EQ(bytes_of(outputs), expected) << "over " << garbage;
      }
      EXPECT_EQ(bytes_of(inputs.tensors), before);
    }
  }
}

TEST(DynamicPointToVoxel, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"skewed", "one_point", "two_rounds", "no_valid_points", "chunks"}) {
      for (const Direction* direction : directions) {
        const auto inputs = cases::make_inputs(cases::definition_named(name), *direction,
                                               MLUOP_REDUCE_DMAX, MLUOP_DTYPE_DOUBLE);
        const auto result = [&](mluOpHandle_t handle) {
          return bytes_of(
              compute(*direction, handle, MLUOP_REDUCE_DMAX, inputs.tensors, inputs.shape.R));
        };
        EXPECT_EQ(result(reused), result(Handle())) << name << ' ' << direction->op;
      }
    }
  }
}

/// The sort of 4 million points takes 64 MB.
TEST(DynamicPointToVoxelOutOfMemory, IsReportedAndLeavesTheHandleUsable) {
  if (sanitized) GTEST_SKIP() << "a sanitizer needs its address space";
  if (testing::virtual_bytes() == 0) GTEST_SKIP() << "needs /proc/self/statm";
  constexpr std::int64_t N = 4'000'000;
  Tensors inputs = forward_inputs({N, 1, 1, 1}, MLUOP_DTYPE_FLOAT);
  for (HostTensor& input : inputs) testing::fill(input, [] { return 2.0; });
  Tensors outputs = forward_outputs({N, 1, 1, 1}, MLUOP_DTYPE_FLOAT);
  Handle handle;
  handle.threads(1);
  testing::expect_failures({{"mluOpDynamicPointToVoxelForward: out of memory",
                             [&] {
                               const testing::ScarceMemory scarce{std::size_t{16} << 20};
                               return run(forward_direction, handle, MLUOP_REDUCE_DMAX, inputs,
                                          outputs);
                             },
                             MLUOP_STATUS_ALLOC_FAILED}});
  for (const HostTensor& output : outputs) EXPECT_TRUE(output.poisoned()) << output.name();
  ASSERT_EQ(run(forward_direction, handle, MLUOP_REDUCE_DMAX, inputs, outputs),
            MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(outputs[3].get(0), N);
}

/// What the operators are timed against has to be right, too.
TEST(DynamicPointToVoxelPeer, AgreesWithTheReference) {
  for (const char* name : {"channels_5", "chunks", "batches", "more_rows"}) {
    for (const Direction* direction : directions) {
      for (const mluOpReduceMode_t type : reduce_types) {
        const auto inputs =
            cases::make_inputs(cases::definition_named(name), *direction, type, MLUOP_DTYPE_FLOAT);
        Tensors outputs = compute(*direction, Handle(), type, inputs.tensors, inputs.shape.R);
        const auto expected = bytes_of(outputs);
        for (HostTensor& output : outputs) output.poison();
        serial_run(*direction, type, inputs.tensors, outputs);
        EXPECT_EQ(bytes_of(outputs), expected)
            << name << ' ' << direction->op << ' ' << name_of(type);
      }
    }
  }
}

}  // namespace
}  // namespace mluop::dynamic_point_to_voxel
