// The row loops give the results of the reference, and acceptance visits every element of a large map once.
#include "ops/carafe/kit/row_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "ops/carafe/kit/calls.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

// Rows beyond one band, two images; groups of less, exactly and more than a block of channels.
const std::vector<reference::Shape> shapes{
    {2, 19, 5, 6, 5, 2, 2}, {1, 3, 4, 64, 3, 1, 1}, {1, 18, 3, 150, 7, 2, 3}};

template <class Data>
class CarafeRowLoops : public ::testing::Test {};
using Directions = ::testing::Types<ForwardData, BackwardData>;
TYPED_TEST_SUITE(CarafeRowLoops, Directions);

TYPED_TEST(CarafeRowLoops, HaveTheResultsOfTheReference) {
  for (const reference::Shape& shape : shapes) {
    for (const mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE}) {
      SCOPED_TRACE(cases::text_of(shape));
      const TypeParam data({"rows", testing::Case::Kind::edge, shape}, dtype);
      const Values expected = data.reference();
      const double tolerance = dtype == MLUOP_DTYPE_DOUBLE ? 1e-12 : 1e-3;
      std::vector<std::int64_t> seen(expected.size());
      for (const Band& band : all_bands(shape)) {
        const Values rows = data.rows(band);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const BandElements part = elements_of(shape, data.outputs()[i], band);
          ASSERT_EQ(part.count, std::ssize(rows[i]));
          EXPECT_EQ(part.in_whole, seen[i]) << "bands follow each other";
          seen[i] += part.count;
          for (std::int64_t e = 0; e < part.count; ++e) {
            const auto at = static_cast<std::size_t>(e);
            ASSERT_NEAR(rows[i][at], expected[i][static_cast<std::size_t>(part.in_whole) + at],
                        tolerance);
          }
        }
      }
      for (std::size_t i = 0; i < seen.size(); ++i) EXPECT_EQ(seen[i], std::ssize(expected[i]));
    }
  }
}

TEST(CarafeRowLoops, VisitLargeMapsOnly) {
  for (const char* op : {ForwardData::op, BackwardData::op}) {
    const testing::Suite& suite = *testing::find_suite(op);
    for (const auto& [name, large] : {std::pair{"square_32x256", false}, {"square_64x256", true}}) {
      const auto call =
          std::ranges::find(suite.cases, name, &testing::Case::name)->make(MLUOP_DTYPE_HALF);
      std::vector<std::int64_t> seen(call->outputs().size());
      call->visit_all([&](std::size_t i, std::int64_t, std::span<const double> values) {
        seen[i] += std::ssize(values);
      });
      for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i], large ? call->outputs()[i].count() : 0) << op << ' ' << name;
      }
    }
  }
}

}  // namespace
}  // namespace mluop::carafe
