// The rows of an earlier run of the bench, to compare with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "measurement.hpp"

namespace mluop::cli {

class EarlierRun {
 public:
  /// Of no run.
  EarlierRun() = default;
  /// The rows that `mluop bench --json` wrote; throws JsonError for any other text.
  explicit EarlierRun(std::string_view json);
  /// The same of a file; throws UsageError, naming it, if it cannot be read or holds something else.
  static EarlierRun from_file(const std::string& path);

  /// Best time of `row` over best time of the same case, dtype, threads and implementation then.
  std::optional<double> ratio(const Measurement& row) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, int, std::string>;
  std::map<Key, double> ms_best_;
};

}  // namespace mluop::cli
