// Failures: the last error of each thread, and exceptions turned into statuses.
#include "core/status/status.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>

#include "core/status/log.hpp"

namespace mluop {
namespace {

constexpr std::size_t sentence_bytes = 1001;

thread_local char last_sentence[sentence_bytes] = "";

void copy_text(char* destination, std::size_t capacity, std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), capacity - 1);
  std::memcpy(destination, text.data(), length);
  destination[length] = '\0';
}

Status fail_in(const char* function, Status status, const char* problem,
               const char* detail = "") noexcept {
  char sentence[sentence_bytes];
  std::snprintf(sentence, sizeof(sentence), "%s: %s%s", function, problem, detail);
  return fail(status, sentence);
}

}  // namespace

Status fail(Status status, std::string_view sentence) noexcept {
  char kept[sentence_bytes];
  copy_text(kept, sizeof(kept), sentence);
  // Logged first: a callback may itself make calls that fail, but this failure is the later one.
  log(MLUOP_CPU_LOG_ERROR, kept);
  copy_text(last_sentence, sizeof(last_sentence), kept);
  return status;
}

const char* last_error() noexcept { return last_sentence; }

Failure::Failure(Status status, std::string_view problem) noexcept : status_(status) {
  copy_text(problem_, sizeof(problem_), problem);
}

Status fail_from_exception(const char* function) noexcept {
  try {
    throw;
  } catch (const Failure& failure) {
    return fail_in(function, failure.status(), failure.what());
  } catch (const std::bad_alloc&) {
    return fail_in(function, MLUOP_STATUS_ALLOC_FAILED, "out of memory");
  } catch (const std::length_error&) {
    return fail_in(function, MLUOP_STATUS_ALLOC_FAILED, "out of memory");
  } catch (const std::exception& error) {
    return fail_in(function, MLUOP_STATUS_INTERNAL_ERROR, "internal error: ", error.what());
  } catch (...) {
    return fail_in(function, MLUOP_STATUS_INTERNAL_ERROR, "internal error");
  }
}

}  // namespace mluop
