// The named cases of the three convolutions: pairs, shapes and data, the same in test and bench.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "testing/data/generators.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv::cases {

using DrawTable = std::function<PairTable(testing::Generator& random)>;
using DrawValue = double (*)(testing::Generator& random);

/// Between -1 and 1.
double uniform(testing::Generator& random);

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  reference::FilterShape filters;
  DrawTable draw_table;
  bool sub_m = false, inverse = false;
  DrawValue features = uniform, weights = uniform, output_grad = uniform;
  /// The only dtypes whose range holds the values; empty for all.
  std::vector<mluOpDataType_t> dtypes = {};
  /// The pairs are kept for other dtypes and directions.
  bool keep_table = true;
};

inline Definition edge(std::string name, reference::FilterShape filters, DrawTable draw_table) {
  return {std::move(name), testing::Case::Kind::edge, std::move(filters), std::move(draw_table)};
}

const std::vector<Definition>& definitions();
const Definition& definition_named(const std::string& name);

/// Those of a case.
std::span<const mluOpDataType_t> dtypes_of(const Definition& definition);

/// For people: "3x3x3 NDHWC, 64 -> 128, inverse".
std::string text_of(const Definition& definition);

/// The pairs of a case; made once and then shared, unless a ScopedPlacement wants them elsewhere.
std::shared_ptr<const PairTable> table_of(const Definition& definition);
/// The operands of a case; every dtype holds the same numbers, rounded.
Operands make_operands(const Definition& definition, mluOpDataType_t dtype);

}  // namespace mluop::sparse_conv::cases
