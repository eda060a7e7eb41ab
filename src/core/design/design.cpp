// What a handle says about an operator, and the refusal of a forced design.
#include "core/design/design.hpp"

#include <algorithm>
#include <string>

#include "core/status/status.hpp"

namespace mluop {

const OperatorInfo* find_operator(std::string_view name) {
  const auto all = operators();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const OperatorInfo* op) { return op->name == name; });
  return found != all.end() ? *found : nullptr;
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

}  // namespace detail
}  // namespace mluop
