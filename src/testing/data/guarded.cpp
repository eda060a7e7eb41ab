// The loop over placements, levels, designs and threads.
#include "testing/data/guarded.hpp"

#include <memory>

#include "core/numbers/dtype.hpp"
#include "testing/compare/bits.hpp"
#include "testing/suite/ways.hpp"

namespace mluop::testing {
namespace {

/// What is wrong with the outcome of a call; empty when it has the bits that are expected.
std::string run_once(Call& call, mluOpHandle_t handle, const Bits& expected) {
  for (HostTensor& output : call.outputs()) output.poison();
  const mluOpStatus_t status = call.run(handle);
  if (status != MLUOP_STATUS_SUCCESS) {
    return std::string{mluOpGetErrorString(status)} + ": " + mluOpCpuGetLastError();
  }
  for (const HostTensor& output : call.outputs()) {
    if (!output.intact()) return output.name() + ": written outside its memory";
  }
  const std::string difference = first_difference(call.outputs(), expected);
  return difference.empty() ? "" : "bits differ: " + difference + " in ordinary memory";
}

/// Inputs read-only, as for a caller who maps a file.
std::unique_ptr<Call> make_sealed(const Case& test_case, mluOpDataType_t dtype) {
  auto call = test_case.make(dtype);
  ScopedPlacement::make_read_only();
  for (HostTensor& output : call->outputs()) output.make_writable();
  return call;
}

}  // namespace

GuardedCases::GuardedCases(const Suite& suite, mluOpDataType_t dtype)
    : suite_(suite), dtype_(dtype), random_("guarded/" + suite.op + '/' + mluop::name_of(dtype)) {}

int GuardedCases::run_one() {
  const Sizes sizes = suite_.sized.draw(random_);
  const Case test_case = suite_.sized.make(sizes, random_.next() >> 32);
  const std::string name = suite_.op + ' ' + sizes.text() + ' ' + mluop::name_of(dtype_);
  return run_in(Placement::before_page, test_case, name) +
         run_in(Placement::behind_page, test_case, name);
}

int GuardedCases::run_in(Placement placement, const Case& test_case, const std::string& name) {
  const auto ordinary = test_case.make(dtype_);
  const ScopedPlacement placed(placement);
  const auto call = make_sealed(test_case, dtype_);
  int runs = 0;
  for (const Way& way : ways(suite_.op)) {
    Handle handle;
    way.apply(handle.threads(1), suite_.op);
    {
      const ScopedPlacement unplaced(Placement::ordinary);
      const mluOpStatus_t status = ordinary->run(handle);
      if (not_accepted(status)) continue;
      expect_success(status, name.c_str());
    }
    const Bits expected = snapshot(ordinary->outputs());
    for (const int threads : {1, 2, 5}) {
      const std::string where = name + ", " + way.name() + ", " + std::to_string(threads) +
                                " threads, " + name_of(placement);
      notice_.set(where);
      const std::string problem = run_once(*call, handle.threads(threads), expected);
      if (!problem.empty()) problems_.push_back(where + ": " + problem);
      ++runs;
    }
  }
  return runs;
}

}  // namespace mluop::testing
