// Both operators as case files describe them.
#pragma once

#include <memory>

#include "ops/dynamic_point_to_voxel/kit/operands.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::dynamic_point_to_voxel {

std::unique_ptr<testing::FileCall> from_file(const Direction& direction, testing::FileCase file);

}  // namespace mluop::dynamic_point_to_voxel
