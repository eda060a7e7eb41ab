// The rows of an earlier run of the bench, to compare with.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "measure/measurement.hpp"

namespace mluop::cli {

/// The text is not an array of rows as the bench writes them.
struct BadRows : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class EarlierRun {
 public:
  /// No rows: there is nothing to compare with.
  EarlierRun() = default;
  /// The rows that `mluop bench --json` wrote; throws BadRows for any other text.
  explicit EarlierRun(std::string_view json);
  /// Reads them from a file; throws UsageError with its name if it cannot be read or has other contents.
  static EarlierRun from_file(const std::string& path);

  /// Best time of `row` over best time of the same case, dtype, threads, level and design then.
  std::optional<double> ratio(const Measurement& row) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string, int, std::string, std::string>;
  std::map<Key, double> ms_best_;
};

}  // namespace mluop::cli
