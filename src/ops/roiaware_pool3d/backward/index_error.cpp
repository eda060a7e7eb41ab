// Finds the first out-of-range index, for the error message.
#include "ops/roiaware_pool3d/backward/index_error.hpp"

#include <string>

#include "core/status/text.hpp"

namespace mluop::roiaware_pool3d {
namespace {

/// "argmax[1,0,2,3,7]"
std::string element(const char* tensor, const Grid& grid, std::int64_t voxel, std::int64_t last) {
  const std::int64_t z = voxel % grid.Z, y = voxel / grid.Z % grid.Y;
  const std::int64_t x = voxel / grid.Z / grid.Y % grid.X, b = voxel / grid.voxels_per_box();
  std::string text = tensor;
  char separator = '[';
  for (const std::int64_t at : {b, x, y, z, last}) {
    text += separator + text_of(at);
    separator = ',';
  }
  return text + "]";
}

Status bad(const std::string& what, const std::string& rule, std::int32_t value) {
  return fail(MLUOP_STATUS_BAD_PARAM, std::string(backward_function) + ": " + what + " must be " +
                                          rule + ", got " + text_of(value));
}

std::string point_rule(int least, const Grid& grid) {
  return "at least " + text_of(least) + " and below " + text_of(grid.M) + " (rows of grad_in)";
}

/// The kernels found a bad index and the search found none.
Status changed(const char* tensor) {
  return fail(MLUOP_STATUS_INTERNAL_ERROR,
              std::string(backward_function) + ": " + tensor + " changed during the call");
}

Status bad_argmax(const BackwardProblem& problem) {
  const Grid& grid = problem.grid;
  for (std::int64_t i = 0; i < grid.voxels() * grid.C; ++i) {
    const std::int32_t point = problem.argmax[i];
    if (point >= -1 && point < grid.M) continue;
    return bad(element("argmax", grid, i / grid.C, i % grid.C), point_rule(-1, grid), point);
  }
  return changed("argmax");
}

Status bad_list(const BackwardProblem& problem) {
  const Grid& grid = problem.grid;
  constexpr auto name = "pts_idx_of_voxels";
  for (std::int64_t voxel = 0; voxel < grid.voxels(); ++voxel) {
    const std::int32_t* const list = problem.lists + voxel * grid.T;
    if (list[0] >= grid.T) {
      return bad(element(name, grid, voxel, 0) + ", a count,",
                 "at most " + text_of(grid.T - 1) + " (max_pts_each_voxel - 1)", list[0]);
    }
    for (std::int64_t t = 1; t <= list[0]; ++t) {
      if (list[t] >= 0 && list[t] < grid.M) continue;
      return bad(element(name, grid, voxel, t), point_rule(0, grid), list[t]);
    }
  }
  return changed(name);
}

}  // namespace

Status fail_at_first_bad_index(const BackwardProblem& problem) {
  return problem.method == pool_max ? bad_argmax(problem) : bad_list(problem);
}

}  // namespace mluop::roiaware_pool3d
