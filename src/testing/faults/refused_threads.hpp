// A process that is refused threads until the end of a scope. Only programs that compile refused_threads.cpp
// can use it: it stands in for pthread_create.
#pragma once

namespace mluop::testing {

/// Calls of pthread_create fail with EAGAIN after the first `granted` of them: `most` calls, then they
/// succeed again. Counts the calls of all threads; one at a time.
class RefusedThreads {
 public:
  static constexpr long all = 1L << 30;

  explicit RefusedThreads(long granted, long most = all);
  ~RefusedThreads();
  RefusedThreads(const RefusedThreads&) = delete;
  RefusedThreads& operator=(const RefusedThreads&) = delete;

  /// So far.
  long refused() const;
  long asked() const;
};

}  // namespace mluop::testing
