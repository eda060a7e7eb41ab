// Check::no_overlap: which memory must be apart, in which order pairs are reported, and how.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "core/check/check_fixture.hpp"

namespace mluop {
namespace {

class CheckOverlapTest : public CheckTest {
 protected:
  /// The sentence that a rule leaves, "" for none.
  template <class... Arguments>
  std::string sentence(std::initializer_list<Region> inputs, std::initializer_list<Region> outputs,
                       const Arguments&... workspace) {
    Check check{"f", &handle_};
    check.no_overlap(inputs, outputs, workspace...);
    EXPECT_EQ(check.status(), check.running() ? MLUOP_STATUS_SUCCESS : MLUOP_STATUS_BAD_PARAM);
    return check.running() ? "" : last_error();
  }

  Region region(const char* name, std::size_t begin, std::size_t bytes) const {
    return {name, memory_.data() + begin, bytes};
  }

  std::array<std::byte, 256> memory_{};
};

TEST_F(CheckOverlapTest, NamesBothAndWhatTheyShare) {
  const Region in = region("in", 100, 20);
  EXPECT_EQ(sentence({in}, {region("out", 100, 20)}),
            "f: out must not overlap in in memory: its bytes [0, 20) are bytes [0, 20) of in");
  EXPECT_EQ(sentence({in}, {region("out", 119, 40)}),
            "f: out must not overlap in in memory: its bytes [0, 1) are bytes [19, 20) of in");
  EXPECT_EQ(sentence({in}, {region("out", 81, 20)}),
            "f: out must not overlap in in memory: its bytes [19, 20) are bytes [0, 1) of in");
  EXPECT_EQ(sentence({in}, {region("out", 0, 256)}),
            "f: out must not overlap in in memory: its bytes [100, 120) are bytes [0, 20) of in");
  EXPECT_EQ(sentence({in}, {region("out", 104, 4)}),
            "f: out must not overlap in in memory: its bytes [0, 4) are bytes [4, 8) of in");
}

TEST_F(CheckOverlapTest, MemoryThatTouchesIsApart) {
  const Region in = region("in", 100, 20);
  EXPECT_EQ(sentence({in}, {region("before", 80, 20), region("behind", 120, 20)},
                     region("workspace", 140, 1)),
            "");
}

TEST_F(CheckOverlapTest, WhatIsOnlyReadMayOverlap) {
  EXPECT_EQ(sentence({region("a", 0, 20), region("b", 10, 20), region("a", 0, 20)},
                     {region("out", 30, 10)}),
            "");
}

TEST_F(CheckOverlapTest, NothingOverlapsNothing) {
  const Region in = region("in", 100, 20);
  EXPECT_EQ(sentence({in}, {region("empty", 110, 0), {"null", nullptr, 20}, {"void", nullptr, 20}},
                     region("workspace", 110, 0)),
            "");
}

TEST_F(CheckOverlapTest, InBothLimitsModes) {
  handle_.limits = MLUOP_CPU_LIMITS_MLU;
  EXPECT_NE(sentence({region("in", 0, 1)}, {region("out", 0, 1)}), "");
}

/// Outputs against inputs, then outputs against later ones, then the workspace against all.
TEST_F(CheckOverlapTest, PairsAreReportedInOrder) {
  const auto names = [&](std::initializer_list<Region> inputs,
                         std::initializer_list<Region> outputs, const Region& workspace) {
    const std::string text = sentence(inputs, outputs, workspace);
    return text.substr(0, text.find(" in memory"));
  };
  const auto at = [&](const char* name, std::size_t begin) { return region(name, begin, 8); };
  EXPECT_EQ(names({at("a", 0), at("b", 0)}, {at("x", 0), at("y", 0)}, at("workspace", 0)),
            "f: x must not overlap a");
  EXPECT_EQ(names({at("a", 8), at("b", 0)}, {at("x", 0), at("y", 8)}, at("workspace", 0)),
            "f: x must not overlap b");
  EXPECT_EQ(names({at("a", 8), at("b", 8)}, {at("x", 0), at("y", 8)}, at("workspace", 0)),
            "f: y must not overlap a");
  EXPECT_EQ(names({at("a", 8)}, {at("x", 0), at("y", 16), at("z", 16)}, at("workspace", 0)),
            "f: y must not overlap z");
  EXPECT_EQ(names({at("a", 8), at("b", 16)}, {at("x", 16 + 8)}, region("workspace", 16, 16)),
            "f: workspace must not overlap b");
  EXPECT_EQ(names({at("a", 8)}, {at("x", 0), at("y", 16)}, at("workspace", 20)),
            "f: workspace must not overlap y");
}

TEST_F(CheckOverlapTest, AWorkspaceMayClaimMoreThanThereIs) {
  const std::size_t endless = std::numeric_limits<std::size_t>::max();
  EXPECT_EQ(sentence({}, {region("below", 0, 16)}, region("workspace", 16, endless)), "");
  EXPECT_NE(sentence({}, {region("above", 32, 16)}, region("workspace", 16, endless)), "");
}

TEST_F(CheckOverlapTest, ComesAfterAFailureOrAnEarlyEnd) {
  Check failed{"f", &handle_};
  failed.require("k", 2, odd()).no_overlap({region("in", 0, 1)}, {region("out", 0, 1)});
  EXPECT_STREQ(last_error(), "f: k must be odd, got 2");

  const auto desc = descriptor({2, 0});
  const Tensor x{"x", &desc, memory_.data()};
  Check done{"f", &handle_};
  done.done_if_empty(x).no_overlap({region("in", 0, 1)}, {region("out", 0, 1)});
  EXPECT_EQ(done.status(), MLUOP_STATUS_SUCCESS);
}

TEST_F(CheckOverlapTest, TensorsCoverTheirElements) {
  const auto bytes = [](const mluOpTensorStruct* desc) {
    return Region(Tensor{"x", desc, desc}).bytes;
  };
  const auto half = descriptor({2, 3, 5}, MLUOP_DTYPE_HALF);
  EXPECT_EQ(bytes(&half), 60u);
  auto ones = descriptor({1, 3, 1}, MLUOP_DTYPE_DOUBLE);
  ones.strides = {0, 1, 77};  // of dims of size 1: they do not matter
  EXPECT_EQ(bytes(&ones), 24u);
  const auto scalar = descriptor({}, MLUOP_DTYPE_INT32);
  EXPECT_EQ(bytes(&scalar), 4u);
  const auto empty = descriptor({4, 0});
  EXPECT_EQ(bytes(&empty), 0u);
  EXPECT_EQ(bytes(nullptr), 0u);
}

}  // namespace
}  // namespace mluop
