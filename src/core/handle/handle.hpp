// The handle behind mluOpHandle_t: everything a call may depend on besides its arguments.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/memory/arena.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "runtime/isa.hpp"

namespace mluop {
inline constexpr int max_threads = 1024;

/// What rules where there is no handle: what MLUOP_LIMITS said when the latest handle was created; none
/// before the first.
mluOpCpuLimits_t limits_without_handle() noexcept;

struct DesignInfo;

/// What an operator computes with: an instruction set, and a design or null for the first that accepts.
struct Forced {
  Isa isa = Isa::generic;
  const DesignInfo* design = nullptr;
};
}  // namespace mluop

/// Used by one thread at a time. The constructor reads all variables of the library, also those of the
/// log and the recorder for the whole process, and throws mluop::Failure when one of them is not understood.
struct mluOpContext {
  mluOpContext();

  bool card_limits() const noexcept { return limits == MLUOP_CPU_LIMITS_MLU; }
  /// Sets the threads of coming calls.
  void use_threads(int wanted) noexcept;

  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  /// The card's 2^31 bounds every dim instead of the number of elements.
  bool check_each_dim = false;
  int wanted_threads = 1;
  /// Those of every loop: no more than there are cores, as another would only take turns with these. Fixed
  /// here and not in each loop, because scratch is sized by it.
  int threads = 1;
  mluop::Isa isa = mluop::Isa::generic;
  cnrtQueue_t queue = nullptr;
  mluOpQuantizeRoundMode_t round_mode = MLUOP_ROUND_HALF_TO_EVEN;
  mluOpAtomicsMode_t atomics_mode = MLUOP_ATOMICS_NOT_ALLOWED;
  mluop::Arena scratch;
  /// By name, the operators that do not follow `isa` and the order of their designs.
  std::map<std::string, mluop::Forced, std::less<>> forced;
  /// What the latest call chose, for bench and tests; the design is null before the first.
  mluop::Forced used;
};
