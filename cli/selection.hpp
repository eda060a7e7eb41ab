// From names on the command line to operators, cases, dtypes and implementations.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "testing/handle.hpp"
#include "testing/suite.hpp"

namespace mluop::cli {

/// A value that the command line should not have had: one line on stderr, exit code 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Lists of names; an empty one stands for "all".
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

/// The operators of a selection. A name of an operator that nothing knows, or of a dtype that none of
/// them takes, is a UsageError.
std::vector<const testing::Suite*> suites_of(const Selection& selection);

/// Those of some dtypes that a selection names.
std::vector<mluOpDataType_t> wanted_of(const std::vector<mluOpDataType_t>& dtypes,
                                       const Selection& selection);

/// The jobs of a selection, by operator, case and dtype. Combinations that do not exist are left
/// out; a name that nothing knows, or a selection of nothing, is a UsageError.
std::vector<Job> jobs_of(const Selection& selection);

/// "float", "half", …
std::string name_of(mluOpDataType_t dtype);

/// The dtype that stands for an operator where one has to do: float if it takes that.
mluOpDataType_t principal_dtype(const testing::Suite& suite);

/// "forward" or "backward".
std::string_view direction_of(std::string_view op);

/// Names of the implementations of `op` to run: every available one for "all"; for no names the
/// handle's choice and, if that one works on matrix units, the next, which does not.
std::vector<std::string> select_implementations(const testing::Handle& handle,
                                                const std::string& op,
                                                const std::vector<std::string>& names);

/// A name that no operator of `jobs` knows, or that does not run on this machine, is a UsageError.
void check_implementations(const testing::Handle& handle, const std::vector<Job>& jobs,
                           const std::vector<std::string>& names);

}  // namespace mluop::cli
