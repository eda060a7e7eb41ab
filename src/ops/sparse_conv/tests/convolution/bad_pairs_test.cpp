// Pairs that name rows that are not there: the first is reported, and nothing is written.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/convolution/calls.hpp"

namespace mluop::sparse_conv::checks {
namespace {

constexpr std::int64_t first_rows = 3000, second_rows = 3500;

/// One entry of indice_pairs and what to put there.
struct Entry {
  std::int64_t k;
  int side;
  std::int64_t t;
  std::int32_t value;
};

class ConvolutionBadPairs : public ConvolutionCalls {
 protected:
  static Args many(bool inverse) {
    Args args;
    args.indice_num.assign(15, first_rows);
    args.indice_num[4] = 0;
    args.indice_num[14] = first_rows - 1;  // what lies behind is padding
    args.rows(first_rows, second_rows);
    if (inverse) args.invert();
    args.workspace.resize(1 << 18);
    args.workspace_size = args.workspace.size() * sizeof(double);
    return args;
  }

  /// The side of the rows that are read, and reported first.
  int source_side(bool inverse) const { return op().backward_data != inverse ? 1 : 0; }
  std::string rows_of(int side, bool inverse) const {
    return std::to_string(side == 0 ? first_rows : second_rows) + " (rows of " +
           ((side == 0) != inverse ? input() : output()) + ")";
  }

  void expect_named(const std::vector<Entry>& entries, const Entry& named, bool inverse) const {
    const std::string sentence = std::string(function().name()) + ": indice_pairs[" +
                                 std::to_string(named.k) + "," + std::to_string(named.side) + "," +
                                 std::to_string(named.t) + "] must be at least 0 and below " +
                                 rows_of(named.side, inverse) + ", got " +
                                 std::to_string(named.value);
    SCOPED_TRACE(sentence);
    for (int threads : {1, 2, 3, 7}) {
      Args args = many(inverse);
      for (const Entry& entry : entries) args.pair(entry.k, entry.side, entry.t) = entry.value;
      args.threads = threads;
      testing::detail::leave_another_error();
      EXPECT_EQ(function().call(args), BAD_PARAM) << threads << " threads";
      EXPECT_EQ(mluOpCpuGetLastError(), sentence) << threads << " threads";
      EXPECT_TRUE(args.outputs_untouched()) << threads << " threads";
    }
  }
};

INSTANTIATE_TEST_SUITE_P(, ConvolutionBadPairs, all_runs, name_of_test);

TEST_P(ConvolutionBadPairs, AreNamedWhereverTheyAre) {
  for (bool inverse : {false, true}) {
    for (int side : {0, 1}) {
      const auto rows = static_cast<std::int32_t>(side == 0 ? first_rows : second_rows);
      for (const Entry& entry :
           {Entry{0, side, 0, -1}, Entry{0, side, first_rows - 1, rows},
            Entry{7, side, 1234, std::numeric_limits<std::int32_t>::max()},
            Entry{14, side, first_rows - 2, std::numeric_limits<std::int32_t>::min()}}) {
        expect_named({entry}, entry, inverse);
      }
    }
  }
}

TEST_P(ConvolutionBadPairs, AreNamedInOrder) {
  for (bool inverse : {false, true}) {
    const int source = source_side(inverse), target = 1 - source;
    const auto first_of = [&](const Entry& first, const Entry& second) {
      expect_named({first, second}, first, inverse);
    };
    first_of({2, target, 5, -1}, {3, source, 0, -1});    // offsets first
    first_of({2, target, 5, 9999}, {2, source, 6, -1});  // then pairs
    first_of({2, source, 5, -3}, {2, target, 5, 9999});  // then the rows that are read
    first_of({0, target, first_rows - 1, -2}, {14, source, 0, -1});
    first_of({5, source, 0, 9999}, {5, source, first_rows - 1, -2});
  }
}

TEST_P(ConvolutionBadPairs, BehindTheCountAreNotRead) {
  for (bool inverse : {false, true}) {
    Args args = many(inverse);
    for (int side : {0, 1}) {
      args.pair(14, side, first_rows - 1) = std::numeric_limits<std::int32_t>::max();
      for (std::int64_t t = 0; t < first_rows; ++t) args.pair(4, side, t) = -5;
    }
    EXPECT_EQ(function().call(args), SUCCESS) << mluOpCpuGetLastError();
    EXPECT_FALSE(args.outputs_untouched());
  }
}

}  // namespace
}  // namespace mluop::sparse_conv::checks
