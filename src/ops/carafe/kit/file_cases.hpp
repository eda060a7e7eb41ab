// CARAFE as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::carafe {

/// carafe_param; input, mask -> output.
std::unique_ptr<testing::FileCall> forward_from_file(testing::FileCase file);
/// carafe_param; input, mask, grad_output -> grad_input, grad_mask.
std::unique_ptr<testing::FileCall> backward_from_file(testing::FileCase file);

}  // namespace mluop::carafe
