// From names on the command line to operators, cases, dtypes, instruction sets and designs.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "testing/suite/suite.hpp"
#include "testing/suite/ways.hpp"

namespace mluop::cli {

/// A wrong value on the command line: one line on stderr, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Lists of names; an empty list means "all".
struct Selection {
  std::vector<std::string> ops;
  std::vector<std::string> cases;  // or the groups "network", "edge", "all"
  std::vector<std::string> dtypes;
};

/// One case in one dtype.
struct Job {
  const testing::Suite& suite;
  const testing::Case& test_case;
  mluOpDataType_t dtype;

  std::string name() const;
};

/// The operators of a selection. Throws UsageError for an unknown operator, or for a dtype that none of
/// them supports.
std::vector<const testing::Suite*> suites_of(const Selection& selection);

/// The dtypes among `dtypes` that the selection names.
std::vector<mluOpDataType_t> wanted_of(const std::vector<mluOpDataType_t>& dtypes,
                                       const Selection& selection);

/// The jobs of a selection, ordered by operator, case and dtype. Combinations that do not exist are left
/// out. Throws UsageError for an unknown name or an empty selection.
std::vector<Job> jobs_of(const Selection& selection);

/// "float", "half", …
std::string name_of(mluOpDataType_t dtype);

/// The dtype used where only one is tested or timed: float if the operator supports it.
mluOpDataType_t principal_dtype(const testing::Suite& suite);

/// "forward" or "backward".
std::string_view direction_of(std::string_view op);

/// Names of instruction sets and of designs; "all" selects every one.
struct WayNames {
  std::vector<std::string> isas;     // none: that of the handle
  std::vector<std::string> designs;  // none: the library's choice
};

/// The ways to compute `op` that the names select. Not every design of them accepts every case.
std::vector<testing::Way> select_ways(const testing::Handle& handle, const std::string& op,
                                      const WayNames& names);

/// Throws UsageError for a name that no operator of `jobs` has, or that does not run on this machine.
void check_ways(const testing::Handle& handle, const std::vector<Job>& jobs, const WayNames& names);

}  // namespace mluop::cli
