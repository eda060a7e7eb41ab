// Convolutions of random pairs, for tests of single designs.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "ops/sparse_conv/convolution/choose.hpp"
#include "ops/sparse_conv/convolution/run.hpp"
#include "ops/sparse_conv/spec.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {

/// A call with pairs at random: rows repeat on both sides of an offset.
struct RandomCall {
  testing::HostTensor source, filters, target;
  std::vector<std::int32_t> pairs;
  std::vector<std::int64_t> count;
  Convolution problem{};

  RandomCall(mluOpDataType_t dtype, std::int64_t in, std::int64_t out,
             std::vector<std::int64_t> counts, std::int64_t rows = 40)
      : source("source", dtype, MLUOP_LAYOUT_ARRAY, {rows, in}),
        filters("filters", dtype, MLUOP_LAYOUT_ARRAY, {std::ssize(counts), in, out}),
        target("target", dtype, MLUOP_LAYOUT_ARRAY, {rows, out}),
        count(std::move(counts)) {
    testing::Generator random(std::to_string(in) + " -> " + std::to_string(out));
    random.fill_uniform(source, -1, 1);
    random.fill_uniform(filters, -1, 1);
    const std::int64_t K = std::ssize(count), L = *std::ranges::max_element(count);
    for (std::int64_t i = 0; i < 2 * K * L; ++i) {
      pairs.push_back(static_cast<std::int32_t>(random.integer(0, rows - 1)));
    }
    problem = {.function = "test",
               .dtype = dtype,
               .pairs = {pairs.data(), K, L, count.data(), 0},
               .source = {"source", source.data(), rows, in},
               .target = {"target", target.data(), rows, out},
               .filters = filters.data(),
               .stride_k = in * out,
               .stride_i = out,
               .stride_j = 1};
  }

  /// The target as the design that a level chooses writes it.
  std::vector<double> run(Isa isa, int threads = 2) {
    testing::Handle handle;
    handle.threads(threads).isa(name_of(isa));
    return run(choose_kernels(forward_operator, problem, *handle.get()), handle);
  }

  /// The target as kernels write it.
  std::vector<double> run(const ConvolutionKernels& kernels, const testing::Handle& handle) {
    target.poison();
    std::vector<std::byte> workspace(convolution_workspace_bytes(problem));
    EXPECT_EQ(run_convolution(problem, kernels, *handle.get(), workspace.data()),
              MLUOP_STATUS_SUCCESS);
    EXPECT_TRUE(target.intact());
    return target.values();
  }

  /// Whether a pair of offset k leads from one row to the other.
  template <class Use>
  void for_each_pair(Use use) const {
    for (std::int64_t k = 0; k < problem.pairs.K; ++k) {
      for (std::int64_t t = 0; t < count[k]; ++t) {
        use(k, problem.pairs.source(k)[t], problem.pairs.target(k)[t]);
      }
    }
  }

  /// Σ f(x · w) in double.
  template <class Function>
  std::vector<double> sum(Function f) const {
    const std::int64_t in = problem.source.channels, out = problem.target.channels;
    const std::vector<double> x = source.values(), w = filters.values();
    std::vector<double> sums(static_cast<std::size_t>(target.count()), 0.0);
    for_each_pair([&](std::int64_t k, std::int64_t from, std::int64_t to) {
      for (std::int64_t i = 0; i < in; ++i) {
        for (std::int64_t j = 0; j < out; ++j) {
          sums[to * out + j] += f(x[from * in + i] * w[(k * in + i) * out + j]);
        }
      }
    });
    return sums;
  }
};

/// Sums in float lose at most a rounding per term and per product of terms; storing rounds once more.
inline void expect_close(RandomCall& call, const std::vector<double>& result) {
  const std::vector<double> exact = call.sum([](double x) { return x; });
  const std::vector<double> size = call.sum([](double x) { return std::abs(x); });
  const double steps =
      static_cast<double>(6 * call.problem.source.channels + call.problem.pairs.total());
  const double stored = testing::unit_roundoff(call.problem.dtype);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const double bound = steps * 0x1p-24 * size[i] + 2 * stored * std::abs(exact[i]);
    ASSERT_LE(std::abs(result[i] - exact[i]), bound) << "element " << i;
  }
}

inline void expect_same(const std::vector<double>& one, const std::vector<double>& other) {
  for (std::size_t i = 0; i < one.size(); ++i) {
    ASSERT_TRUE(one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i])))
        << "element " << i << ": " << one[i] << " and " << other[i];
  }
}

}  // namespace mluop::sparse_conv
