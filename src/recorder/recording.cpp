// One recorded call: from the settings to a file, around the run.
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "core/log.hpp"
#include "recorder/capture.hpp"
#include "recorder/case_file.hpp"
#include "recorder/case_name.hpp"
#include "recorder/case_text.hpp"
#include "recorder/recorded.hpp"
#include "recorder/settings.hpp"

namespace mluop::recorder {
namespace {

thread_local Capture* current_capture = nullptr;

/// A new file in the folder of the operator; cases of the same microsecond get different ones.
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
  std::fwrite(text.data(), 1, text.size(), stdout);  // at once, so that threads do not mix
  std::fflush(stdout);
}

class Recording {
 public:
  explicit Recording(const std::function<Description()>& describe) noexcept {
    attempt([&] { begin(describe); });
  }

  void complete() noexcept {
    if (file_ == nullptr) return;
    attempt([&] {
      file_->complete(call_, *order_);
      file_->keep();
      log(MLUOP_CPU_LOG_INFO, "recorded " + file_->path().string());
      if (Capture::current() != nullptr) Capture::current()->succeed();
    });
  }

 private:
  void begin(const std::function<Description()>& describe) {
    const Mode in_force = mode();
    Capture* const capture = Capture::current();
    if (in_force == Mode::off || (in_force == Mode::captures && capture == nullptr)) return;
    call_ = describe();
    order_ = capture != nullptr ? capture->order() : order_for(call_.op);
    if (!order_) return;
    if (capture == nullptr && in_force == Mode::screen) return print(call_);
    auto file = std::make_unique<CaseFile>(capture != nullptr ? TextFile::replacing(capture->file())
                                                              : new_file(call_.op));
    file->write(call_, *order_);
    file_ = std::move(file);
  }

  template <class Step>
  void attempt(Step step) noexcept {
    try {
      step();
    } catch (const std::exception& problem) {
      file_.reset();
      char line[900];
      std::snprintf(line, sizeof(line), "a call of %s is not recorded: %s", call_.op.c_str(),
                    problem.what());
      log(MLUOP_CPU_LOG_WARNING, line);
      if (Capture::current() != nullptr) Capture::current()->fail(line);
    }
  }

  Description call_{};
  std::optional<Order> order_;
  std::unique_ptr<CaseFile> file_;
};

}  // namespace

Capture::Capture(std::filesystem::path file, const Order& order, bool run)
    : file_(std::move(file)),
      order_(order),
      run_(run),
      former_mode_(current_mode.exchange(Mode::captures)) {
  current_capture = this;
}

Capture::~Capture() {
  current_capture = nullptr;
  current_mode = former_mode_;
}

Capture* Capture::current() noexcept { return current_capture; }

Status run_recorded(const std::function<Description()>& describe,
                    const std::function<Status()>& run) {
  if (mode() == Mode::off) return run();
  Recording recording{describe};
  const Capture* const capture = Capture::current();
  const Status status = capture == nullptr || capture->run() ? run() : MLUOP_STATUS_SUCCESS;
  if (status == MLUOP_STATUS_SUCCESS) recording.complete();
  return status;
}

}  // namespace mluop::recorder
