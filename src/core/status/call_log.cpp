// The lines of a call, put together without allocating.
#include "core/status/call_log.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "core/design/design.hpp"
#include "core/numbers/dtype.hpp"
#include "core/status/log.hpp"
#include "core/tensor/tensor_descriptor.hpp"

namespace mluop {

LineBuffer& LineBuffer::operator<<(std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), text_.size() - size_);
  std::memcpy(text_.data() + size_, text.data(), length);
  size_ += length;
  return *this;
}

LineBuffer& LineBuffer::operator<<(std::int64_t number) noexcept {
  char digits[24];
  const char* const end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

LineBuffer& LineBuffer::operator<<(double number) noexcept {
  char digits[48];
  std::snprintf(digits, sizeof(digits), "%.3f", number);
  return *this << std::string_view(digits);
}

CallLog::CallLog(const char* function) noexcept : function_(function) {}

/// " input=float[2,50,50,600]:NHWC"; ARRAY, which names no dims, is not written.
void CallLog::add_tensor(const char* name, const mluOpTensorStruct* desc) noexcept {
  const auto end = names_.begin() + static_cast<std::ptrdiff_t>(tensor_count_);
  const bool known = std::any_of(names_.begin(), end,
                                 [&](const char* other) { return !std::strcmp(other, name); });
  if (desc == nullptr || known || tensor_count_ == names_.size()) return;
  names_[tensor_count_++] = name;
  tensors_ << " " << name << "=";
  for (const char* letter = name_of(desc->dtype); *letter != '\0'; ++letter) {
    const char small = static_cast<char>(std::tolower(static_cast<unsigned char>(*letter)));
    tensors_ << std::string_view(&small, 1);
  }
  const char* separator = "[";
  for (const std::int64_t size : desc->dims) {
    tensors_ << separator << size;
    separator = ",";
  }
  tensors_ << (desc->dims.empty() ? "[]" : "]");
  if (desc->layout != MLUOP_LAYOUT_ARRAY) tensors_ << ":" << name_of(desc->layout);
}

void CallLog::set_design(const OperatorInfo& op, const Choice& choice) noexcept {
  choice_ = choice;
  passed_over_ = {};
  for (std::size_t i = 0; i < op.design_count && &op.design(i) != choice.design; ++i) {
    const DesignInfo& other = op.design(i);
    const bool runs = isa_allows(choice.isa, other.isa);
    passed_over_ << (i == 0 ? "" : ",") << other.name
                 << (choice.forced ? ":forced"
                     : runs        ? ":call"
                                   : ":level");
  }
}

void CallLog::finish(Status status) const noexcept {
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start_;
  const OperatorInfo* const op = operator_of_function(function_);
  if (op == nullptr) return;
  write_call(*op, status, time.count());
  if (choice_.design != nullptr && log_enabled(MLUOP_CPU_LOG_DEBUG)) write_plan(*op);
}

void CallLog::write_call(const OperatorInfo& op, Status status,
                         double milliseconds) const noexcept {
  LineBuffer line;
  line << op.name << tensors_.text();
  if (choice_.design != nullptr) {
    line << " design=" << choice_.design->name << " isa=" << name_of(choice_.isa)
         << " threads=" << std::int64_t{threads()};
  }
  line << " ms=" << milliseconds << " status=" << mluOpGetErrorString(status);
  log(MLUOP_CPU_LOG_INFO, line.text());
}

void CallLog::write_plan(const OperatorInfo& op) const noexcept {
  LineBuffer line;
  line << op.name << " plan: design=" << choice_.design->name;
  if (!passed_over_.text().empty()) line << " passed_over=" << passed_over_.text();
  line << " handle_threads=" << std::int64_t{choice_.handle_threads};
  for (const Note& note : notes()) line << " " << note.name << "=" << note.value;
  const char* separator = " loops=";
  for (const Loop& loop : loops()) {
    line << separator << loop.count << "/" << loop.grain << "/" << std::int64_t{loop.threads};
    separator = ",";
  }
  const std::size_t more = loop_count() - loops().size();
  if (more > 0) line << ",+" << static_cast<std::int64_t>(more);
  log(MLUOP_CPU_LOG_DEBUG, line.text());
}

Status detail::run_logged(const char* function, GuardedBody run, void* body) noexcept {
  CallLog call(function);
  const Status status = run(function, body);
  call.finish(status);
  return status;
}

}  // namespace mluop
