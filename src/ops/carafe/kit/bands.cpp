// Maps are NHWC, so the rows of a band follow each other.
#include "ops/carafe/kit/bands.hpp"

#include <algorithm>

namespace mluop::carafe {
namespace {

using reference::Shape;
using testing::HostTensor;

/// Elements of all rows of a map that belong to one row of the low resolution.
std::int64_t row_elements(const Shape& shape, const HostTensor& map) {
  return map.count() / (shape.N * shape.H);
}

}  // namespace

Band band_at(const Shape& shape, std::int64_t image, std::int64_t begin, std::int64_t rows) {
  const std::int64_t r = (shape.k - 1) / 2, end = begin + rows;
  return {image, begin, end, std::max<std::int64_t>(begin - r, 0), std::min(end + r, shape.H)};
}

std::vector<Band> bands_of(const Shape& shape) {
  constexpr std::int64_t most = 2'000'000;
  if (shape.output_elements() <= most) return {};
  const std::int64_t per_row = shape.output_elements() / (shape.N * shape.H);
  const std::int64_t rows = std::clamp<std::int64_t>(most / 4 / per_row, 1, shape.H);
  const std::int64_t bottom = shape.H - rows, last = shape.N - 1;
  return {band_at(shape, 0, 0, rows), band_at(shape, 0, bottom / 2, rows),
          band_at(shape, last, bottom * 4 / 5, rows), band_at(shape, last, bottom, rows)};
}

std::vector<Band> all_bands(const Shape& shape) {
  constexpr std::int64_t rows = 4;
  std::vector<Band> bands;
  for (std::int64_t image = 0; image < shape.N; ++image) {
    for (std::int64_t begin = 0; begin < shape.H; begin += rows) {
      bands.push_back(band_at(shape, image, begin, std::min(rows, shape.H - begin)));
    }
  }
  return bands;
}

Shape shape_of(const Shape& whole, const Band& band) {
  Shape shape = whole;
  shape.N = 1;
  shape.H = band.last - band.first;
  return shape;
}

HostTensor reached_rows(const Shape& whole, const HostTensor& map, const Band& band) {
  const std::int64_t rows = band.last - band.first;
  std::vector<std::int64_t> dims = map.dims();
  dims[0] = 1;
  dims[1] = dims[1] / whole.H * rows;
  HostTensor reached(map.name(), map.dtype(), map.layout(), std::move(dims));
  const auto row_bytes = map.bytes() / static_cast<std::size_t>(whole.N * whole.H);
  const auto first = static_cast<std::size_t>(band.image * whole.H + band.first);
  reached.load(map.raw().subspan(first * row_bytes, static_cast<std::size_t>(rows) * row_bytes));
  return reached;
}

BandElements elements_of(const Shape& whole, const HostTensor& map, const Band& band) {
  const std::int64_t row = row_elements(whole, map);
  return {(band.image * whole.H + band.begin) * row, (band.begin - band.first) * row,
          (band.end - band.begin) * row};
}

std::string text_of(const Band& band) {
  return ", rows " + std::to_string(band.begin) + " to " + std::to_string(band.end - 1) +
         " of image " + std::to_string(band.image);
}

}  // namespace mluop::carafe
