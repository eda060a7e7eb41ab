// Fault injection: memory that runs out at a chosen allocation.
//
// A program that wants it compiles failing_allocations.cpp among its own sources, which replaces
// operator new and aligned_alloc in that program; everything works as usual until an object lives.
#pragma once

#include <atomic>

namespace mluop::testing {

/// While it lives, the allocation after the first `after` ones fails. One at a time.
///
///   for (long n = 0;; ++n) {
///     FailingAllocations scarce(n);
///     const mluOpStatus_t status = call();
///     …
///     if (scarce.failures() == 0) break;  // the whole call had its memory
///   }
class FailingAllocations {
 public:
  /// Whether later allocations succeed again.
  enum class Later { succeed, fail };
  /// Whose allocations count and fail.
  enum class Of { this_thread, all_threads };

  explicit FailingAllocations(long after, Later later = Later::succeed,
                              Of threads = Of::this_thread) noexcept;
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// How many allocations have failed so far.
  long failures() const noexcept { return failures_; }

  /// For the replaced functions: counts an allocation and says whether it fails.
  bool refuse() noexcept;

 private:
  std::atomic<long> left_, failures_{0};
  Later later_;
};

}  // namespace mluop::testing
