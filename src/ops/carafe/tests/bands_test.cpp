// A band's results are those of the whole, and bands stand for maps that are too large.
#include "ops/carafe/kit/bands.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "ops/carafe/kit/calls.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

const cases::Definition images_of_9_rows{"bands", testing::Case::Kind::edge, {2, 9, 4, 6, 5, 2, 2}};

template <class Data>
class CarafeBands : public ::testing::Test {};
using Directions = ::testing::Types<ForwardData, BackwardData>;
TYPED_TEST_SUITE(CarafeBands, Directions);

TYPED_TEST(CarafeBands, HaveTheResultsOfTheWhole) {
  const TypeParam whole(images_of_9_rows, MLUOP_DTYPE_FLOAT);
  const reference::Shape& shape = whole.shape();
  const Values expected = whole.reference();
  for (std::int64_t begin = 0; begin < shape.H; ++begin) {
    for (std::int64_t rows = 1; begin + rows <= shape.H; ++rows) {
      const Band band = band_at(shape, begin % 2, begin, rows);
      SCOPED_TRACE(text_of(band));
      const Values small = whole.band(band).reference();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const BandElements part = elements_of(shape, whole.outputs()[i], band);
        EXPECT_EQ(part.count, rows * whole.outputs()[i].count() / (shape.N * shape.H));
        EXPECT_TRUE(std::equal(small[i].begin() + part.in_reached,
                               small[i].begin() + part.in_reached + part.count,
                               expected[i].begin() + part.in_whole));
      }
    }
  }
}

TEST(CarafeBands, StandForLargeMapsOnly) {
  EXPECT_TRUE(bands_of({1, 32, 32, 256, 5, 1, 2}).empty());
  const reference::Shape large{3, 100, 152, 256, 5, 1, 2};
  const std::vector<Band> bands = bands_of(large);
  ASSERT_EQ(bands.size(), 4u);
  EXPECT_EQ(bands.front().image, 0);
  EXPECT_EQ(bands.front().begin, 0);
  EXPECT_EQ(bands.back().image, 2);
  EXPECT_EQ(bands.back().end, 100);
  for (const Band& band : bands) {
    EXPECT_LT(band.begin, band.end);
    EXPECT_EQ(band.first, std::max<std::int64_t>(band.begin - 2, 0));
    EXPECT_EQ(band.last, std::min<std::int64_t>(band.end + 2, 100));
  }
}

TEST(CarafeBands, AreWhatAcceptanceCompares) {
  for (const char* op : {ForwardData::op, BackwardData::op}) {
    SCOPED_TRACE(op);
    const testing::Suite& suite = *testing::find_suite(op);
    const auto found = std::ranges::find(suite.cases, "square_64x256", &testing::Case::name);
    const auto call = found->make(MLUOP_DTYPE_FLOAT);
    const auto parts = call->parts();
    EXPECT_EQ(parts.size(), 4 * call->outputs().size());
    for (const testing::Part& part : parts) {
      const testing::HostTensor& output = call->outputs()[part.output];
      EXPECT_TRUE(part.name.starts_with(output.name() + ", rows ")) << part.name;
      EXPECT_EQ(part.reference.size(), part.plain.size());
      EXPECT_LE(part.first + std::ssize(part.reference), output.count());
    }
    EXPECT_EQ(parts.back().first + std::ssize(parts.back().reference),
              call->outputs().back().count());
  }
}

}  // namespace
}  // namespace mluop::carafe
