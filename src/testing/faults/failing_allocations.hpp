// Fault injection: memory that runs out at a chosen allocation.
//
// A program that wants it compiles failing_allocations.cpp among its own sources, which replaces
// operator new and aligned_alloc in that program; everything works as usual until an object lives.
#pragma once

namespace mluop::testing {

/// While it lives, the allocation of this thread after its first `after` ones fails. One at a time.
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
  explicit FailingAllocations(long after, Later later = Later::succeed) noexcept;
  ~FailingAllocations();
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// How many allocations have failed so far.
  long failures() const noexcept { return failures_; }

  /// For the replaced functions: counts an allocation and says whether it fails.
  bool refuse() noexcept;

 private:
  long left_, failures_ = 0;
  Later later_;
};

}  // namespace mluop::testing
