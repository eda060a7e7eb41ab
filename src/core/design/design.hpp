// The designs of an operator: named ways to compute it, in one ordered table.
//
// Every operator has a table in its choose.cpp. Choice, forcing by name, tests, bench, `mluop list` and
// `mluop info` read it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/handle/handle.hpp"
#include "runtime/isa.hpp"
#include "runtime/plan.hpp"

namespace mluop {

/// What is known of a design without a problem.
struct DesignInfo {
  const char* name;         // "avx512_window", as mluOpCpuForceImplementation takes it
  Isa isa;                  // the least instruction set it needs
  const char* description;  // what it accepts, for people: "k = 5, groups of at most 16 channels"
};

/// An entry of a table. `Run` is the function that computes, or a structure of such functions where an
/// operator has several steps: a workspace size and a run.
template <class Problem, class Run>
struct Design : DesignInfo {
  bool (*accepts)(const Problem& problem);
  Run run;
};

/// `accepts` of a table's last design.
template <class Problem>
bool accepts_everything(const Problem& /*problem*/) {
  return true;
}

/// A constant: calls may come before the statics of a program are made and after they are destroyed.
struct OperatorInfo {
  const char* name;
  std::size_t design_count;
  const DesignInfo& (*design)(std::size_t index);
};

/// The operator with a table of designs; the last of them accepts everything, at every level.
template <const auto& designs>
constexpr OperatorInfo operator_with(const char* name) {
  static_assert(designs.back().isa == Isa::generic);
  return {name, designs.size(),
          [](std::size_t index) -> const DesignInfo& { return designs[index]; }};
}

/// Every operator of the library, in the order of the header (ops/registry.cpp).
std::span<const OperatorInfo* const> operators();

/// The operator of that name, or null.
const OperatorInfo* find_operator(std::string_view name);

/// The operator that a C function computes, or null: carafe_forward for "mluOpCarafeForward". Their names
/// agree except for the prefix, underscores, capitals and the ending "_v2".
const OperatorInfo* operator_of_function(std::string_view function);

/// What a call computes with.
template <class D>
struct Choice {
  const D& design;
  Isa isa;  // the level of its vector kernels
};

namespace detail {

/// What the handle says about an operator: the level, and the forced design or null.
Forced request_of(const OperatorInfo& op, const mluOpContext& handle);

/// Throws NOT_SUPPORTED: the forced design does not accept the problem, or needs another level.
[[noreturn]] void refuse(const OperatorInfo& op, const Forced& request);

/// Tells the log what `handle.used` now says, and whether a request decided it.
void log_choice(const OperatorInfo& op, const mluOpContext& handle, bool forced) noexcept;

}  // namespace detail

/// The forced design, or the first that the handle's level allows and that accepts the problem. A forced
/// one that cannot take the problem is NOT_SUPPORTED.
template <class D, std::size_t count, class Problem>
Choice<D> choose(const OperatorInfo& op, const std::array<D, count>& designs,
                 const Problem& problem, mluOpContext& handle) {
  const Forced request = detail::request_of(op, handle);
  for (const D& design : designs) {
    if (request.design != nullptr && request.design != &design) continue;
    if (isa_allows(request.isa, design.isa) && design.accepts(problem)) {
      handle.used = {request.isa, &design};
      if (Plan::current() != nullptr) [[unlikely]]
        detail::log_choice(op, handle, request.design != nullptr);
      return {design, vector_isa(request.isa)};
    }
  }
  detail::refuse(op, request);
}

}  // namespace mluop
