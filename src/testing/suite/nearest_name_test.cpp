#include "testing/suite/nearest_name.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mluop::testing {
namespace {

const std::vector<std::string> known{"all",
                                     "carafe_forward",
                                     "carafe_backward",
                                     "indice_convolution_backward_data",
                                     "indice_convolution_backward_filter",
                                     "bench",
                                     "bits"};

TEST(NearestName, FindsWhatWasMeant) {
  for (const auto& [typed, meant] : std::vector<std::pair<const char*, const char*>>{
           {"carafe_forwrd", "carafe_forward"},
           {"carafe-forward", "carafe_forward"},
           {"carafe_bacwkard", "carafe_backward"},
           {"mluOpCarafeBackward", "carafe_backward"},
           {"indice_convolution_backwards_data", "indice_convolution_backward_data"},
           {"indice_conv", "indice_convolution_backward_data"},
           {"car", "carafe_forward"},
           {"bensh", "bench"},
           {"Bits", "bits"}}) {
    EXPECT_EQ(nearest_name(typed, known), meant) << typed;
  }
}

TEST(NearestName, FindsNothingForOtherWords) {
  for (const char* typed : {"", "x", "frobnicate", "nonsense", "in", "matmul", "_"}) {
    EXPECT_EQ(nearest_name(typed, known), "") << typed;
    EXPECT_EQ(suggestion_for(typed, known), "") << typed;
  }
  EXPECT_EQ(nearest_name("bench", {}), "");
  EXPECT_EQ(suggestion_for("bensh", known), "; did you mean 'bench'?");
  EXPECT_EQ(hint_for("bensh", known), "; did you mean 'bench'?");
  const std::vector<std::string> two{"bench", "bits"};
  EXPECT_EQ(hint_for("frobnicate", two), "; known: bench, bits");
}

}  // namespace
}  // namespace mluop::testing
