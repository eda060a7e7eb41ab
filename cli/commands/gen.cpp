// mluop gen: writes case files, of the named cases, of random sizes, or of sizes that the user gives.
#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <stdexcept>

#include "commands/commands.hpp"
#include "recorder/capture.hpp"
#include "testing/suite/nearest_name.hpp"

namespace mluop::cli {

namespace {

using testing::Case;
using testing::Suite;

/// Larger data goes into binary files beside the text, which load faster.
constexpr std::uint64_t inline_bytes = std::uint64_t{64} << 10;
/// Inputs of at most this many elements are always written as data.
constexpr std::uint64_t kept_elements = std::uint64_t{1} << 16;

recorder::Order order_of(const std::string& data) {
  recorder::Order order{.inline_bytes = inline_bytes};
  if (data == "shapes") return order;
  order.kept = data == "all" ? recorder::Need::nothing : recorder::Need::structure;
  order.kept_elements = kept_elements;
  return order;
}

void make_directory(const std::filesystem::path& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw UsageError(fmt::format("cannot create '{}': {}", path.string(), error.message()));
  }
}

class Generation {
 public:
  explicit Generation(const GenOptions& options)
      : directory_(options.out), order_(order_of(options.data)) {}

  void write(const Suite& suite, const Case& test_case, mluOpDataType_t dtype) {
    const std::filesystem::path folder = directory_ / suite.op;
    make_directory(folder);
    const std::string name = fmt::format("{}_{}", test_case.name, name_of(dtype));
    recorder::Capture capture(folder / (name + ".prototxt"), order_, /*run=*/false);
    const auto call = test_case.make(dtype);
    if (call->run(handle_) != MLUOP_STATUS_SUCCESS) {
      throw UsageError(fmt::format("{} {}: {}", suite.op, name, mluOpCpuGetLastError()));
    }
    if (*capture.problem() != '\0') {
      throw UsageError(fmt::format("{} {}: {}", suite.op, name, capture.problem()));
    }
    ++files_;
    ops_.insert(suite.op);
  }

  /// Prints what was written; throws UsageError if that is nothing.
  void report() const {
    if (files_ == 0) throw UsageError("no case matches this combination of options");
    fmt::print("{} {} of {} {} in {}\n", files_, files_ == 1 ? "case" : "cases", ops_.size(),
               ops_.size() == 1 ? "operator" : "operators", directory_.string());
  }

 private:
  std::filesystem::path directory_;
  recorder::Order order_;
  testing::Handle handle_;
  int files_ = 0;
  std::set<std::string> ops_;
};

/// The named operators; without names, those that have case files.
void expect_case_files(const std::vector<std::string>& ops) {
  for (const std::string& op : ops) {
    const Suite* const suite = testing::find_suite(op);
    if (suite == nullptr || suite->has_case_files()) continue;
    throw UsageError(
        fmt::format("'{}' is an extension of this library, which case files do not describe", op));
  }
}

const Suite& suite_of(const std::string& op) {
  expect_case_files({op});
  if (const Suite* suite = testing::find_suite(op)) return *suite;
  std::vector<std::string> known;
  for (const Suite& suite : testing::suites()) {
    if (suite.has_case_files()) known.push_back(suite.op);
  }
  throw UsageError(fmt::format("unknown operator '{}'{}", op, testing::hint_for(op, known)));
}

/// "n=2,h=10" as "n2_h10".
std::string file_name_of(const std::string& shape) {
  std::string name;
  for (const char c : shape) {
    if (c != '=') name += c == ',' ? '_' : c;
  }
  return name.empty() ? "usual" : name;
}

void write_chosen(const GenOptions& options, Generation& files) {
  const Suite& suite = suite_of(options.op);
  Selection selection{.ops = {suite.op}, .cases = {}, .dtypes = options.selection.dtypes};
  if (selection.dtypes.empty()) selection.dtypes = {name_of(principal_dtype(suite))};
  suites_of(selection);  // throws for unknown names
  const testing::Sizes sizes(suite.sized.keys, options.shape);
  Case chosen = suite.sized.make(sizes, options.seed);
  chosen.name = fmt::format("{}_seed{}", file_name_of(options.shape), options.seed);
  for (const mluOpDataType_t dtype : wanted_of(suite.dtypes, selection)) {
    files.write(suite, chosen, dtype);
  }
}

void write_random(const GenOptions& options, Generation& files) {
  if (!options.selection.cases.empty()) {
    throw UsageError("--case chooses from the suites network and edge; random cases have no names");
  }
  for (const Suite* suite : suites_of(options.selection)) {
    if (!suite->has_case_files()) continue;
    for (int i = 0; i < options.count; ++i) {
      testing::Generator random(fmt::format("gen/{}/{}/{}", suite->op, options.seed, i));
      const testing::Sizes sizes = suite->sized.draw(random);
      Case drawn = suite->sized.make(sizes, options.seed + static_cast<std::uint64_t>(i));
      drawn.name = fmt::format("random{}_{}", options.seed, i);
      for (const mluOpDataType_t dtype : wanted_of(suite->dtypes, options.selection)) {
        files.write(*suite, drawn, dtype);
      }
    }
  }
}

void write_named(const GenOptions& options, Generation& files) {
  Selection selection = options.selection;
  if (selection.cases.empty()) selection.cases = {options.suite};
  for (const Job& job : jobs_of(selection)) {
    const bool of_suite =
        (job.test_case.kind == Case::Kind::network) == (options.suite == "network");
    if (of_suite && job.suite.has_case_files()) files.write(job.suite, job.test_case, job.dtype);
  }
}

}  // namespace

std::string sizes_help() {
  std::string text = "Sizes that --shape takes, with what they are unless they are given:\n";
  for (const Suite& suite : testing::suites()) {
    if (!suite.has_case_files()) continue;
    text += fmt::format("  {}\n", suite.op);
    for (const testing::SizeKey& key : suite.sized.keys) {
      text += fmt::format("    {:<9} {:<6} {}\n", key.name, key.usual, key.meaning);
    }
  }
  return text;
}

bool gen(const GenOptions& options) try {
  if (options.op.empty() == options.suite.empty()) {
    throw UsageError("gen needs an operator, or else --suite network, edge or random");
  }
  if (!options.op.empty() && (!options.selection.ops.empty() || !options.selection.cases.empty())) {
    throw UsageError("--op and --case choose from a suite; gen OP has neither");
  }
  if (options.op.empty() && !options.shape.empty()) {
    throw UsageError("--shape belongs to an operator: mluop gen OP --shape ...");
  }
  expect_case_files(options.selection.ops);
  Generation files(options);
  if (!options.op.empty()) {
    write_chosen(options, files);
  } else if (options.suite == "random") {
    write_random(options, files);
  } else {
    write_named(options, files);
  }
  files.report();
  return true;
} catch (const std::invalid_argument& problem) {
  throw UsageError(problem.what());
}

}  // namespace mluop::cli
