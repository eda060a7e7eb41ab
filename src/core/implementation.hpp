// The table of implementations behind an operator: selector, tests, bench and `mluop list` read it.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/handle.hpp"
#include "runtime/isa.hpp"

namespace mluop {

struct ImplementationInfo {
  const char* name;
  Isa isa;
};

/// The implementations of an operator, fastest first; the last runs everywhere.
class ImplementationList {
 public:
  constexpr void add(ImplementationInfo one) { all_[size_++] = one; }
  constexpr std::size_t size() const { return size_; }
  constexpr ImplementationInfo operator[](std::size_t index) const { return all_[index]; }
  constexpr const ImplementationInfo* begin() const { return all_.data(); }
  constexpr const ImplementationInfo* end() const { return all_.data() + size_; }

 private:
  std::array<ImplementationInfo, isa_count> all_{};
  std::size_t size_ = 0;
};

/// A constant: calls may come before the statics of a program are made and after they are destroyed.
struct OperatorInfo {
  const char* name;
  ImplementationList (*implementations)();
};

/// Every operator of the library, in the order of the header.
std::span<const OperatorInfo* const> operators();

/// The operator of that name, or null.
const OperatorInfo* find_operator(std::string_view name);

/// The implementation a handle would use: the forced one, else the first its ISA allows.
ImplementationInfo chosen(const OperatorInfo& op, const mluOpContext& handle);

/// The usual table: one implementation per instruction set that the build has kernels for.
template <const auto& kernels>
constexpr OperatorInfo operator_per_isa(const char* name) {
  return {name, [] {
            ImplementationList list;
            for (Isa isa : {Isa::amx, Isa::avx512, Isa::avx2, Isa::sse4, Isa::neon, Isa::generic}) {
              if (kernels[static_cast<std::size_t>(isa)] != nullptr) list.add({name_of(isa), isa});
            }
            return list;
          }};
}

}  // namespace mluop
