// Suppression of all problems of a call: several at a time if there are several, else one by all threads.
#include "ops/nms/suppress/run.hpp"

#include "core/memory/workspace.hpp"
#include "ops/nms/suppress/records.hpp"
#include "ops/nms/suppress/walker.hpp"
#include "runtime/parallel.hpp"
#include "runtime/plan.hpp"

namespace mluop::nms {
namespace {

template <class T>
void suppress(const Problem& problem, Isa isa, mluOpContext& handle) {
  const std::int64_t problems = problem.B * problem.classes;
  constexpr double least_boxes = 512;  // worth a thread
  const int threads =
      threads_for(static_cast<double>(problem.N * problems), least_boxes, handle.threads);
  const bool together = problems > 1;
  const int workers = together ? team_size(threads, problems, 1) : 1;
  note_plan("problems_together", workers);

  WorkspaceLayout results, own;
  const auto kept_slot = results.add<std::int32_t>(problems * problem.most);
  const auto counts_slot = results.add<std::int64_t>(problems);
  const Walker<T> prepared(problem, own);
  std::byte* const scratch =
      handle.scratch.require(results.bytes() + static_cast<std::size_t>(workers) * own.bytes());
  std::int32_t* const kept = kept_slot.in(scratch);
  std::int64_t* const counts = counts_slot.in(scratch);
  const auto run = [&](std::int64_t number, int threads_of_one, int worker) {
    Walker<T> walker = prepared;
    std::byte* const base =
        scratch + results.bytes() + static_cast<std::size_t>(worker) * own.bytes();
    counts[number] = walker.run(number, isa, threads_of_one, base, kept + number * problem.most);
  };
  if (together) {
    parallel_for(threads, problems, 1,
                 [&](std::int64_t number, std::int64_t, int worker) { run(number, 1, worker); });
  } else {
    run(0, threads, 0);
  }
  Records<T> records(problem);
  for (std::int64_t number = 0; number < problems; ++number) {
    records.add(number, kept + number * problem.most, counts[number]);
  }
  records.finish();
}

}  // namespace

void run_suppress(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype,
                [&](auto stored) { suppress<decltype(stored)>(problem, isa, handle); });
}

}  // namespace mluop::nms
