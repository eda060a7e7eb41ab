// The bounds of columns of coordinates, compiled per instruction set.
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/dynamic_point_to_voxel/kernels/survey.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Row by row, passing over those with a negative entry.
std::int64_t survey_rows(const std::int32_t* coors, std::int64_t rows, std::int64_t D,
                         std::int32_t* least, std::int32_t* most) {
  std::int64_t valid = 0;
  for (const std::int32_t* row = coors; row < coors + rows * D; row += D) {
    std::int32_t signs = 0;
    for (std::int64_t j = 0; j < D; ++j) signs |= row[j];
    if (signs < 0) continue;
    ++valid;
    for (std::int64_t j = 0; j < D; ++j) {
      least[j] = HWY_MIN(least[j], row[j]);
      most[j] = HWY_MAX(most[j], row[j]);
    }
  }
  return valid;
}

/// D vectors hold as many whole rows as a vector has lanes, so that a lane of each always is of one column.
template <int D>
std::int64_t survey_columns(const std::int32_t* coors, std::int64_t rows, std::int32_t* least,
                            std::int32_t* most) {
  const hn::ScalableTag<std::int32_t> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  // With one lane GCC 12 makes pairs in MMX registers of this loop, and leaves the x87 unit unusable.
  if constexpr (lanes == 1) return survey_rows(coors, rows, D, least, most);
  hn::Vec<decltype(d)> low[D], high[D];
  for (int k = 0; k < D; ++k) {
    low[k] = hn::Set(d, INT32_MAX);
    high[k] = hn::Set(d, -1);
  }
  std::int64_t row = 0;
  for (; row + lanes <= rows; row += lanes) {
    HWY_UNROLL(4)
    for (int k = 0; k < D; ++k) {
      const auto entries = hn::LoadU(d, coors + row * D + k * lanes);
      low[k] = hn::Min(low[k], entries);
      high[k] = hn::Max(high[k], entries);
    }
  }
  HWY_ALIGN std::int32_t lows[D * lanes], highs[D * lanes];
  for (int k = 0; k < D; ++k) {
    hn::Store(low[k], d, lows + k * lanes);
    hn::Store(high[k], d, highs + k * lanes);
  }
  std::int32_t lowest = INT32_MAX;
  for (const std::int32_t bound : lows) lowest = HWY_MIN(lowest, bound);
  if (lowest < 0) return survey_rows(coors, rows, D, least, most);
  for (std::int64_t i = 0; i < D * lanes; ++i) {
    least[i % D] = HWY_MIN(least[i % D], lows[i]);
    most[i % D] = HWY_MAX(most[i % D], highs[i]);
  }
  return row + survey_rows(coors + row * D, rows - row, D, least, most);
}

std::int64_t survey(const std::int32_t* coors, std::int64_t rows, std::int64_t D,
                    std::int32_t* least, std::int32_t* most) {
  switch (D) {
    case 1:
      return survey_columns<1>(coors, rows, least, most);
    case 2:
      return survey_columns<2>(coors, rows, least, most);
    case 3:
      return survey_columns<3>(coors, rows, least, most);
    case 4:
      return survey_columns<4>(coors, rows, least, most);
    default:
      return survey_rows(coors, rows, D, least, most);
  }
}

}  // namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::dynamic_point_to_voxel {

const PerIsa<Survey> surveys = MLUOP_PER_ISA(survey);

}  // namespace mluop::dynamic_point_to_voxel
#endif
