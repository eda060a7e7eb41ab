// Casts of cnrt.h on vectors of numbers, for tests.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "cnrt.h"

namespace mluop::testing {

inline constexpr std::array every_rounding{cnrtRounding_rn, cnrtRounding_rz, cnrtRounding_rd,
                                           cnrtRounding_ru, cnrtRounding_ro, cnrtRounding_rm};

/// Elements of one type as those of another.
template <class To, class From>
std::vector<To> cast_all(cnrtDataType_V2_t from, const std::vector<From>& values,
                         cnrtDataType_V2_t to, cnrtRoundingMode_t mode,
                         cnrtQuantizedParam_t param = nullptr) {
  std::vector<To> results(values.size());
  EXPECT_EQ(cnrtCastDataType_V2(values.data(), from, results.data(), to,
                                static_cast<int>(values.size()), param, mode),
            cnrtSuccess);
  return results;
}

template <class To, class From>
To cast_one(cnrtDataType_V2_t from, From value, cnrtDataType_V2_t to,
            cnrtRoundingMode_t mode = cnrtRounding_rn, cnrtQuantizedParam_t param = nullptr) {
  return cast_all<To>(from, std::vector<From>{value}, to, mode, param)[0];
}

}  // namespace mluop::testing
