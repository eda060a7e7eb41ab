// Names of files from time, thread and device.
#include "recorder/text/case_name.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

#include "cnrt.h"

namespace mluop::recorder {
namespace {

std::string device() {
  int number = 0;
  cnrtGetDevice(&number);
  return std::to_string(number);
}

void replace_all(std::string& text, std::string_view what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
}

}  // namespace

std::string case_name(std::string_view op, Moment moment) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(moment);
  const std::time_t time = std::chrono::system_clock::to_time_t(seconds);
  std::tm local{};
  localtime_r(&time, &local);
  char date[32], fraction[16];
  std::strftime(date, sizeof(date), "_%Y%m%d_%H_%M_%S_", &local);
  std::snprintf(fraction, sizeof(fraction), "%06d", static_cast<int>((moment - seconds).count()));
  return std::string{op} + date + fraction + "_tid" + std::to_string(syscall(SYS_gettid)) +
         "_device" + device();
}

std::string expanded(std::string directory) {
  replace_all(directory, "{pid}", std::to_string(getpid()));
  replace_all(directory, "{deviceid}", device());
  return directory;
}

std::filesystem::path case_folder(const std::string& directory, std::string_view op) {
  return std::filesystem::path{expanded(directory)} / "gen_case" / op;
}

}  // namespace mluop::recorder
