// The width of a block of channels.
#include "ops/rotated_feature_align/gather/tiles.hpp"

namespace mluop::rotated_feature_align {

std::int64_t channels_per_block(const Problem& problem, std::size_t element) {
  constexpr std::int64_t band_bytes = std::int64_t{1} << 21;
  constexpr std::int64_t sampled_rows = 12;  // a box of eight cells, rotated
  constexpr std::int64_t least = 512;  // shorter pieces of a row defeat the hardware prefetcher
  constexpr std::int64_t unit = 64;    // whole vectors of every dtype and width
  const std::int64_t cells = std::min(problem.H, sampled_rows) * problem.W;
  const std::int64_t fitting = band_bytes / (cells * static_cast<std::int64_t>(element));
  const std::int64_t blocks = ceil_div(problem.C, std::max(fitting, least));
  return round_up(ceil_div(problem.C, blocks), unit);
}

}  // namespace mluop::rotated_feature_align
