// mluop bits: a hash of the outputs of every case at every instruction set and design, to compare two
// builds.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "commands/commands.hpp"
#include "measure/output_hash.hpp"
#include "measure/trial.hpp"
#include "output/results.hpp"

namespace mluop::cli {

namespace {

/// Hashes by what they belong to: "carafe_backward fpn_p3 float avx512 general".
using Hashes = std::map<std::string, std::string>;

/// The ways to run an operator on this machine: at each instruction set the library's own choice, then
/// every design.
std::vector<testing::Way> ways_of(const testing::Handle& handle, const std::string& op) {
  std::vector<testing::Way> all;
  for (const std::string& isa : handle.levels()) all.push_back({isa, ""});
  for (const testing::Way& way : testing::ways(op)) all.push_back(way);
  return all;
}

/// The last word of a line is the hash, the words before it are its name.
Hashes read_hashes(const std::string& path) {
  errno = 0;
  std::ifstream file(path);
  Hashes hashes;
  std::string line;
  while (std::getline(file, line)) {
    const std::size_t space = line.rfind(' ');
    if (space == std::string::npos) {
      throw UsageError(fmt::format("cannot compare with '{}': '{}' is no line of mluop bits", path,
                                   line.substr(0, 40)));
    }
    hashes[line.substr(0, space)] = line.substr(space + 1);
  }
  if (!file.eof() || hashes.empty()) {
    throw UsageError(fmt::format("cannot read '{}': {}", path,
                                 errno != 0 ? std::strerror(errno) : "it is empty"));
  }
  return hashes;
}

/// Prints each hash, or compares it with that of an earlier run.
class Output {
 public:
  Output(const std::string& compare, const Progress& progress)
      : compares_(!compare.empty()), progress_(progress) {
    if (compares_) earlier_ = read_hashes(compare);
  }

  void fail(const std::string& problem) const {
    progress_.clear();
    fmt::print(stderr, "FAILED {}\n", problem);
  }

  void add(const std::string& name, const std::string& hash) {
    ++count_;
    progress_.clear();
    if (!compares_) {
      fmt::print("{} {}\n", name, hash);
      return;
    }
    const auto found = earlier_.find(name);
    if (found == earlier_.end()) {
      ++added_;
      fmt::print("new     {} {}\n", name, hash);
    } else {
      if (found->second != hash) {
        ++changed_;
        fmt::print("changed {} {}, was {}\n", name, hash, found->second);
      }
      earlier_.erase(found);
    }
  }

  /// `is_selected` tells by name whether this run had to have a hash. Returns whether every earlier
  /// one is still there and the same.
  template <class IsSelected>
  bool finish(IsSelected is_selected) const {
    if (!compares_) return true;
    std::size_t missing = 0;
    for (const auto& [name, hash] : earlier_) {
      if (!is_selected(name)) continue;
      ++missing;
      fmt::print("missing {} {}\n", name, hash);
    }
    fmt::print("{} equal, {} changed, {} missing, {} new\n", count_ - changed_ - added_, changed_,
               missing, added_);
    return changed_ == 0 && missing == 0;
  }

 private:
  bool compares_;
  const Progress& progress_;
  Hashes earlier_;  // not seen in this run yet
  std::size_t count_ = 0, changed_ = 0, added_ = 0;
};

/// Runs one job in every way that accepts it; returns how many runs failed.
int run_job(const Job& job, const testing::Handle& handle, Output& output) {
  int failed = 0;
  Trial trial(job);
  for (const testing::Way& way : ways_of(handle, job.suite.op)) {
    testing::Handle forced;
    way.apply(forced.threads(2), job.suite.op);
    const std::string name = fmt::format("{} {}", job.name(), way.name());
    if (const std::string problem = trial.run(forced); !problem.empty()) {
      if (!trial.accepted_by(forced)) continue;
      output.fail(fmt::format("{}: {}", name, problem));
      ++failed;
      continue;
    }
    output.add(name, fmt::format("{:016x}", hash_of(trial.call().outputs())));
  }
  return failed;
}

/// The first three words of a name, as Job::name has them.
std::string job_of(const std::string& name) {
  std::size_t end = 0;
  for (int word = 0; word < 3 && end != std::string::npos; ++word) end = name.find(' ', end + 1);
  return name.substr(0, end);
}

bool selects_everything(const Selection& selection) {
  return selection.ops.empty() && selection.cases.empty() && selection.dtypes.empty();
}

}  // namespace

bool bits(const BitsOptions& options) {
  const std::vector<Job> jobs = jobs_of(options.selection);
  const testing::Handle handle;
  Progress progress(jobs.size());
  Output output(options.compare, progress);
  std::set<std::string> selected;
  int failed = 0;
  for (const Job& job : jobs) {
    progress.step(job.name());
    selected.insert(job.name());
    failed += run_job(job, handle, output);
  }
  progress.clear();
  // Cases that were removed can be detected only if everything was selected.
  const bool same = output.finish([&](const std::string& name) {
    return selects_everything(options.selection) || selected.contains(job_of(name));
  });
  return same && failed == 0;
}

}  // namespace mluop::cli
