// Index pairs for the cases.
#include "ops/sparse_pool/kit/tables.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <numeric>
#include <set>

#include "mlu_op.h"
#include "testing/data/handle.hpp"

namespace mluop::sparse_pool {

using testing::Generator;
using testing::HostTensor;

PairTable::PairTable(std::int64_t inputs, std::int64_t outputs, std::span<const std::int32_t> rows,
                     std::vector<std::int64_t> counts)
    : L(inputs),
      Y(outputs),
      pairs("indice_pairs", MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {std::ssize(counts), 2, L}),
      num(std::move(counts)),
      num_argument("indice_num", MLUOP_DTYPE_INT64, MLUOP_LAYOUT_ARRAY, {std::ssize(num)}) {
  pairs.load(std::as_bytes(rows));
  num_argument.load(std::as_bytes(std::span(num)));
}

std::int64_t PairTable::total() const {
  return std::accumulate(num.begin(), num.end(), std::int64_t{0});
}

namespace tables {
namespace {

/// Nobody may read these: a reader would fault or fail.
std::int32_t no_row(std::int64_t t) {
  constexpr std::int32_t values[] = {-1, std::numeric_limits<std::int32_t>::max(),
                                     std::numeric_limits<std::int32_t>::min()};
  return values[t % 3];
}

struct DestroyDescriptor {
  void operator()(mluOpSparseConvolutionDescriptor_t desc) const {
    mluOpDestroySparseConvolutionDescriptor(desc);
  }
};
using SparseDescriptor = std::unique_ptr<mluOpSparseConvolutionStruct, DestroyDescriptor>;

SparseDescriptor described(const Window& window, const std::array<int, 3>& output_space) {
  mluOpSparseConvolutionDescriptor_t created = nullptr;
  testing::expect_success(mluOpCreateSparseConvolutionDescriptor(&created), "create");
  SparseDescriptor desc{created};
  const std::array<int, 3> kernel{window.kernel, window.kernel, window.kernel};
  const std::array<int, 3> stride{window.stride, window.stride, window.stride}, ones{1, 1, 1};
  testing::expect_success(
      mluOpSetSparseConvolutionDescriptor(created, 5, window.batch, window.pad.data(),
                                          stride.data(), ones.data(), window.space.data(),
                                          kernel.data(), output_space.data(), 0, 0, 0),
      "mluOpSetSparseConvolutionDescriptor");
  return desc;
}

HostTensor integers(const char* name, std::vector<std::int64_t> dims) {
  return {name, MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, std::move(dims)};
}

std::span<const std::int32_t> rows_in(const HostTensor& tensor) {
  return {static_cast<const std::int32_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.count())};
}

}  // namespace

PairTable random(Generator& random, std::int64_t L, std::int64_t Y,
                 const std::vector<std::int64_t>& counts) {
  std::vector<std::int32_t> rows;
  for (const std::int64_t count : counts) {
    for (const std::int64_t bound : {L, Y}) {
      for (std::int64_t t = 0; t < L; ++t) {
        rows.push_back(t < count ? static_cast<std::int32_t>(random.integer(0, bound - 1))
                                 : no_row(t));
      }
    }
  }
  return {L, Y, rows, counts};
}

Pooled pooled(const Window& window, std::span<const std::int32_t> sites) {
  // Data, not arguments of the call under test.
  const testing::ScopedPlacement ordinary(testing::Placement::ordinary);
  std::array<int, 3> space{};
  for (std::size_t i = 0; i < 3; ++i) {
    space[i] = (window.space[i] + 2 * window.pad[i] - window.kernel) / window.stride + 1;
  }
  const SparseDescriptor desc = described(window, space);
  const std::int64_t L = std::ssize(sites) / 4;
  const std::int64_t K = std::int64_t{window.kernel} * window.kernel * window.kernel;
  const std::int64_t cells = std::int64_t{window.batch} * space[0] * space[1] * space[2];
  HostTensor indices = integers("indices", {L, 4}), pairs = integers("indice_pairs", {K, 2, L});
  HostTensor out = integers("out_indices", {std::min(L * K, cells), 4});
  HostTensor num = integers("indice_num", {K});
  indices.load(std::as_bytes(sites));
  const testing::Handle handle;
  std::size_t bytes = 0;
  testing::expect_success(
      mluOpGetIndicePairsWorkspaceSize(handle, desc.get(), indices.descriptor(), pairs.descriptor(),
                                       out.descriptor(), num.descriptor(), &bytes),
      "mluOpGetIndicePairsWorkspaceSize");
  std::vector<std::byte> workspace(bytes);
  testing::expect_success(
      mluOpGetIndicePairs(handle, desc.get(), indices.descriptor(), indices.data(),
                          workspace.data(), bytes, pairs.descriptor(), pairs.data(),
                          out.descriptor(), out.data(), num.descriptor(), num.data()),
      "mluOpGetIndicePairs");
  int Y = 0;
  testing::expect_success(mluOpGetSparseConvolutionNumActOut(desc.get(), &Y), "NumActOut");
  const auto found = rows_in(out).first(4 * static_cast<std::size_t>(Y));
  const auto joined = rows_in(pairs), counts = rows_in(num);
  return {space, {found.begin(), found.end()},   L,
          Y,     {joined.begin(), joined.end()}, {counts.begin(), counts.end()}};
}

std::vector<std::int32_t> scattered_sites(Generator& random, const Window& window,
                                          std::int64_t rows) {
  std::set<std::array<std::int32_t, 4>> distinct;
  const auto draw = [&](int bound) {
    return static_cast<std::int32_t>(random.integer(0, bound - 1));
  };
  while (std::ssize(distinct) < rows) {
    distinct.insert(
        {draw(window.batch), draw(window.space[0]), draw(window.space[1]), draw(window.space[2])});
  }
  std::vector<std::int32_t> sites;
  for (const auto& site : distinct) sites.insert(sites.end(), site.begin(), site.end());
  return sites;
}

std::vector<std::int32_t> roi_sites(Generator& random, int rois, int side, std::int64_t rows) {
  std::set<std::array<std::int32_t, 4>> distinct;
  const auto cell = [&](double position) {
    return std::clamp(static_cast<std::int32_t>(position), 0, side - 1);
  };
  for (std::int32_t roi = 0; roi < rois; ++roi) {
    const std::int64_t wanted = rows * (roi + 1) / rois;
    // Which of two opposite sides the scanner sees, and where.
    std::array<double, 3> plane{};
    for (double& at : plane) at = side * (random.chance(0.5) ? 0.15 : 0.85);
    while (std::ssize(distinct) < wanted) {
      std::array<double, 3> point{};
      for (double& at : point) at = side * random.uniform(0.1, 0.9);
      const auto seen = static_cast<std::size_t>(random.integer(0, 2));
      point[seen] = plane[seen] + random.gaussian(0, 0.6);
      distinct.insert({roi, cell(point[0]), cell(point[1]), cell(point[2])});
    }
  }
  std::vector<std::int32_t> sites;
  for (const auto& site : distinct) sites.insert(sites.end(), site.begin(), site.end());
  return sites;
}

}  // namespace tables
}  // namespace mluop::sparse_pool
