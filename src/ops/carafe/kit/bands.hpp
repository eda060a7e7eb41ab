// Bands of rows of large maps as small maps, small enough for the reference.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ops/carafe/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::carafe {

/// Rows [begin, end) of an image, and the rows around them that share a window with them.
struct Band {
  std::int64_t image, begin, end;
  std::int64_t first, last;  // [first, last) of those reached
};

Band band_at(const reference::Shape& shape, std::int64_t image, std::int64_t begin,
             std::int64_t rows);

/// The top of the first image, the bottom of the last, and two bands between, with about half a million
/// outputs each; none if a map is small enough to be compared as a whole.
std::vector<Band> bands_of(const reference::Shape& shape);

/// Bands of some rows that make up the whole.
std::vector<Band> all_bands(const reference::Shape& shape);

/// The shape of the reached rows as a map. Its results are those of the whole in the rows of the band.
reference::Shape shape_of(const reference::Shape& whole, const Band& band);
/// The reached rows of a map of `whole`, of the low or the high resolution.
testing::HostTensor reached_rows(const reference::Shape& whole, const testing::HostTensor& map,
                                 const Band& band);

/// Consecutive elements of a map: where those of the band stand in the whole and in the reached rows.
struct BandElements {
  std::int64_t in_whole, in_reached, count;
};
BandElements elements_of(const reference::Shape& whole, const testing::HostTensor& map,
                         const Band& band);

/// ", rows 4 to 9 of image 1", of the low resolution.
std::string text_of(const Band& band);

}  // namespace mluop::carafe
