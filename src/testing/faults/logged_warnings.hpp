// The warnings and errors that the library logs in a scope.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/status/log.hpp"
#include "mlu_op_cpu.h"

namespace mluop::testing {

/// Collects the lines of this level and those above it, in the whole process. One at a time.
class LoggedWarnings {
 public:
  LoggedWarnings() {
    mluOpCpuSetLogLevel(MLUOP_CPU_LOG_WARNING);
    mluOpCpuSetLogCallback(
        [](mluOpCpuLogLevel_t, const char* line, void* user) {
          static_cast<std::vector<std::string>*>(user)->emplace_back(line);
        },
        &lines_);
  }
  ~LoggedWarnings() {
    mluOpCpuSetLogCallback(nullptr, nullptr);
    set_log_level(std::nullopt);
  }
  LoggedWarnings(const LoggedWarnings&) = delete;
  LoggedWarnings& operator=(const LoggedWarnings&) = delete;

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

}  // namespace mluop::testing
