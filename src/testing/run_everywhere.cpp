// The loop over implementations and thread counts, and the words for what it finds.
#include "testing/run_everywhere.hpp"

#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/dtype.hpp"
#include "testing/bits.hpp"
#include "testing/handle.hpp"

namespace mluop::testing {
namespace {

/// Levels with fused multiply-add do the same roundings, so they owe each other equal bits.
bool fused(std::string_view isa) { return isa == "avx2" || isa == "avx512"; }

class Examination {
 public:
  Examination(const Suite& suite, const Case& test_case, mluOpDataType_t dtype)
      : suite_(suite), case_(test_case), dtype_(dtype) {
    const auto call = case_.make(dtype_);
    reference_ = call->reference();
    plain_ = call->plain();
  }

  std::vector<std::string> run() {
    const auto implementations = Handle{}.available_implementations(suite_.op);
    if (implementations.empty()) report("none", "no implementation is available");
    for (const mluOpCpuImplementation_t& implementation : implementations) examine(implementation);
    return std::move(problems_);
  }

 private:
  void examine(const mluOpCpuImplementation_t& implementation) {
    const std::string name = implementation.name;
    Bits single_thread;
    for (const int threads : thread_counts) {
      const std::string where =
          name + ", " + std::to_string(threads) + " thread" + (threads == 1 ? "" : "s");
      const auto call = case_.make(dtype_);
      Handle handle;
      handle.threads(threads).implementation(suite_.op, name);
      if (!run_once(*call, handle, where)) return;
      const Bits bits = snapshot(call->outputs());

      for (HostTensor& output : call->outputs()) output.poison();
      if (!run_once(*call, handle, where + ", second run")) return;
      expect_bits(call->outputs(), bits, where, "in the first run");

      if (single_thread.empty()) {
        judge_outputs(call->outputs(), where);
        if (fused(implementation.isa)) compare_with_fused(call->outputs(), where);
        single_thread = bits;
      } else {
        expect_bits(call->outputs(), single_thread, where, "with 1 thread");
      }
    }
  }

  bool run_once(Call& call, mluOpHandle_t handle, const std::string& where) {
    const mluOpStatus_t status = call.run(handle);
    if (status != MLUOP_STATUS_SUCCESS) {
      report(where, std::string{mluOpGetErrorString(status)} + ": " + mluOpCpuGetLastError());
      return false;
    }
    for (const HostTensor& output : call.outputs()) {
      if (!output.intact()) report(where, output.name() + ": written outside its memory");
    }
    return true;
  }

  void expect_bits(std::span<HostTensor> outputs, const Bits& earlier, const std::string& where,
                   const std::string& when) {
    const std::string difference = first_difference(outputs, earlier);
    if (!difference.empty()) report(where, "bits differ: " + difference + " " + when);
  }

  void compare_with_fused(std::span<HostTensor> outputs, const std::string& where) {
    if (fused_bits_.empty()) {
      fused_bits_ = snapshot(outputs);
      fused_where_ = where;
    } else {
      expect_bits(outputs, fused_bits_, where, "with " + fused_where_);
    }
  }

  void judge_outputs(std::span<HostTensor> outputs, const std::string& where) try {
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const mluOpDataType_t dtype = outputs[k].dtype();
      const Verdict verdict =
          judge(reference_.at(k), plain_.at(k), outputs[k].values(), dtype, suite_.criteria(dtype));
      if (!verdict.pass) report(where, outputs[k].name() + ": " + verdict.reason);
    }
  } catch (const std::domain_error& unusable) {
    report(where, unusable.what());
  }

  void report(const std::string& where, const std::string& what) {
    problems_.push_back(suite_.op + " " + case_.name + " " + mluop::name_of(dtype_) + ", " + where +
                        ": " + what);
  }

  const Suite& suite_;
  const Case& case_;
  mluOpDataType_t dtype_;
  std::vector<std::vector<double>> reference_, plain_;
  Bits fused_bits_;
  std::string fused_where_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> run_everywhere(const Suite& suite, const Case& test_case,
                                        mluOpDataType_t dtype) {
  return Examination{suite, test_case, dtype}.run();
}

}  // namespace mluop::testing
