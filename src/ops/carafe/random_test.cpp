// Hundreds of small random problems against the reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "ops/carafe/calls.hpp"
#include "testing/criteria.hpp"
#include "testing/generators.hpp"
#include "testing/handle.hpp"
#include "testing/sanitized.hpp"

namespace mluop::carafe {
namespace {

using testing::Generator;

cases::Definition random_definition(Generator& random, int number) {
  constexpr std::array windows{1, 3, 3, 5, 5, 7, 9, 11};
  const std::int64_t G = random.chance(0.5) ? 1 : random.integer(1, 6);
  const reference::Shape shape{
      random.integer(1, 2),
      random.integer(1, 12),
      random.integer(1, 12),
      G * random.integer(1, 40),
      windows[static_cast<std::size_t>(random.integer(0, std::ssize(windows) - 1))],
      G,
      random.integer(1, 3)};
  return {"random_" + std::to_string(number), testing::Case::Kind::edge, shape};
}

/// What no element may be off by: terms are at most 1, a sum of n of them adds n roundings at most n
/// large, and storing the result one of the dtype.
double worst_error(const reference::Shape& shape, mluOpDataType_t dtype) {
  const double v = dtype == MLUOP_DTYPE_DOUBLE ? 0x1p-53 : 0x1p-24;
  const auto n =
      static_cast<double>(std::max(shape.k * shape.k * shape.s * shape.s, shape.C / shape.G) + 1);
  return n * n * v + testing::unit_roundoff(dtype) * n;
}

template <class Data>
void expect_near_reference(const cases::Definition& definition, mluOpDataType_t dtype,
                           mluOpHandle_t handle) {
  Data data(definition, dtype);
  ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  const auto reference = data.reference();
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const testing::HostTensor& output = data.outputs()[i];
    EXPECT_TRUE(output.intact());
    const std::vector<testing::Criterion> criteria{
        {testing::Measure::diff3_2, worst_error(definition.shape, dtype)}};
    const testing::Verdict verdict =
        testing::evaluate(reference[i], output.values(), dtype, criteria);
    EXPECT_TRUE(verdict.pass) << output.name() << ": " << verdict.reason;
  }
}

TEST(CarafeRandom, SmallProblemsMatchTheReference) {
  Generator random("carafe/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 40 : 200); ++number) {
    const cases::Definition definition = random_definition(random, number);
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    SCOPED_TRACE(definition.name + ' ' + cases::text_of(definition.shape) + ' ' + name_of(dtype));
    testing::Handle handle;
    handle.threads(static_cast<int>(random.integer(1, 4)));
    expect_near_reference<ForwardData>(definition, dtype, handle);
    expect_near_reference<BackwardData>(definition, dtype, handle);
    if (HasFailure()) return;  // one problem at a time
  }
}

/// The reference and the plain loop come from two readings of the formula.
TEST(CarafeRandom, ReferenceAndPlainLoopAgree) {
  Generator random("carafe/plain");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 10 : 40); ++number) {
    const cases::Definition definition = random_definition(random, number);
    const double tolerance = worst_error(definition.shape, MLUOP_DTYPE_DOUBLE);
    const auto expect_agreement = [&](const auto& data) {
      const auto expected = data.reference(), actual = data.plain();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        for (std::size_t j = 0; j < expected[i].size(); ++j) {
          ASSERT_LE(std::abs(actual[i][j] - expected[i][j]), tolerance) << "at " << j;
        }
      }
    };
    expect_agreement(ForwardData(definition, MLUOP_DTYPE_DOUBLE));
    expect_agreement(BackwardData(definition, MLUOP_DTYPE_DOUBLE));
  }
}

}  // namespace
}  // namespace mluop::carafe
