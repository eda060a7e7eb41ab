// The numbers of `random_data` in a case file, the same as in MLU-OPS.
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

/// A sequence from std::default_random_engine, in double for DOUBLE tensors and in float for others. INT32
/// and INT64 are rounded down, other integers towards zero. Bounds may be exchanged, as in files that
/// MLU-OPS itself writes; equal bounds give a constant.
std::vector<double> random_values(const RandomData& data, mluOpDataType_t dtype,
                                  std::int64_t count);

}  // namespace mluop::casefile
