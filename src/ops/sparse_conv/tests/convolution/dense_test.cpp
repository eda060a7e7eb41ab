// The convolutions against a dense convolution of the whole volume, zero at inactive sites.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/error_bounds.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::Generator;
using testing::Handle;

/// A volume with its batch, every site present, as [sites, channels].
struct Volume {
  std::array<int, 3> space;
  std::int64_t batch, channels;
  std::vector<double> values;

  Volume(const std::array<int, 3>& extent, std::int64_t samples, std::int64_t width)
      : space(extent),
        batch(samples),
        channels(width),
        values(static_cast<std::size_t>(batch * space[0] * space[1] * space[2] * channels)) {}

  double* at(std::int64_t b, const std::array<int, 3>& site) {
    return &values[static_cast<std::size_t>(
        (((b * space[0] + site[0]) * space[1] + site[1]) * space[2] + site[2]) * channels)];
  }
  /// The site that a row of indices names.
  double* at(const Geometry& geometry, const std::int32_t* row) {
    std::array<int, 3> site{0, 0, 0};
    for (int axis = 0; axis < geometry.axes; ++axis) {
      site[static_cast<std::size_t>(axis)] = row[axis + 1];
    }
    return at(row[0], site);
  }
};

template <class Visit>
void for_each_site(const std::array<int, 3>& space, Visit visit) {
  for (int d = 0; d < space[0]; ++d) {
    for (int h = 0; h < space[1]; ++h) {
      for (int w = 0; w < space[2]; ++w) visit(std::array{d, h, w});
    }
  }
}

/// Calls visit(k, fine, coarse) for every offset k and every two sites it joins. A convolution reads
/// the fine site coarse · stride - pad + k · dilation; a transposed one writes it.
template <class Visit>
void for_each_term(const Geometry& g, Visit visit) {
  const auto& fine_space = g.transpose != 0 ? g.output_space : g.input_space;
  const auto& coarse_space = g.transpose != 0 ? g.input_space : g.output_space;
  std::int64_t k = 0;
  for_each_site(g.filter_space, [&](const std::array<int, 3>& offset) {
    for_each_site(coarse_space, [&](const std::array<int, 3>& coarse) {
      std::array<int, 3> fine;
      for (std::size_t i = 0; i < 3; ++i) {
        fine[i] = coarse[i] * g.stride[i] - g.pad[i] + offset[i] * g.dilation[i];
        if (fine[i] < 0 || fine[i] >= fine_space[i]) return;
      }
      visit(k, fine, coarse);
    });
    ++k;
  });
}

/// The dense convolution and its two gradients; volumes are those of the features' side and of the
/// result's side.
struct Dense {
  const Operands& operands;
  const Geometry& geometry;
  Volume in, out;

  std::int64_t Ci() const { return operands.shape.Ci; }
  std::int64_t Co() const { return operands.shape.Co; }
  double weight(std::int64_t k, std::int64_t ci, std::int64_t co) const {
    return operands.filters.get(operands.shape.index(k, ci, co));
  }

  template <class Visit>
  void for_each_product(Visit visit) {
    // The inverse of a convolution reads where that one writes.
    const bool reads_fine = (geometry.transpose != 0) == (geometry.inverse != 0);
    for_each_term(geometry, [&](std::int64_t k, const auto& fine, const auto& coarse) {
      for (std::int64_t b = 0; b < in.batch; ++b) {
        double* const x = in.at(b, reads_fine ? fine : coarse);
        double* const y = out.at(b, reads_fine ? coarse : fine);
        for (std::int64_t ci = 0; ci < Ci(); ++ci) {
          for (std::int64_t co = 0; co < Co(); ++co) visit(k, ci, co, x[ci], y[co]);
        }
      }
    });
  }
};

/// Rows [rows, channels] of a tensor at the sites of `indices`, or of the volume at those sites.
void scatter(const testing::HostTensor& rows, const Geometry& geometry,
             const std::vector<std::int32_t>& indices, Volume& volume) {
  for (std::int64_t r = 0; r < rows.dims()[0]; ++r) {
    double* const site =
        volume.at(geometry, &indices[static_cast<std::size_t>(r * geometry.columns())]);
    for (std::int64_t c = 0; c < volume.channels; ++c) site[c] = rows.get(r * volume.channels + c);
  }
}

std::vector<double> gather(Volume& volume, const Geometry& geometry,
                           const std::vector<std::int32_t>& indices) {
  std::vector<double> rows;
  for (std::size_t i = 0; i < indices.size(); i += static_cast<std::size_t>(geometry.columns())) {
    const double* const site = volume.at(geometry, &indices[i]);
    rows.insert(rows.end(), site, site + volume.channels);
  }
  return rows;
}

struct DenseCase {
  const char* name;
  Geometry geometry;
  std::int64_t sites;
};

class ConvolutionDense : public ::testing::TestWithParam<DenseCase> {
 protected:
  void SetUp() override {
    geometry_ = GetParam().geometry;
    if (geometry_.axes == 2) {  // a plane is a volume whose last axis has one site
      geometry_.stride[2] = geometry_.dilation[2] = 1;
      geometry_.input_space[2] = geometry_.filter_space[2] = 1;
    }
    geometry_.output_space =
        geometry_.sub_m != 0 ? geometry_.input_space : reference::convolved_space(geometry_);
    Generator random(std::string{"sparse_conv/dense/"} + GetParam().name);
    const std::vector<std::int32_t> sites =
        tables::random_sites(random, geometry_, GetParam().sites);
    const reference::IndexPairs pairs = reference::make_pairs(geometry_, sites);
    input_sites_ = geometry_.inverse != 0 ? pairs.out_indices : sites;
    output_sites_ = geometry_.inverse != 0 ? sites : pairs.out_indices;
    table_ = std::make_shared<const PairTable>(tables::from_pairs(pairs));
  }

  Operands make_operands(mluOpDataType_t dtype) const {
    std::vector<std::int64_t> kernel(geometry_.filter_space.begin(),
                                     geometry_.filter_space.begin() + geometry_.axes);
    Operands operands(table_, {MLUOP_LAYOUT_ARRAY, kernel, 3, 4}, dtype, geometry_.inverse != 0,
                      geometry_.sub_m != 0);
    Generator random(std::string{"sparse_conv/dense values/"} + GetParam().name);
    for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
      random.fill_uniform(operands.*tensor, -1, 1);
    }
    return operands;
  }

  Dense make_dense(const Operands& operands) const {
    const bool inverse = geometry_.inverse != 0;
    return {operands,
            geometry_,
            {inverse ? geometry_.output_space : geometry_.input_space, geometry_.batch, 3},
            {inverse ? geometry_.input_space : geometry_.output_space, geometry_.batch, 4}};
  }

  Geometry geometry_;
  std::vector<std::int32_t> input_sites_, output_sites_;
  std::shared_ptr<const PairTable> table_;
};

void expect_near(const Direction& direction, const Operands& operands,
                 const std::vector<double>& expected) {
  const std::vector<double> result = direction.compute(Handle{}, operands).values();
  const std::vector<double> bounds = error_bounds(direction, operands, expected);
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    // The dense sums are in double too, in another order.
    ASSERT_LE(std::abs(result[i] - expected[i]), 2 * bounds[i])
        << direction.op << ' ' << name_of(operands.dtype()) << " at " << i;
  }
}

TEST_P(ConvolutionDense, AgreesAtActiveSites) {
  for (const mluOpDataType_t dtype : {MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF}) {
    const Operands operands = make_operands(dtype);

    Dense forward = make_dense(operands);
    scatter(operands.features, geometry_, input_sites_, forward.in);
    forward.for_each_product([&](std::int64_t k, std::int64_t ci, std::int64_t co, double& x,
                                 double& y) { y += x * forward.weight(k, ci, co); });
    expect_near(forward_direction, operands, gather(forward.out, geometry_, output_sites_));

    Dense backward = make_dense(operands);
    scatter(operands.output_grad, geometry_, output_sites_, backward.out);
    backward.for_each_product([&](std::int64_t k, std::int64_t ci, std::int64_t co, double& x,
                                  double& y) { x += y * backward.weight(k, ci, co); });
    expect_near(backward_data_direction, operands, gather(backward.in, geometry_, input_sites_));

    Dense both = make_dense(operands);
    scatter(operands.features, geometry_, input_sites_, both.in);
    scatter(operands.output_grad, geometry_, output_sites_, both.out);
    std::vector<double> filters_grad(static_cast<std::size_t>(operands.filters.count()));
    both.for_each_product(
        [&](std::int64_t k, std::int64_t ci, std::int64_t co, double& x, double& y) {
          filters_grad[static_cast<std::size_t>((k * both.Ci() + ci) * both.Co() + co)] += x * y;
        });
    expect_near(backward_filter_direction, operands, filters_grad);
  }
}

INSTANTIATE_TEST_SUITE_P(
    , ConvolutionDense,
    ::testing::Values(
        DenseCase{"unit_stride",
                  {.pad = {1, 1, 1}, .input_space = {4, 5, 6}, .filter_space = {3, 3, 3}},
                  40},
        DenseCase{"no_pad", {.batch = 2, .input_space = {4, 5, 6}, .filter_space = {2, 3, 1}}, 70},
        DenseCase{
            "full", {.pad = {1, 1, 1}, .input_space = {3, 4, 3}, .filter_space = {3, 3, 3}}, 36},
        DenseCase{"stride",
                  {.batch = 2,
                   .pad = {0, 1, 1},
                   .stride = {2, 2, 3},
                   .input_space = {5, 6, 7},
                   .filter_space = {3, 3, 3}},
                  60},
        DenseCase{"dilation",
                  {.pad = {2, 0, 3},
                   .dilation = {2, 1, 3},
                   .input_space = {6, 5, 7},
                   .filter_space = {3, 2, 3}},
                  60},
        DenseCase{"stride_and_dilation",
                  {.pad = {2, 1, 1},
                   .stride = {2, 3, 2},
                   .dilation = {2, 2, 3},
                   .input_space = {7, 8, 9},
                   .filter_space = {3, 3, 2}},
                  120},
        DenseCase{"transpose",
                  {.batch = 2,
                   .pad = {1, 0, 1},
                   .stride = {2, 3, 1},
                   .input_space = {3, 4, 5},
                   .filter_space = {3, 3, 3},
                   .transpose = 1},
                  30},
        DenseCase{"transpose_dilated",
                  {.pad = {1, 1, 0},
                   .stride = {2, 1, 2},
                   .dilation = {1, 2, 3},
                   .input_space = {3, 4, 3},
                   .filter_space = {3, 2, 2},
                   .transpose = 1},
                  20},
        DenseCase{"inverse",
                  {.batch = 2,
                   .pad = {0, 1, 1},
                   .stride = {2, 2, 2},
                   .input_space = {5, 6, 7},
                   .filter_space = {3, 3, 3},
                   .inverse = 1},
                  60},
        DenseCase{"inverse_of_transpose",
                  {.pad = {1, 1, 1},
                   .stride = {2, 2, 2},
                   .input_space = {3, 3, 4},
                   .filter_space = {3, 3, 3},
                   .transpose = 1,
                   .inverse = 1},
                  20},
        DenseCase{"sub_m",
                  {.batch = 2,
                   .pad = {1, 1, 1},
                   .input_space = {4, 5, 6},
                   .filter_space = {3, 3, 3},
                   .sub_m = 1},
                  50},
        DenseCase{"plane",
                  {.axes = 2,
                   .batch = 2,
                   .pad = {1, 0},
                   .stride = {2, 1},
                   .input_space = {7, 8},
                   .filter_space = {3, 3}},
                  40},
        DenseCase{
            "plane_sub_m",
            {.axes = 2, .pad = {1, 2}, .input_space = {7, 8}, .filter_space = {3, 5}, .sub_m = 1},
            25},
        DenseCase{"plane_transpose",
                  {.axes = 2,
                   .stride = {2, 2},
                   .input_space = {4, 5},
                   .filter_space = {2, 3},
                   .transpose = 1},
                  10},
        DenseCase{"plane_inverse",
                  {.axes = 2,
                   .batch = 3,
                   .pad = {1, 1},
                   .stride = {2, 2},
                   .input_space = {6, 6},
                   .filter_space = {3, 3},
                   .inverse = 1},
                  40}),
    [](const auto& test) { return std::string{test.param.name}; });

}  // namespace
}  // namespace mluop::sparse_conv
