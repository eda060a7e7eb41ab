// One line of the log for each call of an operator: shapes, dtypes, design, threads, time, status; and one
// more with its plan. The call fills it in on its way, so that failed calls have one, too.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

#include "core/status/status.hpp"
#include "mlu_op_cpu.h"
#include "runtime/isa.hpp"
#include "runtime/plan.hpp"

namespace mluop {

struct DesignInfo;
struct OperatorInfo;

/// A line under construction; what does not fit a line of the log is left out.
class LineBuffer {
 public:
  LineBuffer& operator<<(std::string_view text) noexcept;
  LineBuffer& operator<<(std::int64_t number) noexcept;
  /// With three decimals.
  LineBuffer& operator<<(double number) noexcept;
  std::string_view text() const noexcept { return {text_.data(), size_}; }

 private:
  std::array<char, 1000> text_;
  std::size_t size_ = 0;
};

class CallLog : public Plan {
 public:
  explicit CallLog(const char* function) noexcept;

  /// That of the call that this thread makes; null unless the log wants one.
  static CallLog* current() noexcept { return static_cast<CallLog*>(Plan::current()); }

  /// An argument; only the first of a name counts, and one without a descriptor is not listed.
  void add_tensor(const char* name, const mluOpTensorStruct* desc) noexcept;
  /// What computes the call, and whether the handle forced that design.
  struct Choice {
    const DesignInfo* design = nullptr;
    Isa isa = Isa::generic;
    int handle_threads = 0;
    bool forced = false;
  };
  void set_design(const OperatorInfo& op, const Choice& choice) noexcept;
  /// Writes the lines, if the function is that of an operator.
  void finish(Status status) const noexcept;

 private:
  void write_call(const OperatorInfo& op, Status status, double milliseconds) const noexcept;
  void write_plan(const OperatorInfo& op) const noexcept;

  const char* function_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::array<const char*, 8> names_{};
  std::size_t tensor_count_ = 0;
  LineBuffer tensors_;
  LineBuffer passed_over_;  // "folded:call,amx:level": designs before the chosen one, and why
  Choice choice_;
};

}  // namespace mluop
