// The numbers that `random_data` of a case file stands for, the same that MLU-OPS draws.
#pragma once

#include <cstdint>
#include <vector>

#include "mlu_op.h"

namespace mluop::casefile {

struct RandomData {
  enum class Distribution { uniform, gaussian };
  Distribution distribution = Distribution::uniform;
  std::int32_t seed = 23;
  double first = 0, second = 0;  // lower and upper bound, or mean and deviation
};

/// One number after the other from std::default_random_engine. DOUBLE tensors draw in double, all
/// others in float; INT32 and INT64 are rounded down, the other integers towards zero. Bounds may be
/// exchanged, as files that MLU-OPS itself writes have them; equal ones give the constant.
std::vector<double> random_values(const RandomData& data, mluOpDataType_t dtype,
                                  std::int64_t count);

}  // namespace mluop::casefile
