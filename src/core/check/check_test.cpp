// Check: order of rules, derived messages, and the rules about tensors, in both limits modes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/check/check_fixture.hpp"

namespace mluop {
namespace {

TEST_F(CheckTest, NullHandleAndDescriptor) {
  EXPECT_EQ(Check("f", nullptr).status(), MLUOP_STATUS_BAD_PARAM);
  EXPECT_STREQ(last_error(), "f: handle must not be null");
  EXPECT_EQ(failure(nullptr, [](Check& c, const Tensor& x) { group(c, x).present(); }),
            "3 f: x_desc must not be null");
}

TEST_F(CheckTest, RulesAboutOneTensor) {
  const auto desc = descriptor({2, 3, 4});
  EXPECT_EQ(failure(&desc, [](Check& c, const Tensor& x) { group(c, x).rank(4); }),
            "3 f: x must have 4 dims, got 3");
  EXPECT_EQ(
      failure(&desc, [](Check& c, const Tensor& x) { group(c, x).layout(MLUOP_LAYOUT_NCHW); }),
      "3 f: x layout must be NCHW, got NHWC");
  EXPECT_EQ(failure(&desc, [](Check& c, const Tensor& x) { group(c, x).dtype(int32); }),
            "3 f: x dtype must be INT32, got FLOAT");
  EXPECT_EQ(failure(&desc, [](Check& c, const Tensor& x) { group(c, x).data_present(); }),
            "3 f: x must not be null");
  EXPECT_EQ(failure(
                &desc,
                [](Check& c, const Tensor& x) {
                  group(c, x).present().rank(3).dtype(floating).contiguous().size_limits();
                  group(c, x).not_empty().data_present();
                },
                &desc),
            "");
}

TEST_F(CheckTest, FirstFailureWins) {
  const auto desc = descriptor({2, 0}, MLUOP_DTYPE_INT8);
  EXPECT_EQ(failure(&desc,
                    [](Check& c, const Tensor& x) {
                      group(c, x).not_empty().dtype(floating).data_present();
                      c.require("k", 2, odd());
                    }),
            "3 f: x must not be empty: dim 1 is 0");
}

TEST_F(CheckTest, DtypesOnTheCard) {
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).dtype(floating); };
  const auto wide = descriptor({1}, MLUOP_DTYPE_DOUBLE);
  const auto integer = descriptor({1}, MLUOP_DTYPE_INT32);
  EXPECT_EQ(failure(&wide, rules), "");
  EXPECT_EQ(failure(&integer, rules),
            "3 f: x dtype must be HALF, FLOAT, DOUBLE or BFLOAT16, got INT32");
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_EQ(failure(&wide, rules), on_card("3 f: x dtype must be HALF or FLOAT, got DOUBLE"));
  EXPECT_EQ(failure(&integer, rules), "3 f: x dtype must be HALF or FLOAT, got INT32");
}

TEST_F(CheckTest, OneOfSeveralRanksAndLayouts) {
  const auto plane = descriptor({2, 3, 4, 5});
  const auto ranks = [](RankSet set, Status status = MLUOP_STATUS_BAD_PARAM) {
    return [=](Check& c, const Tensor& x) { group(c, x).rank(set, status); };
  };
  const auto layouts = [](LayoutSet set, Status status = MLUOP_STATUS_BAD_PARAM) {
    return [=](Check& c, const Tensor& x) { group(c, x).layout(set, status); };
  };
  const LayoutSet flat{bits_of(MLUOP_LAYOUT_NCHW, MLUOP_LAYOUT_HWCN, MLUOP_LAYOUT_ARRAY)};
  EXPECT_EQ(failure(&plane, ranks({bits_of(4, 5)})), "");
  EXPECT_EQ(failure(&plane, ranks({bits_of(2, 3, 5)})), "3 f: x must have 2, 3 or 5 dims, got 4");
  EXPECT_EQ(failure(&plane, ranks({bits_of(5)}, MLUOP_STATUS_NOT_SUPPORTED)),
            "7 f: x must have 5 dims, got 4");
  EXPECT_EQ(failure(&plane, layouts({bits_of(MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_ARRAY)})), "");
  EXPECT_EQ(failure(&plane, layouts(flat, MLUOP_STATUS_NOT_SUPPORTED)),
            "7 f: x layout must be NCHW, HWCN or ARRAY, got NHWC");

  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_EQ(failure(&plane, ranks({bits_of(4, 5), bits_of(5)})),
            on_card("3 f: x must have 5 dims, got 4"));
  EXPECT_EQ(failure(&plane, layouts({bits_of(MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW),
                                     bits_of(MLUOP_LAYOUT_NCHW)})),
            on_card("3 f: x layout must be NCHW, got NHWC"));
}

TEST_F(CheckTest, RanksBeyondAnySet) {
  const auto deep = descriptor(std::vector<std::int64_t>(40, 1));
  EXPECT_EQ(failure(&deep, [](Check& c, const Tensor& x) { group(c, x).rank(8); }),
            "3 f: x must have 8 dims, got 40");
}

TEST_F(CheckTest, RankOfALayout) {
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).rank_of_layout(); };
  const auto fits = descriptor({1, 2, 3, 4});
  const auto any = descriptor({1, 2, 3}, MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_ARRAY);
  const auto misfit = descriptor({1, 2, 3, 4}, MLUOP_DTYPE_FLOAT, MLUOP_LAYOUT_NDHWC);
  EXPECT_EQ(failure(&fits, rules), "");
  EXPECT_EQ(failure(&any, rules), "");
  EXPECT_EQ(failure(&misfit, rules), "3 f: x must have 5 dims in layout NDHWC, got 4");
  EXPECT_EQ(failure(&misfit,
                    [](Check& c, const Tensor& x) {
                      group(c, x).rank_of_layout(MLUOP_STATUS_NOT_SUPPORTED);
                    }),
            "7 f: x must have 5 dims in layout NDHWC, got 4");
}

TEST_F(CheckTest, OnchipDtypes) {
  const auto plain = [](Check& c, const Tensor& x) { group(c, x).plain_onchip_dtype(); };
  const auto wide = [](Check& c, const Tensor& x) { group(c, x).wide_onchip_dtype(floating); };
  auto desc = descriptor({1});
  for (mluOpDataType_t fine : {MLUOP_DTYPE_INVALID, MLUOP_DTYPE_FLOAT}) {
    desc.onchip_dtype = fine;
    EXPECT_EQ(failure(&desc, plain), "");
    EXPECT_EQ(failure(&desc, wide), "");
  }
  desc.onchip_dtype = MLUOP_DTYPE_HALF;
  EXPECT_EQ(failure(&desc, plain), "3 f: x on-chip dtype, if set, must be FLOAT, got HALF");
  EXPECT_EQ(failure(&desc, wide),
            "3 f: x on-chip dtype, if set, must be FLOAT or DOUBLE, got HALF");
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_EQ(failure(&desc, wide), "3 f: x on-chip dtype, if set, must be FLOAT, got HALF");
  desc.dtype = MLUOP_DTYPE_HALF;
  desc.onchip_dtype = MLUOP_DTYPE_FLOAT;
  EXPECT_EQ(failure(&desc, plain), "3 f: x on-chip dtype, if set, must be HALF, got FLOAT");
  EXPECT_EQ(failure(&desc, wide), "");
}

TEST_F(CheckTest, UnknownEnumeratorsAreNamedAsSuch) {
  const auto desc =
      descriptor({1}, static_cast<mluOpDataType_t>(77), static_cast<mluOpTensorLayout_t>(55));
  EXPECT_NE(failure(&desc, [](Check& c, const Tensor& x) { group(c, x).dtype(floating); }), "");
  EXPECT_NE(failure(&desc, [](Check& c, const Tensor& x) { group(c, x).layout(MLUOP_LAYOUT_NC); }),
            "");
}

TEST_F(CheckTest, SameDtype) {
  const auto a = descriptor({1}), b = descriptor({1}, MLUOP_DTYPE_HALF);
  Check check{"f", &handle_};
  const Tensor x{"x", &a}, y{"y", &b};
  check.tensors(x, y).same_dtype();
  EXPECT_STREQ(last_error(), "f: y dtype must be that of x (FLOAT), got HALF");
}

TEST_F(CheckTest, ContiguityIgnoresSizeOneAndEmpty) {
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).contiguous(); };
  auto desc = descriptor({2, 1, 3});
  desc.strides = {3, 77, 1};
  EXPECT_EQ(failure(&desc, rules), "");
  desc.strides = {1, 1, 2};
  EXPECT_EQ(failure(&desc, rules),
            "7 f: x must be contiguous, got strides [1, 1, 2] for dims [2, 1, 3]");
  EXPECT_EQ(failure(&desc, [](Check& c,
                              const Tensor& x) { group(c, x).contiguous(MLUOP_STATUS_BAD_PARAM); })
                .substr(0, 2),
            "3 ");
  auto empty = descriptor({2, 0});
  empty.strides = {5, 5};
  EXPECT_EQ(failure(&empty, rules), "");
}

}  // namespace
}  // namespace mluop
