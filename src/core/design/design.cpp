// What a handle says about an operator, and the refusal of a forced design.
#include "core/design/design.hpp"

#include <algorithm>
#include <cctype>
#include <string>

#include "core/status/call_log.hpp"
#include "core/status/status.hpp"

namespace mluop {

const OperatorInfo* find_operator(std::string_view name) {
  const auto all = operators();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const OperatorInfo* op) { return op->name == name; });
  return found != all.end() ? *found : nullptr;
}

namespace {

/// Whether `name`, such as "roiaware_pool3d_forward", is `words`, such as "RoiAwarePool3dForward".
bool is_same_name(std::string_view name, std::string_view words) {
  std::size_t at = 0;
  for (const char c : name) {
    if (c == '_') continue;
    const bool equal =
        at < words.size() && std::tolower(static_cast<unsigned char>(words[at])) == c;
    if (!equal) return false;
    ++at;
  }
  return at == words.size();
}

}  // namespace

const OperatorInfo* operator_of_function(std::string_view function) {
  constexpr std::string_view later = "_v2";  // MLU-OPS' mark of a function with more parameters
  if (function.ends_with(later)) function.remove_suffix(later.size());
  for (const std::string_view prefix : {"mluOp", "mluOpCpu"}) {
    if (!function.starts_with(prefix)) continue;
    for (const OperatorInfo* op : operators()) {
      if (is_same_name(op->name, function.substr(prefix.size()))) return op;
    }
  }
  return nullptr;
}

namespace detail {

Forced request_of(const OperatorInfo& op, const mluOpContext& handle) {
  const auto forced = handle.forced.find(std::string_view{op.name});
  if (forced == handle.forced.end()) return {handle.isa, nullptr};
  const Forced& request = forced->second;
  const bool follows_handle = request.design != nullptr || !isa_allows(handle.isa, request.isa);
  return {follows_handle ? handle.isa : request.isa, request.design};
}

void refuse(const OperatorInfo& op, const Forced& request) {
  const DesignInfo& design = *request.design;
  const std::string what = std::string{design.name} + " of " + op.name;
  if (!isa_allows(request.isa, design.isa)) {
    throw Failure{MLUOP_STATUS_NOT_SUPPORTED, what + " needs " + name_of(design.isa) +
                                                  ", this handle has " + name_of(request.isa)};
  }
  throw Failure{MLUOP_STATUS_NOT_SUPPORTED,
                what + " does not accept this call; it accepts: " + design.description};
}

void log_choice(const OperatorInfo& op, const mluOpContext& handle, bool forced) noexcept {
  if (CallLog* const log = CallLog::current()) {
    log->set_design(op, {handle.used.design, handle.used.isa, handle.threads, forced});
  }
}

}  // namespace detail
}  // namespace mluop
