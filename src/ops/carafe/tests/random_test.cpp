// Hundreds of small random problems against the reference.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::carafe {
namespace {

using testing::Generator;
using testing::HostTensor;

cases::Definition random_definition(Generator& random, int number) {
  constexpr std::array windows{1, 3, 3, 5, 5, 7, 9, 11, 13};
  const std::int64_t G = random.chance(0.5) ? 1 : random.integer(1, 6);
  const reference::Shape shape{
      random.integer(1, 2),
      random.integer(1, 12),
      random.integer(1, 16),
      G * random.integer(1, 40),
      windows[static_cast<std::size_t>(random.integer(0, std::ssize(windows) - 1))],
      G,
      random.integer(1, 3)};
  return {"random_" + std::to_string(number), testing::Case::Kind::edge, shape};
}

HostTensor absolute(const HostTensor& tensor) {
  HostTensor result(tensor.name(), tensor.dtype(), tensor.layout(), tensor.dims());
  std::vector<double> values = tensor.values();
  for (double& value : values) value = std::abs(value);
  result.assign(values);
  return result;
}

/// The sums of the absolute values of what each element is a sum of.
Values magnitudes(const ForwardData& data) {
  const auto inputs = data.inputs();
  return ForwardData(data.shape(), absolute(*inputs[0]), absolute(*inputs[1])).reference();
}
Values magnitudes(const BackwardData& data) {
  const auto inputs = data.inputs();
  return BackwardData(data.shape(), absolute(*inputs[0]), absolute(*inputs[1]),
                      absolute(*inputs[2]))
      .reference();
}

/// The terms of the elements of each output, at most.
std::vector<std::int64_t> terms(const ForwardData& data) {
  return {data.shape().k * data.shape().k};
}
std::vector<std::int64_t> terms(const BackwardData& data) {
  const reference::Shape& shape = data.shape();
  return {shape.k * shape.k * shape.s * shape.s, shape.C / shape.G};
}

/// The error allowed for an element: one rounding for each term and one for a product, relative to the
/// magnitude, and the rounding of the stored result, subnormals included. Far less than a term.
double most_error(double element, double magnitude, std::int64_t terms, mluOpDataType_t dtype) {
  const double computing = dtype == MLUOP_DTYPE_DOUBLE ? 0x1p-53 : 0x1p-24;
  const double error = static_cast<double>(terms + 1) * computing * magnitude;
  const double least = dtype == MLUOP_DTYPE_HALF ? 0x1p-25 : 0;
  return error + testing::unit_roundoff(dtype) * (std::abs(element) + error) + least;
}

/// Reports the first element that is off by more.
template <class Data>
void expect_near_reference(const Data& data, const Values& actual, mluOpDataType_t dtype) {
  const Values expected = data.reference(), magnitude = magnitudes(data);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    for (std::size_t j = 0; j < expected[i].size(); ++j) {
      ASSERT_LE(std::abs(actual[i][j] - expected[i][j]),
                most_error(expected[i][j], magnitude[i][j], terms(data)[i], dtype))
          << data.outputs()[i].name() << " at " << j << ": " << actual[i][j] << " instead of "
          << expected[i][j];
    }
  }
}

template <class Data>
void expect_accurate(const cases::Definition& definition, mluOpDataType_t dtype,
                     mluOpHandle_t handle) {
  Data data(definition, dtype);
  ASSERT_EQ(data.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
  Values actual;
  for (const HostTensor& output : data.outputs()) {
    EXPECT_TRUE(output.intact());
    actual.push_back(output.values());
  }
  expect_near_reference(data, actual, dtype);
}

TEST(CarafeRandom, SmallProblemsMatchTheReference) {
  Generator random("carafe/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 40 : 160); ++number) {
    const cases::Definition definition = random_definition(random, number);
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    SCOPED_TRACE(definition.name + ' ' + cases::text_of(definition.shape) + ' ' + name_of(dtype));
    testing::Handle handle;
    handle.threads(static_cast<int>(random.integer(1, 4)));
    expect_accurate<ForwardData>(definition, dtype, handle);
    expect_accurate<BackwardData>(definition, dtype, handle);
    if (HasFailure()) return;  // one problem at a time
  }
}

/// The reference and the plain loop come from two readings of the formula.
TEST(CarafeRandom, ReferenceAndPlainLoopAgree) {
  Generator random("carafe/plain");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < (testing::sanitized ? 10 : 40); ++number) {
    const cases::Definition definition = random_definition(random, number);
    const auto expect_agreement = [](const auto& data) {
      expect_near_reference(data, data.plain(), MLUOP_DTYPE_DOUBLE);
    };
    expect_agreement(ForwardData(definition, MLUOP_DTYPE_DOUBLE));
    expect_agreement(BackwardData(definition, MLUOP_DTYPE_DOUBLE));
  }
}

}  // namespace
}  // namespace mluop::carafe
