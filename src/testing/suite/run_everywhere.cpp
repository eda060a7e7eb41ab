// The loop over levels, designs and thread counts, and the words for what it finds.
#include "testing/suite/run_everywhere.hpp"

#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/numbers/dtype.hpp"
#include "testing/compare/bits.hpp"
#include "testing/suite/ways.hpp"

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
    for (const std::string& isa : Handle{}.levels()) run_choice({isa, ""});
    const std::vector<Way> all = ways(suite_.op);
    if (all.empty()) report("none", "no design is available");
    for (const Way& way : all) examine(way);
    for (const auto& [isa, choice] : choices_) {
      if (!choice.examined) report(isa, "its choice, " + choice.design + ", was not examined");
    }
    return std::move(problems_);
  }

 private:
  /// What the library chose at a level.
  struct Chosen {
    std::string design;
    Bits bits;
    bool examined = false;
  };

  /// The library's own choice; the levels with fused multiply-add owe each other equal bits.
  void run_choice(const Way& way) {
    const auto call = case_.make(dtype_);
    Handle handle;
    way.apply(handle.threads(1), suite_.op);
    if (!run_once(*call, handle, way.name() + ", 1 thread")) return;
    choices_[way.isa] = {handle.used(), snapshot(call->outputs())};
    if (fused(way.isa)) compare_with_fused("", call->outputs(), way.name() + ", 1 thread");
  }

  void examine(const Way& way) {
    Bits single_thread;
    for (const int threads : thread_counts) {
      const std::string where =
          way.name() + ", " + std::to_string(threads) + " thread" + (threads == 1 ? "" : "s");
      const auto call = case_.make(dtype_);
      Handle handle;
      way.apply(handle.threads(threads), suite_.op);
      if (!run_once(*call, handle, where)) return;
      if (single_thread.empty()) {
        single_thread = snapshot(call->outputs());
        examine_single(*call, handle, way, where, single_thread);
      } else {
        expect_bits(call->outputs(), single_thread, where, "with 1 thread");
      }
    }
  }

  /// Of the run with one thread: accuracy, the bits of other levels, and a second run.
  void examine_single(Call& call, mluOpHandle_t handle, const Way& way, const std::string& where,
                      const Bits& bits) {
    judge_outputs(call.outputs(), where);
    if (fused(way.isa)) compare_with_fused(way.design, call.outputs(), where);
    if (auto& choice = choices_[way.isa]; choice.design == way.design) {
      choice.examined = true;
      expect_bits(call.outputs(), choice.bits, where, "by the library's own choice");
    }
    for (HostTensor& output : call.outputs()) output.poison();
    if (!run_once(call, handle, where + ", second run")) return;
    expect_bits(call.outputs(), bits, where, "in the first run");
  }

  bool run_once(Call& call, mluOpHandle_t handle, const std::string& where) {
    const mluOpStatus_t status = call.run(handle);
    if (not_accepted(status)) return false;
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

  /// With the earlier of the fused levels, for a design or for the library's choice.
  void compare_with_fused(const std::string& design, std::span<HostTensor> outputs,
                          const std::string& where) {
    const auto [earlier, first] = fused_bits_.try_emplace(design);
    if (first) {
      earlier->second = {where, snapshot(outputs)};
    } else {
      expect_bits(outputs, earlier->second.second, where, "with " + earlier->second.first);
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
  std::map<std::string, Chosen> choices_;  // by level
  std::map<std::string, std::pair<std::string, Bits>>
      fused_bits_;  // by design: where, and the bits
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> run_everywhere(const Suite& suite, const Case& test_case,
                                        mluOpDataType_t dtype) {
  return Examination{suite, test_case, dtype}.run();
}

}  // namespace mluop::testing
