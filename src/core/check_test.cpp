// Check: order of rules, derived messages, safe products, both limits modes.
#include "core/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace mluop {
namespace {

using Dims = std::vector<std::int64_t>;

mluOpTensorStruct descriptor(const Dims& dims, mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT,
                             mluOpTensorLayout_t layout = MLUOP_LAYOUT_NHWC) {
  mluOpTensorStruct desc;
  desc.dtype = dtype;
  desc.layout = layout;
  desc.reshape(dims, dense_strides(dims));
  return desc;
}

class CheckTest : public ::testing::Test {
 protected:
  /// The status and sentence of a check with one tensor x.
  template <class Rules>
  std::string failure(const mluOpTensorStruct* desc, Rules&& rules, const void* data = nullptr) {
    Check check{"f", &handle_};
    const Tensor x{"x", desc, data};
    rules(check, x);
    if (check.status() == MLUOP_STATUS_SUCCESS) return "";
    return std::to_string(check.status()) + " " + last_error();
  }

  mluOpContext handle_;
};

constexpr auto group = [](Check& check, const Tensor& x) { return check.tensors(x); };

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
  EXPECT_EQ(failure(&wide, rules),
            std::string("3 f: x dtype must be HALF or FLOAT, got DOUBLE") + Check::card_suffix);
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
            std::string("3 f: x must have 5 dims, got 4") + Check::card_suffix);
  EXPECT_EQ(failure(&plane, layouts({bits_of(MLUOP_LAYOUT_NHWC, MLUOP_LAYOUT_NCHW),
                                     bits_of(MLUOP_LAYOUT_NCHW)})),
            std::string("3 f: x layout must be NCHW, got NHWC") + Check::card_suffix);
}

TEST_F(CheckTest, RanksBeyondAnySet) {
  const auto deep = descriptor(Dims(40, 1));
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
  EXPECT_EQ(failure(&desc, plain), "3 f: x on-chip dtype must be unset or FLOAT, got HALF");
  EXPECT_EQ(failure(&desc, wide),
            "3 f: x on-chip dtype must be unset or FLOAT or DOUBLE, got HALF");
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_EQ(failure(&desc, wide), "3 f: x on-chip dtype must be unset or FLOAT, got HALF");
  desc.dtype = MLUOP_DTYPE_HALF;
  desc.onchip_dtype = MLUOP_DTYPE_FLOAT;
  EXPECT_EQ(failure(&desc, plain), "3 f: x on-chip dtype must be unset or HALF, got FLOAT");
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

TEST_F(CheckTest, SizesWithoutTheCard) {
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).size_limits(); };
  const auto large = descriptor({1 << 16, 1 << 16});
  const auto negative = descriptor({2, -3});
  const auto absurd = descriptor({std::int64_t{1} << 32, std::int64_t{1} << 30});
  const auto wrapped = descriptor({std::int64_t{1} << 32, std::int64_t{1} << 32});
  EXPECT_EQ(failure(&large, rules), "");
  EXPECT_EQ(failure(&negative, rules), "3 f: x dim 1 must be at least 0, got -3");
  const auto beyond = descriptor({std::int64_t{1} << 32, std::int64_t{1} << 20});
  for (const auto* desc : {&absurd, &wrapped, &beyond}) {
    EXPECT_EQ(failure(desc, rules), "3 f: x must fit an address space, got dims [4294967296, " +
                                        std::to_string(desc->dims[1]) + "]");
  }
}

TEST_F(CheckTest, SizesOnTheCard) {
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).size_limits(); };
  const auto just_fits = descriptor({(std::int64_t{1} << 31) - 1});
  const auto large = descriptor({1 << 15, 1 << 16});
  EXPECT_EQ(failure(&just_fits, rules), "");
  EXPECT_EQ(failure(&large, rules),
            std::string("7 f: x must have fewer than 2147483648 elements, got 2147483648") +
                Check::card_suffix);
  handle_.check_each_dim = true;
  const auto long_dim = descriptor({std::int64_t{1} << 31});
  EXPECT_EQ(failure(&large, rules), "") << "each dim is below 2^31";
  EXPECT_EQ(failure(&long_dim, rules),
            std::string("7 f: x dim 0 must be less than 2147483648, got 2147483648") +
                Check::card_suffix);
}

TEST_F(CheckTest, ShapesBindAndCompare) {
  const auto a = descriptor({2, 5}), b = descriptor({4, 6}), c = descriptor({2, 7});
  const Tensor x{"x", &a}, y{"y", &b}, z{"z", &c};
  {
    Dim N{"N"}, C{"C"};
    Check check{"f", &handle_};
    check.shape(x, {N, C}).shape(y, {2 * N, 6}).shape(z, {N, C});
    EXPECT_EQ(check.status(), MLUOP_STATUS_BAD_PARAM);
    EXPECT_STREQ(last_error(), "f: z dim 1 must be C = 5 (x dim 1), got 7");
    EXPECT_EQ(N.value(), 2);
  }
  {
    Dim N{"N"}, C{"C"};
    Check check{"f", &handle_};
    check.shape(x, {N, C}).shape(y, {3 * N, 6});
    EXPECT_STREQ(last_error(), "f: y dim 0 must be 3 * N = 6, got 4");
  }
  {
    Dim N{"N"};
    Check check{"f", &handle_};
    check.shape(x, {N, 4});
    EXPECT_STREQ(last_error(), "f: x dim 1 must be 4, got 5");
  }
}

TEST_F(CheckTest, SizesMayComeFromArguments) {
  const auto a = descriptor({2, 5});
  const auto rules = [](std::int64_t rows) {
    return [=](Check& c, const Tensor& x) {
      Dim n{"rows", rows}, C{"C"};
      c.dim(x, 0, n).dim(x, 1, C);
      if (c.running()) EXPECT_EQ(C.value(), 5);
    };
  };
  EXPECT_EQ(failure(&a, rules(2)), "");
  EXPECT_EQ(failure(&a, rules(3)), "3 f: x dim 0 must be rows = 3, got 2");
}

TEST_F(CheckTest, ProductsDoNotOverflow) {
  const auto a = descriptor({std::int64_t{1} << 40}), b = descriptor({0});
  const Tensor x{"x", &a}, y{"y", &b};
  Dim N{"N"};
  Check check{"f", &handle_};
  check.shape(x, {N}).shape(y, {N * N});
  EXPECT_EQ(check.status(), MLUOP_STATUS_BAD_PARAM);
  EXPECT_STREQ(last_error(), "f: y dim 0 must be N * N, which overflows, got 0");
}

TEST_F(CheckTest, RulesAboutNumbers) {
  const auto says = [&](auto value, const Rule& rule) {
    return failure(nullptr, [&](Check& c, const Tensor&) { c.require("k", value, rule); });
  };
  EXPECT_EQ(says(1, at_least(1)), "");
  EXPECT_EQ(says(0, at_least(1)), "3 f: k must be at least 1, got 0");
  EXPECT_EQ(says(46, at_most(45)), "3 f: k must be at most 45, got 46");
  EXPECT_EQ(says(-3, odd()), "");
  EXPECT_EQ(says(4, odd()), "3 f: k must be odd, got 4");
  EXPECT_EQ(says(7, multiple_of(2)), "3 f: k must be a multiple of 2, got 7");
  EXPECT_EQ(says(7, multiple_of(0)), "3 f: k must be a multiple of 0, got 7");
  EXPECT_EQ(says(2, one_of(1, 5)), "3 f: k must be one of 1, 5, got 2");
  EXPECT_EQ(says(2, equal_to(3)), "3 f: k must be 3, got 2");
  EXPECT_EQ(says(0.1f, above(0)), "");
  EXPECT_EQ(says(-0.1f, above(0)), "3 f: k must be above 0, got -0.1");
  EXPECT_EQ(says(0.0, above(0)), "3 f: k must be above 0, got 0");
  EXPECT_EQ(says(std::nanf(""), above(0)), "3 f: k must be above 0, got nan");
  EXPECT_EQ(says(std::numeric_limits<std::int64_t>::min(), multiple_of(3)).substr(0, 3), "3 f");
}

TEST_F(CheckTest, RulesAboutEachElement) {
  const std::int64_t values[] = {3, 10, -1, 11};
  const auto says = [&](std::int64_t count, const Rule& rule) {
    return failure(nullptr,
                   [&](Check& c, const Tensor&) { c.require_each("n", values, count, rule); });
  };
  EXPECT_EQ(says(2, at_most(10)), "");
  EXPECT_EQ(says(4, at_most(10)), "3 f: n[3] must be at most 10, got 11");
  EXPECT_EQ(says(4, at_least(0)), "3 f: n[2] must be at least 0, got -1");
  EXPECT_EQ(says(0, at_least(100)), "");
  EXPECT_EQ(says(-4, at_least(100)), "");
  EXPECT_EQ(failure(nullptr,
                    [](Check& c, const Tensor&) {
                      c.require("k", 2, odd()).require_each("n", nullptr, 4, at_least(0));
                    }),
            "3 f: k must be odd, got 2")
      << "nothing is read after a failure";
}

TEST_F(CheckTest, SupportAndCardRules) {
  const auto rules = [](Check& c, const Tensor&) {
    c.on_card("k", 139, at_most(137)).support("inverse", 1, equal_to(0));
  };
  EXPECT_EQ(failure(nullptr, rules), "7 f: inverse must be 0, got 1");
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_EQ(failure(nullptr, rules),
            std::string("7 f: k must be at most 137, got 139") + Check::card_suffix);
}

TEST_F(CheckTest, EmptyTensorEndsTheCallEarly) {
  const auto empty = descriptor({0, 4}), full = descriptor({1, 4});
  const Tensor x{"x", &full}, y{"y", &empty};
  Check check{"f", &handle_};
  check.done_if_empty(x);
  EXPECT_TRUE(check.running());
  check.done_if_empty(x, y);
  EXPECT_FALSE(check.running());
  check.tensors(x, y).data_present();
  EXPECT_EQ(check.status(), MLUOP_STATUS_SUCCESS) << "rules after the early exit do not apply";
}

TEST_F(CheckTest, AnswersOfWorkspaceQueries) {
  const auto empty = descriptor({0, 4});
  const Tensor x{"x", &empty};
  std::size_t size = 7;
  Check check{"f", &handle_};
  EXPECT_EQ(check.answer_size(&size, 64), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(size, 64u);
  check.done_if_empty(x);
  EXPECT_EQ(check.answer_size(&size, 0), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(size, 0u);
  EXPECT_EQ(check.answer_size(nullptr, 0), MLUOP_STATUS_SUCCESS);

  Check failed{"f", nullptr};
  EXPECT_EQ(failed.answer_size(&size, 64), MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(size, 0u) << "a query that fails writes nothing";
}

TEST_F(CheckTest, Workspace) {
  char byte = 0;
  const auto says = [&](const void* pointer, std::size_t given, std::size_t needed) {
    return failure(nullptr, [&](Check& c, const Tensor&) { c.workspace(pointer, given, needed); });
  };
  EXPECT_EQ(says(nullptr, 0, 0), "");
  EXPECT_EQ(says(&byte, 64, 64), "");
  EXPECT_EQ(says(nullptr, 64, 0), "3 f: workspace must not be null");
  EXPECT_EQ(says(&byte, 63, 64), "3 f: workspace_size must be at least 64, got 63");
}

}  // namespace
}  // namespace mluop
