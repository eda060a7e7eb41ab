// A handle of the C API that destroys itself; for tests and the program mluop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::testing {

/// Throws std::runtime_error with the status and the last error unless the call succeeded.
void expect_success(mluOpStatus_t status, const char* function);

/// Setters return the handle, so that they chain; everything throws as expect_success does.
class Handle {
 public:
  Handle();

  operator mluOpHandle_t() const { return handle_.get(); }  // NOLINT(google-explicit-constructor)
  mluOpHandle_t get() const { return handle_.get(); }

  Handle& threads(int count);
  Handle& limits(mluOpCpuLimits_t limits);
  /// Sets the instruction set by name.
  Handle& isa(const std::string& name);
  /// Forces a design or an instruction set by name; an empty name leaves the choice to the library again.
  Handle& implementation(const std::string& op, const std::string& name);

  int threads() const;
  std::string isa() const;
  /// The instruction sets that this handle may use, highest first.
  std::vector<std::string> levels() const;
  /// The level that the latest call used: avx512 where a handle of avx512_bf16 ran a design without its unit.
  std::string used_isa() const;
  /// The name of the design that the latest call ran.
  std::string used() const;
  /// Every design of an operator, in the order in which they are tried.
  std::vector<mluOpCpuImplementation_t> implementations(const std::string& op) const;
  /// Those of them that this handle may use.
  std::vector<mluOpCpuImplementation_t> available_implementations(const std::string& op) const;

 private:
  struct Destroy {
    void operator()(mluOpHandle_t handle) const;
  };
  std::unique_ptr<mluOpContext, Destroy> handle_;
};

}  // namespace mluop::testing
