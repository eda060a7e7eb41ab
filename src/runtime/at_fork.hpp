// What the library does when the process forks: a child has only the thread that forked, so that a lock
// held by another thread would stay locked there for ever.
#pragma once

namespace mluop {

/// Functions that run around every fork of the process. Objects are constants at namespace scope:
///
///   const AtFork forget_workers{[] { … }};
///
/// They register when the library is loaded, own nothing and are never destroyed; fork finds them until
/// the library is unloaded. vfork and posix_spawn run none of them.
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

/// Holds a mutex while the process forks: the child finds it free, and what it protects is whole. Only
/// for mutexes under which nothing of the caller's runs; a caller's function might fork.
template <auto& mutex>
class HeldDuringFork {
  static void lock() { mutex.lock(); }
  static void unlock() { mutex.unlock(); }
  AtFork at_fork_{unlock, lock, unlock};
};

}  // namespace mluop
