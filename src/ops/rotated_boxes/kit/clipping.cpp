#include "ops/rotated_boxes/kit/clipping.hpp"

#include <cmath>
#include <cstddef>
#include <vector>

namespace mluop::rotated_boxes::reference {
namespace {

struct Corner {
  double x, y;
};
using Polygon = std::vector<Corner>;

/// Counter-clockwise when y points upwards, around `origin`.
Polygon outline(const double* box, const double* origin) {
  const double c = std::cos(box[4]), s = std::sin(box[4]);
  const double half_w = std::abs(box[2]) / 2, half_h = std::abs(box[3]) / 2;
  Polygon polygon;
  for (const auto& [along, across] : {Corner{-1, -1}, Corner{1, -1}, Corner{1, 1}, Corner{-1, 1}}) {
    const double u = along * half_w, v = across * half_h;
    polygon.push_back({box[0] - origin[0] + u * c - v * s, box[1] - origin[1] + u * s + v * c});
  }
  return polygon;
}

/// How far to the left of the line from p to q.
double left_of(const Corner& p, const Corner& q, const Corner& r) {
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

/// What is left of the line.
Polygon clipped(const Polygon& polygon, const Corner& p, const Corner& q) {
  Polygon rest;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Corner &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
    const double left_a = left_of(p, q, a), left_b = left_of(p, q, b);
    if (left_a >= 0) rest.push_back(a);
    if ((left_a > 0 && left_b < 0) || (left_a < 0 && left_b > 0)) {
      const double share = left_a / (left_a - left_b);
      rest.push_back({a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
    }
  }
  return rest;
}

}  // namespace

double exact_intersection(const double* a, const double* b) {
  Polygon rest = outline(a, a);
  const Polygon other = outline(b, a);
  for (std::size_t i = 0; i < 4 && !rest.empty(); ++i) {
    rest = clipped(rest, other[i], other[(i + 1) % 4]);
  }
  double twice = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Corner &p = rest[i], &q = rest[(i + 1) % rest.size()];
    twice += p.x * q.y - p.y * q.x;
  }
  return twice / 2;
}

double exact_iou(const double* a, const double* b, bool over_first) {
  const double area_a = a[2] * a[3], area_b = b[2] * b[3];
  if (!(area_a > 0) || !(area_b > 0)) return 0;
  const double common = exact_intersection(a, b);
  return common / (over_first ? area_a : area_a + area_b - common);
}

}  // namespace mluop::rotated_boxes::reference
