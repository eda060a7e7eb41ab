// From the message of a case file to a case: shapes, dtypes, numbers and thresholds.
#pragma once

#include <cstddef>

#include "casefile/mlu_op_test.pb.h"
#include "casefile/place.hpp"
#include "casefile/side_file.hpp"
#include "testing/file_case.hpp"

namespace mluop::casefile {

/// What a file may make its reader do.
struct Limits {
  SideFiles side_files;
  std::size_t memory;  // that its tensors may take together
};

/// A tensor as the call gets it, poisoned; throws CaseError.
testing::FileTensor read_tensor(const mluoptest::Tensor& tensor, const Place& place);

/// Throws CaseError if a tensor makes no sense or if all of them together, with what they are
/// compared with, need more memory than the limit. Allocates none of it.
void expect_memory(const mluoptest::Node& node, const Place& place, std::size_t limit);

/// The whole case; throws CaseError.
testing::FileCase read_node(const mluoptest::Node& node, const Place& place, const Limits& limits);

}  // namespace mluop::casefile
