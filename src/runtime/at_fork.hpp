// Handlers around fork. A child has only the thread that forked, so a lock held by another thread would
// stay locked there for ever.
#pragma once

namespace mluop {

/// Functions that run around every fork of the process. Objects are constants at namespace scope:
///
///   const AtFork forget_workers{[] { … }};
///
/// They register when the library is loaded, own nothing and are never destroyed; fork runs them until
/// the library is unloaded. vfork and posix_spawn do not run them.
class AtFork {
 public:
  using Handler = void (*)();

  /// `in_child` runs in the child before fork returns there, `before` and `in_parent` (or null) in the
  /// process that forks. All three run in the thread that forks.
  explicit AtFork(Handler in_child, Handler before = nullptr, Handler in_parent = nullptr) noexcept;
  AtFork(const AtFork&) = delete;
  AtFork& operator=(const AtFork&) = delete;

 private:
  static void run_before();
  static void run_in_parent();
  static void run_in_child();

  Handler in_child_, before_, in_parent_;
  const AtFork* next_;
};

/// Holds a mutex during fork, so that it is free in the child and its data is consistent. Only for
/// mutexes under which no code of the caller runs, because that code might fork.
template <auto& mutex>
class HeldDuringFork {
  static void lock() { mutex.lock(); }
  static void unlock() { mutex.unlock(); }
  AtFork at_fork_{unlock, lock, unlock};
};

}  // namespace mluop
