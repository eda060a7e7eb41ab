// The references of the convolutions against the formulas written as nested loops, and by hand.
#include "ops/sparse_conv/kit/convolution/reference.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "testing/data/generators.hpp"

namespace mluop::sparse_conv::reference {
namespace {

using testing::Generator;
using Values = std::vector<double>;

constexpr double inf = std::numeric_limits<double>::infinity();

std::size_t at(std::int64_t row, std::int64_t channels, std::int64_t channel) {
  return static_cast<std::size_t>(row * channels + channel);
}

template <class Real>
Values nested_forward(const Convolution& c, const Values& features, const Values& filters) {
  const auto& [layout, kernel, Ci, Co] = c.filters;
  std::vector<Real> out(static_cast<std::size_t>(c.rows_out * Co));
  for (std::int64_t k = 0; k < c.filters.K(); ++k) {
    for (std::int64_t t = 0; t < c.indice_num[static_cast<std::size_t>(k)]; ++t) {
      for (std::int64_t co = 0; co < Co; ++co) {
        Real sum = 0;
        for (std::int64_t ci = 0; ci < Ci; ++ci) {
          sum += static_cast<Real>(features[at(c.in(k, t), Ci, ci)]) *
                 static_cast<Real>(filters[static_cast<std::size_t>(c.filters.index(k, ci, co))]);
        }
        out[at(c.out(k, t), Co, co)] += sum;
      }
    }
  }
  return {out.begin(), out.end()};
}

template <class Real>
Values nested_backward_data(const Convolution& c, const Values& output_grad,
                            const Values& filters) {
  const auto& [layout, kernel, Ci, Co] = c.filters;
  std::vector<Real> in(static_cast<std::size_t>(c.rows_in * Ci));
  for (std::int64_t k = 0; k < c.filters.K(); ++k) {
    for (std::int64_t t = 0; t < c.indice_num[static_cast<std::size_t>(k)]; ++t) {
      for (std::int64_t ci = 0; ci < Ci; ++ci) {
        Real sum = 0;
        for (std::int64_t co = 0; co < Co; ++co) {
          sum += static_cast<Real>(output_grad[at(c.out(k, t), Co, co)]) *
                 static_cast<Real>(filters[static_cast<std::size_t>(c.filters.index(k, ci, co))]);
        }
        in[at(c.in(k, t), Ci, ci)] += sum;
      }
    }
  }
  return {in.begin(), in.end()};
}

template <class Real>
Values nested_backward_filter(const Convolution& c, const Values& features,
                              const Values& output_grad) {
  const auto& [layout, kernel, Ci, Co] = c.filters;
  Values result;
  for (std::int64_t k = 0; k < c.filters.K(); ++k) {
    for (std::int64_t ci = 0; ci < Ci; ++ci) {
      for (std::int64_t co = 0; co < Co; ++co) {
        Real sum = 0;
        for (std::int64_t t = 0; t < c.indice_num[static_cast<std::size_t>(k)]; ++t) {
          sum += static_cast<Real>(features[at(c.in(k, t), Ci, ci)]) *
                 static_cast<Real>(output_grad[at(c.out(k, t), Co, co)]);
        }
        result.push_back(static_cast<double>(sum));
      }
    }
  }
  return result;
}

/// A random convolution with its data.
struct Example {
  std::vector<std::int32_t> pairs;
  std::vector<std::int64_t> num;
  Convolution convolution;
  Values features, filters, output_grad;

  Example(Generator& random, std::int64_t Ci, std::int64_t Co, bool inverse)
      : convolution{{MLUOP_LAYOUT_NDHWC, {2, 1, 3}, Ci, Co}, 0, 0, {}, {}, inverse} {
    const std::int64_t L = 21, Y = 17;
    for (int k = 0; k < 6; ++k) {
      num.push_back(random.integer(0, L));
      for (const std::int64_t rows : {L, Y}) {
        for (std::int64_t t = 0; t < L; ++t) {
          const bool counts = t < num.back();
          pairs.push_back(static_cast<std::int32_t>(counts ? random.integer(0, rows - 1) : -1));
        }
      }
    }
    convolution.indice_pairs = pairs;
    convolution.indice_num = num;
    convolution.rows_in = inverse ? Y : L;
    convolution.rows_out = inverse ? L : Y;
    draw(random, features, convolution.rows_in * Ci);
    draw(random, output_grad, convolution.rows_out * Co);
    draw(random, filters, 6 * Ci * Co);
  }

  static void draw(Generator& random, Values& values, std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) values.push_back(random.uniform(-1, 1));
  }
};

template <class Real>
void expect_nested_loops(const Example& e) {
  EXPECT_EQ(forward<Real>(e.convolution, e.features, e.filters),
            nested_forward<Real>(e.convolution, e.features, e.filters));
  EXPECT_EQ(backward_data<Real>(e.convolution, e.output_grad, e.filters),
            nested_backward_data<Real>(e.convolution, e.output_grad, e.filters));
  EXPECT_EQ(backward_filter<Real>(e.convolution, e.features, e.output_grad),
            nested_backward_filter<Real>(e.convolution, e.features, e.output_grad));
}

/// To the last bit: blocks and vectors change no order and fuse nothing.
TEST(ConvolutionReference, IsTheNestedLoop) {
  Generator random("sparse_conv/reference");
  SCOPED_TRACE(random.describe());
  const std::int64_t channels[][2] = {{1, 1}, {3, 40}, {33, 31}, {64, 7}, {5, 70}};
  for (const auto& [Ci, Co] : channels) {
    for (const bool inverse : {false, true}) {
      const Example example(random, Ci, Co, inverse);
      expect_nested_loops<float>(example);
      expect_nested_loops<double>(example);
      expect_nested_loops<long double>(example);
    }
  }
}

/// Enough work for several threads.
TEST(ConvolutionReference, ThreadsChangeNothing) {
  Generator random("sparse_conv/reference/threads");
  Example example(random, 400, 500, false);
  expect_nested_loops<float>(example);
}

TEST(ConvolutionReference, ByHand) {
  // Two offsets of a 2x1 kernel, one channel in, two out: rows 0 and 1 meet row 1 at offset 0, and row
  // 1 meets row 0 at offset 1.
  const std::vector<std::int32_t> pairs = {0, 1, 1, 1, 1, -1, 0, -1};
  const std::vector<std::int64_t> num = {2, 1};
  Convolution c{{MLUOP_LAYOUT_HWCN, {2, 1}, 1, 2}, 2, 2, pairs, num, false};
  const Values x = {3, 5}, W = {2, -1, 10, 100}, g = {1, 2, 4, 8};
  EXPECT_EQ(forward<double>(c, x, W), (Values{50, 500, (3 + 5) * 2, -(3 + 5)}));
  EXPECT_EQ(backward_data<double>(c, g, W), (Values{4 * 2 - 8, 4 * 2 - 8 + 10 + 200}));
  EXPECT_EQ(backward_filter<double>(c, x, g), (Values{8 * 4, 8 * 8, 5 * 1, 5 * 2}));
  // The inverse reads row 1 and adds it to rows 0 and 1, and reads row 0 and adds it to row 1.
  c.inverse = true;
  EXPECT_EQ(forward<double>(c, x, W), (Values{5 * 2, -5, 5 * 2 + 3 * 10, -5 + 3 * 100}));
}

TEST(ConvolutionReference, SpecialValuesFollowTheFormula) {
  const std::vector<std::int32_t> pairs = {0, 1};
  const std::vector<std::int64_t> num = {1};
  const Convolution c{{MLUOP_LAYOUT_ARRAY, {1, 1}, 2, 2}, 1, 2, pairs, num, false};
  const Values result = forward<float>(c, Values{inf, 1}, Values{0, 1, 1, 1});
  EXPECT_EQ(result[0], 0);
  EXPECT_EQ(result[1], 0);
  EXPECT_TRUE(std::isnan(result[2])) << "infinity times zero";
  EXPECT_EQ(result[3], inf);
}

/// Where W(k, ci, co) stands, with every axis spelt out.
TEST(ConvolutionReference, LayoutsOfFilters) {
  constexpr std::int64_t D = 2, H = 3, W = 4, I = 5, O = 6;
  for (std::int64_t d = 0; d < D; ++d) {
    for (std::int64_t h = 0; h < H; ++h) {
      for (std::int64_t w = 0; w < W; ++w) {
        for (std::int64_t i = 0; i < I; ++i) {
          for (std::int64_t o = 0; o < O; ++o) {
            const auto deep = [&](mluOpTensorLayout_t layout) {
              return FilterShape{layout, {D, H, W}, I, O}.index((d * H + h) * W + w, i, o);
            };
            const auto flat = [&](mluOpTensorLayout_t layout) {
              return FilterShape{layout, {H, W}, I, O}.index(h * W + w, i, o);
            };
            ASSERT_EQ(deep(MLUOP_LAYOUT_ARRAY), (((d * H + h) * W + w) * I + i) * O + o);
            ASSERT_EQ(deep(MLUOP_LAYOUT_NDHWC), (((o * D + d) * H + h) * W + w) * I + i);
            ASSERT_EQ(deep(MLUOP_LAYOUT_NCDHW), (((o * I + i) * D + d) * H + h) * W + w);
            ASSERT_EQ(flat(MLUOP_LAYOUT_ARRAY), ((h * W + w) * I + i) * O + o);
            ASSERT_EQ(flat(MLUOP_LAYOUT_HWCN), ((h * W + w) * I + i) * O + o);
            ASSERT_EQ(flat(MLUOP_LAYOUT_NHWC), ((o * H + h) * W + w) * I + i);
            ASSERT_EQ(flat(MLUOP_LAYOUT_NCHW), ((o * I + i) * H + h) * W + w);
          }
        }
      }
    }
  }
  using Dims = std::vector<std::int64_t>;
  EXPECT_EQ((FilterShape{MLUOP_LAYOUT_NCDHW, {D, H, W}, I, O}.dims()), (Dims{O, I, D, H, W}));
  EXPECT_EQ((FilterShape{MLUOP_LAYOUT_NHWC, {H, W}, I, O}.dims()), (Dims{O, H, W, I}));
  EXPECT_EQ((FilterShape{MLUOP_LAYOUT_HWCN, {H, W}, I, O}.dims()), (Dims{H, W, I, O}));
  EXPECT_THROW((FilterShape{MLUOP_LAYOUT_NHWC, {D, H, W}, I, O}.dims()), std::invalid_argument);
  EXPECT_THROW((FilterShape{MLUOP_LAYOUT_NDHWC, {H, W}, I, O}.dims()), std::invalid_argument);
  const FilterShape shapes[] = {
      {MLUOP_LAYOUT_ARRAY, {D, H, W}, I, O}, {MLUOP_LAYOUT_NDHWC, {D, H, W}, I, O},
      {MLUOP_LAYOUT_NCDHW, {D, H, W}, I, O}, {MLUOP_LAYOUT_NHWC, {H, W}, I, O},
      {MLUOP_LAYOUT_NCHW, {H, W}, I, O},     {MLUOP_LAYOUT_HWCN, {H, W}, I, O}};
  for (const FilterShape& shape : shapes) {
    const FilterShape again = FilterShape::of(shape.layout, shape.dims());
    EXPECT_EQ(again.kernel, shape.kernel) << shape.layout;
    EXPECT_EQ(again.Ci, shape.Ci) << shape.layout;
    EXPECT_EQ(again.Co, shape.Co) << shape.layout;
  }
  EXPECT_THROW(FilterShape::of(MLUOP_LAYOUT_NHWC, {D, H, W, I, O}), std::invalid_argument);
  EXPECT_THROW(FilterShape::of(MLUOP_LAYOUT_ARRAY, {H, W}), std::invalid_argument);
}

}  // namespace
}  // namespace mluop::sparse_conv::reference
