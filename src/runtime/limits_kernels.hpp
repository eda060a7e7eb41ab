// The loops that limits times, one set per instruction set.
#pragma once

#include <cstdint>

#include "runtime/isa.hpp"

namespace mluop {

/// Floating-point operations of one round of an FMA loop.
struct FmaLoop {
  double (*run)(std::int64_t rounds);  // the result depends on every operation
  double flops_per_round;
};

/// Buffers are aligned to 64 bytes and `bytes` is a multiple of 1024.
struct LimitKernels {
  FmaLoop fma_float;
  FmaLoop fma_double;
  /// The exclusive or of all 64-bit words.
  std::uint64_t (*read)(const std::byte* from, std::int64_t bytes);
  void (*copy)(const std::byte* from, std::byte* to, std::int64_t bytes);
  void (*copy_streaming)(const std::byte* from, std::byte* to, std::int64_t bytes);
  void (*fill)(std::byte* to, std::int64_t bytes);
  void (*fill_streaming)(std::byte* to, std::int64_t bytes);
};

/// The kernels of a level that this machine and this build have.
LimitKernels limit_kernels(Isa level);

}  // namespace mluop
