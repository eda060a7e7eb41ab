// The case-recording functions of mlu_op.h and the settings behind them.
#include "core/gen_case.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include "core/arguments.hpp"
#include "core/text.hpp"
#include "mlu_op.h"

namespace mluop {
namespace {

constinit std::atomic<GenCaseMode> current_mode{GenCaseMode::off};

std::mutex directory_mutex;
std::string& current_directory() {
  static std::string directory;
  return directory;
}

}  // namespace

GenCaseMode gen_case_mode() noexcept { return current_mode; }

std::string gen_case_directory() {
  const std::lock_guard lock{directory_mutex};
  return current_directory();
}

}  // namespace mluop

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

void mluOpSetGenCaseMode(int mode) {
  const bool known = mode >= 0 && mode <= static_cast<int>(GenCaseMode::screen);
  current_mode = known ? static_cast<GenCaseMode>(mode) : GenCaseMode::off;
}

mluOpStatus_t mluOpSetGenCaseDirectory(const char* path) {
  return guarded(__func__, [&] {
    require_present({{"path", path}});
    std::string directory{path};
    const std::lock_guard lock{directory_mutex};
    std::swap(current_directory(), directory);
  });
}

const char* mluOpGetGenCaseDirectory(char* buffer, size_t bufferSize, size_t* pathLen,
                                     mluOpStatus_t* status) {
  const char* result = nullptr;
  const Status outcome = guarded(__func__, [&] {
    const std::string directory = gen_case_directory();
    if (pathLen != nullptr) *pathLen = directory.size();
    if (buffer == nullptr && bufferSize == 0 && pathLen != nullptr) return;
    require_present({{"buffer", buffer}});
    if (bufferSize <= directory.size()) {
      throw Failure{MLUOP_STATUS_BAD_PARAM, "bufferSize must be at least " +
                                                text_of(directory.size() + 1) + ", got " +
                                                text_of(bufferSize)};
    }
    directory.copy(buffer, directory.size());
    buffer[directory.size()] = '\0';
    result = buffer;
  });
  if (status != nullptr) *status = outcome;
  return result;
}
