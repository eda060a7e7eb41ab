// The named cases of CARAFE: shapes and data, the same in test and bench.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "ops/carafe/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe::cases {

using reference::Shape;

struct Definition {
  std::string name;
  testing::Case::Kind kind;
  Shape shape;
  /// Sprinkled over input, mask and grad_output.
  std::vector<double> specials = {};
};

const std::vector<Definition>& definitions();

/// For people: "[2,100,152,256] k 5, G 1, s 2".
std::string text_of(const Shape& shape);

/// Filled: the input [N,H,W,C] with numbers from [−1, 1], the mask with numbers from
/// [0, 1], grad_output with numbers from [−1, 1]; all sprinkled with the specials.
testing::HostTensor make_input(const Definition& definition, mluOpDataType_t dtype);
testing::HostTensor make_mask(const Definition& definition, mluOpDataType_t dtype);
testing::HostTensor make_grad_output(const Definition& definition, mluOpDataType_t dtype);

/// Poisoned, of the shape of the low-resolution map, of the high-resolution one, and of the mask.
testing::HostTensor low_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name);
testing::HostTensor high_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name);
testing::HostTensor mask_map(const Shape& shape, mluOpDataType_t dtype, const std::string& name);

}  // namespace mluop::carafe::cases
