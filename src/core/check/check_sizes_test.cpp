// Check: sizes, products that do not overflow, rules about numbers, early exits and workspaces.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "core/check/check_fixture.hpp"

namespace mluop {
namespace {

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
            on_card("7 f: x must have fewer than 2147483648 elements, got 2147483648"));
  handle_.check_each_dim = true;
  const auto long_dim = descriptor({std::int64_t{1} << 31});
  EXPECT_EQ(failure(&large, rules), "") << "each dim is below 2^31";
  EXPECT_EQ(failure(&long_dim, rules),
            on_card("7 f: x dim 0 must be less than 2147483648, got 2147483648"));
}

TEST_F(CheckTest, AddressableWithoutTheLimitsOfTheCard) {
  const auto rules = [](Check& c, const Tensor& x) { group(c, x).addressable(); };
  const auto large = descriptor({1 << 16, 1 << 16});
  const auto negative = descriptor({2, -3});
  const auto absurd = descriptor({std::int64_t{1} << 32, std::int64_t{1} << 30});
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    handle_.limits = limits;
    EXPECT_EQ(failure(&large, rules), "");
    EXPECT_EQ(failure(&negative, rules), "3 f: x dim 1 must be at least 0, got -3");
    EXPECT_EQ(failure(&absurd, rules),
              "3 f: x must fit an address space, got dims [4294967296, 1073741824]");
  }
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
      if (C.bound()) {
        EXPECT_EQ(C.value(), 5);
      }
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
  EXPECT_EQ(says(2, finite()), "");
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
  EXPECT_EQ(failure(nullptr, rules), on_card("7 f: k must be at most 137, got 139"));
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
