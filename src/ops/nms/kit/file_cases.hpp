// mluOpNms as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::nms {

/// nms_param; boxes, confidence -> output, output_size. 3-D boxes do not look at confidence.
std::unique_ptr<testing::FileCall> from_file(testing::FileCase file);

}  // namespace mluop::nms
