// Every case of get_indice_pairs, and that results depend on nothing but the arguments.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "ops/sparse_conv/kit/pairs/cases.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/run_everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {
namespace {

using pairs_cases::Definition;
using testing::Handle;
using Integers = std::vector<std::int32_t>;

class GetIndicePairsCase : public ::testing::TestWithParam<const Definition*> {};

TEST_P(GetIndicePairsCase, IsExactWithEqualBitsEverywhere) {
  const testing::Suite& suite = *testing::find_suite("get_indice_pairs");
  testing::expect_everywhere(
      suite, *std::ranges::find(suite.cases, GetParam()->name, &testing::Case::name),
      MLUOP_DTYPE_INT32);
}

std::vector<const Definition*> edges() {
  std::vector<const Definition*> all;
  for (const Definition& definition : pairs_cases::definitions()) {
    if (definition.kind == testing::Case::Kind::edge) all.push_back(&definition);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(, GetIndicePairsCase, ::testing::ValuesIn(edges()),
                         [](const auto& test) { return test.param->name; });

/// The outputs of a call, or nothing if it fails.
std::vector<Integers> outputs_of(PairsCall& call, mluOpStatus_t status) {
  EXPECT_EQ(status, MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  std::vector<Integers> outputs;
  for (std::size_t i = 0; i < 3 && status == MLUOP_STATUS_SUCCESS; ++i) {
    EXPECT_TRUE(call.outputs()[i].intact()) << call.outputs()[i].name();
    outputs.emplace_back(call.output(i).begin(), call.output(i).end());
  }
  return outputs;
}

std::vector<Integers> expected_of(const Layer& layer) {
  return {layer.pairs().out_indices, layer.pairs().pairs, layer.pairs().num};
}

/// The layers of a network at reduced size, in the order and density of scans.
TEST(GetIndicePairs, LayersOfAnEncoder) {
  for (const std::string& name : layer_names()) {
    if (!name.starts_with("small_")) continue;
    SCOPED_TRACE(name);
    for (const int threads : testing::thread_counts) {
      PairsCall call(layer(name).geometry(), layer(name).indices(), layer(name).pairs().Y);
      EXPECT_TRUE(outputs_of(call, call.run(Handle().threads(threads))) ==
                  expected_of(layer(name)));
      EXPECT_EQ(call.num_act_out(), layer(name).pairs().Y);
    }
  }
}

/// The cases of the operator's bars at full size.
TEST(GetIndicePairs, LayersAtFullSize) {
  if (testing::sanitized) GTEST_SKIP() << "too large for a sanitizer";
  for (const char* name : {"centerpoint_subm1", "centerpoint_down3"}) {
    SCOPED_TRACE(name);
    PairsCall call(layer(name).geometry(), layer(name).indices(), layer(name).pairs().Y);
    EXPECT_TRUE(outputs_of(call, call.run(Handle().threads(2))) == expected_of(layer(name)));
  }
}

const Definition& definition_named(std::string_view name) {
  return *std::ranges::find(pairs_cases::definitions(), name, &Definition::name);
}

/// One case for each way to find pairs.
const char* const ways[] = {"sub_m_crowded",       "sub_m_repeats",       "sub_m_space_2_61",
                            "stride_and_dilation", "space_127x3199x2815", "space_2_61"};

TEST(GetIndicePairs, WorkspaceMayHoldAnythingAndStartAnywhere) {
  for (const char* name : ways) {
    SCOPED_TRACE(name);
    const Layer& layer = definition_named(name).layer();
    const Handle handle;
    PairsCall call(layer.geometry(), layer.indices(), layer.pairs().Y);
    std::size_t bytes = 0;
    ASSERT_EQ(call.query(handle, &bytes), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    for (std::size_t offset : {0, 1, 33, 63}) {
      constexpr std::size_t guard = 64;
      const std::byte garbage{static_cast<unsigned char>(0xC5 + offset)};
      std::vector<std::byte> memory(guard + offset + bytes + guard, garbage);
      std::byte* const workspace = memory.data() + guard + offset;
      for (testing::HostTensor& output : call.outputs()) output.poison();
      EXPECT_TRUE(outputs_of(call, call.run_in(handle, workspace, bytes)) == expected_of(layer));
      const auto untouched = [&](const std::byte* begin, const std::byte* end) {
        return std::all_of(begin, end, [&](std::byte byte) { return byte == garbage; });
      };
      EXPECT_TRUE(untouched(memory.data(), workspace));
      EXPECT_TRUE(untouched(workspace + bytes, memory.data() + memory.size()));
    }
  }
}

TEST(GetIndicePairs, NeedsNoMemoryOfTheHandle) {
  const Layer& layer = definition_named("sub_m_crowded").layer();
  Handle handle;
  PairsCall call(layer.geometry(), layer.indices(), layer.pairs().Y);
  ASSERT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  EXPECT_EQ(handle.get()->scratch.capacity(), 0u);
}

TEST(GetIndicePairs, TwoHandlesWorkAtOnce) {
  std::vector<const Layer*> layers;
  for (const char* name : ways) {
    layers.push_back(&definition_named(name).layer());
    layers.back()->pairs();  // made before the threads
  }
  // GoogleTest's assertions are not for use from two threads at once: each thread counts.
  int failures[2] = {0, 0};
  const auto work = [&](int& failed) {
    Handle handle;
    handle.threads(2);
    for (const Layer* layer : layers) {
      PairsCall call(layer->geometry(), layer->indices(), layer->pairs().Y);
      if (call.run(handle) != MLUOP_STATUS_SUCCESS) ++failed;
      if (!std::ranges::equal(call.output(1), layer->pairs().pairs)) ++failed;
    }
  };
  std::thread one(work, std::ref(failures[0])), two(work, std::ref(failures[1]));
  one.join();
  two.join();
  EXPECT_EQ(failures[0], 0);
  EXPECT_EQ(failures[1], 0);
}

/// Many threads count, mark and write for the same sites.
TEST(GetIndicePairs, ManyRowsMeetAtFewSites) {
  testing::Generator random("get_indice_pairs/crowd");
  reference::Geometry geometry{.pad = {1, 1, 1},
                               .stride = {4, 4, 4},
                               .input_space = {8, 8, 32},
                               .filter_space = {3, 3, 3},
                               .output_space = {2, 2, 8}};
  for (int sub_m : {0, 1}) {
    if (sub_m != 0) {
      geometry.sub_m = 1;
      geometry.stride = {1, 1, 1};
      geometry.output_space = geometry.input_space;
    }
    // Each cell is named several times, by rows far apart.
    const Integers indices = pairs_cases::scattered(random, geometry, 2048, false);
    const Layer layer("crowd", geometry, indices);
    for (int threads : {1, 2, 7}) {
      PairsCall call(geometry, indices, layer.pairs().Y);
      EXPECT_TRUE(outputs_of(call, call.run(Handle().threads(threads))) == expected_of(layer));
    }
  }
}

/// Points of a scan that fall into very few cells, as tests of detectors make them.
TEST(GetIndicePairs, ManyTimesMoreRowsThanCells) {
  testing::Generator random("get_indice_pairs/points");
  reference::Geometry geometry{.batch = 2,
                               .pad = {1, 1, 1},
                               .input_space = {2, 8, 8},
                               .filter_space = {3, 3, 3},
                               .output_space = {2, 8, 8},
                               .sub_m = 1};
  const std::int64_t rows = testing::sanitized ? 5000 : 207842;
  const Integers indices = pairs_cases::scattered(random, geometry, rows, false);
  for (int stride : {1, 2}) {
    if (stride == 2) {
      geometry.sub_m = 0;
      geometry.stride = {2, 2, 2};
      geometry.output_space = reference::convolved_space(geometry);
    }
    const Layer layer("points", geometry, indices);
    for (int threads : {1, 2, 7}) {
      PairsCall call(geometry, indices, layer.pairs().Y);
      EXPECT_TRUE(outputs_of(call, call.run(Handle().threads(threads))) == expected_of(layer));
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
