// The threads behind parallel_for: one pool for the process.
//
// A loop lies in memory of the pool, cut into shares. Whoever works on it takes units of a share one
// by one; a unit is taken only if its ticket carries the generation of the loop, so a worker that
// wakes late finds nothing, touches nothing of the caller, and sleeps again. The caller takes units
// too, and the loop is over when every unit is done, whoever has shown up.
//
// Nothing here is ever destroyed, so loops may run while the process ends.
#include "runtime/parallel.hpp"

#include <dlfcn.h>
#include <linux/futex.h>
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
#include "runtime/float_control.hpp"

namespace mluop {
namespace {

using Clock = std::chrono::steady_clock;

/// How long a thread looks for work, or for the end of its loop, before it sleeps. Loops of one call
/// follow each other within a few microseconds; waking a sleeper takes 5 to 50.
constexpr std::chrono::microseconds spin_time{50};

/// Kernels need less than 64 KiB of it.
constexpr std::size_t worker_stack_bytes = std::size_t{512} << 10;

/// After a refused thread, none is asked for during this time.
constexpr std::chrono::milliseconds refusal_time{100};

using Futex = std::atomic<std::uint32_t>;
static_assert(sizeof(Futex) == 4 && Futex::is_always_lock_free);

void sleep_while(const Futex& word, std::uint32_t value) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, value, nullptr, nullptr, 0);
}
void wake_one(const Futex& word) noexcept {
  syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Whether `done` held within the spin time.
template <class Done>
bool spin_until(const Done& done) noexcept {
  if (done()) return true;  // often; the clock may be a system call
  const auto start = Clock::now();
  do {
    for (int i = 0; i < 32; ++i) {
      if (done()) return true;
      pause();
    }
  } while (Clock::now() - start < spin_time);
  return false;
}

std::int64_t chunks_in(std::int64_t count, std::int64_t grain) noexcept {
  return count <= 0 ? 0 : (count - 1) / std::max<std::int64_t>(grain, 1) + 1;
}

// ---- loops

/// A ticket of a share: the generation of the loop above the number of units that are left.
constexpr int left_bits = 24;
constexpr std::uint64_t left_mask = (std::uint64_t{1} << left_bits) - 1;
/// Generations begin anew after half a trillion loops.
constexpr std::uint64_t generation_mask = ~std::uint64_t{0} >> left_bits;

/// A stretch of a loop. A worker begins with a share of its own and then helps with the others: from
/// loop to loop over the same data, it meets what its caches hold.
struct alignas(64) Share {
  std::atomic<std::uint64_t> ticket{0};
  Futex unfinished{0};  // units, and caller_sleeps
};
constexpr std::uint32_t caller_sleeps = std::uint32_t{1} << 31;

struct Body {
  detail::ChunkFunction run;
  void* body;
  std::int64_t count, grain;
};

class Loop {
 public:
  /// Returns the new generation; 0 if the loop is in use.
  std::uint64_t claim() noexcept {
    std::uint64_t now = generation_.load(std::memory_order_relaxed);
    const bool free = now % 2 == 0;
    return free && generation_.compare_exchange_strong(now, now + 1, std::memory_order_acquire)
               ? now + 1
               : 0;
  }
  /// True when the loop was released: an order of this generation finds nothing.
  bool is_over(std::uint64_t generation) const noexcept {
    return generation_.load(std::memory_order_acquire) != generation;
  }
  void release() noexcept {
    const std::uint64_t now = generation_.load(std::memory_order_relaxed);
    generation_.store((now + 1) & generation_mask, std::memory_order_release);
  }
  /// A child may see the tickets of a later loop than its generation.
  void free_in_child() noexcept {
    for (Share& share : share_) share.ticket = 0;
    generation_ = ((generation_ | 1) + 1) & generation_mask;
  }

  void publish(const Body& body, int team, std::exception_ptr* error) noexcept;
  void work(std::uint64_t generation, int worker) noexcept;
  /// Returns when every unit is done.
  void wait() noexcept;

 private:
  static constexpr int most_shares = 32;

  std::int64_t first_of(int share) const noexcept {
    const int shares = shares_.load(std::memory_order_relaxed);
    return units_ / shares * share + std::min<std::int64_t>(share, units_ % shares);
  }
  void run_unit(std::int64_t unit, int worker);
  void give_up() noexcept;

  std::atomic<std::uint64_t> generation_{0};  // odd while in use
  // Read before anything is taken, hence atomic; the rest only by those who hold a unit.
  std::atomic<int> shares_{0};
  Body body_{};
  /// Units of so many chunks, so that their number fits a ticket.
  std::int64_t span_ = 0, units_ = 0;
  FloatControl control_;
  std::exception_ptr* error_ = nullptr;
  std::atomic<bool> failed_{false};
  Share share_[most_shares];
};

/// Takes a unit; returns how many were left, 0 if there was none for this generation.
std::int64_t take(Share& share, std::uint64_t generation) noexcept {
  std::uint64_t ticket = share.ticket.load(std::memory_order_relaxed);
  while (ticket >> left_bits == generation && (ticket & left_mask) != 0) {
    if (share.ticket.compare_exchange_weak(ticket, ticket - 1, std::memory_order_acquire,
                                           std::memory_order_relaxed)) {
      return static_cast<std::int64_t>(ticket & left_mask);
    }
  }
  return 0;
}

void finish(Share& share, std::uint32_t units) noexcept {
  if (share.unfinished.fetch_sub(units, std::memory_order_acq_rel) == (units | caller_sleeps)) {
    wake_one(share.unfinished);
  }
}

void Loop::publish(const Body& body, int team, std::exception_ptr* error) noexcept {
  const std::int64_t chunks = chunks_in(body.count, body.grain);
  body_ = body;
  span_ = chunks / static_cast<std::int64_t>(left_mask) + 1;
  units_ = chunks_in(chunks, span_);
  control_ = FloatControl::of_this_thread();
  error_ = error;
  failed_.store(false, std::memory_order_relaxed);
  const int shares = std::min(team, most_shares);
  shares_.store(shares, std::memory_order_relaxed);
  const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
  for (int share = 0; share < shares; ++share) {
    const auto units = static_cast<std::uint32_t>(first_of(share + 1) - first_of(share));
    share_[share].unfinished.store(units, std::memory_order_relaxed);
    share_[share].ticket.store(generation << left_bits | units, std::memory_order_release);
  }
}

void Loop::work(std::uint64_t generation, int worker) noexcept {
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    const int number = (worker + i) % shares;
    Share& share = share_[number];
    while (const std::int64_t left = take(share, generation)) {
      if (worker != 0) control_.apply();
      try {
        run_unit(first_of(number + 1) - left, worker);
      } catch (...) {
        if (!failed_.exchange(true)) *error_ = std::current_exception();
        give_up();
      }
      finish(share, 1);
    }
  }
}

void Loop::run_unit(std::int64_t unit, int worker) {
  const std::int64_t chunks = chunks_in(body_.count, body_.grain);
  const std::int64_t end = std::min((unit + 1) * span_, chunks);
  for (std::int64_t k = unit * span_; k < end; ++k) {
    body_.run(body_.body, k * body_.grain, std::min((k + 1) * body_.grain, body_.count), worker);
  }
}

/// Takes the remaining units without running them; the caller holds a unit.
void Loop::give_up() noexcept {
  const std::uint64_t generation = generation_.load(std::memory_order_relaxed);
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    const std::uint64_t former =
        share_[i].ticket.exchange(generation << left_bits, std::memory_order_acquire);
    const auto left = static_cast<std::uint32_t>(former & left_mask);
    if (left != 0) finish(share_[i], left);
  }
}

void Loop::wait() noexcept {
  const int shares = shares_.load(std::memory_order_relaxed);
  for (int i = 0; i < shares; ++i) {
    Futex& unfinished = share_[i].unfinished;
    if (spin_until([&] { return unfinished.load(std::memory_order_acquire) == 0; })) continue;
    std::uint32_t value =
        unfinished.fetch_or(caller_sleeps, std::memory_order_acq_rel) | caller_sleeps;
    while (value != caller_sleeps) {
      sleep_while(unfinished, value);
      value = unfinished.load(std::memory_order_acquire);
    }
  }
}

// ---- workers

/// What a worker is asked to join: a generation of a loop, and its own number there. 0 is nothing.
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
  /// Whether the worker was free for it: without an order, or with one whose loop is over.
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
  bool narrowed_ = false;  // its mask lacks the core it was woken from; `mask_` is the whole one
  cpu_set_t mask_{};
};

class Pool {
 public:
  /// A loop that nobody uses, or null: then all are used by other threads.
  Loop* free_loop(std::uint64_t& generation) noexcept;
  /// Calls helpers to a loop of this pool, as many as are free or can be had.
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
  // It fails once if the worker has just finished, which leaves 0.
  if (!order_.compare_exchange_strong(present, order.packed()) &&
      (present != 0 || !order_.compare_exchange_strong(present, order.packed()))) {
    return false;
  }
  if (bell_.load() == asleep) wake();
  return true;
}

void Worker::wake() noexcept {
  std::uint32_t expected = asleep;
  if (!bell_.compare_exchange_strong(expected, waking)) return;  // somebody else wakes it
  leave_core_of_caller();
  bell_.store(awake, std::memory_order_release);
  wake_one(bell_);
}

/// Some systems wake a thread on the core of whoever wakes it and leave it there, in the way of the
/// caller. For the moment of waking, that core is taken out of its mask.
void Worker::leave_core_of_caller() noexcept {
  const int core = sched_getcpu();
  const pid_t thread = thread_.load(std::memory_order_relaxed);
  if (core < 0 || core >= CPU_SETSIZE || process_ != getpid()) return;  // _Fork runs no handlers
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
    sleep_while(bell_, bell);
  }
  if (!narrowed_) return;
  narrowed_ = false;
  sched_setaffinity(0, sizeof(mask_), &mask_);
}

std::uint64_t Worker::next_order() noexcept {
  const auto ordered = [&] { return order_.load(std::memory_order_acquire) != 0; };
  while (!spin_until(ordered)) sleep();
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
    worker.order_.compare_exchange_strong(packed, 0);  // unless there is another one already
  }
}

/// What the C library takes out of a stack, above all static thread-local storage of the program.
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
  // Handlers of the program run on its own threads, but for faults and the ticks of a profiler.
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

/// One thread at a time; whoever comes second goes without.
bool Pool::add_worker(const Order& order) noexcept {
  const auto now = [] { return Clock::now().time_since_epoch().count(); };
  const int workers = workers_.load(std::memory_order_relaxed);
  if (workers >= pool_cores() - 1 || now() < refused_until_.load(std::memory_order_relaxed)) {
    return false;
  }
  if (growing_.exchange(true, std::memory_order_acquire)) return false;
  bool added = false;
  if (workers == workers_.load(std::memory_order_relaxed)) {  // else somebody was quicker
    added = worker_[workers].start(order);
    if (added) workers_.store(workers + 1, std::memory_order_release);
    if (!added) refused_until_ = now() + Clock::duration{refusal_time}.count();
  }
  growing_.store(false, std::memory_order_release);
  return added;
}

/// The child has one thread: the one that forked, which is in no loop.
void Pool::reset_in_child() noexcept {
  for (Loop& loop : loops_) loop.free_in_child();
  workers_ = 0;
  growing_ = false;
  refused_until_ = 0;
}

}  // namespace

int team_size(int threads, std::int64_t count, std::int64_t grain) noexcept {
  return static_cast<int>(
      std::clamp<std::int64_t>(chunks_in(count, grain), 1, std::clamp(threads, 1, most_cores)));
}

void detail::parallel_chunks(int threads, std::int64_t count, std::int64_t grain, ChunkFunction run,
                             void* body) {
  grain = std::max<std::int64_t>(grain, 1);
  const int team = team_size(threads, count, grain);
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
