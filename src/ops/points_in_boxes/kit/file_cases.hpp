// mluOpPointsInBoxes as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::points_in_boxes {

/// No message; points, boxes -> points_indices.
std::unique_ptr<testing::FileCall> from_file(testing::FileCase file);

}  // namespace mluop::points_in_boxes
