// Results of get_indice_pairs that are known by hand.
#include <gtest/gtest.h>

#include <vector>

#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using Integers = std::vector<std::int32_t>;

/// What a call writes; runs it in both modes of limits where both accept it.
struct Written {
  Written(const Geometry& geometry, const Integers& indices, std::int64_t out_rows) {
    PairsCall call(geometry, indices, out_rows);
    EXPECT_EQ(call.run(testing::Handle()), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    out_indices.assign(call.output(0).begin(), call.output(0).end());
    pairs.assign(call.output(1).begin(), call.output(1).end());
    num.assign(call.output(2).begin(), call.output(2).end());
    num_act_out = call.num_act_out();
  }

  Integers out_indices, pairs, num;
  int num_act_out;
};

/// Three offsets along the depth.
Geometry column(int input, int output, int pad) {
  return {.pad = {pad, 0, 0},
          .input_space = {input, 1, 1},
          .filter_space = {3, 1, 1},
          .output_space = {output, 1, 1}};
}

/// Every triple is valid, and sites repeat: a count that always takes away one finds 3.
TEST(GetIndicePairsVectors, EveryTripleIsValid) {
  const Written written(column(5, 5, 1), {0, 1, 0, 0, 0, 2, 0, 0}, 4);
  EXPECT_EQ(written.num_act_out, 4);
  EXPECT_EQ(written.out_indices, (Integers{0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0}));
  EXPECT_EQ(written.num, (Integers{2, 2, 2}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, 2, 3,     // offset 0 leads to the next site
                                     0, 1, 1, 2,     //
                                     0, 1, 0, 1}));  // offset 2 to the one before
}

/// One triple is invalid, and all sites differ: a count that takes nothing away finds 3.
TEST(GetIndicePairsVectors, OneTripleIsInvalid) {
  const Written written(column(5, 3, 0), {0, 1, 0, 0}, 3);
  EXPECT_EQ(written.num_act_out, 2);
  EXPECT_EQ(written.out_indices, (Integers{0, 0, 0, 0, 0, 1, 0, 0, -1, -1, -1, -1}));
  EXPECT_EQ(written.num, (Integers{1, 1, 0}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, 0, 0, -1, -1}));
}

TEST(GetIndicePairsVectors, KernelOfOneOffset) {
  Geometry geometry = column(4, 4, 0);
  geometry.filter_space = {1, 1, 1};
  const Written written(geometry, {0, 3, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0}, 3);
  EXPECT_EQ(written.num_act_out, 3);
  EXPECT_EQ(written.out_indices, (Integers{0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0}));
  EXPECT_EQ(written.num, (Integers{3}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, 2, 2, 0, 1}));
}

/// Sites 0, 2, 3 and 4 of a line of 6. Centred, a site meets those two cells off; with a pad of 1 those one
/// cell after it, one before and three before.
TEST(GetIndicePairsVectors, SubmanifoldWithDilation) {
  Geometry geometry{.pad = {0, 0, 2},
                    .dilation = {1, 1, 2},
                    .input_space = {1, 1, 6},
                    .filter_space = {1, 1, 3},
                    .output_space = {1, 1, 6},
                    .sub_m = 1};
  const Integers sites{0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
  const Written centred(geometry, sites, 4);
  EXPECT_EQ(centred.num_act_out, 4);
  EXPECT_EQ(centred.out_indices, sites);
  EXPECT_EQ(centred.num, (Integers{2, 4, 2}));
  EXPECT_EQ(centred.pairs, (Integers{0, 1, -1, -1, 1, 3, -1, -1,     // two cells on
                                     0, 1, 2,  3,  0, 1, 2,  3,      //
                                     1, 3, -1, -1, 0, 1, -1, -1}));  // two cells back
  geometry.pad[2] = 1;
  const Written uncentred(geometry, sites, 4);
  EXPECT_EQ(uncentred.num, (Integers{2, 2, 1}));
  EXPECT_EQ(uncentred.pairs, (Integers{1, 2,  -1, -1, 2, 3,  -1, -1,  //
                                       2, 3,  -1, -1, 1, 2,  -1, -1,  //
                                       2, -1, -1, -1, 0, -1, -1, -1}));
}

TEST(GetIndicePairsVectors, NoTripleAtAll) {
  const Written written(column(9, 3, 0), {0, 7, 0, 0, 0, 8, 0, 0}, 2);
  EXPECT_EQ(written.num_act_out, 0);
  EXPECT_EQ(written.out_indices, Integers(8, -1));
  EXPECT_EQ(written.num, Integers(3, 0));
  EXPECT_EQ(written.pairs, Integers(12, -1));
}

/// Each of two equal rows makes pairs; the site appears once.
TEST(GetIndicePairsVectors, EqualRows) {
  const Written written(column(5, 5, 1), {0, 2, 0, 0, 0, 2, 0, 0}, 5);
  EXPECT_EQ(written.num_act_out, 3);
  EXPECT_EQ(written.out_indices,
            (Integers{0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1}));
  EXPECT_EQ(written.num, (Integers{2, 2, 2}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, 2, 2, 0, 1, 1, 1, 0, 1, 0, 0}));
}

TEST(GetIndicePairsVectors, Submanifold) {
  Geometry geometry = column(9, 9, 1);
  geometry.sub_m = 1;
  const Written written(geometry, {0, 5, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0}, 3);
  EXPECT_EQ(written.num_act_out, 3);
  EXPECT_EQ(written.out_indices, (Integers{0, 5, 0, 0, 0, 4, 0, 0, 0, 8, 0, 0}));
  EXPECT_EQ(written.num, (Integers{1, 3, 1}));
  EXPECT_EQ(written.pairs, (Integers{1, -1, -1, 0, -1, -1,  // site 4 leads to 5
                                     0, 1, 2, 0, 1, 2,      //
                                     0, -1, -1, 1, -1, -1}));
}

/// The last of equal rows stands for the site; the others meet it, too. Rows beyond the sites are -1.
TEST(GetIndicePairsVectors, SubmanifoldWithEqualRows) {
  Geometry geometry = column(9, 9, 1);
  geometry.sub_m = 1;
  const Written written(geometry, {0, 5, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0}, 4);
  EXPECT_EQ(written.num_act_out, 3);
  EXPECT_EQ(written.out_indices, (Integers{0, 5, 0, 0, 0, 6, 0, 0, 0, 5, 0, 0, -1, -1, -1, -1}));
  EXPECT_EQ(written.num, (Integers{2, 3, 1}));
  EXPECT_EQ(written.pairs, (Integers{0, 2, -1, 1, 1, -1,  // both rows at 5 lead to 6
                                     0, 1, 2, 2, 1, 2,    //
                                     1, -1, -1, 2, -1, -1}));
}

/// With no pad, offset 0 is the site itself.
TEST(GetIndicePairsVectors, SubmanifoldHonoursThePad) {
  Geometry geometry = column(9, 9, 0);
  geometry.sub_m = 1;
  const Written written(geometry, {0, 5, 0, 0, 0, 4, 0, 0}, 2);
  EXPECT_EQ(written.num, (Integers{2, 1, 0}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, 0, 1, 0, -1, 1, -1, -1, -1, -1, -1}));
}

TEST(GetIndicePairsVectors, Transposed) {
  Geometry geometry = column(3, 7, 1);
  geometry.stride = {2, 1, 1};
  geometry.transpose = 1;
  const Written written(geometry, {0, 0, 0, 0, 0, 2, 0, 0}, 5);
  // output = 2 · input - 1 + offset
  EXPECT_EQ(written.out_indices,
            (Integers{0, 0, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 5, 0, 0}));
  EXPECT_EQ(written.num, (Integers{1, 2, 2}));
  EXPECT_EQ(written.pairs, (Integers{1, -1, 2, -1, 0, 1, 0, 3, 0, 1, 1, 4}));
}

TEST(GetIndicePairsVectors, Image) {
  const Geometry geometry{.axes = 2,
                          .batch = 2,
                          .pad = {0, 1, 0},
                          .stride = {2, 1, 1},
                          .input_space = {4, 3, 1},
                          .filter_space = {1, 2, 1},
                          .output_space = {2, 4, 1}};
  const Written written(geometry, {1, 2, 0, 0, 0, 2, 0, 1, 2}, 4);
  EXPECT_EQ(written.num_act_out, 4);
  EXPECT_EQ(written.out_indices, (Integers{0, 0, 2, 0, 0, 3, 1, 1, 0, 1, 1, 1}));
  EXPECT_EQ(written.num, (Integers{2, 2}));
  EXPECT_EQ(written.pairs, (Integers{0, 1, -1, 3, 1, -1, 0, 1, -1, 2, 0, -1}));
}

TEST(GetIndicePairsVectors, InverseChangesNothing) {
  Geometry geometry = column(5, 5, 1);
  const Written plain(geometry, {0, 1, 0, 0, 0, 2, 0, 0}, 4);
  geometry.inverse = 1;
  const Written inverse(geometry, {0, 1, 0, 0, 0, 2, 0, 0}, 4);
  EXPECT_EQ(inverse.pairs, plain.pairs);
  EXPECT_EQ(inverse.out_indices, plain.out_indices);
  EXPECT_EQ(inverse.num, plain.num);
}

}  // namespace
}  // namespace mluop::sparse_conv
