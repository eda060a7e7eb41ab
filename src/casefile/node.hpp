// From the message of a case file to a case: shapes, dtypes, numbers and thresholds.
#pragma once

#include <cstddef>
#include <filesystem>

#include "casefile/mlu_op_test.pb.h"
#include "casefile/place.hpp"
#include "testing/file_case.hpp"

namespace mluop::casefile {

/// What the parts of a file share while it is read.
struct Context {
  std::filesystem::path directory;  // of the file, for side files
  std::size_t memory_limit;
  std::size_t memory_used = 0;
};

/// A tensor as the call gets it, filled if it has data; throws CaseError.
testing::FileTensor read_tensor(const mluoptest::Tensor& tensor, const Place& place,
                                Context& context);

/// The whole case; throws CaseError.
testing::FileCase read_node(const mluoptest::Node& node, const Place& place, Context& context);

}  // namespace mluop::casefile
