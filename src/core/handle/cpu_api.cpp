// The functions of mlu_op_cpu.h.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/check/arguments.hpp"
#include "core/design/design.hpp"
#include "core/handle/handle.hpp"
#include "core/status/log.hpp"
#include "core/status/status.hpp"
#include "mlu_op_cpu.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

const OperatorInfo& operator_named(const char* name) {
  require_present({{"op", name}});
  if (const OperatorInfo* op = find_operator(name)) return *op;
  std::vector<const char*> known;
  for (const OperatorInfo* op : operators()) known.push_back(op->name);
  throw not_one_of("op", known, name);
}

/// The fields of mluOpCpuImplementation_t in version 0.1, which every caller has. Never to be changed.
constexpr std::int64_t implementation_bytes =
    offsetof(mluOpCpuImplementation_t, chosen) + sizeof(mluOpCpuImplementation_t::chosen);
static_assert(implementation_bytes == 3 * sizeof(void*) + 2 * sizeof(int));

/// A size for a rule: an immense one is only that.
std::int64_t byte_count(std::size_t bytes) {
  return static_cast<std::int64_t>(
      std::min<std::size_t>(bytes, std::numeric_limits<std::int64_t>::max()));
}

constexpr std::array levels{Isa::generic,     Isa::sse4, Isa::avx2, Isa::avx512,
                            Isa::avx512_bf16, Isa::amx,  Isa::neon};

/// Adds the names of all levels to `known`.
std::optional<Isa> level_named(std::string_view name, std::vector<const char*>& known) {
  for (const Isa isa : levels) {
    if (name == name_of(isa)) return isa;
    known.push_back(name_of(isa));
  }
  return std::nullopt;
}

/// The instruction set of that name, or that of the handle with the design of that name.
Forced implementation_named(const OperatorInfo& op, std::string_view name,
                            const mluOpContext& handle) {
  std::vector<const char*> known;
  for (std::size_t i = 0; i < op.design_count; ++i) {
    if (op.design(i).name == name) return {handle.isa, &op.design(i)};
    known.push_back(op.design(i).name);
  }
  if (const auto isa = level_named(name, known)) return {*isa, nullptr};
  throw not_one_of("name", known, name);
}

void require_level(const std::string& what, Isa needed, Isa had) {
  if (isa_allows(had, needed)) return;
  throw Failure{MLUOP_STATUS_NOT_SUPPORTED,
                what + " needs " + name_of(needed) + ", this handle has " + name_of(had)};
}

/// The design that the handle tries first.
const DesignInfo* first_tried(const OperatorInfo& op, const mluOpContext& handle) {
  const Forced request = detail::request_of(op, handle);
  if (request.design != nullptr) return request.design;
  for (std::size_t i = 0; i < op.design_count; ++i) {
    if (isa_allows(request.isa, op.design(i).isa)) return &op.design(i);
  }
  return nullptr;
}

}  // namespace

void mluOpCpuGetVersion(int* major, int* minor, int* patch) {
  if (major != nullptr) *major = MLUOP_CPU_MAJOR;
  if (minor != nullptr) *minor = MLUOP_CPU_MINOR;
  if (patch != nullptr) *patch = MLUOP_CPU_PATCHLEVEL;
}

const char* mluOpCpuGetLastError(void) { return last_error(); }

mluOpStatus_t mluOpCpuSetLimits(mluOpHandle_t handle, mluOpCpuLimits_t limits) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    require("limits", limits, one_of(MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU));
    handle->limits = limits;
  });
}

mluOpStatus_t mluOpCpuGetLimits(const mluOpHandle_t handle, mluOpCpuLimits_t* limits) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"limits", limits}});
    *limits = handle->limits;
  });
}

mluOpStatus_t mluOpCpuSetThreads(mluOpHandle_t handle, int threads) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    require("threads", threads, at_least(1));
    require("threads", threads, at_most(max_threads));
    handle->use_threads(threads);
  });
}

mluOpStatus_t mluOpCpuGetThreads(const mluOpHandle_t handle, int* threads) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"threads", threads}});
    *threads = handle->wanted_threads;
  });
}

mluOpStatus_t mluOpCpuGetIsa(const mluOpHandle_t handle, const char** name) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"name", name}});
    *name = name_of(handle->isa);
  });
}

mluOpStatus_t mluOpCpuSetIsa(mluOpHandle_t handle, const char* name) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}, {"name", name}});
    std::vector<const char*> known;
    const auto isa = level_named(name, known);
    if (!isa) throw not_one_of("name", known, name);
    if (lowered_isa(*isa) != *isa) {
      throw Failure{MLUOP_STATUS_NOT_SUPPORTED, std::string{"name "} + name +
                                                    " is not available: this machine has " +
                                                    name_of(detected_isa())};
    }
    handle->isa = *isa;
  });
}

mluOpStatus_t mluOpCpuSetLogLevel(mluOpCpuLogLevel_t level) {
  return guarded(__func__, [&] {
    require("level", level, at_least(MLUOP_CPU_LOG_OFF));
    require("level", level, at_most(MLUOP_CPU_LOG_DEBUG));
    set_log_level(level);
  });
}

mluOpStatus_t mluOpCpuSetLogCallback(mluOpCpuLogCallback_t callback, void* user) {
  return guarded(__func__, [&] { set_log_callback(callback, user); });
}

mluOpStatus_t mluOpCpuGetOperatorCount(size_t* count) {
  return guarded(__func__, [&] {
    require_present({{"count", count}});
    *count = operators().size();
  });
}

mluOpStatus_t mluOpCpuGetOperatorName(size_t index, const char** name) {
  return guarded(__func__, [&] {
    require_present({{"name", name}});
    require_index("index", index, operators().size());
    *name = operators()[index]->name;
  });
}

mluOpStatus_t mluOpCpuGetImplementationCount(const char* op, size_t* count) {
  return guarded(__func__, [&] {
    const OperatorInfo& info = operator_named(op);
    require_present({{"count", count}});
    *count = info.design_count;
  });
}

mluOpStatus_t mluOpCpuGetImplementation(const mluOpHandle_t handle, const char* op, size_t index,
                                        mluOpCpuImplementation_t* implementation) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    const OperatorInfo& info = operator_named(op);
    require_present({{"implementation", implementation}});
    require("struct_size", byte_count(implementation->struct_size), at_least(implementation_bytes));
    require_index("index", index, info.design_count);
    const DesignInfo& design = info.design(index);
    const mluOpCpuImplementation_t filled{
        .struct_size = std::min(implementation->struct_size, sizeof(mluOpCpuImplementation_t)),
        .name = design.name,
        .isa = name_of(design.isa),
        .available = isa_allows(handle->isa, design.isa),
        .chosen = first_tried(info, *handle) == &design};
    std::memcpy(implementation, &filled, filled.struct_size);
  });
}

mluOpStatus_t mluOpCpuForceImplementation(mluOpHandle_t handle, const char* op, const char* name) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    const OperatorInfo& info = operator_named(op);
    if (name == nullptr) {
      handle->forced.erase(info.name);
      return;
    }
    const Forced forced = implementation_named(info, name, *handle);
    const Isa needed = forced.design != nullptr ? forced.design->isa : forced.isa;
    require_level(std::string{name} + " of " + info.name, needed, handle->isa);
    handle->forced[info.name] = forced;
  });
}
