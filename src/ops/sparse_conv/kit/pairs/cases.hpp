// The named cases of get_indice_pairs: geometries and active sites, the same in test and bench.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/centerpoint.hpp"
#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "testing/data/generators.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv::pairs_cases {

struct Definition {
  std::string name;
  std::string shape;  // for people: "[149100,4] in 11x360x360, kernel 3x3x3, stride 2x2x2"
  testing::Case::Kind kind;
  /// The geometry and the sites, with the pairs that the reference finds.
  std::function<const Layer&()> layer;
  /// Rows of out_indices beyond the active output sites.
  std::int64_t spare_rows = 0;
};

const std::vector<Definition>& definitions();

/// Everything that a geometry says.
std::string text_of(const reference::Geometry& geometry);

/// Rows in no order within the batch and the input space, each at most once if `distinct`.
std::vector<std::int32_t> scattered(testing::Generator& random, const reference::Geometry& geometry,
                                    std::int64_t rows, bool distinct);

}  // namespace mluop::sparse_conv::pairs_cases
