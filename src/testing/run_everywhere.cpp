// The loop over implementations and thread counts, and the words for what it finds.
#include "testing/run_everywhere.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "core/dtype.hpp"
#include "testing/handle.hpp"

namespace mluop::testing {
namespace {

using Bytes = std::vector<std::byte>;

std::vector<Bytes> snapshot(std::span<HostTensor> outputs) {
  std::vector<Bytes> copies;
  for (const HostTensor& output : outputs) {
    copies.emplace_back(output.raw().begin(), output.raw().end());
  }
  return copies;
}

/// "[1,0,3]"
std::string coordinates(const std::vector<std::int64_t>& dims, std::size_t flat) {
  auto rest = static_cast<std::int64_t>(flat);
  std::vector<std::int64_t> position(dims.size());
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    position[axis] = rest % dims[axis];
    rest /= dims[axis];
  }
  std::string text;
  for (const std::int64_t index : position) {
    text += text.empty() ? '[' : ',';
    text += std::to_string(index);
  }
  return text + "]";
}

/// Value and bits: numbers that print alike may still differ.
std::string element(mluOpDataType_t dtype, const std::byte* bytes) {
  double value = 0;
  decode(dtype, bytes, {&value, 1});
  char text[32];
  std::snprintf(text, sizeof text, "%.17g (0x", value);
  std::string result = text;
  for (std::size_t i = encoded_size(dtype); i-- > 0;) {
    std::snprintf(text, sizeof text, "%02x", std::to_integer<unsigned>(bytes[i]));
    result += text;
  }
  return result + ")";
}

/// NaN is a class: its sign and payload are not promised.
bool same_element(mluOpDataType_t dtype, const std::byte* one, const std::byte* other) {
  if (std::equal(one, one + encoded_size(dtype), other)) return true;
  double values[2];
  decode(dtype, one, {&values[0], 1});
  decode(dtype, other, {&values[1], 1});
  return std::isnan(values[0]) && std::isnan(values[1]);
}

/// The first element that is not the same as in an earlier run; empty when there is none.
std::string first_difference(std::span<HostTensor> outputs, const std::vector<Bytes>& earlier) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const auto now = outputs[k].raw();
    if (std::equal(now.begin(), now.end(), earlier[k].begin())) continue;
    const mluOpDataType_t dtype = outputs[k].dtype();
    const std::size_t size = encoded_size(dtype);
    for (std::size_t at = 0; at < now.size(); at += size) {
      const std::byte* const is = now.data() + at;
      const std::byte* const was = earlier[k].data() + at;
      if (same_element(dtype, is, was)) continue;
      return outputs[k].name() + coordinates(outputs[k].dims(), at / size) + " is " +
             element(dtype, is) + ", was " + element(dtype, was);
    }
  }
  return {};
}

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
    std::vector<Bytes> single_thread;
    for (const int threads : thread_counts) {
      const std::string where =
          name + ", " + std::to_string(threads) + " thread" + (threads == 1 ? "" : "s");
      const auto call = case_.make(dtype_);
      Handle handle;
      handle.threads(threads).implementation(suite_.op, name);
      if (!run_once(*call, handle, where)) return;
      const std::vector<Bytes> bits = snapshot(call->outputs());

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

  void expect_bits(std::span<HostTensor> outputs, const std::vector<Bytes>& earlier,
                   const std::string& where, const std::string& when) {
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
  std::vector<Bytes> fused_bits_;
  std::string fused_where_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> run_everywhere(const Suite& suite, const Case& test_case,
                                        mluOpDataType_t dtype) {
  return Examination{suite, test_case, dtype}.run();
}

}  // namespace mluop::testing
