// The named cases of pooling over index pairs: pairs, channels and data, the same in test and bench.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/operations.hpp"
#include "testing/data/generators.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_pool::cases {

using DrawTable = std::function<PairTable(testing::Generator& random)>;
using DrawValue = double (*)(testing::Generator& random);

/// Between -1 and 1.
double uniform(testing::Generator& random);

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  std::int64_t C;
  DrawTable draw_table;
  DrawValue features = uniform, output_grad = uniform;
  /// The only dtypes whose range holds the values; empty for all.
  std::vector<mluOpDataType_t> dtypes = {};
  /// The pairs are kept for other dtypes and operators.
  bool keep_table = true;
};

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// The pairs of a case; made once and then shared, unless a ScopedPlacement wants them elsewhere.
std::shared_ptr<const PairTable> table_of(const Definition& definition);
/// The operands of a case; every dtype holds the same numbers, rounded.
Operands make_operands(const Definition& definition, mluOpDataType_t dtype,
                       mluOpCpuMaxPoolMode_t mode);

/// Cases of sizes that are not in the table: chosen by users, or drawn. `maximum`: with a mode.
const std::vector<testing::SizeKey>& size_keys(bool maximum);
Definition sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_sizes(testing::Generator& random);
testing::Sizes draw_sizes_with_mode(testing::Generator& random);
testing::Sizes sweep_sizes(testing::Generator& random);
testing::Sizes sweep_sizes_with_mode(testing::Generator& random);

}  // namespace mluop::sparse_pool::cases
