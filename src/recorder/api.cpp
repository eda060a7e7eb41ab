// The functions of mlu_op.h that control recording.
#include "core/check/arguments.hpp"
#include "core/status/text.hpp"
#include "mlu_op.h"
#include "recorder/mode.hpp"
#include "recorder/settings.hpp"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

void mluOpSetGenCaseMode(int mode) {
  using recorder::Mode;
  const bool known = mode >= 0 && mode <= static_cast<int>(Mode::screen);
  recorder::set_mode(known ? static_cast<Mode>(mode) : Mode::off);
}

mluOpStatus_t mluOpSetGenCaseDirectory(const char* path) {
  return guarded(__func__, [&] {
    require_present({{"path", path}});
    recorder::set_directory(path);
  });
}

const char* mluOpGetGenCaseDirectory(char* buffer, size_t bufferSize, size_t* pathLen,
                                     mluOpStatus_t* status) {
  const char* result = nullptr;
  const Status outcome = guarded(__func__, [&] {
    const std::string directory = recorder::directory();
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
