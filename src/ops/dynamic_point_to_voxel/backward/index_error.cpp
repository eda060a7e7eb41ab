#include "ops/dynamic_point_to_voxel/backward/index_error.hpp"

#include <string>

#include "core/status/text.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

Status bad(const char* tensor, std::int64_t at, const std::string& rule, std::int64_t value) {
  return fail(MLUOP_STATUS_BAD_PARAM, std::string(backward_function) + ": " + tensor + "[" +
                                          text_of(at) + "] must be " + rule + ", got " +
                                          text_of(value));
}

}  // namespace

Status fail_for_voxel_num(const Backward& problem) {
  return bad("voxel_num", 0,
             "at least 0 and at most " + text_of(problem.R) + " (rows of voxel_feats)",
             *problem.voxel_num);
}

Status fail_at_first_bad_voxel(const Backward& problem, std::int64_t M) {
  for (std::int64_t i = 0; i < problem.N; ++i) {
    const std::int32_t voxel = problem.point2voxel_map[i];
    if (voxel >= -1 && voxel < M) continue;
    return bad("point2voxel_map", i, "at least -1 and below " + text_of(M) + " (voxel_num)", voxel);
  }
  return fail(MLUOP_STATUS_INTERNAL_ERROR,
              std::string(backward_function) + ": point2voxel_map changed during the call");
}

Status fail_at_first_bad_count(const Backward& problem) {
  for (std::int64_t i = 0; i < problem.N; ++i) {
    const std::int32_t voxel = problem.point2voxel_map[i];
    if (voxel < 0 || problem.voxel_points_count[voxel] > 0) continue;
    return bad("voxel_points_count", voxel,
               "at least 1, as point2voxel_map[" + text_of(i) + "] names it",
               problem.voxel_points_count[voxel]);
  }
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace mluop::dynamic_point_to_voxel
