// Calls whose memory overlaps: every pair of their arguments, tried in every way that matters.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "testing/suite/bad_calls.hpp"

namespace mluop::testing {

/// Memory of a call that can be anywhere.
struct PlaceableMemory {
  enum class Role { input, output, workspace };

  std::string name;  // in messages
  Role role;
  std::size_t bytes;
  void** place;                    // where the call finds it
  const void* contents = nullptr;  // what an input must hold; null: any floats
};

/// A valid call; its memory in the order of its inputs, its outputs, its workspace.
struct PlaceableCall {
  std::vector<PlaceableMemory> memory;
  std::function<mluOpStatus_t()> call;
};

/// Tells the listener of bad calls whether `function` treats pairs of its arguments as it must. `make`
/// makes the same call again and again.
/// - Two of which one is written: BAD_PARAM naming both when they begin at the same byte or share one
///   byte, with no byte of memory changed; the usual results when one begins where the other ends.
/// - Two inputs: what copies of them give.
void expect_overlaps_refused(const char* function, const std::string& mode,
                             const std::function<PlaceableCall()>& make);

/// The same in both limits modes, for calls that are described by copies of `valid`: its memory is
/// memory_of(Args&), its status invoke(Args&).
template <class Args, class MemoryOf, class Invoke>
void expect_overlaps_refused(const char* function, const std::string& mode, const Args& valid,
                             MemoryOf memory_of, Invoke invoke) {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    expect_overlaps_refused(function, mode_of(limits) + mode, [&] {
      const auto args = std::make_shared<Args>(valid);
      args->limits = limits;
      return PlaceableCall{memory_of(*args), [args, &invoke] { return invoke(*args); }};
    });
  }
}

}  // namespace mluop::testing
