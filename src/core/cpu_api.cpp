// The functions of mlu_op_cpu.h.
#include <string>
#include <string_view>
#include <vector>

#include "core/arguments.hpp"
#include "core/handle.hpp"
#include "core/implementation.hpp"
#include "core/log.hpp"
#include "core/status.hpp"
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

ImplementationInfo implementation_named(const OperatorInfo& op, std::string_view name) {
  std::vector<const char*> known;
  for (const ImplementationInfo& implementation : op.implementations()) {
    if (implementation.name == name) return implementation;
    known.push_back(implementation.name);
  }
  throw not_one_of("name", known, name);
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
    *count = info.implementations().size();
  });
}

mluOpStatus_t mluOpCpuGetImplementation(const mluOpHandle_t handle, const char* op, size_t index,
                                        mluOpCpuImplementation_t* implementation) {
  return guarded(__func__, [&] {
    require_present({{"handle", handle}});
    const OperatorInfo& info = operator_named(op);
    require_present({{"implementation", implementation}});
    require_index("index", index, info.implementations().size());
    const ImplementationInfo one = info.implementations()[index];
    *implementation = {.name = one.name,
                       .isa = name_of(one.isa),
                       .available = isa_allows(handle->isa, one.isa),
                       .chosen = chosen(info, *handle).name == std::string_view{one.name}};
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
    const ImplementationInfo one = implementation_named(info, name);
    if (!isa_allows(handle->isa, one.isa)) {
      throw Failure{MLUOP_STATUS_NOT_SUPPORTED, std::string{one.name} + " of " + info.name +
                                                    " needs " + name_of(one.isa) +
                                                    ", this handle has " + name_of(handle->isa)};
    }
    handle->forced[info.name] = one.name;
  });
}
