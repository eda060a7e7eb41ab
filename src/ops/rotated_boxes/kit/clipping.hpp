// The intersection of rotated boxes by clipping polygons in double, without any tolerance.
#pragma once

namespace mluop::rotated_boxes::reference {

/// Of boxes [5] with finite fields.
double exact_intersection(const double* a, const double* b);

/// 0 if a box has no positive area.
double exact_iou(const double* a, const double* b, bool over_first);

}  // namespace mluop::rotated_boxes::reference
