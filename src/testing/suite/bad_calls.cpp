#include "testing/suite/bad_calls.hpp"

#include <stdexcept>

namespace mluop::testing {

BadCallListener& bad_call_listener() {
  static BadCallListener listener = [](const BadCallOutcome& outcome) {
    throw std::logic_error("nobody listens to the bad call '" + outcome.what + "'");
  };
  return listener;
}

std::vector<BadCallOutcome> outcomes_of(const std::function<void()>& rows) {
  std::vector<BadCallOutcome> outcomes;
  BadCallListener before = std::exchange(
      bad_call_listener(), [&](const BadCallOutcome& outcome) { outcomes.push_back(outcome); });
  try {
    rows();
  } catch (...) {
    bad_call_listener() = std::move(before);
    throw;
  }
  bad_call_listener() = std::move(before);
  return outcomes;
}

const char* mode_of(mluOpCpuLimits_t limits) {
  return limits == MLUOP_CPU_LIMITS_MLU ? "with the card's limits" : "without limits";
}

namespace detail {

void tell_listener(const char* function, const std::string& mode, const char* what,
                   std::string problem) {
  bad_call_listener()(
      {std::string(function).append(" ").append(mode).append(": ").append(what), problem});
}

std::string status_problem(mluOpStatus_t status, mluOpStatus_t expected) {
  if (status == expected) return "";
  std::string problem = mluOpGetErrorString(status);
  problem += std::string(" instead of ") + mluOpGetErrorString(expected);
  if (status != MLUOP_STATUS_SUCCESS) problem += std::string(": ") + mluOpCpuGetLastError();
  return problem;
}

std::string sentence_problem(const char* function, const char* text) {
  const std::string sentence = mluOpCpuGetLastError();
  if (!sentence.starts_with(std::string{function} + ":")) {
    return "the sentence does not start with \"" + std::string{function} + ":\": " + sentence;
  }
  if (sentence.find(text) == std::string::npos) {
    return "the sentence lacks \"" + std::string{text} + "\": " + sentence;
  }
  return "";
}

}  // namespace detail
}  // namespace mluop::testing
