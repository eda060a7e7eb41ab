/**
 * @file cn_api.h
 * @brief The subset of Cambricon's driver interface (CNDrv) that MLU-OPS programs use, on host memory.
 *
 * There is one device, the CPU, with handle 0. Device memory is host memory: a CNaddr is the number of a
 * host address, and all copies do the same. Calls are synchronous: a queue is always empty, and an
 * asynchronous call has finished when it returns. All functions are thread-safe.
 *
 * Every thread starts with the shared context of the device as its current one. cnInit need not be
 * called. Functions return CN_SUCCESS or an error; a bad argument never crashes. Names and values are
 * those of CNDrv 2. There is no device code, so modules and kernels are missing, and so are queue
 * capture, memory between processes and virtual memory management.
 *
 * Queues, notifiers and memory are those of cnrt.h: either header may release what the other created.
 */
#ifndef CN_API_H_
#define CN_API_H_

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Fixed underlying type where C++ has it, so that out-of-range values are well defined and can be
   rejected. C++98 has none; the size is the same. */
#ifndef MLUOP_INT_ENUM
#if defined(__cplusplus) && __cplusplus >= 201103L
#define MLUOP_INT_ENUM : int
#else
#define MLUOP_INT_ENUM
#endif
#endif

/* Deprecated functions give a warning only if the program asks for it, because programs that are written
   for the card may compile with -Werror. */
#ifndef MLUOP_DEPRECATED
#if defined(MLUOP_CPU_WARN_DEPRECATED) && (defined(__GNUC__) || defined(__clang__))
#define MLUOP_DEPRECATED(message) __attribute__((deprecated(message)))
#else
#define MLUOP_DEPRECATED(message)
#endif
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/** The CNDrv version whose subset this is. */
#define CN_MAJOR_VERSION 2
#define CN_MINOR_VERSION 15 /**< See CN_MAJOR_VERSION. */
#define CN_PATCH_VERSION 5  /**< See CN_MAJOR_VERSION. */
/** The version as one number. */
#define CN_VERSION (CN_MAJOR_VERSION * 100000 + CN_MINOR_VERSION * 1000 + CN_PATCH_VERSION)

typedef uint64_t cn_uint64_t; /**< As the vendor's header names it. */
typedef int64_t cn_int64_t;   /**< As the vendor's header names it. */
typedef uint32_t cn_uint32_t; /**< As the vendor's header names it. */

/** What a driver call returns. Only those with a comment are returned here. */
typedef enum MLUOP_INT_ENUM {
  CN_SUCCESS = 0,
  CN_ERROR_NOT_READY = 1, /**< The notifier has not been placed yet. */
  CN_ERROR_NOT_INITIALIZED = 100002,
  CN_ERROR_DEINITIALIZED = 100003,
  CN_ERROR_NO_DEVICE = 100004,
  CN_ERROR_INVALID_DEVICE = 100005, /**< Not a device. */
  CN_ERROR_INVALID_VALUE = 100006,  /**< An argument is null or out of range. */
  CN_ERROR_OPERATING_SYSTEM = 100007,
  CN_ERROR_SYSTEM_NOT_READY = 100008,
  CN_ERROR_SYSTEM_DRIVER_MISMATCH = 100009,
  CN_ERROR_SYSTEM_OUT_OF_MEMORY = 100010,
  CN_ERROR_INVALID_ADDRESS = 100011,
  CN_ERROR_FILE_NOT_FOUND = 100012,
  CN_ERROR_COMPAT_NOT_SUPPORT_ON_SYSTEM = 100013,
  CN_ERROR_INVALID_HANDLE = 100014,
  CN_ERROR_ILLEGAL_STATE = 100015,
  CN_ERROR_ECC_UNCORRECTABLE = 100016,
  CN_OPS_ERROR_NOT_SUPPORTED = 100050, /**< A CPU has no such attribute. */
  CN_OPS_ERROR_NOT_PERMITTED = 100051,
  CN_OPS_ERROR_TIMEOUT = 100052,
  CN_OPS_ERROR_OUT_OF_RESOURCES = 100053,
  CN_QUEUE_ERROR_INVALID = 100060, /**< Not a live queue. */
  CN_QUEUE_ERROR_OUT_OF_RESOURCES = 100061,
  CN_NOTIFIER_ERROR_INVALID = 100080, /**< Not a live notifier, or one without time. */
  CN_NOTIFIER_ERROR_OUT_OF_RESOURCES = 100081,
  CN_MEMORY_ERROR_OUT_OF_MEMORY = 100100, /**< Out of memory. */
  CN_MEMORY_ERROR_OUT_OF_PROCESS_MAX_MEMORY = 100101,
  CN_MEMORY_ERROR_INVALID_ADDRESS = 100102, /**< Not memory of this runtime. */
  CN_INVOKE_ERROR_OUT_OF_RESOURCES = 100120,
  CN_INVOKE_ERROR_EXECUTED_TIMEOUT = 100121,
  CN_INVOKE_ERROR_TIMEOUT = 100122,
  CN_INVOKE_ERROR = 100200,
  CN_CONTEXT_ERROR_INVALID = 100201, /**< Not a live context, or this thread has none. */
  CN_CONTEXT_ERROR_OUT_OF_RESOURCES = 100202,
  CN_ERROR_INVALID_FATBIN = 100300,
  CN_ERROR_NOT_FOUND = 100301,
  CN_ERROR_INVALID_KERNEL = 100302,
  CN_ERROR_UNKNOWN = 200000 /**< A bug of the library. */
} CNresult;

/** How many processes may use the device; here always the default. */
typedef enum CNcomputemode_enum MLUOP_INT_ENUM {
  CN_COMPUTEMODE_DEFAULT = 0,
  CN_COMPUTEMODE_EXCLUSIVE_PROCESS = 1
} CNcomputemode;

/** Attributes that cnDeviceGetAttribute returns; the numbers are also those of cnrtDeviceAttr_t. */
typedef enum CNdevice_attribute_enum MLUOP_INT_ENUM {
  CN_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 0x01,
  CN_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 0x02,
  CN_DEVICE_ATTRIBUTE_SPARSE_COMPUTING_SUPPORTED = 0x03,         /**< 0. */
  CN_DEVICE_ATTRIBUTE_FP16_COMPUTING_SUPPORTED = 0x04,           /**< 1. */
  CN_DEVICE_ATTRIBUTE_INT4_COMPUTING_SUPPORTED = 0x05,           /**< 0. */
  CN_DEVICE_ATTRIBUTE_INT8_COMPUTING_SUPPORTED = 0x06,           /**< 0. */
  CN_DEVICE_ATTRIBUTE_BF16_COMPUTING_SUPPORTED = 0x07,           /**< 1. */
  CN_DEVICE_ATTRIBUTE_TF32_COMPUTING_SUPPORTED = 0x08,           /**< 0. */
  CN_DEVICE_ATTRIBUTE_COMPUTE_MODE = 0x09,                       /**< CN_COMPUTEMODE_DEFAULT. */
  CN_DEVICE_ATTRIBUTE_MAX_QUEUE_COUNT = 0x101,                   /**< INT_MAX: no limit. */
  CN_DEVICE_ATTRIBUTE_MAX_NOTIFIER_COUNT = 0x102,                /**< INT_MAX: no limit. */
  CN_DEVICE_ATTRIBUTE_QUEUE_PRIORITIES_SUPPORTED = 0x103,        /**< 0. */
  CN_DEVICE_ATTRIBUTE_TINY_CORE_SUPPORTED = 0x104,               /**< 0. */
  CN_DEVICE_ATTRIBUTE_CODEC_JPEG_SUPPORTED = 0x105,              /**< 0. */
  CN_DEVICE_ATTRIBUTE_CODEC_H264_SUPPORTED = 0x106,              /**< 0. */
  CN_DEVICE_ATTRIBUTE_CODEC_H265_SUPPORTED = 0x107,              /**< 0. */
  CN_DEVICE_ATTRIBUTE_AIISP_CORE_SUPPORTED = 0x108,              /**< 0. */
  CN_DEVICE_ATTRIBUTE_MULTI_CTX_NOTIFIER_WAIT_SUPPORTED = 0x109, /**< 1. */
  CN_DEVICE_ATTRIBUTE_IPCNOTIFIER_SUPPORTED = 0x10a,             /**< 0. */
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_X = 0x201,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_Y = 0x202,
  CN_DEVICE_ATTRIBUTE_MAX_BLOCK_TASK_DIM_Z = 0x203,
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT_PER_UNION_TASK = 0x204, /**< 1. */
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTER_COUNT = 0x205,                /**< 1: the machine. */
  CN_DEVICE_ATTRIBUTE_MAX_CORE_COUNT_PER_CLUSTER = 0x206, /**< The cores this process may use. */
  CN_DEVICE_ATTRIBUTE_MAX_QUADRANT_COUNT = 0x207,
  CN_DEVICE_ATTRIBUTE_MAX_UNION_TYPE_PER_QUADRANT = 0x208,
  CN_DEVICE_ATTRIBUTE_MAX_CLUSTERS_PER_UNION_LIMIT_TASK = 0x209, /**< 1. */
  CN_DEVICE_ATTRIBUTE_MLU_ISA_VERSION = 0x20a,
  CN_DEVICE_ATTRIBUTE_IS_MULTIPLE_TENSOR_PROCESSOR = 0x20b, /**< 0. */
  CN_DEVICE_ATTRIBUTE_IPCRESOURCE_PER_CTX = 0x20c,
  CN_DEVICE_ATTRIBUTE_MAX_L2_CACHE_SIZE = 0x301, /**< The L2 cache of a core, in bytes. */
  CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE = 0x302,
  CN_DEVICE_ATTRIBUTE_NEURAL_RAM_SIZE_PER_CORE = CN_DEVICE_ATTRIBUTE_NRAM_SIZE_PER_CORE,
  CN_DEVICE_ATTRIBUTE_WEIGHT_RAM_SIZE_PER_CORE = 0x303,
  CN_DEVICE_ATTRIBUTE_TOTAL_CONST_MEMORY_SIZE = 0x304,
  CN_DEVICE_ATTRIBUTE_LOCAL_MEMORY_SIZE_PER_CORE = 0x305,
  CN_DEVICE_ATTRIBUTE_MAX_SHARED_RAM_SIZE_PER_CLUSTER = 0x306,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_NODE_COUNT = 0x307, /**< 1. */
  CN_DEVICE_ATTRIBUTE_CLUSTER_L1_CACHE_SUPPORTED = 0x308,
  CN_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE = 0x309, /**< 0. */
  CN_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_SIZE_PER_UNION_TASK = 0x30A,
  CN_DEVICE_ATTRIBUTE_VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED = 0x30B,        /**< 0. */
  CN_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED = 0x30C, /**< 0. */
  CN_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED = 0x30D,               /**< 0. */
  CN_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM = 0x30E,     /**< 1. */
  CN_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY = 0x30F,                         /**< 1. */
  CN_DEVICE_ATTRIBUTE_LINEAR_MAPPING_SUPPORTED = 0x310,
  CN_DEVICE_ATTRIBUTE_LINEAR_RECOMMEND_GRANULARITY = 0x311,
  CN_DEVICE_ATTRIBUTE_AVAILABLE_GLOBAL_MEMORY_SIZE = 0x312, /**< Free memory in MiB. */
  CN_DEVICE_ATTRIBUTE_DMA_BUF_SUPPORTED = 0x313,            /**< 0. */
  CN_DEVICE_ATTRIBUTE_ECC_ENABLED = 0x401,
  CN_DEVICE_ATTRIBUTE_CLUSTER_CLOCK_RATE = 0x402,
  CN_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE = 0x403,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH = 0x404,
  CN_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_TOTAL_SIZE = 0x405, /**< Memory of the machine in MiB. */
  CN_DEVICE_ATTRIBUTE_PCI_BUS_ID = 0x406,
  CN_DEVICE_ATTRIBUTE_PCI_DEVICE_ID = 0x407,
  CN_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID = 0x408,
  CN_DEVICE_ATTRIBUTE_MDR_MEMORY_SIZE = 0x409,
  CN_DEVICE_ATTRIBUTE_PCI_MPS = 0x40A,
  CN_DEVICE_ATTRIBUTE_PCI_MRRS = 0x40B,
  CN_DEVICE_ATTRIBUTE_MAX
} CNdevice_attribute;

/** How a thread waits for a context; it has no effect here. */
typedef enum CNCtxSchedEnum MLUOP_INT_ENUM {
  CN_CTX_SCHED_SYNC_SPIN = 0,
  CN_CTX_SCHED_SYNC_WAIT = 1,
  CN_CTX_SCHED_SYNC_YIELD = 2,
  CN_CTX_SCHED_SYNC_AUTO = 3,
  CN_CTX_SCHED_SYNC_NUM = 4
} CNCtxSched;

/** Whether a shared context is in use. */
typedef enum CNCtxStateEnum MLUOP_INT_ENUM {
  CN_CONTEXT_STATE_INACTIVE = 0,
  CN_CONTEXT_STATE_ACTIVE = 1
} CNCtxState;

/** How many cores a task uses: one, or those of 1, 2, 4, 8 or 16 clusters. */
typedef enum cn_kernel_class MLUOP_INT_ENUM {
  CN_KERNEL_CLASS_BLOCK = 1,
  CN_KERNEL_CLASS_UNION = 4,
  CN_KERNEL_CLASS_UNION2 = 8,
  CN_KERNEL_CLASS_UNION4 = 16,
  CN_KERNEL_CLASS_UNION8 = 32,
  CN_KERNEL_CLASS_UNION16 = 64,
  CN_KERNEL_CLASS_NONE = 0xFF
} KernelClass;

/** Settings of a context for the calling thread. */
typedef enum cn_ctx_config_type MLUOP_INT_ENUM {
  CN_CTX_CONFIG_VISIBLE_CLUSTER = 0,     /**< The clusters that may be used, one bit each. */
  CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM = 1, /**< Their number; cannot be set. */
  CN_CTX_CONFIG_UNION_LIMIT = 2,         /**< The largest class of tasks. */
  CN_CTX_CONFIG_NUM = 3
} CNctxConfigParamType;

/** The value of such a setting. */
typedef union cn_ctx_config_param {
  cn_uint64_t visibleCluster;       /**< Of CN_CTX_CONFIG_VISIBLE_CLUSTER. */
  cn_uint64_t visibleClusterNumber; /**< Of CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM. */
  KernelClass unionLimit;           /**< Of CN_CTX_CONFIG_UNION_LIMIT. */
} CNctxConfigParam;

/** Flags of cnCreateNotifier. */
typedef enum CNNotifierFlags MLUOP_INT_ENUM {
  CN_NOTIFIER_DEFAULT = 0x0,
  CN_NOTIFIER_DISABLE_TIMING_SW = 0x2,                        /**< It does not measure time. */
  CN_NOTIFIER_DISABLE_TIMING = CN_NOTIFIER_DISABLE_TIMING_SW, /**< The same. */
  CN_NOTIFIER_DISABLE_TIMING_ALL = 0x4,                       /**< The same. */
  CN_NOTIFIER_INTERPROCESS = 0x8                              /**< CN_OPS_ERROR_NOT_SUPPORTED. */
} CNNotifierFlags_t;

typedef struct CNqueue_st* CNqueue; /**< An in-order queue of work; NULL is the default one. */
typedef struct CNnotifier_st* CNnotifier; /**< A point in time on a queue. */
typedef struct CNcontext_st* CNcontext;   /**< The state of a device for a thread. */
typedef cn_uint64_t CNdev;                /**< A device; 0 is the only one. */
typedef cn_uint64_t CNaddr;               /**< Device memory: the number of a host address. */

/* Errors and versions */

/** Sets *pStr to a short description; static text, never NULL. */
CNresult cnGetErrorString(CNresult error, const char** pStr);
/** Sets *pStr to the name of the enumerator; "CN_ERROR_UNKNOWN" for any other value. */
CNresult cnGetErrorName(CNresult error, const char** pStr);
/** No effect; flags must be 0. */
CNresult cnInit(unsigned int flags);
/** CN_MAJOR_VERSION, CN_MINOR_VERSION and CN_PATCH_VERSION. */
CNresult cnGetLibVersion(int* major, int* minor, int* patch);
/** The same numbers: there is no driver. */
CNresult cnDriverGetVersion(int* major, int* minor, int* patch);
/** The same numbers: there is no driver. */
CNresult cnGetDriverVersion(int* major, int* minor, int* patch);

/* Devices: there is one, the CPU. */

/** Sets *pdev to 0; CN_ERROR_INVALID_DEVICE for any ordinal but 0. */
CNresult cnDeviceGet(CNdev* pdev, int ordinal);
/** Sets *pcount to 1. */
CNresult cnDeviceGetCount(int* pcount);
/** Writes "CPU" with its final zero; CN_ERROR_INVALID_VALUE if len is below 4. */
CNresult cnDeviceGetName(char* name, unsigned int len, CNdev dev);
/** The memory of the machine in bytes. */
CNresult cnDeviceTotalMem(cn_uint64_t* pbytes, CNdev dev);
/**
 * The value of an attribute whose comment has a value. CN_OPS_ERROR_NOT_SUPPORTED for the other
 * enumerators, which a CPU does not have; CN_ERROR_INVALID_VALUE for any other number.
 */
CNresult cnDeviceGetAttribute(int* pi, CNdevice_attribute attrib, CNdev dev);

/* Contexts */

/** Creates a context and makes it that of the calling thread. Flags are a CNCtxSched. */
CNresult cnCtxCreate(CNcontext* pcontext, unsigned int flags, CNdev dev);
/** CN_CONTEXT_ERROR_INVALID unless it is live and came from cnCtxCreate. */
CNresult cnCtxDestroy(CNcontext context);
/** The context of the calling thread; NULL if it was set to that. */
CNresult cnCtxGetCurrent(CNcontext* pcontext);
/** Sets the context of the calling thread; NULL unsets it. */
CNresult cnCtxSetCurrent(CNcontext context);
/** The device of the thread's context: 0. */
CNresult cnCtxGetDevice(CNdev* pdev);
/** The flags that the thread's context was created with; CN_CTX_SCHED_SYNC_AUTO for the shared one. */
CNresult cnCtxGetFlags(unsigned int* pflags);
/** Waits for the work of the thread's context: returns immediately. */
CNresult cnCtxSync(void);
/** Both numbers are 0: queues have no priorities. */
CNresult cnCtxGetQueuePriorityRange(int* pminPriority, int* pmaxPriority);
/** One cluster, the machine: bit map 1, number 1, limit CN_KERNEL_CLASS_UNION. */
CNresult cnGetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam* param);
/** Accepts the values that cnGetCtxConfigParam returns, and as a limit CN_KERNEL_CLASS_BLOCK too, which
    has no effect; CN_ERROR_INVALID_VALUE for any other. */
CNresult cnSetCtxConfigParam(CNcontext context, CNctxConfigParamType type, CNctxConfigParam* param);
/** Tasks that run at the same time: the cores for BLOCK, 1 for UNION, 0 for larger classes. */
CNresult cnGetCtxMaxParallelUnionTasks(CNcontext context, KernelClass c, int* number);
/** The shared context of the device; it always exists, so that acquiring only counts. */
CNresult cnSharedContextAcquire(CNcontext* pctx, CNdev dev);
/** Undoes an acquisition; CN_CONTEXT_ERROR_INVALID if there is none. */
CNresult cnSharedContextRelease(CNdev dev);
/** The flags of the shared context, and whether it has been acquired. */
CNresult cnSharedContextGetState(CNdev dev, unsigned int* flags, int* state);

/* Memory, aligned to 64 bytes. */

/** Free and total memory of the machine in bytes; limits of the process lower the free memory. */
CNresult cnMemGetInfo(cn_uint64_t* pfreeBytes, cn_uint64_t* ptotalBytes);
/** CN_MEMORY_ERROR_OUT_OF_MEMORY if memory runs out. */
CNresult cnMalloc(CNaddr* pmluAddr, cn_uint64_t bytes);
/** cnMalloc with all bytes 0. */
CNresult cnZmalloc(CNaddr* pmluAddr, cn_uint64_t bytes);
/** 0 is ignored; CN_MEMORY_ERROR_INVALID_ADDRESS unless it came from cnMalloc or cnrtMalloc and is live. */
CNresult cnFree(CNaddr mluAddr);
/** Beginning and bytes of the device memory that contains mluAddr; NULL pointers are skipped. */
CNresult cnMemGetAddressRange(CNaddr* pbaseAddr, cn_uint64_t* pbytes, const CNaddr mluAddr);
/** Memory for the host. */
CNresult cnMallocHost(void** paddr, cn_uint64_t bytes);
/** NULL is ignored; CN_ERROR_INVALID_VALUE unless it came from cnMallocHost or cnrtHostMalloc and is live. */
CNresult cnFreeHost(void* addr);

/** Source and destination may overlap; 0 is an error only if bytes > 0. */
CNresult cnMemcpy(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes);
/** As cnMemcpy. */
CNresult cnMemcpyAsync(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue);
/** As cnMemcpy. */
CNresult cnMemcpyHtoD(CNaddr dstAddr, const void* srcAddr, cn_uint64_t bytes);
/** As cnMemcpy. */
CNresult cnMemcpyDtoH(void* dstAddr, CNaddr srcAddr, cn_uint64_t bytes);
/** As cnMemcpy. */
CNresult cnMemcpyDtoD(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes);
/** As cnMemcpy. */
CNresult cnMemcpyHtoDAsync(CNaddr dstAddr, const void* srcAddr, cn_uint64_t bytes, CNqueue hqueue);
/** As cnMemcpy. */
CNresult cnMemcpyDtoHAsync(void* dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue);
/** As cnMemcpy. */
CNresult cnMemcpyDtoDAsync(CNaddr dstAddr, CNaddr srcAddr, cn_uint64_t bytes, CNqueue hqueue);
/** Sets `count` bytes. */
CNresult cnMemsetD8(CNaddr mluAddr, unsigned char value, cn_uint64_t count);
/** Sets `count` elements of 2 bytes. */
CNresult cnMemsetD16(CNaddr mluAddr, unsigned short value, cn_uint64_t count);
/** Sets `count` elements of 4 bytes. */
CNresult cnMemsetD32(CNaddr mluAddr, unsigned int value, cn_uint64_t count);
/** As cnMemsetD8. */
CNresult cnMemsetD8Async(CNaddr mluAddr, unsigned char value, cn_uint64_t count, CNqueue hqueue);
/** As cnMemsetD16. */
CNresult cnMemsetD16Async(CNaddr mluAddr, unsigned short value, cn_uint64_t count, CNqueue hqueue);
/** As cnMemsetD32. */
CNresult cnMemsetD32Async(CNaddr mluAddr, unsigned int value, cn_uint64_t count, CNqueue hqueue);

/* Queues and notifiers */

/** flags must be 0. */
CNresult cnCreateQueue(CNqueue* phqueue, unsigned int flags);
/** As cnCreateQueue; every priority becomes 0. */
CNresult cnCreateQueueWithPriority(CNqueue* phqueue, unsigned int flags, int priority);
/** The priority of a queue: 0. */
CNresult cnQueueGetPriority(CNqueue hqueue, int* priority);
/** CN_QUEUE_ERROR_INVALID unless the queue is live. */
CNresult cnDestroyQueue(CNqueue hqueue);
/** Whether the queue is empty: CN_SUCCESS for every live queue and for NULL. */
CNresult cnQueryQueue(CNqueue hqueue);
/** Waits until the queue is empty: returns immediately. */
CNresult cnQueueSync(CNqueue hqueue);
/** Makes a queue wait for a notifier of another queue. */
CNresult cnQueueWaitNotifier(CNqueue hqueue, CNnotifier hnotifier);
/** flags are of CNNotifierFlags_t. */
CNresult cnCreateNotifier(CNnotifier* phnotifier, unsigned int flags);
/** CN_NOTIFIER_ERROR_INVALID unless the notifier is live. */
CNresult cnDestroyNotifier(CNnotifier hnotifier);
/** Records the current time; placing it again replaces that. */
CNresult cnPlaceNotifier(CNnotifier hnotifier, CNqueue hqueue);
/** Waits for the work before the notifier: returns immediately. */
CNresult cnWaitNotifier(CNnotifier hnotifier);
/** Whether that work is done: CN_SUCCESS for every live notifier. */
CNresult cnQueryNotifier(CNnotifier hnotifier);
/** Milliseconds from one placed notifier to another; CN_ERROR_NOT_READY before both are placed. */
CNresult cnNotifierElapsedTime(float* pMilliseconds, CNnotifier hstart, CNnotifier hend);
/** As cnNotifierElapsedTime: work takes the time of the calling thread. */
CNresult cnNotifierElapsedExecTime(float* pMilliseconds, CNnotifier hstart, CNnotifier hend);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* CN_API_H_ */
