// The points of the cases.
#pragma once

#include <vector>

#include "ops/voxelization/kit/reference.hpp"
#include "testing/data/generators.hpp"

namespace mluop::voxelization::clouds {

using reference::Setting;
using testing::Generator;
/// Points [N,F].
using Cloud = std::vector<double>;

/// Ten turns of the scanner of nuScenes, or as many as it takes, in the order in which it sees them. Other
/// columns hold anything.
Cloud sweeps(Generator& random, const Setting& setting);
/// The same, points in any order.
Cloud shuffled_sweeps(Generator& random, const Setting& setting);
/// One turn of the scanner of KITTI, which has twice as many beams.
Cloud turn(Generator& random, const Setting& setting);

/// Points anywhere in the range and a little beyond, several in most cells if there are few.
Cloud anywhere(Generator& random, const Setting& setting);

/// Points around a place within the range, thousandths of its extent apart: most share cells.
Cloud clustered(Generator& random, const Setting& setting);

/// Coordinates that are multiples of the size of a voxel from the lower end on, the upper end among them.
Cloud faces(Generator& random, const Setting& setting);

/// All in the middle of the range.
Cloud one_cell(Generator& random, const Setting& setting);

/// No point within the range.
Cloud outside(Generator& random, const Setting& setting);

/// The first half of the points each in a cell of its own, the second half in the cells of the first again.
Cloud returning(Generator& random, const Setting& setting);

/// Every other point has a coordinate that is NaN, infinite or immense.
Cloud broken(Generator& random, const Setting& setting);

}  // namespace mluop::voxelization::clouds
