// The contexts of cn_api.h. They have no effect on calls: programs that handle them must only see what they
// expect.
#include <atomic>
#include <memory>

#include "runtime/at_fork.hpp"
#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/driver.hpp"
#include "runtime/cnrt/registry.hpp"
#include "runtime/cores.hpp"

struct CNcontext_st {
  unsigned int flags;
};

namespace {

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): of this file alone
using mluop::HeldDuringFork;
using mluop::Registry;

constinit Registry<std::unique_ptr<CNcontext_st>> contexts;
const HeldDuringFork<contexts> contexts_at_fork;

/// The context that every thread begins with; never destroyed.
constinit CNcontext_st shared{CN_CTX_SCHED_SYNC_AUTO};
constinit std::atomic<int> acquisitions{0};
thread_local CNcontext current = &shared;

/// The flags of a live context; cnrtErrorInvalidResourceHandle for any other pointer.
cnrtRet_t flags_of(CNcontext context, unsigned int* flags) {
  if (context == &shared) return report(flags, shared.flags);
  const bool live = contexts.with(context, [&](const auto& object) { *flags = object->flags; });
  return valid_if(live, cnrtErrorInvalidResourceHandle);
}

/// Runs `body` if the context is live.
template <class Body>
CNresult in_context(CNcontext context, Body&& body) noexcept {
  return driver_call(
      [&] {
        unsigned int flags = 0;
        const cnrtRet_t live = flags_of(context, &flags);
        return live != cnrtSuccess ? live : body(flags);
      },
      CN_CONTEXT_ERROR_INVALID);
}

/// The only value of each setting.
bool config_of(CNctxConfigParamType type, CNctxConfigParam& param) {
  switch (type) {
    case CN_CTX_CONFIG_VISIBLE_CLUSTER:
      param.visibleCluster = 1;
      return true;
    case CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM:
      param.visibleClusterNumber = 1;
      return true;
    case CN_CTX_CONFIG_UNION_LIMIT:
      param.unionLimit = CN_KERNEL_CLASS_UNION;
      return true;
    default:
      return false;
  }
}

bool may_be_set(CNctxConfigParamType type, const CNctxConfigParam& param) {
  switch (type) {
    case CN_CTX_CONFIG_VISIBLE_CLUSTER:
      return param.visibleCluster == 1;
    case CN_CTX_CONFIG_UNION_LIMIT:
      return param.unionLimit == CN_KERNEL_CLASS_BLOCK || param.unionLimit == CN_KERNEL_CLASS_UNION;
    default:
      return false;
  }
}

bool is_class(KernelClass c) {
  for (const KernelClass known :
       {CN_KERNEL_CLASS_BLOCK, CN_KERNEL_CLASS_UNION, CN_KERNEL_CLASS_UNION2,
        CN_KERNEL_CLASS_UNION4, CN_KERNEL_CLASS_UNION8, CN_KERNEL_CLASS_UNION16}) {
    if (c == known) return true;
  }
  return false;
}

}  // namespace

CNresult cnCtxCreate(CNcontext* pcontext, unsigned int flags, CNdev dev) {
  return on_device(dev, [&] {
    if (pcontext == nullptr || flags >= CN_CTX_SCHED_SYNC_NUM) return cnrtErrorArgsInvalid;
    *pcontext = current = contexts.add(std::make_unique<CNcontext_st>(CNcontext_st{flags}));
    return cnrtSuccess;
  });
}

CNresult cnCtxDestroy(CNcontext context) {
  return driver_call(
      [&] {
        if (!contexts.remove(context)) return cnrtErrorInvalidResourceHandle;
        if (current == context) current = nullptr;
        return cnrtSuccess;
      },
      CN_CONTEXT_ERROR_INVALID);
}

CNresult cnCtxGetCurrent(CNcontext* pcontext) {
  return driver_call([&] { return report(pcontext, current); });
}

CNresult cnCtxSetCurrent(CNcontext context) {
  if (context == nullptr) {
    current = nullptr;
    return CN_SUCCESS;
  }
  return in_context(context, [&](unsigned int) {
    current = context;
    return cnrtSuccess;
  });
}

CNresult cnCtxGetDevice(CNdev* pdev) {
  return in_context(current, [&](unsigned int) { return report(pdev, CNdev{0}); });
}

CNresult cnCtxGetFlags(unsigned int* pflags) {
  return in_context(current, [&](unsigned int flags) { return report(pflags, flags); });
}

CNresult cnCtxSync(void) {
  return in_context(current, [](unsigned int) { return cnrtSuccess; });
}

CNresult cnGetCtxConfigParam(CNcontext context, CNctxConfigParamType type,
                             CNctxConfigParam* param) {
  return in_context(
      context, [&](unsigned int) { return valid_if(param != nullptr && config_of(type, *param)); });
}

CNresult cnSetCtxConfigParam(CNcontext context, CNctxConfigParamType type,
                             CNctxConfigParam* param) {
  return in_context(context, [&](unsigned int) {
    return valid_if(param != nullptr && may_be_set(type, *param));
  });
}

CNresult cnGetCtxMaxParallelUnionTasks(CNcontext context, KernelClass c, int* number) {
  return in_context(context, [&](unsigned int) {
    if (!is_class(c)) return cnrtErrorArgsInvalid;
    if (c == CN_KERNEL_CLASS_BLOCK) return report(number, mluop::available_cores());
    return report(number, c == CN_KERNEL_CLASS_UNION ? 1 : 0);
  });
}

CNresult cnSharedContextAcquire(CNcontext* pctx, CNdev dev) {
  return on_device(dev, [&] {
    const cnrtRet_t written = report(pctx, &shared);
    if (written == cnrtSuccess) ++acquisitions;
    return written;
  });
}

CNresult cnSharedContextRelease(CNdev dev) {
  if (dev != 0) return CN_ERROR_INVALID_DEVICE;
  int count = acquisitions;
  while (count > 0 && !acquisitions.compare_exchange_weak(count, count - 1)) {
  }
  return count > 0 ? CN_SUCCESS : CN_CONTEXT_ERROR_INVALID;
}

CNresult cnSharedContextGetState(CNdev dev, unsigned int* flags, int* state) {
  return on_device(dev, [&] {
    if (flags == nullptr || state == nullptr) return cnrtErrorArgsInvalid;
    *flags = shared.flags;
    *state = acquisitions > 0 ? CN_CONTEXT_STATE_ACTIVE : CN_CONTEXT_STATE_INACTIVE;
    return cnrtSuccess;
  });
}
