// What the cases of the convolutions promise about their data.
#include "ops/sparse_conv/kit/convolution/cases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"
#include "testing/faults/sanitized.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::Generator;

std::vector<const cases::Definition*> edge_definitions() {
  std::vector<const cases::Definition*> all;
  for (const cases::Definition& definition : cases::definitions()) {
    if (definition.kind == testing::Case::Kind::edge) all.push_back(&definition);
  }
  return all;
}

TEST(ConvolutionCases, NamesAreUnique) {
  std::set<std::string> names;
  for (const cases::Definition& definition : cases::definitions()) {
    EXPECT_TRUE(names.insert(definition.name).second) << definition.name;
  }
}

/// Every call is one that all three operators accept.
TEST(ConvolutionCases, PairsNameRowsThatExist) {
  for (const cases::Definition* definition : edge_definitions()) {
    SCOPED_TRACE(definition->name);
    const PairTable& table = *cases::table_of(*definition);
    ASSERT_EQ(std::ssize(table.num), definition->filters.K());
    int wrong = 0;
    for (std::int64_t k = 0; k < std::ssize(table.num); ++k) {
      const std::int64_t count = table.num[static_cast<std::size_t>(k)];
      ASSERT_LE(count, table.L);
      for (std::int64_t t = 0; t < count; ++t) {
        const auto row = [&](std::int64_t side) {
          return table.rows()[static_cast<std::size_t>((2 * k + side) * table.L + t)];
        };
        if (row(0) < 0 || row(0) >= table.L || row(1) < 0 || row(1) >= table.Y) ++wrong;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

bool repeats_within_an_offset(const PairTable& table) {
  for (std::int64_t line = 0; line < 2 * std::ssize(table.num); ++line) {
    const auto rows = table.rows().subspan(
        static_cast<std::size_t>(line * table.L),
        static_cast<std::size_t>(table.num[static_cast<std::size_t>(line / 2)]));
    if (std::set<std::int32_t>(rows.begin(), rows.end()).size() < rows.size()) return true;
  }
  return false;
}

TEST(ConvolutionCases, RowsRepeatWithinAnOffsetWhereTheNameSaysOnly) {
  for (const cases::Definition* definition : edge_definitions()) {
    const bool expected = definition->name.find("repeated") != std::string::npos ||
                          definition->name.find("duplicates") != std::string::npos;
    EXPECT_EQ(repeats_within_an_offset(*cases::table_of(*definition)), expected)
        << definition->name;
  }
}

TEST(ConvolutionCases, SpecialValuesOccurWhereTheNameSaysOnly) {
  for (const cases::Definition* definition : edge_definitions()) {
    SCOPED_TRACE(definition->name);
    const Operands operands = cases::make_operands(*definition, MLUOP_DTYPE_FLOAT);
    bool nan = false, infinity = false;
    for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
      for (const double value : (operands.*tensor).values()) {
        nan = nan || std::isnan(value);
        infinity = infinity || std::isinf(value);
      }
    }
    if (std::ranges::count(cases::dtypes_of(*definition), MLUOP_DTYPE_FLOAT) == 0) continue;
    EXPECT_EQ(nan, definition->name.find("nan") != std::string::npos);
    EXPECT_EQ(infinity, definition->name.find("infinity") != std::string::npos);
  }
}

TEST(ConvolutionCases, DataOfEveryDtypeAreTheSameNumbersRounded) {
  const cases::Definition& definition = cases::definition_named("strided");
  const Operands exact = cases::make_operands(definition, MLUOP_DTYPE_DOUBLE);
  for (const mluOpDataType_t dtype : testing::floating_dtypes) {
    const Operands operands = cases::make_operands(definition, dtype);
    EXPECT_EQ(operands.table, exact.table) << "pairs are shared";
    for (const auto tensor : {&Operands::features, &Operands::filters, &Operands::output_grad}) {
      EXPECT_EQ((operands.*tensor).values(), testing::rounded_to(dtype, (exact.*tensor).values()));
    }
  }
}

/// Bytes of the cache lines that hold the rows of one side of the pairs.
double bytes_of_rows(const PairTable& table, int side, std::int64_t row_bytes) {
  std::set<std::int64_t> lines;
  for (std::int64_t k = 0; k < std::ssize(table.num); ++k) {
    for (std::int64_t t = 0; t < table.num[static_cast<std::size_t>(k)]; ++t) {
      const std::int64_t row = table.rows()[static_cast<std::size_t>((2 * k + side) * table.L + t)];
      for (std::int64_t byte = 0; byte < row_bytes; ++byte) {
        lines.insert((row * row_bytes + byte) / 64);
      }
    }
  }
  return 64.0 * static_cast<double>(lines.size());
}

TEST(ConvolutionCases, CostIsWhatTheFormulaNeeds) {
  // 27 pairs between 40 and 50 rows, 18 channels in and 33 out.
  const auto cost_of = [](const Direction& direction) {
    const testing::Suite& suite = *testing::find_suite(direction.op);
    return std::ranges::find(suite.cases, "one_pair_per_offset", &testing::Case::name)
        ->make(MLUOP_DTYPE_HALF)
        ->cost();
  };
  const PairTable& table = *cases::table_of(cases::definition_named("one_pair_per_offset"));
  constexpr double in = 2 * 40 * 18, out = 2 * 50 * 33, filters = 2 * 27 * 18 * 33;
  // Read in lines: lists of one pair have one each, and the filters end within one.
  constexpr double pairs = 2 * 27 * 64, filter_lines = 502 * 64;
  const double rows_in = bytes_of_rows(table, 0, 2 * 18),
               rows_out = bytes_of_rows(table, 1, 2 * 33);
  EXPECT_LT(rows_in, in + 64);
  for (const Direction* direction : directions()) {
    EXPECT_EQ(cost_of(*direction).flops, 2.0 * 27 * 18 * 33);
  }
  EXPECT_EQ(cost_of(forward_direction).bytes_read, rows_in + filter_lines + pairs);
  EXPECT_EQ(cost_of(forward_direction).bytes_written, out);
  EXPECT_EQ(cost_of(backward_data_direction).bytes_read, rows_out + filter_lines + pairs);
  EXPECT_EQ(cost_of(backward_data_direction).bytes_written, in);
  EXPECT_EQ(cost_of(backward_filter_direction).bytes_read, rows_in + rows_out + pairs);
  EXPECT_EQ(cost_of(backward_filter_direction).bytes_written, filters);
}

/// The names under which results are compared over time, with the shapes they stand for.
TEST(ConvolutionCases, NetworkShapes) {
  struct Shape {
    const char* name;
    const char* text;
    std::int64_t L, Y;
  };
  const Shape shapes[] = {{"centerpoint_subm4", "3x3x3 ARRAY, 128 -> 128, sub_m", 58838, 58838},
                          {"centerpoint_down3", "3x3x3 ARRAY, 64 -> 128", 149100, 58838},
                          {"centerpoint_extra", "3x1x1 ARRAY, 128 -> 128", 58838, 45406},
                          {"centerpoint_input", "3x3x3 ARRAY, 5 -> 16, sub_m", 248636, 248636},
                          {"centerpoint_down1", "3x3x3 ARRAY, 16 -> 32", 248636, 280511},
                          {"centerpoint_down2", "3x3x3 ARRAY, 32 -> 64", 280511, 149100}};
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const cases::Definition& definition = cases::definition_named(shape.name);
    EXPECT_EQ(cases::text_of(definition), shape.text);
    EXPECT_EQ(definition.kind, testing::Case::Kind::network);
    if (testing::sanitized) continue;  // the scans take a minute there
    const PairTable& table = *cases::table_of(definition);
    EXPECT_EQ(table.L, shape.L);
    // What a scan leaves behind a strided layer is not for us to choose.
    EXPECT_NEAR(static_cast<double>(table.Y), static_cast<double>(shape.Y),
                0.1 * static_cast<double>(shape.Y));
  }
}

TEST(ConvolutionCases, ShapesReadWell) {
  EXPECT_EQ(cases::text_of(cases::definition_named("inverse_ndhwc")),
            "3x3x3 NDHWC, 9 -> 33, inverse");
  EXPECT_EQ(cases::text_of(cases::definition_named("sub_m_3x3x3")), "3x3x3 ARRAY, 16 -> 16, sub_m");
}

/// Shuffling keeps what each offset joins.
TEST(ConvolutionCases, ShuffledPairsAreTheSamePairs) {
  Generator random("sparse_conv/shuffled");
  const PairTable& table = *cases::table_of(cases::definition_named("strided"));
  const PairTable other = tables::shuffled(random, table);
  const auto pairs_of = [](const PairTable& of, std::int64_t k) {
    std::multiset<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::int64_t t = 0; t < of.num[static_cast<std::size_t>(k)]; ++t) {
      const auto at = static_cast<std::size_t>(2 * k * of.L + t);
      pairs.insert({of.rows()[at], of.rows()[at + static_cast<std::size_t>(of.L)]});
    }
    return pairs;
  };
  EXPECT_EQ(other.num, table.num);
  EXPECT_FALSE(std::ranges::equal(other.rows(), table.rows()));
  for (std::int64_t k = 0; k < std::ssize(table.num); ++k) {
    EXPECT_EQ(pairs_of(other, k), pairs_of(table, k));
  }
}

}  // namespace
}  // namespace mluop::sparse_conv
