// Runs work in a child process, so that a hang or crash does not affect this one.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace mluop::cli {

/// Sends bytes to the parent.
using Send = std::function<void(std::string_view)>;

struct ChildEnd {
  std::string sent;     // everything that arrived before the deadline
  std::string problem;  // how the child failed; "" if it finished
};

/// Runs `work` in a forked child and collects what it sends. A child that needs longer than `limit`
/// is killed; 0 means no limit. This process must have no threads.
ChildEnd run_in_child(const std::function<void(const Send&)>& work, std::chrono::seconds limit);

}  // namespace mluop::cli
