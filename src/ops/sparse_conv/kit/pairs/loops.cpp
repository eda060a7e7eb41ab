#include "ops/sparse_conv/kit/pairs/loops.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;

/// Finds the output site of an input row and an offset.
class Sites {
 public:
  explicit Sites(const Geometry& geometry) : geometry_(geometry) {}

  /// Its number in the output space, or -1 if there is none.
  std::int64_t at(const std::int32_t* row, const std::array<int, 3>& offset) const {
    std::int64_t site = row[0];
    for (std::size_t i = 0; i < static_cast<std::size_t>(geometry_.axes); ++i) {
      const int reached = row[i + 1] + geometry_.pad[i] - offset[i] * geometry_.dilation[i];
      if (reached < 0 || reached % geometry_.stride[i] != 0) return -1;
      const int coordinate = reached / geometry_.stride[i];
      if (coordinate >= geometry_.output_space[i]) return -1;
      site = site * geometry_.output_space[i] + coordinate;
    }
    return site;
  }

  void write(std::int64_t site, std::int32_t* row) const {
    for (auto i = static_cast<std::size_t>(geometry_.axes); i > 0; --i) {
      row[i] = static_cast<std::int32_t>(site % geometry_.output_space[i - 1]);
      site /= geometry_.output_space[i - 1];
    }
    row[0] = static_cast<std::int32_t>(site);
  }

 private:
  const Geometry& geometry_;
};

}  // namespace

std::int64_t hash_map_strided_pairs(const Geometry& geometry, std::span<const std::int32_t> indices,
                                    std::int32_t* pairs, std::int32_t* out_indices,
                                    std::int32_t* num) {
  const Sites sites(geometry);
  const std::int64_t K = geometry.volume(), columns = geometry.columns();
  const std::int64_t L = std::ssize(indices) / columns;
  std::fill_n(pairs, K * 2 * L, -1);
  std::fill_n(num, K, 0);
  std::vector<std::array<int, 3>> offsets;
  for (std::int64_t k = 0; k < K; ++k) offsets.push_back(geometry.offset(k));

  std::unordered_map<std::int64_t, std::int32_t> number_of;
  for (std::int64_t j = 0; j < L; ++j) {
    for (std::int64_t k = 0; k < K; ++k) {
      const std::int64_t site = sites.at(&indices[static_cast<std::size_t>(j * columns)],
                                         offsets[static_cast<std::size_t>(k)]);
      if (site < 0) continue;
      const auto next = static_cast<std::int32_t>(number_of.size());
      std::int32_t* inputs = pairs + 2 * k * L + num[k]++;
      inputs[0] = static_cast<std::int32_t>(j);
      inputs[L] = number_of.try_emplace(site, next).first->second;
    }
  }

  std::vector<std::pair<std::int64_t, std::int32_t>> ascending(number_of.begin(), number_of.end());
  std::sort(ascending.begin(), ascending.end());
  std::vector<std::int32_t> row_of(ascending.size());
  for (std::size_t row = 0; row < ascending.size(); ++row) {
    row_of[static_cast<std::size_t>(ascending[row].second)] = static_cast<std::int32_t>(row);
    sites.write(ascending[row].first, out_indices + static_cast<std::int64_t>(row) * columns);
  }
  for (std::int64_t k = 0; k < K; ++k) {
    std::int32_t* outputs = pairs + (2 * k + 1) * L;
    for (std::int32_t t = 0; t < num[k]; ++t) {
      outputs[t] = row_of[static_cast<std::size_t>(outputs[t])];
    }
  }
  return std::ssize(ascending);
}

}  // namespace mluop::sparse_conv
