// Pairs that name rows that are not there: the first is reported, and nothing is written.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/suite/bad_calls.hpp"

namespace mluop::sparse_pool::checks {
namespace {

constexpr std::int64_t L = 6000, Y = 7000, K = 5;

/// One entry of indice_pairs and what to put there.
struct Entry {
  std::int64_t k;
  int side;
  std::int64_t t;
  std::int32_t value;
};

class SparsePoolBadPairs : public ::testing::TestWithParam<const Operation*> {
 protected:
  const Operation& operation() const { return *GetParam(); }
  std::string rows_of(int side) const {
    const char* const names[] = {operation().backward ? "input_grad" : "features",
                                 operation().backward ? "output_grad" : "features_out"};
    return std::to_string(side == 0 ? L : Y) + " (rows of " + names[side] + ")";
  }

  static Args many() {
    Args args;
    args.sizes(L, Y, 1);
    args.pairs.dims[0] = K;
    args.indice_num.assign(K, L);
    args.indice_num[3] = 0;
    args.indice_num[4] = L - 1;  // what lies behind is padding
    args.features_data.assign(L, 0.0);
    args.output_grad_data.assign(Y, 0.0);
    args.features_out_data.assign(Y, Args::sentinel);
    args.input_grad_data.assign(L, Args::sentinel);
    args.pairs_data.resize(static_cast<std::size_t>(2 * K * L));
    for (std::int64_t k = 0; k < K; ++k) {
      for (std::int64_t t = 0; t < L; ++t) {
        args.pair(k, 0, t) = static_cast<std::int32_t>(t);
        args.pair(k, 1, t) = static_cast<std::int32_t>((t + 31 * k) % Y);
      }
    }
    return args;
  }

  void expect_named(const std::vector<Entry>& entries, const Entry& named) const {
    const std::string sentence = std::string(operation().function) + ": indice_pairs[" +
                                 std::to_string(named.k) + "," + std::to_string(named.side) + "," +
                                 std::to_string(named.t) + "] must be at least 0 and below " +
                                 rows_of(named.side) + ", got " + std::to_string(named.value);
    for (const int mode : {0, 1}) {
      for (const int threads : {1, 2, 3, 7}) {
        SCOPED_TRACE(sentence + ", mode " + std::to_string(mode) + ", threads " +
                     std::to_string(threads));
        Args args = many();
        for (const Entry& entry : entries) args.pair(entry.k, entry.side, entry.t) = entry.value;
        args.threads = threads;
        args.mode = mode;
        testing::detail::leave_another_error();
        EXPECT_EQ(call(operation(), args), BAD_PARAM);
        EXPECT_EQ(mluOpCpuGetLastError(), sentence);
        EXPECT_TRUE(args.outputs_untouched());
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, SparsePoolBadPairs,
                         ::testing::ValuesIn(operations().begin(), operations().end()),
                         [](const auto& test) { return std::string{test.param->op}; });

TEST_P(SparsePoolBadPairs, AreNamedWhereverTheyAre) {
  for (const int side : {0, 1}) {
    const auto rows = static_cast<std::int32_t>(side == 0 ? L : Y);
    for (const Entry& entry : {Entry{0, side, 0, -1}, Entry{0, side, L - 1, rows},
                               Entry{2, side, 1234, std::numeric_limits<std::int32_t>::max()},
                               Entry{4, side, L - 2, std::numeric_limits<std::int32_t>::min()}}) {
      expect_named({entry}, entry);
    }
  }
}

TEST_P(SparsePoolBadPairs, AreNamedInOrder) {
  const int source = operation().backward ? 1 : 0, target = 1 - source;
  const auto first_of = [&](const Entry& first, const Entry& second) {
    expect_named({first, second}, first);
  };
  first_of({1, target, 5, -1}, {2, source, 0, -1});    // offsets first
  first_of({1, target, 5, 9999}, {1, source, 6, -1});  // then pairs
  first_of({1, source, 5, -3}, {1, target, 5, 9999});  // then the rows that are read
}

TEST_P(SparsePoolBadPairs, BehindTheCountAreNotRead) {
  Args args = many();
  for (const int side : {0, 1}) {
    args.pair(4, side, L - 1) = std::numeric_limits<std::int32_t>::max();
    for (std::int64_t t = 0; t < L; ++t) args.pair(3, side, t) = -5;
  }
  for (const int mode : {0, 1}) {
    Args copy = args;
    copy.mode = mode;
    EXPECT_EQ(call(operation(), copy), SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(copy.outputs_untouched());
  }
}

}  // namespace
}  // namespace mluop::sparse_pool::checks
