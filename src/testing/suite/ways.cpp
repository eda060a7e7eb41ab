// Levels and designs, from the tables of the library.
#include "testing/suite/ways.hpp"

#include <string_view>

namespace mluop::testing {

std::string Way::name() const { return design.empty() ? isa : isa + ' ' + design; }

void Way::apply(Handle& handle, const std::string& op) const {
  handle.isa(isa).implementation(op, design);
}

std::vector<Way> ways(const std::string& op) {
  std::vector<Way> all;
  for (const std::string& isa : Handle{}.levels()) {
    Handle handle;
    handle.isa(isa);
    for (const auto& design : handle.available_implementations(op)) {
      all.push_back({isa, design.name});
    }
  }
  return all;
}

bool not_accepted(mluOpStatus_t status) {
  return status == MLUOP_STATUS_NOT_SUPPORTED &&
         std::string_view{mluOpCpuGetLastError()}.find(" does not accept this call; ") !=
             std::string_view::npos;
}

}  // namespace mluop::testing
