// Calls from OpenMP regions and tasks of the caller.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "small_calls.hpp"

namespace mluop::testing {
namespace {

/// The calls and the handle of a thread.
struct Worker {
  std::vector<KnownCall> calls = calls_of_all_operators(MLUOP_DTYPE_FLOAT);
  Handle handle;
  std::string problem;

  void run() {
    handle.threads(3);
    for (const KnownCall& known : calls) problem += known.repeat(handle);
  }
};

constexpr int workers = 4;

TEST(OpenMpCallers, MayCallInAParallelRegion) {
  std::vector<Worker> team(workers);
#pragma omp parallel for num_threads(workers) schedule(static, 1)
  for (int i = 0; i < workers; ++i) team[static_cast<std::size_t>(i)].run();
  for (const Worker& worker : team) EXPECT_EQ(worker.problem, "");
}

TEST(OpenMpCallers, MayCallInATask) {
  std::vector<Worker> team(workers);
#pragma omp parallel num_threads(2)
#pragma omp single
  for (Worker& each : team) {
    Worker* const worker = &each;  // a reference would be copied
#pragma omp task
    worker->run();
  }
  for (const Worker& worker : team) EXPECT_EQ(worker.problem, "");
}

}  // namespace
}  // namespace mluop::testing
