#include "selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>

#include "core/numbers/dtype.hpp"
#include "testing/suite/nearest_name.hpp"

namespace mluop::cli {

namespace {

using testing::Case;
using testing::Suite;
using testing::Way;

bool contains(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

void add_once(std::vector<std::string>& list, std::string item) {
  if (!contains(list, item)) list.push_back(std::move(item));
}

void check_known(const char* what, const std::vector<std::string>& names,
                 const std::vector<std::string>& known) {
  for (const std::string& name : names) {
    if (!contains(known, name)) {
      throw UsageError(
          fmt::format("unknown {} '{}'{}", what, name, testing::hint_for(name, known)));
    }
  }
}

bool wants_all(const std::vector<std::string>& names) {
  return names.empty() || contains(names, "all");
}

bool wants(const std::vector<std::string>& names, const Case& test_case) {
  const char* group = test_case.kind == Case::Kind::network ? "network" : "edge";
  return wants_all(names) || contains(names, group) || contains(names, test_case.name);
}

}  // namespace

std::string Job::name() const {
  return fmt::format("{} {} {}", suite.op, test_case.name, cli::name_of(dtype));
}

std::vector<const Suite*> suites_of(const Selection& selection) {
  std::vector<std::string> ops{"all"}, dtypes{"all"};
  for (const Suite& suite : testing::suites()) add_once(ops, suite.op);
  check_known("operator", selection.ops, ops);

  std::vector<const Suite*> suites;
  for (const Suite& suite : testing::suites()) {
    if (!wants_all(selection.ops) && !contains(selection.ops, suite.op)) continue;
    suites.push_back(&suite);
    for (const mluOpDataType_t dtype : suite.dtypes) add_once(dtypes, name_of(dtype));
  }
  check_known("dtype", selection.dtypes, dtypes);
  return suites;
}

std::vector<mluOpDataType_t> wanted_of(const std::vector<mluOpDataType_t>& dtypes,
                                       const Selection& selection) {
  std::vector<mluOpDataType_t> wanted;
  for (const mluOpDataType_t dtype : dtypes) {
    if (wants_all(selection.dtypes) || contains(selection.dtypes, name_of(dtype))) {
      wanted.push_back(dtype);
    }
  }
  return wanted;
}

std::vector<Job> jobs_of(const Selection& selection) {
  const std::vector<const Suite*> suites = suites_of(selection);
  std::vector<std::string> cases{"all", "network", "edge"};
  for (const Suite* suite : suites) {
    for (const Case& test_case : suite->cases) add_once(cases, test_case.name);
  }
  check_known("case", selection.cases, cases);

  std::vector<Job> jobs;
  for (const Suite* suite : suites) {
    for (const Case& test_case : suite->cases) {
      if (!wants(selection.cases, test_case)) continue;
      for (const mluOpDataType_t dtype : wanted_of(suite->dtypes_of(test_case), selection)) {
        jobs.push_back({*suite, test_case, dtype});
      }
    }
  }
  if (jobs.empty()) throw UsageError("no case matches this combination of options");
  return jobs;
}

std::string name_of(mluOpDataType_t dtype) {
  std::string name = mluop::name_of(dtype);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

mluOpDataType_t principal_dtype(const Suite& suite) {
  const auto& dtypes = suite.dtypes;
  const bool has_float = std::find(dtypes.begin(), dtypes.end(), MLUOP_DTYPE_FLOAT) != dtypes.end();
  return has_float ? MLUOP_DTYPE_FLOAT : dtypes.front();
}

std::string_view direction_of(std::string_view op) {
  return op.find("backward") == std::string_view::npos ? "forward" : "backward";
}

std::vector<Way> select_ways(const testing::Handle& handle, const std::string& op,
                             const WayNames& names) {
  std::vector<std::string> levels = names.isas;
  if (levels.empty()) levels = {handle.isa()};
  if (contains(levels, "all")) levels = handle.levels();
  std::vector<Way> selected;
  for (const Way& way : testing::ways(op)) {
    const bool wanted = contains(names.designs, "all") || contains(names.designs, way.design);
    if (contains(levels, way.isa) && wanted) selected.push_back(way);
  }
  if (!names.designs.empty()) return selected;
  for (const std::string& isa : levels) selected.push_back({isa, ""});
  return selected;
}

void check_ways(const testing::Handle& handle, const std::vector<Job>& jobs,
                const WayNames& names) {
  std::vector<std::string> levels = handle.levels(), known{"all"}, available{"all"};
  levels.emplace_back("all");
  check_known("instruction set", names.isas, levels);
  for (const Job& job : jobs) {
    for (const auto& design : handle.implementations(job.suite.op)) add_once(known, design.name);
    for (const Way& way : testing::ways(job.suite.op)) add_once(available, way.design);
  }
  check_known("implementation", names.designs, known);
  for (const std::string& name : names.designs) {
    if (!contains(available, name)) {
      throw UsageError(fmt::format("implementation '{}' does not run here; available: {}", name,
                                   fmt::join(available, ", ")));
    }
  }
}

}  // namespace mluop::cli
