// The table of implementations behind an operator: selector, tests, bench and `mluop list` read it.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/handle.hpp"
#include "runtime/isa.hpp"

namespace mluop {

struct ImplementationInfo {
  const char* name;
  Isa isa;
};

/// An operator and its implementations, fastest first; the last runs everywhere.
struct OperatorInfo {
  const char* name;
  std::vector<ImplementationInfo> implementations;
};

/// Every operator of the library, in the order of the header.
std::span<const OperatorInfo* const> operators();

/// The operator of that name, or null.
const OperatorInfo* find_operator(std::string_view name);

/// The implementation a handle would use: the forced one, else the first its ISA allows.
const ImplementationInfo& chosen(const OperatorInfo& op, const mluOpContext& handle);

/// The usual table: one implementation per instruction set that the build has kernels for.
template <class Kernel>
OperatorInfo operator_per_isa(const char* name, const PerIsa<Kernel>& kernels) {
  OperatorInfo info{name, {}};
  for (Isa isa : {Isa::amx, Isa::avx512, Isa::avx2, Isa::sse4, Isa::neon, Isa::generic}) {
    if (kernels[static_cast<std::size_t>(isa)] != nullptr) {
      info.implementations.push_back({name_of(isa), isa});
    }
  }
  return info;
}

}  // namespace mluop
