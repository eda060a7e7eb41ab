// The cores that this process may use.
#pragma once

#include <optional>
#include <string_view>

namespace mluop {

/// What the pool has room for.
inline constexpr int most_cores = 1024;

/// The threads that are worth having: the cores of the calling thread's affinity mask, or fewer if a
/// CPU quota of its control groups allows less. At least 1.
int available_cores() noexcept;

/// The threads of the pool, a caller included: the cores in the affinity masks that available_cores has seen,
/// those of its callers and of the main thread. At least 1.
int pool_cores() noexcept;

/// Lets this thread run on all of these cores, wherever the thread that created it is bound.
void use_every_core() noexcept;

/// The CPU quota of this process in cores, rounded up; the lowest of its control group and of those above
/// it, version 1 or 2. Nothing if there is none or it cannot be read. Files are looked for below `root`.
std::optional<int> cpu_quota(std::string_view root = "") noexcept;

/// For tests: the pool has so many threads, and handles use as many, whatever the machine has, until the
/// end of the scope.
class PretendedCores {
 public:
  explicit PretendedCores(int cores) noexcept;
  ~PretendedCores();
  PretendedCores(const PretendedCores&) = delete;
  PretendedCores& operator=(const PretendedCores&) = delete;

 private:
  int former_;
};

}  // namespace mluop
