// Hundreds of small random problems against the reference.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_pool/kit/operations.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::Generator;

Operands random_operands(Generator& random, mluOpDataType_t dtype) {
  const std::int64_t L = random.integer(1, 60), Y = random.integer(1, 60);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(random.integer(1, 12)));
  for (std::int64_t& count : counts) count = random.chance(0.2) ? 0 : random.integer(0, L);
  Operands operands(std::make_shared<const PairTable>(tables::random(random, L, Y, counts)),
                    random.integer(1, 70), dtype,
                    random.chance(0.5) ? MLUOP_CPU_MAXPOOL_EXACT : MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
  const bool ties = random.chance(0.5);
  testing::fill(operands.features, [&] {
    return ties ? static_cast<double>(random.integer(-2, 2)) : random.uniform(-1, 1);
  });
  random.fill_uniform(operands.output_grad, -1, 1);
  operands.pool_features();
  return operands;
}

/// A sum of n terms of at most `most`, each rounded once or twice, and stored.
double worst_error(const Operands& operands, double most, mluOpDataType_t dtype) {
  const double arithmetic = dtype == MLUOP_DTYPE_DOUBLE ? 0x1p-53 : 0x1p-24;
  const auto n = static_cast<double>(reference::longest_list(operands.layer()));
  return n * most * ((n + 2) * arithmetic + testing::unit_roundoff(dtype));
}

TEST(SparsePoolRandom, SmallProblemsMatchTheReference) {
  Generator random("sparse_pool/random");
  SCOPED_TRACE(random.describe());
  for (int number = 0; number < 400; ++number) {
    const mluOpDataType_t dtype = testing::floating_dtypes[static_cast<std::size_t>(number % 4)];
    const Operands operands = random_operands(random, dtype);
    testing::Handle handle;
    handle.threads(static_cast<int>(random.integer(1, 4)));
    for (const Operation* operation : operations()) {
      SCOPED_TRACE(std::to_string(number) + ' ' + operation->op + ' ' + name_of(dtype));
      const std::vector<double> expected = operation->reference(operands);
      const std::vector<double> actual = operation->compute(handle, operands).values();
      const bool selects = operation->maximum && !operation->backward;
      const double tolerance = selects ? 0 : worst_error(operands, 2, dtype);
      for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_TRUE(std::abs(actual[i] - expected[i]) <= tolerance)
            << i << ": " << actual[i] << " instead of " << expected[i];
      }
    }
  }
}

}  // namespace
}  // namespace mluop::sparse_pool
