// Tables of bad calls: each row spoils one thing of a valid call and states the status and the
// text.
#pragma once

#include <gtest/gtest.h>

#include <concepts>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::testing {

/// `Args` holds everything one call needs, data included.
template <class Args>
struct BadCall {
  const char* what;
  std::function<void(Args&)> spoil;
  mluOpStatus_t status;
  const char* text;  // part of the sentence; ignored when the status is SUCCESS
};

namespace detail {

/// Args may know whether its outputs still hold what make_valid put there.
template <class Args>
concept KnowsItsOutputs = requires(const Args& args) {
  { args.outputs_untouched() } -> std::convertible_to<bool>;
};

/// Replaces the last error, so that a call that leaves no sentence cannot pass with an old one.
inline void leave_another_error() { mluOpGetSizeOfDataType(MLUOP_DTYPE_FLOAT, nullptr); }

inline void expect_sentence(const char* function, const char* text) {
  const std::string sentence = mluOpCpuGetLastError();
  EXPECT_TRUE(sentence.starts_with(std::string{function} + ":"))
      << "the sentence does not start with \"" << function << ":\": " << sentence;
  EXPECT_NE(sentence.find(text), std::string::npos)
      << "the sentence lacks \"" << text << "\": " << sentence;
}

}  // namespace detail

/// Checks that make_valid() is accepted and every row of the table refused as stated, with no
/// output written. `function` is the C function that `invoke(Args&)` calls and returns the status
/// of.
///   expect_bad_calls<Args>("mluOpCarafeForward", make_valid, call, table);
template <class Args, class Invoke>
void expect_bad_calls(const char* function, std::function<Args()> make_valid, Invoke invoke,
                      std::span<const BadCall<Args>> table) {
  {
    SCOPED_TRACE("the valid call");
    Args args = make_valid();
    const mluOpStatus_t status = invoke(args);
    ASSERT_STREQ(mluOpGetErrorString(status), "MLUOP_STATUS_SUCCESS") << mluOpCpuGetLastError();
    if constexpr (detail::KnowsItsOutputs<Args>) {
      ASSERT_FALSE(args.outputs_untouched()) << "a valid call must write its outputs";
    }
  }
  for (const BadCall<Args>& row : table) {
    SCOPED_TRACE(row.what);
    Args args = make_valid();
    row.spoil(args);
    detail::leave_another_error();
    const mluOpStatus_t status = invoke(args);
    EXPECT_STREQ(mluOpGetErrorString(status), mluOpGetErrorString(row.status))
        << mluOpCpuGetLastError();
    if (row.status != MLUOP_STATUS_SUCCESS) detail::expect_sentence(function, row.text);
    if constexpr (detail::KnowsItsOutputs<Args>) {
      EXPECT_TRUE(args.outputs_untouched()) << "an output was written";
    }
  }
}

/// Rows under construction, with the texts they point to.
template <class Args>
class BadCallTable {
 public:
  void add(std::string what, mluOpStatus_t status, std::string text,
           std::function<void(Args&)> spoil) {
    texts_.push_back(std::move(what));
    const char* const kept_what = texts_.back().c_str();
    texts_.push_back(std::move(text));
    rows_.push_back({kept_what, std::move(spoil), status, texts_.back().c_str()});
  }

  template <class Invoke>
  void expect_refused(const char* function, std::function<Args()> make_valid, Invoke invoke) const {
    expect_bad_calls<Args>(function, std::move(make_valid), invoke, rows_);
  }

 private:
  std::deque<std::string> texts_;
  std::vector<BadCall<Args>> rows_;
};

}  // namespace mluop::testing
