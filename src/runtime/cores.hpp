// The cores that this process may use.
#pragma once

#include <optional>
#include <string_view>

namespace mluop {

/// The capacity of the pool.
inline constexpr int most_cores = 1024;

/// The default number of threads: the cores in the calling thread's affinity mask, or the CPU quota of
/// its control groups if that is lower. At least 1.
int available_cores() noexcept;

/// The threads of the pool, including a caller: the cores in the affinity masks that available_cores has
/// seen, those of its callers and of the main thread. At least 1.
int pool_cores() noexcept;

/// Sets the affinity of this thread to all of these cores.
void use_every_core() noexcept;

/// The CPU quota of this process in cores, rounded up; the lowest of its control group and of those above
/// it, version 1 or 2. Nothing if there is none or it cannot be read. Files are looked for below `root`.
std::optional<int> cpu_quota(std::string_view root = "") noexcept;

/// For tests: sets the number of cores that pool and handles assume, until the end of the scope.
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
