// Records one call: settings, file, run.
#include <chrono>
#include <cstdio>
#include <new>
#include <optional>
#include <utility>

#include "core/status/log.hpp"
#include "recorder/capture.hpp"
#include "recorder/case_file.hpp"
#include "recorder/recorded.hpp"
#include "recorder/settings.hpp"
#include "recorder/text/case_name.hpp"
#include "recorder/text/case_text.hpp"
#include "runtime/uncancelled.hpp"

namespace mluop::recorder {
namespace {

thread_local Capture* current_capture = nullptr;

/// A new file in the folder of the operator; names are unique even within a microsecond.
TextFile new_file(const std::string& op) {
  const std::filesystem::path folder = case_folder(directory(), op);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) {
    throw Failure{MLUOP_STATUS_EXECUTION_FAILED,
                  "cannot create '" + folder.string() + "': " + error.message()};
  }
  auto moment = std::chrono::floor<std::chrono::microseconds>(std::chrono::system_clock::now());
  for (;; ++moment) {
    TextFile file{folder / (case_name(op, moment) + ".prototxt")};
    if (file.created()) return file;
  }
}

void print(const Description& call) {
  std::string text = opening_text(call);
  for (const Input& input : call.inputs) text += tensor_text("input", input.tensor) + "}\n";
  for (const Tensor& output : call.outputs) text += tensor_text("output", output) + "}\n";
  text += closing_text(call);
  std::fwrite(text.data(), 1, text.size(),
              stdout);  // one write, so that output of threads is not interleaved
  std::fflush(stdout);
}

class Recording {
 public:
  explicit Recording(const std::function<Description()>& describe) noexcept {
    attempt([&] { begin(describe); });
  }

  void complete() noexcept {
    if (!file_) return;
    attempt([&] {
      file_->complete(*call_, *order_);
      file_->keep();
      char line[1000];
      std::snprintf(line, sizeof(line), "recorded %s", file_->path().c_str());
      log(MLUOP_CPU_LOG_INFO, line);
      if (Capture::current() != nullptr) Capture::current()->succeed();
    });
  }

 private:
  void begin(const std::function<Description()>& describe) {
    const Mode mode = current_mode;
    Capture* const capture = Capture::current();
    if (mode == Mode::off || (mode == Mode::captures && capture == nullptr)) return;
    call_ = describe();
    order_ = capture != nullptr ? capture->order() : order_for(call_->op);
    if (!order_) return;
    if (capture == nullptr && mode == Mode::screen) return print(*call_);
    file_.emplace(capture != nullptr ? TextFile::replacing(capture->file()) : new_file(call_->op));
    file_->write(*call_, *order_);
  }

  template <class Step>
  void attempt(Step step) noexcept {
    try {
      step();
    } catch (const std::bad_alloc&) {
      give_up("out of memory");
    } catch (const std::exception& problem) {
      give_up(problem.what());
    }
  }

  void give_up(const char* problem) noexcept {
    file_.reset();
    char line[900];
    std::snprintf(line, sizeof(line), "a call%s%s is not recorded: %s", call_ ? " of " : "",
                  call_ ? call_->op.c_str() : "", problem);
    log(MLUOP_CPU_LOG_WARNING, line);
    if (Capture::current() != nullptr) Capture::current()->fail(line);
  }

  std::optional<Description> call_;
  std::optional<Order> order_;
  std::optional<CaseFile> file_;
};

}  // namespace

Capture::Capture(std::filesystem::path file, const Order& order, bool run)
    : file_(std::move(file)), order_(order), run_(run) {
  current_capture = this;
  count_captures(+1);
}

Capture::~Capture() {
  current_capture = nullptr;
  count_captures(-1);
}

Capture* Capture::current() noexcept { return current_capture; }

Status run_recorded(const std::function<Description()>& describe,
                    const std::function<Status()>& run) {
  const Uncancelled uncancelled;
  Recording recording{describe};
  const Capture* const capture = Capture::current();
  const Status status = capture == nullptr || capture->run() ? run() : MLUOP_STATUS_SUCCESS;
  if (status == MLUOP_STATUS_SUCCESS) recording.complete();
  return status;
}

}  // namespace mluop::recorder
