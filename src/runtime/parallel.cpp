// The thread pool of parallel_for, one per process.
//
// A loop is stored in memory of the pool. The caller and the workers take its units (loop.hpp); a worker
// that wakes late finds none and sleeps again.
//
// Nothing here is ever destroyed, so loops may run while the process exits.
#include "runtime/parallel.hpp"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <type_traits>

#include "runtime/at_fork.hpp"
#include "runtime/cores.hpp"
#include "runtime/loop.hpp"
#include "runtime/plan.hpp"

namespace mluop {
namespace {

using detail::Futex;
using detail::Loop;
using Clock = std::chrono::steady_clock;

/// Kernels need less than 64 KiB of stack.
constexpr std::size_t worker_stack_bytes = std::size_t{512} << 10;

/// After the system refused a thread, none is created for this time.
constexpr std::chrono::milliseconds refusal_time{100};

/// The loop that a worker should join: generation, and the number of the worker in it. 0: none.
struct Order {
  std::uint64_t generation;
  int loop, worker;

  std::uint64_t packed() const noexcept {
    return generation << 24 | static_cast<std::uint64_t>(loop) << 16 |
           static_cast<std::uint64_t>(worker);
  }
  static Order of(std::uint64_t packed) noexcept {
    return {packed >> 24, static_cast<int>(packed >> 16 & 0xff), static_cast<int>(packed & 0xffff)};
  }
};

class Worker {
 public:
  /// Whether the worker accepted it: it had no order, or one whose loop is over.
  bool offer(const Order& order) noexcept;
  bool start(const Order& order) noexcept;
  void reset() noexcept {
    order_ = 0;
    bell_ = awake;
    narrowed_ = false;
  }

 private:
  static constexpr std::uint32_t awake = 0, asleep = 1, waking = 2;

  static void* main(void* self) noexcept;
  std::uint64_t next_order() noexcept;
  void sleep() noexcept;
  void wake() noexcept;
  void leave_core_of_caller() noexcept;

  alignas(64) std::atomic<std::uint64_t> order_{0};
  Futex bell_{awake};
  std::atomic<pid_t> thread_{0};
  pid_t process_ = 0;
  bool narrowed_ = false;  // its affinity excludes the core of its waker; `mask_` is the full mask
  cpu_set_t mask_{};
};

class Pool {
 public:
  /// An unused loop; null if other threads use all of them.
  Loop* free_loop(std::uint64_t& generation) noexcept;
  /// Wakes idle workers, or creates new ones, to help with a loop of this pool.
  void call_helpers(const Loop& loop, std::uint64_t generation, int helpers) noexcept;
  Loop& loop(int number) noexcept { return loops_[number]; }
  void reset_in_child() noexcept;

 private:
  bool add_worker(const Order& order) noexcept;

  static constexpr int most_loops = 32;
  std::atomic<int> workers_{0};
  std::atomic<bool> growing_{false};
  std::atomic<Clock::rep> refused_until_{0};
  Loop loops_[most_loops];
  Worker worker_[most_cores - 1];
};

constinit Pool pool;
static_assert(std::is_trivially_destructible_v<Pool>);
const AtFork forget_workers{[] { pool.reset_in_child(); }};

bool Worker::offer(const Order& order) noexcept {
  std::uint64_t present = order_.load(std::memory_order_acquire);
  if (present != 0) {
    const Order former = Order::of(present);
    if (!pool.loop(former.loop).is_over(former.generation)) return false;
  }
  // Fails once if the worker has just finished and stored 0.
  if (!order_.compare_exchange_strong(present, order.packed()) &&
      (present != 0 || !order_.compare_exchange_strong(present, order.packed()))) {
    return false;
  }
  if (bell_.load() == asleep) wake();
  return true;
}

void Worker::wake() noexcept {
  std::uint32_t expected = asleep;
  if (!bell_.compare_exchange_strong(expected, waking)) return;  // another thread wakes it
  leave_core_of_caller();
  bell_.store(awake, std::memory_order_release);
  detail::wake_one(bell_);
}

/// Some systems wake a thread on the core of its waker and keep it there, where it competes with the
/// caller. Excludes that core from the worker's affinity mask while the worker is woken.
void Worker::leave_core_of_caller() noexcept {
  const int core = sched_getcpu();
  const pid_t thread = thread_.load(std::memory_order_relaxed);
  if (core < 0 || core >= CPU_SETSIZE || process_ != getpid())
    return;  // _Fork runs no fork handlers
  if (sched_getaffinity(thread, sizeof(mask_), &mask_) != 0) return;
  if (!CPU_ISSET(core, &mask_) || CPU_COUNT(&mask_) < 2) return;
  cpu_set_t others = mask_;
  CPU_CLR(core, &others);
  narrowed_ = sched_setaffinity(thread, sizeof(others), &others) == 0;
}

void Worker::sleep() noexcept {
  bell_.store(asleep);
  std::uint32_t expected = asleep;
  if (order_.load() != 0) bell_.compare_exchange_strong(expected, awake);
  for (std::uint32_t bell; (bell = bell_.load(std::memory_order_acquire)) != awake;) {
    detail::sleep_while(bell_, bell);
  }
  if (!narrowed_) return;
  narrowed_ = false;
  sched_setaffinity(0, sizeof(mask_), &mask_);
}

std::uint64_t Worker::next_order() noexcept {
  const auto ordered = [&] { return order_.load(std::memory_order_acquire) != 0; };
  while (!detail::spin_until(ordered)) sleep();
  return order_.load(std::memory_order_acquire);
}

void* Worker::main(void* self) noexcept {
  Worker& worker = *static_cast<Worker*>(self);
  worker.thread_.store(static_cast<pid_t>(syscall(SYS_gettid)), std::memory_order_relaxed);
  use_every_core();
  for (;;) {
    std::uint64_t packed = worker.next_order();
    const Order order = Order::of(packed);
    pool.loop(order.loop).work(order.generation, order.worker);
    worker.order_.compare_exchange_strong(packed, 0);  // unless there is a new order
  }
}

/// The part of a stack that the C library uses, mostly static thread-local storage of the program.
std::size_t stack_overhead(const pthread_attr_t& attributes) noexcept {
  const auto least = reinterpret_cast<std::size_t (*)(const pthread_attr_t*)>(
      dlsym(RTLD_DEFAULT, "__pthread_get_minstack"));
  return least != nullptr ? least(&attributes) : 0;
}

bool Worker::start(const Order& order) noexcept {
  reset();
  order_ = order.packed();
  process_ = getpid();
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, worker_stack_bytes + stack_overhead(attributes));
  // Signal handlers run on the program's own threads, except for faults and profiler ticks.
  sigset_t blocked, former;
  sigfillset(&blocked);
  for (int open : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGPROF}) {
    sigdelset(&blocked, open);
  }
  pthread_sigmask(SIG_BLOCK, &blocked, &former);
  pthread_t thread;
  const bool started = pthread_create(&thread, &attributes, main, this) == 0;
  if (started) pthread_setname_np(thread, "mluops");
  pthread_sigmask(SIG_SETMASK, &former, nullptr);
  pthread_attr_destroy(&attributes);
  if (!started) order_ = 0;
  return started;
}

Loop* Pool::free_loop(std::uint64_t& generation) noexcept {
  for (Loop& loop : loops_) {
    if ((generation = loop.claim()) != 0) return &loop;
  }
  return nullptr;
}

void Pool::call_helpers(const Loop& loop, std::uint64_t generation, int helpers) noexcept {
  Order order{generation, static_cast<int>(&loop - loops_), 1};
  const int workers = workers_.load(std::memory_order_acquire);
  for (int i = 0; i < workers && order.worker <= helpers; ++i) {
    if (worker_[i].offer(order)) ++order.worker;
  }
  while (order.worker <= helpers && add_worker(order)) ++order.worker;
}

/// One thread at a time; a second one returns without a new worker.
bool Pool::add_worker(const Order& order) noexcept {
  const auto now = [] { return Clock::now().time_since_epoch().count(); };
  const int workers = workers_.load(std::memory_order_relaxed);
  if (workers >= pool_cores() - 1 || now() < refused_until_.load(std::memory_order_relaxed)) {
    return false;
  }
  if (growing_.exchange(true, std::memory_order_acquire)) return false;
  bool added = false;
  if (workers == workers_.load(std::memory_order_relaxed)) {  // else another thread was faster
    added = worker_[workers].start(order);
    if (added) workers_.store(workers + 1, std::memory_order_release);
    if (!added) refused_until_ = now() + Clock::duration{refusal_time}.count();
  }
  growing_.store(false, std::memory_order_release);
  return added;
}

/// The child has only the thread that forked, which is in no loop.
void Pool::reset_in_child() noexcept {
  for (Loop& loop : loops_) loop.free_in_child();
  workers_ = 0;
  growing_ = false;
  refused_until_ = 0;
}

}  // namespace

int threads_for(double work, double least_work, int threads) noexcept {
  return static_cast<int>(std::clamp(work / least_work, 1.0, static_cast<double>(threads)));
}

int team_size(int threads, std::int64_t count, std::int64_t grain) noexcept {
  return static_cast<int>(std::clamp<std::int64_t>(detail::chunks_in(count, grain), 1,
                                                   std::clamp(threads, 1, most_cores)));
}

void detail::parallel_chunks(int threads, std::int64_t count, std::int64_t grain, ChunkFunction run,
                             void* body) {
  grain = std::max<std::int64_t>(grain, 1);
  const int team = team_size(threads, count, grain);
  if (Plan* const plan = Plan::current()) [[unlikely]]
    plan->add({count, grain, team});
  std::uint64_t generation = 0;
  Loop* const loop = team > 1 ? pool.free_loop(generation) : nullptr;
  if (loop == nullptr) {
    for (std::int64_t begin = 0; begin < count; begin += grain) {
      run(body, begin, begin + std::min(grain, count - begin), 0);
    }
    return;
  }
  std::exception_ptr error;
  loop->publish({run, body, count, grain}, team, &error);
  pool.call_helpers(*loop, generation, team - 1);
  loop->work(generation, 0);
  loop->wait();
  loop->release();
  if (error) std::rethrow_exception(error);
}

}  // namespace mluop
