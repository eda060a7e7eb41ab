// The formulas, point by point.
#include "ops/dynamic_point_to_voxel/kit/reference.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace mluop::dynamic_point_to_voxel::reference {
namespace {

std::size_t at(std::int64_t row, std::int64_t C, std::int64_t c) {
  return static_cast<std::size_t>(row * C + c);
}

}  // namespace

Voxels voxels(std::span<const std::int32_t> coors, std::int64_t D) {
  const auto columns = static_cast<std::size_t>(D);
  const std::size_t N = coors.size() / columns;
  const auto row_of = [&](std::size_t i) {
    const auto row = coors.subspan(i * columns, columns);
    return Integers(row.begin(), row.end());
  };
  const auto valid = [](const Integers& row) { return std::ranges::min(row) >= 0; };
  std::map<Integers, std::int32_t> numbers;  // ordered as the formula orders rows
  for (std::size_t i = 0; i < N; ++i) {
    if (const Integers row = row_of(i); valid(row)) numbers.emplace(row, 0);
  }
  Voxels result{
      static_cast<std::int64_t>(numbers.size()), {}, Integers(N, -1), Integers(numbers.size())};
  std::int32_t next = 0;
  for (auto& [row, number] : numbers) {
    number = next++;
    result.coors.insert(result.coors.end(), row.begin(), row.end());
  }
  for (std::size_t i = 0; i < N; ++i) {
    const Integers row = row_of(i);
    if (!valid(row)) continue;
    result.map[i] = numbers.at(row);
    ++result.counts[static_cast<std::size_t>(result.map[i])];
  }
  return result;
}

template <class Real>
std::vector<double> reduced(mluOpReduceMode_t reduce_type, const Voxels& voxels,
                            std::span<const double> feats, std::int64_t C, std::int64_t R) {
  const bool max = reduce_type == MLUOP_REDUCE_DMAX;
  const Real start = max ? -std::numeric_limits<Real>::infinity() : Real(0);
  std::vector<Real> all(at(R, C, 0), start);
  for (std::int64_t i = 0; i < std::ssize(voxels.map); ++i) {
    const std::int32_t v = voxels.map[static_cast<std::size_t>(i)];
    if (v < 0) continue;
    for (std::int64_t c = 0; c < C; ++c) {
      const auto value = static_cast<Real>(feats[at(i, C, c)]);
      Real& so_far = all[at(v, C, c)];
      if (!max) {
        so_far += value;
      } else if (value > so_far) {
        so_far = value;
      }
    }
  }
  for (std::int64_t v = 0; reduce_type == MLUOP_REDUCE_DMEAN && v < voxels.M; ++v) {
    for (std::int64_t c = 0; c < C; ++c) {
      all[at(v, C, c)] /= static_cast<Real>(voxels.counts[static_cast<std::size_t>(v)]);
    }
  }
  return {all.begin(), all.end()};
}

template <class Real>
std::vector<double> gradient(const Gradient& of) {
  const std::int64_t C = of.C;
  std::vector<Real> grad(of.feats.size());
  std::vector<bool> given(at(of.M, C, 0));
  for (std::int64_t i = 0; i < std::ssize(of.map); ++i) {
    const std::int32_t v = of.map[static_cast<std::size_t>(i)];
    if (v < 0) continue;
    for (std::int64_t c = 0; c < C; ++c) {
      const auto value = static_cast<Real>(of.grad_voxel_feats[at(v, C, c)]);
      Real& to = grad[at(i, C, c)];
      if (of.reduce_type == MLUOP_REDUCE_DSUM) to = value;
      if (of.reduce_type == MLUOP_REDUCE_DMEAN) {
        to = value / static_cast<Real>(of.counts[static_cast<std::size_t>(v)]);
      }
      if (of.reduce_type != MLUOP_REDUCE_DMAX || given[at(v, C, c)]) continue;
      if (of.feats[at(i, C, c)] != of.voxel_feats[at(v, C, c)]) continue;
      given[at(v, C, c)] = true;
      to = value;
    }
  }
  return {grad.begin(), grad.end()};
}

#define MLUOP_SUMS_IN(Real)                                                                        \
  template std::vector<double> reduced<Real>(mluOpReduceMode_t, const Voxels&,                     \
                                             std::span<const double>, std::int64_t, std::int64_t); \
  template std::vector<double> gradient<Real>(const Gradient&);
MLUOP_SUMS_IN(float)
MLUOP_SUMS_IN(double)
MLUOP_SUMS_IN(long double)
#undef MLUOP_SUMS_IN

}  // namespace mluop::dynamic_point_to_voxel::reference
