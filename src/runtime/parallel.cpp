// The two backends of parallel_for; both hand out the same chunks.
#include "runtime/parallel.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <exception>
#include <thread>

#ifdef MLUOPS_STD_THREADS
#include <vector>
#endif

namespace mluop {
namespace {

/// More threads than this gain nothing, and an OpenMP runtime ends the process when the system refuses
/// it one.
int most_threads() noexcept {
  static const int most = std::max(8, 4 * available_cores());
  return most;
}

std::int64_t chunks_in(std::int64_t count, std::int64_t grain) noexcept {
  return count <= 0 ? 0 : (count - 1) / std::max<std::int64_t>(grain, 1) + 1;
}

}  // namespace

int available_cores() noexcept {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof(cores), &cores) == 0) return std::max(1, CPU_COUNT(&cores));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int team_size(int threads, std::int64_t count, std::int64_t grain) noexcept {
  const std::int64_t team = std::min<std::int64_t>(threads, most_threads());
  return static_cast<int>(std::max<std::int64_t>(1, std::min(team, chunks_in(count, grain))));
}

namespace detail {
namespace {

/// The floating-point environment of the calling thread, taken over by a worker for a while: a pooled
/// thread keeps the rounding and the treatment of subnormals of the time it was created.
class BorrowedEnvironment {
 public:
  explicit BorrowedEnvironment(const std::fenv_t& lent) noexcept {
    std::fegetenv(&own_);
    std::fesetenv(&lent);
  }
  ~BorrowedEnvironment() { std::fesetenv(&own_); }
  BorrowedEnvironment(const BorrowedEnvironment&) = delete;
  BorrowedEnvironment& operator=(const BorrowedEnvironment&) = delete;

 private:
  std::fenv_t own_;
};

/// The chunks of one loop. A worker starts with a stretch of them that is its own, and then helps the
/// others with theirs: from loop to loop over the same data, it meets what its caches hold.
class Chunks {
 public:
  Chunks(std::int64_t count, std::int64_t grain, ChunkFunction run, void* body)
      : count_(count), grain_(grain), run_(run), body_(body) {
    std::fegetenv(&environment_);
  }

  std::int64_t size() const noexcept { return chunks_in(count_, grain_); }

  /// Before anybody works.
  void share_among(int workers) noexcept {
    shares_ = std::clamp(workers, 1, most_shares);
    for (int share = 0; share < shares_; ++share) next_[share].chunk = first_of(share);
  }

  void work(int worker) noexcept {
    const BorrowedEnvironment environment{environment_};
    try {
      for (int i = 0; i < shares_; ++i) work_on((worker + i) % shares_, worker);
    } catch (...) {
      for (int share = 0; share < shares_; ++share) next_[share].chunk = first_of(share + 1);
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }

  void finish() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  static constexpr int most_shares = 32;
  struct alignas(64) Next {
    std::atomic<std::int64_t> chunk{0};
  };

  std::int64_t first_of(int share) const noexcept {
    const std::int64_t chunks = size();
    return chunks / shares_ * share + std::min<std::int64_t>(share, chunks % shares_);
  }

  void work_on(int share, int worker) {
    const std::int64_t end = first_of(share + 1);
    for (std::int64_t k = next_[share].chunk++; k < end; k = next_[share].chunk++) {
      run_(body_, k * grain_, std::min((k + 1) * grain_, count_), worker);
    }
  }

  std::int64_t count_, grain_;
  ChunkFunction run_;
  void* body_;
  std::fenv_t environment_;
  int shares_ = 1;
  Next next_[most_shares];
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

#ifdef MLUOPS_STD_THREADS
// ThreadSanitizer does not see the synchronisation inside GCC's OpenMP runtime.
void run_team(int threads, Chunks& chunks) {
  std::vector<std::jthread> team;
  for (int worker = 1; worker < threads; ++worker) {
    team.emplace_back([&chunks, worker] { chunks.work(worker); });
  }
  chunks.work(0);
}
#else
void run_team(int threads, Chunks& chunks) {
  // One iteration per worker: an OpenMP that grants fewer threads than asked still runs them all.
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int worker = 0; worker < threads; ++worker) chunks.work(worker);
}
#endif

}  // namespace

void parallel_chunks(int threads, std::int64_t count, std::int64_t grain, ChunkFunction run,
                     void* body) {
  if (count <= 0) return;
  Chunks chunks{count, std::max<std::int64_t>(grain, 1), run, body};
  const int team = team_size(threads, count, grain);
  chunks.share_among(team);
  if (team == 1) {
    chunks.work(0);
  } else {
    run_team(team, chunks);
  }
  chunks.finish();
}

}  // namespace detail
}  // namespace mluop
