// Affinity masks and CPU quotas of control groups.
#include "runtime/cores.hpp"

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <thread>
#include <utility>

#include "core/numbers/integers.hpp"
#include "runtime/uncancelled.hpp"

namespace mluop {
namespace {

/// The union of the affinity masks seen so far in this process.
constinit std::array<std::atomic<std::uint64_t>, CPU_SETSIZE / 64> seen{};
constinit std::atomic<int> pretended{0};
static_assert(CPU_SETSIZE == most_cores);

/// The affinity mask of a thread (0: this one), or all cores of the machine if it is unknown.
cpu_set_t mask_of(pid_t thread) noexcept {
  cpu_set_t mask;
  if (sched_getaffinity(thread, sizeof(mask), &mask) == 0) return mask;
  CPU_ZERO(&mask);
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (int core = 0; core < std::clamp(cores, 1, most_cores); ++core) CPU_SET(core, &mask);
  return mask;
}

void remember(const cpu_set_t& mask) noexcept {
  for (std::size_t word = 0; word < seen.size(); ++word) {
    std::uint64_t cores;
    std::memcpy(&cores, reinterpret_cast<const char*>(&mask) + word * sizeof(cores), sizeof(cores));
    if (cores != 0) seen[word].fetch_or(cores, std::memory_order_relaxed);
  }
}

/// Adds the masks of this thread and of the main thread.
void look_around() noexcept {
  remember(mask_of(0));
  remember(mask_of(getpid()));
}

/// Text of limited length; empty if it does not fit. Nothing here allocates, so that counting cores works
/// when memory is short.
class ShortText {
 public:
  ShortText() = default;
  explicit ShortText(std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) {
      if (part.size() >= sizeof(text_) - size_) {
        size_ = 0;
        break;
      }
      size_ += part.copy(text_ + size_, part.size());
    }
    text_[size_] = '\0';
  }
  std::string_view view() const { return {text_, size_}; }
  const char* c_str() const { return text_; }

 private:
  char text_[1024] = "";
  std::size_t size_ = 0;
};

/// The lines of a file; a line longer than the buffer is split.
class Lines {
 public:
  explicit Lines(const ShortText& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Lines() {
    if (file_ >= 0) close(file_);
  }
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// The next line, valid until the next call; nothing at the end.
  std::optional<std::string_view> next() {
    for (;;) {
      const std::string_view rest{buffer_ + begin_, end_ - begin_};
      if (const std::size_t length = rest.find('\n'); length != std::string_view::npos) {
        begin_ += length + 1;
        return rest.substr(0, length);
      }
      std::memmove(buffer_, rest.data(), rest.size());
      begin_ = 0;
      end_ = rest.size();
      const ssize_t count = file_ >= 0 ? read(file_, buffer_ + end_, sizeof(buffer_) - end_) : 0;
      if (count <= 0) {  // the last line may lack a newline
        const std::size_t length = std::exchange(end_, 0);
        return length > 0 ? std::optional{std::string_view{buffer_, length}} : std::nullopt;
      }
      end_ += static_cast<std::size_t>(count);
    }
  }

 private:
  int file_;
  std::size_t begin_ = 0, end_ = 0;
  char buffer_[4096];
};

/// Takes the part of `text` before the separator, or all of it.
std::string_view cut(std::string_view& text, char separator) {
  const std::size_t length = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return part;
}

bool has_word(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    if (cut(list, ',') == word) return true;
  }
  return false;
}

/// A hierarchy of control groups: its mount point, and the group that is mounted there.
struct Hierarchy {
  bool unified = false;  // version 2
  ShortText mount, mounted_group;
};

/// The hierarchy with CPU quotas, from /proc/self/mountinfo. Version 1 if both are mounted: then version 2
/// has no CPU controller.
std::optional<Hierarchy> cpu_hierarchy(std::string_view root) {
  std::optional<Hierarchy> found;
  Lines mounts{ShortText{{root, "/proc/self/mountinfo"}}};
  while (auto line = mounts.next()) {
    for (int skipped = 0; skipped < 3; ++skipped) cut(*line, ' ');
    const std::string_view group = cut(*line, ' '), mount = cut(*line, ' ');
    while (!line->empty() && cut(*line, ' ') != "-") {
    }
    const std::string_view type = cut(*line, ' ');
    cut(*line, ' ');
    const bool unified = type == "cgroup2";
    if (!unified && !(type == "cgroup" && has_word(*line, "cpu"))) continue;
    found = Hierarchy{unified, ShortText{{mount}}, ShortText{{group}}};
    if (!unified) break;
  }
  return found;
}

/// The group of this process in that hierarchy: "/a/b", from /proc/self/cgroup.
ShortText group_in(const Hierarchy& hierarchy, std::string_view root) {
  Lines groups{ShortText{{root, "/proc/self/cgroup"}}};
  while (auto line = groups.next()) {
    cut(*line, ':');
    const std::string_view controllers = cut(*line, ':');
    if (hierarchy.unified ? controllers.empty() : has_word(controllers, "cpu")) {
      return ShortText{{*line}};
    }
  }
  return ShortText{{"/"}};
}

/// Cores that quota and period allow, both in microseconds; nothing for "max" or -1.
std::optional<int> cores_for(std::string_view quota, std::string_view period) {
  const auto number = [](std::string_view text) {
    std::int64_t value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  };
  const std::int64_t allowed = number(quota), every = number(period);
  if (allowed <= 0 || every <= 0) return std::nullopt;
  return static_cast<int>(std::clamp<std::int64_t>(ceil_div(allowed, every), 1, most_cores));
}

std::optional<int> quota_of(const Hierarchy& hierarchy, std::string_view root,
                            std::string_view group) {
  const auto first_line = [&](std::string_view file) {
    Lines lines{ShortText{{root, hierarchy.mount.view(), group, file}}};
    return ShortText{{lines.next().value_or("")}};
  };
  if (!hierarchy.unified) {
    return cores_for(first_line("/cpu.cfs_quota_us").view(),
                     first_line("/cpu.cfs_period_us").view());
  }
  const ShortText both = first_line("/cpu.max");
  std::string_view period = both.view();
  const std::string_view quota = cut(period, ' ');
  return cores_for(quota, period);
}

}  // namespace

std::optional<int> cpu_quota(std::string_view root) noexcept {
  const Uncancelled uncancelled;  // reading a file is a cancellation point
  const std::optional<Hierarchy> hierarchy = cpu_hierarchy(root);
  if (!hierarchy) return std::nullopt;
  const ShortText path = group_in(*hierarchy, root);
  std::string_view group = path.view();
  // In a container the mount may show only a group below the root of the hierarchy.
  const std::string_view mounted = hierarchy->mounted_group.view();
  if (mounted != "/") group = group.starts_with(mounted) ? group.substr(mounted.size()) : "";
  std::optional<int> lowest;
  for (;;) {
    const auto quota = quota_of(*hierarchy, root, group);
    if (quota && (!lowest || *quota < *lowest)) lowest = quota;
    if (group.empty() || group == "/") return lowest;
    group = group.substr(0, group.rfind('/'));
  }
}

int available_cores() noexcept {
  look_around();
  const cpu_set_t own = mask_of(0);
  const int cores = std::max(1, CPU_COUNT(&own));
  return std::min(cores, cpu_quota().value_or(cores));
}

int pool_cores() noexcept {
  if (const int cores = pretended.load(std::memory_order_relaxed); cores != 0) return cores;
  const auto count = [] {
    int cores = 0;
    for (const auto& word : seen) cores += std::popcount(word.load(std::memory_order_relaxed));
    return cores;
  };
  if (count() == 0) look_around();
  return std::max(1, count());
}

void use_every_core() noexcept {
  cpu_set_t all;
  for (std::size_t word = 0; word < seen.size(); ++word) {
    const std::uint64_t cores = seen[word].load(std::memory_order_relaxed);
    std::memcpy(reinterpret_cast<char*>(&all) + word * sizeof(cores), &cores, sizeof(cores));
  }
  const cpu_set_t own = mask_of(0);
  if (!CPU_EQUAL(&all, &own)) sched_setaffinity(0, sizeof(all), &all);
}

PretendedCores::PretendedCores(int cores) noexcept : former_(pretended.exchange(cores)) {}
PretendedCores::~PretendedCores() { pretended = former_; }

}  // namespace mluop
