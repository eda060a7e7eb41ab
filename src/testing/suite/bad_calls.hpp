// Tables of bad calls: each row spoils one thing of a valid call and states the status and the
// text. Tests and acceptance read the same tables; the listener decides what a failed row means.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"

namespace mluop::testing {

/// What came of one row.
struct BadCallOutcome {
  std::string what;     // function, mode and row
  std::string problem;  // "" when the call was refused as stated
};

/// Hears of every row that is tried in this process; the one it starts with throws std::logic_error,
/// so that no table is tried in vain.
using BadCallListener = std::function<void(const BadCallOutcome&)>;
BadCallListener& bad_call_listener();

/// What `rows` tries, in order.
std::vector<BadCallOutcome> outcomes_of(const std::function<void()>& rows);

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

/// What is wrong with the status and with the last error, "" for nothing.
std::string status_problem(mluOpStatus_t status, mluOpStatus_t expected);
std::string sentence_problem(const char* function, const char* text);
void tell_listener(const char* function, const std::string& mode, const char* what,
                   std::string problem);

template <class Args, class Invoke>
std::string valid_call_problem(Args args, Invoke& invoke) {
  std::string problem = status_problem(invoke(args), MLUOP_STATUS_SUCCESS);
  if constexpr (KnowsItsOutputs<Args>) {
    if (problem.empty() && args.outputs_untouched()) return "a valid call must write its outputs";
  }
  return problem;
}

template <class Args, class Invoke>
std::string row_problem(const char* function, Args args, Invoke& invoke, const BadCall<Args>& row) {
  row.spoil(args);
  leave_another_error();
  std::string problem = status_problem(invoke(args), row.status);
  if (problem.empty() && row.status != MLUOP_STATUS_SUCCESS) {
    problem = sentence_problem(function, row.text);
  }
  if constexpr (KnowsItsOutputs<Args>) {
    if (problem.empty() && !args.outputs_untouched()) return "an output was written";
  }
  return problem;
}

}  // namespace detail

/// Tries whether make_valid() is accepted and every row of the table refused as stated, with no
/// output written, and tells the listener. `function` is the C function that `invoke(Args&)` calls
/// and returns the status of; `mode` is for people. Without a valid call no row is tried.
///   expect_bad_calls<Args>("mluOpCarafeForward", "without limits", make_valid, call, table);
template <class Args, class Invoke>
void expect_bad_calls(const char* function, const std::string& mode,
                      std::function<Args()> make_valid, Invoke invoke,
                      std::span<const BadCall<Args>> table) {
  std::string problem = detail::valid_call_problem(make_valid(), invoke);
  if (!problem.empty()) {
    return detail::tell_listener(function, mode, "the valid call", std::move(problem));
  }
  for (const BadCall<Args>& row : table) {
    detail::tell_listener(function, mode, row.what,
                          detail::row_problem(function, make_valid(), invoke, row));
  }
}

/// "with the card's limits" or "without limits".
const char* mode_of(mluOpCpuLimits_t limits);

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

  /// Each of these tensors without its descriptor, and without its data. A tensor is a pair of its name
  /// and the member of Args that it is.
  template <class Tensors>
  void add_missing(const Tensors& tensors) {
    for (const auto& [name, tensor] : tensors) {
      add(name + " descriptor", MLUOP_STATUS_BAD_PARAM, name + "_desc must not be null",
          [tensor = tensor](Args& args) { (args.*tensor).has_desc = false; });
      add(name + " data", MLUOP_STATUS_BAD_PARAM, name + " must not be null",
          [tensor = tensor](Args& args) { (args.*tensor).has_data = false; });
    }
  }

  /// A tensor that must have `rank` dims, with one less and with one more.
  template <class Tensor>
  void add_wrong_ranks(const std::string& name, Tensor Args::*tensor, std::size_t rank) {
    const std::string rule = name + " must have " + std::to_string(rank) + " dims, got ";
    add(name + " with a dim less", MLUOP_STATUS_BAD_PARAM, rule + std::to_string(rank - 1),
        [tensor](Args& args) { (args.*tensor).dims.pop_back(); });
    add(name + " with a dim more", MLUOP_STATUS_BAD_PARAM, rule + std::to_string(rank + 1),
        [tensor](Args& args) { (args.*tensor).dims.push_back(1); });
  }

  /// A tensor whose dense strides `change` spoils.
  template <class Tensor>
  void add_strided(const std::string& name, Tensor Args::*tensor, const char* what,
                   mluOpStatus_t status, std::function<void(std::vector<std::int64_t>&)> change) {
    add(name + ' ' + what, status, name + " must be contiguous",
        [tensor, change = std::move(change)](Args& args) {
          const std::vector<std::int64_t>& dims = (args.*tensor).dims;
          std::vector<std::int64_t> strides(dims.size(), 1);
          for (std::size_t i = dims.size() - 1; i-- > 0;) {
            strides[i] = strides[i + 1] * dims[i + 1];
          }
          change(strides);
          (args.*tensor).strides = std::move(strides);
        });
  }

  template <class Invoke>
  void expect_refused(const char* function, const std::string& mode,
                      std::function<Args()> make_valid, Invoke invoke) const {
    expect_bad_calls<Args>(function, mode, std::move(make_valid), invoke, rows_);
  }

 private:
  std::deque<std::string> texts_;
  std::vector<BadCall<Args>> rows_;
};

}  // namespace mluop::testing
