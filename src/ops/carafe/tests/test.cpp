// Both directions of CARAFE on the named cases: accurate, with equal bits everywhere.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/everywhere.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

using testing::Handle;
using testing::HostTensor;

/// The reference takes seconds for larger cases: `mluop accept` and `mluop bench` verify those.
bool affordable(const cases::Definition& definition) {
  const reference::Shape& shape = definition.shape;
  const std::int64_t products = reference::used_cells(shape) * shape.C;
  return products <= (testing::sanitized ? 2'000'000 : 8'000'000);
}

std::vector<const cases::Definition*> affordable_definitions() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) {
    if (affordable(definition)) all.push_back(&definition);
  }
  return all;
}

class CarafeCase
    : public ::testing::TestWithParam<std::tuple<const char*, const cases::Definition*>> {};

TEST_P(CarafeCase, IsAccurateWithEqualBitsEverywhere) {
  const auto& [op, definition] = GetParam();
  const testing::Suite& suite = *testing::find_suite(op);
  const testing::Case& test_case =
      *std::ranges::find(suite.cases, definition->name, &testing::Case::name);
  for (mluOpDataType_t dtype : suite.dtypes_of(test_case)) {
    SCOPED_TRACE(name_of(dtype));
    testing::expect_everywhere(suite, test_case, dtype);
  }
}

INSTANTIATE_TEST_SUITE_P(, CarafeCase,
                         ::testing::Combine(::testing::Values(ForwardData::op, BackwardData::op),
                                            ::testing::ValuesIn(affordable_definitions())),
                         [](const auto& test) {
                           return std::string(std::get<0>(test.param)) + '_' +
                                  std::get<1>(test.param)->name;
                         });

TEST(CarafeCases, MostAreAffordable) {
  const auto edge = [](const cases::Definition& definition) {
    return definition.kind == testing::Case::Kind::edge;
  };
  const auto edges = std::ranges::count_if(cases::definitions(), edge);
  const auto tested = std::ranges::count_if(
      cases::definitions(), [&](const auto& one) { return edge(one) && affordable(one); });
  EXPECT_GE(tested, testing::sanitized ? edges * 8 / 10 : edges);
}

const cases::Definition& definition_named(std::string_view name) {
  return *std::ranges::find(cases::definitions(), name, &cases::Definition::name);
}

using Bits = std::vector<std::vector<std::byte>>;

template <class Data>
Bits bits_of(const Data& data) {
  Bits bits;
  for (const HostTensor& output : data.outputs()) {
    bits.emplace_back(output.raw().begin(), output.raw().end());
  }
  return bits;
}

template <class Data>
Bits expected_bits(std::string_view name, mluOpDataType_t dtype) {
  Data data(definition_named(name), dtype);
  EXPECT_EQ(data.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  return bits_of(data);
}

template <class Data>
class Carafe : public ::testing::Test {};
using Directions = ::testing::Types<ForwardData, BackwardData>;
TYPED_TEST_SUITE(Carafe, Directions);

TYPED_TEST(Carafe, OverwritesWhateverTheOutputsHeld) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    const Bits expected = expected_bits<TypeParam>("channels_33", dtype);
    TypeParam data(definition_named("channels_33"), dtype);
    for (double garbage : {0.0, -1.0, 6e4, std::numeric_limits<double>::infinity()}) {
      for (HostTensor& output : data.outputs()) testing::fill(output, [=] { return garbage; });
      ASSERT_EQ(data.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(bits_of(data), expected) << "over " << garbage;
    }
  }
}

TYPED_TEST(Carafe, LeavesItsInputsAlone) {
  for (mluOpDataType_t dtype : testing::floating_dtypes) {
    SCOPED_TRACE(name_of(dtype));
    TypeParam data(definition_named("groups_of_16"), dtype),
        before(definition_named("groups_of_16"), dtype);
    ASSERT_EQ(data.run(Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    for (std::size_t i = 0; i < data.inputs().size(); ++i) {
      EXPECT_TRUE(std::ranges::equal(data.inputs()[i]->raw(), before.inputs()[i]->raw()));
      EXPECT_TRUE(data.inputs()[i]->intact());
    }
  }
}

TYPED_TEST(Carafe, HandleRemembersNothingOfEarlierProblems) {
  Handle reused;
  for (int round = 0; round < 2; ++round) {
    for (const char* name : {"window_11", "one_pixel", "channels_129", "scale_5", "width_1"}) {
      for (mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_HALF}) {
        TypeParam again(definition_named(name), dtype);
        ASSERT_EQ(again.run(reused), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
        EXPECT_EQ(bits_of(again), expected_bits<TypeParam>(name, dtype))
            << name << ' ' << name_of(dtype);
      }
    }
  }
}

TYPED_TEST(Carafe, TwoHandlesWorkAtOnce) {
  const char* const names[] = {"several_bands", "groups_of_80", "channels_33"};
  std::vector<Bits> expected;
  for (const char* name : names) {
    expected.push_back(expected_bits<TypeParam>(name, MLUOP_DTYPE_FLOAT));
  }
  // GoogleTest's assertions must not run in two threads at once: each thread counts its failures.
  int failures[2] = {0, 0};
  const auto work = [&](int& failed) {
    Handle handle;
    handle.threads(2);
    for (int round = 0; round < 5; ++round) {
      for (std::size_t i = 0; i < expected.size(); ++i) {
        TypeParam data(definition_named(names[i]), MLUOP_DTYPE_FLOAT);
        if (data.run(handle) != MLUOP_STATUS_SUCCESS || bits_of(data) != expected[i]) ++failed;
      }
    }
  };
  std::thread one(work, std::ref(failures[0])), two(work, std::ref(failures[1]));
  one.join();
  two.join();
  EXPECT_EQ(failures[0], 0);
  EXPECT_EQ(failures[1], 0);
}

}  // namespace
}  // namespace mluop::carafe
