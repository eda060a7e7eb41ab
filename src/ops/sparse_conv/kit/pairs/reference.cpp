// Index pairs from their formula.
#include "ops/sparse_conv/kit/pairs/reference.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <unordered_map>

namespace mluop::sparse_conv::reference {
namespace {

using Row = std::span<const std::int32_t>;

Row row_of(const Geometry& geometry, std::span<const std::int32_t> indices, std::int64_t j) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  return indices.subspan(static_cast<std::size_t>(j) * columns, columns);
}

/// The output coordinate that one input coordinate meets through one offset, if there is one.
std::optional<std::int64_t> output_coordinate(const Geometry& geometry, std::size_t axis,
                                              std::int64_t input, std::int64_t offset) {
  const std::int64_t stride = geometry.stride[axis], pad = geometry.pad[axis];
  const std::int64_t reach = offset * geometry.dilation[axis];
  std::int64_t output = 0;
  if (geometry.transpose != 0) {
    output = input * stride - pad + reach;
  } else {
    const std::int64_t scaled = input + pad - reach;
    if (scaled < 0 || scaled % stride != 0) return std::nullopt;
    output = scaled / stride;
  }
  if (output < 0 || output >= geometry.output_space[axis]) return std::nullopt;
  return output;
}

/// The linear index of a site in an array [batch, space...].
std::int64_t linear(const Geometry& geometry, const std::array<int, 3>& space, Row site) {
  std::int64_t index = site[0];
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    index = index * space[i] + site[i + 1];
  }
  return index;
}

/// The output site that a row meets through an offset, if there is one.
std::optional<Site> output_site(const Geometry& geometry, Row row,
                                const std::array<int, 3>& offset) {
  Site site{row[0]};
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    const auto output = output_coordinate(geometry, i, row[i + 1], offset[i]);
    if (!output) return std::nullopt;
    site[i + 1] = static_cast<std::int32_t>(*output);
  }
  return site;
}

/// Calls use(k, j, λ) for every kernel offset k and row j that meets an output site through it, λ being
/// the linear index of that site.
template <class Use>
void for_each_triple(const Geometry& geometry, std::span<const std::int32_t> indices,
                     std::int64_t rows, Use use) {
  for (std::int64_t k = 0; k < geometry.volume(); ++k) {
    const auto offset = geometry.offset(k);
    for (std::int64_t j = 0; j < rows; ++j) {
      if (const auto site = output_site(geometry, row_of(geometry, indices, j), offset)) {
        use(k, j, linear(geometry, geometry.output_space, *site));
      }
    }
  }
}

using RowOfSite = std::unordered_map<std::int64_t, std::int32_t>;

/// The input sites; of equal ones the last row.
RowOfSite input_sites(const Geometry& geometry, std::span<const std::int32_t> indices,
                      std::int64_t rows) {
  RowOfSite sites;
  sites.reserve(static_cast<std::size_t>(rows));
  for (std::int64_t j = 0; j < rows; ++j) {
    sites[linear(geometry, geometry.input_space, row_of(geometry, indices, j))] =
        static_cast<std::int32_t>(j);
  }
  return sites;
}

/// The distinct sites of all triples, ascending.
std::vector<std::int64_t> reached_sites(const Geometry& geometry,
                                        std::span<const std::int32_t> indices, std::int64_t rows) {
  std::vector<std::int64_t> sites;
  for_each_triple(geometry, indices, rows,
                  [&](std::int64_t, std::int64_t, std::int64_t site) { sites.push_back(site); });
  std::sort(sites.begin(), sites.end());
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  return sites;
}

/// The rows (batch, coordinates) of output sites.
std::vector<std::int32_t> coordinates(const Geometry& geometry,
                                      const std::vector<std::int64_t>& sites) {
  const auto columns = static_cast<std::size_t>(geometry.columns());
  std::vector<std::int32_t> rows(sites.size() * columns);
  for (std::size_t r = 0; r < sites.size(); ++r) {
    std::int64_t rest = sites[r];
    for (std::size_t i = columns - 1; i > 0; --i) {
      rows[r * columns + i] = static_cast<std::int32_t>(rest % geometry.output_space[i - 1]);
      rest /= geometry.output_space[i - 1];
    }
    rows[r * columns] = static_cast<std::int32_t>(rest);
  }
  return rows;
}

/// The same geometry with three axes: a plane is a volume of depth 1.
Geometry with_depth(Geometry geometry) {
  if (geometry.axes == 3) return geometry;
  const auto deepen = [](std::array<int, 3>& values, int depth) {
    values = {depth, values[0], values[1]};
  };
  deepen(geometry.pad, 0);
  for (auto* values : {&geometry.stride, &geometry.dilation, &geometry.input_space,
                       &geometry.filter_space, &geometry.output_space}) {
    deepen(*values, 1);
  }
  geometry.axes = 3;
  return geometry;
}

}  // namespace

std::int64_t Geometry::volume() const {
  return std::accumulate(filter_space.begin(), filter_space.begin() + axes, std::int64_t{1},
                         std::multiplies<>{});
}

std::array<int, 3> Geometry::offset(std::int64_t k) const {
  std::array<int, 3> coordinates{0, 0, 0};
  for (auto i = static_cast<std::size_t>(axes); i-- > 0; k /= filter_space[i]) {
    coordinates[i] = static_cast<int>(k % filter_space[i]);
  }
  return coordinates;
}

std::int64_t IndexPairs::total() const {
  return std::accumulate(num.begin(), num.end(), std::int64_t{0});
}

std::array<int, 3> convolved_space(const Geometry& geometry,
                                   const std::array<int, 3>& output_padding) {
  std::array<int, 3> space{1, 1, 1};
  for (std::size_t i = 0; i < static_cast<std::size_t>(geometry.axes); ++i) {
    const std::int64_t reach = std::int64_t{geometry.dilation[i]} * (geometry.filter_space[i] - 1);
    const std::int64_t input = geometry.input_space[i], pads = 2 * std::int64_t{geometry.pad[i]};
    if (geometry.transpose != 0) {
      space[i] =
          static_cast<int>((input - 1) * geometry.stride[i] - pads + reach + 1 + output_padding[i]);
    } else {
      const std::int64_t room = input + pads - reach - 1;
      space[i] = room < 0 ? 0 : static_cast<int>(room / geometry.stride[i] + 1);
    }
  }
  return space;
}

std::vector<Site> output_sites(const Geometry& geometry, std::span<const std::int32_t> row) {
  std::vector<Site> sites;
  for (std::int64_t k = 0; k < geometry.volume(); ++k) {
    if (const auto site = output_site(geometry, row, geometry.offset(k))) sites.push_back(*site);
  }
  return sites;
}

IndexPairs make_pairs(const Geometry& geometry, std::span<const std::int32_t> indices) {
  IndexPairs result;
  result.L = static_cast<std::int64_t>(indices.size()) / geometry.columns();
  result.num.assign(static_cast<std::size_t>(geometry.volume()), 0);
  result.pairs.assign(static_cast<std::size_t>(geometry.volume() * 2 * result.L), -1);

  RowOfSite row_of_site;
  if (geometry.sub_m != 0) {
    row_of_site = input_sites(geometry, indices, result.L);
    result.out_indices.assign(indices.begin(), indices.end());
    result.Y = result.L;
  } else {
    const auto sites = reached_sites(geometry, indices, result.L);
    for (std::size_t r = 0; r < sites.size(); ++r) {
      row_of_site[sites[r]] = static_cast<std::int32_t>(r);
    }
    result.out_indices = coordinates(geometry, sites);
    result.Y = static_cast<std::int64_t>(sites.size());
  }

  for_each_triple(geometry, indices, result.L,
                  [&](std::int64_t k, std::int64_t j, std::int64_t site) {
                    const auto found = row_of_site.find(site);
                    if (found == row_of_site.end()) return;
                    const std::int64_t t = result.num[static_cast<std::size_t>(k)]++;
                    std::int32_t* inputs = result.pairs.data() + 2 * k * result.L;
                    inputs[t] = static_cast<std::int32_t>(j);
                    inputs[result.L + t] = found->second;
                  });
  return result;
}

void hash_map_pairs(const Geometry& geometry, std::span<const std::int32_t> indices,
                    std::int32_t* pairs, std::int32_t* out_indices, std::int32_t* num) {
  const Geometry volume = with_depth(geometry);
  const auto [D, H, W] = volume.output_space;
  const auto [KD, KH, KW] = volume.filter_space;
  const std::int64_t L = static_cast<std::int64_t>(indices.size()) / geometry.columns();
  const std::int64_t K = volume.volume();
  std::copy(indices.begin(), indices.end(), out_indices);
  std::fill_n(pairs, K * 2 * L, -1);
  std::fill_n(num, K, 0);
  const RowOfSite row_of_site = input_sites(geometry, indices, L);

  for (std::int64_t j = 0; j < L; ++j) {
    // The last three entries of a row of three axes; of two, the depth is 0.
    const std::int32_t* row = indices.data() + j * geometry.columns();
    const std::int32_t* plane = row + geometry.axes - 1;
    const int depth = (geometry.axes == 3 ? row[1] : 0) + volume.pad[0];
    std::int64_t k = 0;
    for (int a = 0; a < KD; ++a) {
      for (int b = 0; b < KH; ++b) {
        for (int c = 0; c < KW; ++c, ++k) {
          const int d = depth - a * volume.dilation[0];
          const int h = plane[0] + volume.pad[1] - b * volume.dilation[1];
          const int w = plane[1] + volume.pad[2] - c * volume.dilation[2];
          if (d < 0 || d >= D || h < 0 || h >= H || w < 0 || w >= W) continue;
          const auto found = row_of_site.find(((std::int64_t{row[0]} * D + d) * H + h) * W + w);
          if (found == row_of_site.end()) continue;
          std::int32_t* inputs = pairs + 2 * k * L + num[k]++;
          inputs[0] = static_cast<std::int32_t>(j);
          inputs[L] = found->second;
        }
      }
    }
  }
}

}  // namespace mluop::sparse_conv::reference
