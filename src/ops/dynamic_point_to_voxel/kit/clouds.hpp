// Coordinates of points: those of laser scans, and those that are hard in some way.
#pragma once

#include <cstdint>

#include "ops/dynamic_point_to_voxel/kit/cases.hpp"

namespace mluop::dynamic_point_to_voxel::clouds {

/// One turn after the other of nuScenes' scanner, in cells of CenterPoint; points outside are (-1, -1, -1).
cases::DrawCoors nuscenes(std::int64_t points);
/// What KITTI's camera sees of a scan with 64 beams, in cells of MVXNet; no point is outside.
cases::DrawCoors kitti(std::int64_t points);
/// Each entry in [0, side), one point in ten with a negative one.
cases::DrawCoors anywhere(std::int64_t points, std::int64_t D, std::int64_t side);
/// Each entry in [0, side).
cases::DrawCoors inside(std::int64_t points, std::int64_t D, std::int64_t side);
/// The same row again and again.
cases::DrawCoors equal(std::int64_t points, std::int64_t D, std::int32_t entry);
/// Rows in order, or the last one first; no two are equal.
cases::DrawCoors ordered(std::int64_t points, std::int64_t D, bool descending);
/// Nearly all rows in one small corner of a large space.
cases::DrawCoors skewed(std::int64_t points);
/// Rows of few values that are as far apart as can be, so that no packed row has room for all columns.
cases::DrawCoors extreme(std::int64_t points, std::int64_t D);

}  // namespace mluop::dynamic_point_to_voxel::clouds
