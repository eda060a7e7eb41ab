// Converts the message of a case file to a case: shapes, dtypes, parameters and thresholds.
#pragma once

#include <cstddef>

#include "casefile/mlu_op_test.pb.h"
#include "casefile/place.hpp"
#include "casefile/side_file.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::casefile {

/// Limits for the reader.
struct Limits {
  SideFiles side_files;
  std::size_t memory;  // of all tensors together
};

/// A tensor as the call gets it, poisoned; throws CaseError.
testing::FileTensor read_tensor(const mluoptest::Tensor& tensor, const Place& place);

/// Throws CaseError if a tensor is invalid or if all tensors and their references together need more memory
/// than the limit. Allocates nothing.
void expect_memory(const mluoptest::Node& node, const Place& place, std::size_t limit);

/// The whole case; throws CaseError.
testing::FileCase read_node(const mluoptest::Node& node, const Place& place, const Limits& limits);

}  // namespace mluop::casefile
