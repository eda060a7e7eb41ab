/**
 * @file cnrt.h
 * @brief The subset of Cambricon's runtime (CNRT) that MLU-OPS programs use, on host memory.
 *
 * There is one device, the CPU. Device memory is host memory, so all copy directions do the same.
 * Operators and copies run synchronously in the calling thread: a queue is always empty, and an
 * asynchronous call has finished when it returns. All functions are thread-safe.
 *
 * Functions return cnrtSuccess or an error code; a bad argument never crashes. Names and values are
 * those of CNRT 6. Older names that programs still use are defined too. There is no device code, so
 * kernels, symbols and queue capture are missing.
 */
#ifndef CNRT_H_
#define CNRT_H_

#if !defined(__cplusplus)
#include <stdbool.h>
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cn_api.h"

/** The CNRT version whose subset this is. */
#define CNRT_MAJOR_VERSION 6
#define CNRT_MINOR_VERSION 14 /**< See CNRT_MAJOR_VERSION. */
#define CNRT_PATCH_VERSION 1  /**< See CNRT_MAJOR_VERSION. */
/** The version as one number. */
#define CNRT_VERSION (CNRT_MAJOR_VERSION * 10000 + CNRT_MINOR_VERSION * 100 + CNRT_PATCH_VERSION)

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/** What a runtime call returns. Only those with a comment are returned here. */
typedef enum MLUOP_INT_ENUM {
  cnrtSuccess = 0,
  cnrtErrorNotReady = 1,
  cnrtErrorInit = 100002,
  cnrtErrorNoDevice = 100004,
  cnrtErrorDeviceInvalid = 100005, /**< The device ordinal is out of range. */
  cnrtErrorArgsInvalid = 100006,   /**< An argument is null or out of range. */
  cnrtErrorSys = 100007,
  cnrtErrorSysNoMem = 100010,
  cnrtErrorInvalidResourceHandle = 100014, /**< Not a live queue or notifier. */
  cnrtErrorIllegalState = 100015,          /**< The notifier has not been placed yet. */
  cnrtErrorNotSupport = 100050,            /**< The feature does not exist here. */
  cnrtErrorOpsNotPermitted = 100051,
  cnrtErrorQueue = 100060,
  cnrtErrorNoMem = 100100, /**< Out of memory. */
  cnrtErrorAssert = 100128,
  cnrtErrorKernelTrap = 100132,
  cnrtErrorKernelUserTrap = 100133,
  cnrtErrorNotFound = 100301,
  cnrtErrorInvalidKernel = 100302,
  cnrtErrorUnsupportedKernelVersion = 100303,
  cnrtErrorQueueCaptureUnsupported = 100360,
  cnrtErrorQueueCaptureInvalidated = 100361,
  cnrtErrorQueueCaptureWrongThread = 100362,
  cnrtErrorQueueCaptureMerged = 100363,
  cnrtErrorQueueCaptureUnjoined = 100364,
  cnrtErrorQueueCaptureIsolation = 100365,
  cnrtErrorQueueCaptureUnmatched = 100366,
  cnrtErrorTaskTopoEntityUpdateFailure = 100400,
  cnrtErrorNoKernel = 101312,
  cnrtErrorNoModule = 101315,
  cnrtErrorSetOnActiveProcess = 632002,
  cnrtErrorDevice = 632006,
  cnrtErrorNoAttribute = 632009,
  cnrtErrorMemcpyDirectionInvalid = 632013, /**< Not a cnrtMemTransDir_t. */
  cnrtErrorBusy = 632014,
  cnrtErrorCndrvFuncCall = 632015,
  cnrtErrorCndevFuncCall = 632017,
  cnrtErrorNoCnrtContext = 632019,
  cnrtErrorCndrvFuncNotFound = 632020,
  cnrtErrorInvalidSymbol = 632100,
  cnrtErrorUnknown = 999991, /**< A bug of the library. */
  cnrtErrorMax = 999992
} cnrtRet_t;

/** The direction of a copy; it has no effect here. */
typedef enum MLUOP_INT_ENUM {
  cnrtMemcpyHostToDev = 0,
  cnrtMemcpyDevToDev = 1,
  cnrtMemcpyDevToHost = 2,
  cnrtMemcpyHostToHost = 3,
  cnrtMemcpyPeerToPeer = 4,
  cnrtMemcpyNoDirection = 5
} cnrtMemTransDir_t;

/** How many cores a task uses. Operators here choose their threads themselves. */
typedef enum MLUOP_INT_ENUM {
  cnrtFuncTypeBlock = 1,
  cnrtFuncTypeBlock0 = cnrtFuncTypeBlock,
  cnrtFuncTypeBlock1 = 2,
  cnrtFuncTypeUnion1 = 4,
  cnrtFuncTypeUnion2 = 8,
  cnrtFuncTypeUnion4 = 16,
  cnrtFuncTypeUnion8 = 32,
  cnrtFuncTypeUnion16 = 64,
  cnrtFuncTypeMutable = -1,
  cnrtJobTypeBlock = cnrtFuncTypeBlock,
  cnrtJobTypeUnion1 = cnrtFuncTypeUnion1,
  cnrtJobTypeUnion2 = cnrtFuncTypeUnion2,
  cnrtJobTypeUnion4 = cnrtFuncTypeUnion4
} cnrtFunctionType_t;

typedef cnrtFunctionType_t cnrtJobType_t; /**< Another name of cnrtFunctionType_t. */

/** The size of a task along each axis. */
typedef struct {
  unsigned int x; /**< Along x. */
  unsigned int y; /**< Along y. */
  unsigned int z; /**< Along z. */
} cnrtDim3_t;

/** How many processes may use the device; here always the default. */
typedef enum MLUOP_INT_ENUM {
  cnrtComputeModeDefault = 0,
  cnrtComputeModeExclusiveProcess = 1
} cnrtComputeMode_t;

/** Attributes that cnrtDeviceGetAttribute returns. */
typedef enum MLUOP_INT_ENUM {
  cnrtAttrComputeCapabilityMajor = 0x01,
  cnrtAttrComputeCapabilityMinor = 0x02,
  cnrtAttrSparseComputingSupported = 0x03,       /**< 0. */
  cnrtAttrFP16ComputingSupported = 0x04,         /**< 1. */
  cnrtAttrINT4ComputingSupported = 0x05,         /**< 0. */
  cnrtAttrINT8ComputingSupported = 0x06,         /**< 0. */
  cnrtAttrBF16ComputingSupported = 0x07,         /**< 1. */
  cnrtAttrTF32ComputingSupported = 0x08,         /**< 0. */
  cnrtAttrComputeMode = 0x09,                    /**< cnrtComputeModeDefault. */
  cnrtAttrQueueSize = 0x101,                     /**< INT_MAX: no limit. */
  cnrtAttrNotifierSize = 0x102,                  /**< INT_MAX: no limit. */
  cnrtAttrSupportQueuePriorities = 0x103,        /**< 0. */
  cnrtAttrTinyCoreSupported = 0x104,             /**< 0. */
  cnrtAttrCodecJPEGSupported = 0x105,            /**< 0. */
  cnrtAttrCodecH264Supported = 0x106,            /**< 0. */
  cnrtAttrCodecH265Supported = 0x107,            /**< 0. */
  cnrtAttrAIIspCoreSupported = 0x108,            /**< 0. */
  cnrtAttrMultiCtxNotifierWaitSupported = 0x109, /**< 1. */
  cnrtAttrIPCNotifierSupported = 0x10a,          /**< 0. */
  cnrtAttrMaxDimX = 0x201,
  cnrtAttrMaxDimY = 0x202,
  cnrtAttrMaxDimZ = 0x203,
  cnrtAttrMaxClusterCountPerUnionTask = 0x204, /**< 1. */
  cnrtAttrClusterCount = 0x205,                /**< 1: the machine. */
  cnrtAttrMcorePerCluster = 0x206,             /**< The cores this process may use. */
  cnrtAttrMaxQuadrantCount = 0x207,
  cnrtAttrMaxUnionTypePerQuadrant = 0x208,
  cnrtAttrMaxClusterPerUnionLimitTask = 0x209, /**< 1. */
  cnrtAttrISAVersion = 0x20a,
  cnrtAttrIsMultipleTensorProcessor = 0x20b, /**< 0. */
  cnrtAttrMaxL2CacheSize = 0x301,            /**< The L2 cache of a core, in bytes. */
  cnrtAttrNramSizePerMcore = 0x302,
  cnrtAttrWramSizePerMcore = 0x303,
  cnrtAttrTotalConstMemorySize = 0x304,
  cnrtAttrLmemSizePerMcore = 0x305,
  cnrtAttrSramSizePerMcore = 0x306,
  cnrtAttrGlobalMemoryNodeCount = 0x307,     /**< 1. */
  cnrtAttrMaxPersistingL2CacheSize = 0x309,  /**< 0. */
  cnrtAttrAvailableGlobalMemorySize = 0x312, /**< Free memory in MiB. */
  cnrtAttrEccEnable = 0x401,
  cnrtAttrIpuClockRate = 0x402,
  cnrtAttrMemClockRate = 0x403,
  cnrtAttrGmemBusWidth = 0x404,
  cnrtAttrTotalMemSize = 0x405, /**< Memory of the machine in MiB. */
  cnrtAttrPciBusID = 0x406,
  cnrtAttrPciDeviceID = 0x407,
  cnrtAttrPciDomainID = 0x408,
  cnrtAttrMDRMemorySize = 0x409,
  cnrtAttrUnsupportedFlag = 0xffffff,
  cnrtAttrCanMapHostMemory = 0x1000000,         /**< 1. */
  cnrtAttrCanSetQueueSize = 0x1000001,          /**< 0. */
  cnrtAttrCanSetNotifierSize = 0x1000002,       /**< 0. */
  cnrtAttrConcurrentKernels = 0x1000003,        /**< 0. */
  cnrtAttrSupportUnifiedAddr = 0x1000004,       /**< 1. */
  cnrtAttrSupportManagedMem = 0x1000005,        /**< 1. */
  cnrtAttrSupportNativeAtomic = 0x1000006,      /**< 1. */
  cnrtAttrSupportPageableMemAccess = 0x1000007, /**< 1. */
  cnrtAttrCanUseHostPointer = 0x1000008,        /**< 1. */
  cnrtAttrSupportHostRegsiter = 0x1000009,      /**< 1. */
  cnrtAttrCacheSize = 0x100000a,
  cnrtAttrMaxNum = 0x100000b
} cnrtDeviceAttr_t;

/** A universally unique identifier. */
struct cnrtUUID_st {
  char uuid[16]; /**< Its bytes. */
};
typedef struct cnrtUUID_st cnrtUUID_t; /**< A universally unique identifier. */

/** What cnrtGetDeviceProperties fills: the attributes of the same names, 0 where a CPU has none. */
typedef struct cnrtDeviceProp_V3 {
  char name[256];                  /**< "CPU". */
  int totalMem;                    /**< cnrtAttrTotalMemSize. */
  int maxDim[3];                   /**< 0. */
  int ipuClockRate;                /**< 0. */
  int memClockRate;                /**< 0. */
  int totalConstMem;               /**< 0. */
  int major;                       /**< 0. */
  int minor;                       /**< 0. */
  int ECCEnabled;                  /**< 0. */
  int pciBusID;                    /**< 0. */
  int pciDeviceID;                 /**< 0. */
  int pciDomainID;                 /**< 0. */
  int maxL2CacheSize;              /**< cnrtAttrMaxL2CacheSize. */
  int persistingL2CacheMaxSize;    /**< 0. */
  int queuePrioritiesSupported;    /**< 0. */
  int sparseComputingSupported;    /**< 0. */
  int FP16ComputingSupported;      /**< 1. */
  int INT4ComputingSupported;      /**< 0. */
  int INT8ComputingSupported;      /**< 0. */
  int BF16ComputingSupported;      /**< 1. */
  int TF32ComputingSupported;      /**< 0. */
  int maxQueueSize;                /**< cnrtAttrQueueSize. */
  int maxNotifierSize;             /**< cnrtAttrNotifierSize. */
  int tinyCoreSupported;           /**< 0. */
  int codecJPEGSupported;          /**< 0. */
  int codecH264Supported;          /**< 0. */
  int codecH265Supported;          /**< 0. */
  int maxClusterCountPerUnionTask; /**< 1. */
  int clusterCount;                /**< 1. */
  int McorePerCluster;             /**< cnrtAttrMcorePerCluster. */
  int maxQuadrantCount;            /**< 0. */
  int maxUnionTypePerQuadrant;     /**< 0. */
  int maxClusterPerUnionLimitTask; /**< 1. */
  int ISAVersion;                  /**< 0. */
  int isMultipleTensorProcessor;   /**< 0. */
  int NramSizePerMcore;            /**< 0. */
  int WramSizePerMcore;            /**< 0. */
  int LmemSizePerMcore;            /**< 0. */
  int SramSizePerMcore;            /**< 0. */
  int globalMemoryNodeCount;       /**< 1. */
  int cacheSize;                   /**< 0. */
  int GmemBusWidth;                /**< 0. */
  int computeMode;                 /**< cnrtComputeModeDefault. */
  int MDRMemorySize;               /**< 0. */
  int availableGlobalMemorySize;   /**< cnrtAttrAvailableGlobalMemorySize. */
  cnrtUUID_t uuid;                 /**< Zeros. */
  uint64_t totalGlobalMemSize;     /**< Memory of the machine in bytes. */
  int reserved[30];                /**< Zeros. */
} cnrtDeviceProp_t;

/** How a thread waits for the device; it has no effect here. */
typedef enum MLUOP_INT_ENUM {
  cnrtDeviceScheduleSpin = 0,
  cnrtDeviceScheduleBlock = 1,
  cnrtDeviceScheduleYield = 2,
  cnrtDeviceScheduleAuto = 3,
  cnrtDeviceFlagsMaxNum = 4
} cnrtDeviceFlags_t;

/** Where memory comes from. */
typedef enum MLUOP_INT_ENUM {
  cnrtMemTypeUnregistered = 0, /**< From another allocator. */
  cnrtMemTypeHost = 1,         /**< cnrtHostMalloc. */
  cnrtMemTypeDevice = 2        /**< cnrtMalloc. */
} cnrtMemType_t;

/** How the host caches memory of the device. */
typedef enum MLUOP_INT_ENUM {
  cnrtUvaNotSupport = -1,
  cnrtUvaUnknown = 0,
  cnrtUvaUnCached = 1,
  cnrtUvaCached = 2
} cnrtUvaCacheMode_t;

/** What cnrtPointerGetAttributes finds out about a pointer. */
typedef struct {
  cnrtMemType_t type;           /**< Where its memory comes from. */
  int device;                   /**< 0; -1 for unregistered memory. */
  size_t size;                  /**< Bytes of the allocation; 0 for unregistered memory. */
  void* devicePointer;          /**< The pointer itself; NULL for unregistered memory. */
  void* hostPointer;            /**< The pointer itself. */
  cnrtUvaCacheMode_t cacheMode; /**< cnrtUvaCached; cnrtUvaUnknown for unregistered memory. */
  void* deviceBasePointer; /**< The beginning of the allocation; NULL for unregistered memory. */
} cnrtPointerAttributes_t;

/** Element types of cnrtCastDataType. */
typedef enum cnrtDataType MLUOP_INT_ENUM {
  cnrtInvalid = 0x0,
  cnrtFloat16 = 0x12,
  cnrtFloat32 = 0x13,
  cnrtFloat64 = 0x14,
  cnrtInt4 = 0x20,
  cnrtInt8 = 0x21,
  cnrtInt16 = 0x22,
  cnrtInt32 = 0x23,
  cnrtInt64 = 0x24,
  cnrtAuto = 0x25,
  cnrtUInt8 = 0x31,
  cnrtUInt16 = 0x32,
  cnrtUInt32 = 0x33,
  cnrtFix8 = 0x41,
  cnrtQuant8 = 0x51,
  cnrtBool = 0x61
} cnrtDataType_t;

/** Element types of cnrtCastDataType_V2. */
typedef enum cnrtDataType_V2 MLUOP_INT_ENUM {
  cnrtUnknown = 0,
  cnrtDouble = 0x1,
  cnrtFloat = 0x2,
  cnrtHalf = 0x3,   /**< IEEE binary16. */
  cnrtBfloat = 0x4, /**< The upper half of a float. */
  cnrtUlonglong = 0x11,
  cnrtUint = 0x12,
  cnrtUshort = 0x13,
  cnrtUchar = 0x14,
  cnrtLonglong = 0x21,
  cnrtInt = 0x22,
  cnrtShort = 0x23,
  cnrtChar = 0x24,
  cnrtBoolean = 0x31 /**< 1 byte. */
} cnrtDataType_V2_t;

/** The rounding of a conversion to a narrower type. */
typedef enum cnrtRoundingMode MLUOP_INT_ENUM {
  cnrtRounding_rn = 0, /**< To nearest, ties to even. */
  cnrtRounding_rz = 1, /**< Towards zero. */
  cnrtRounding_rd = 2, /**< Down. */
  cnrtRounding_ru = 3, /**< Up. */
  cnrtRounding_ro = 4, /**< Away from zero. */
  cnrtRounding_rm = 5, /**< To nearest, ties away from zero. */
  cnrtRounding_max = 6
} cnrtRoundingMode_t;

/** Position, scale and offset of a quantisation. */
typedef struct cnrtQuantizedParam* cnrtQuantizedParam_t;

/** The vendor's tags of queues and notifiers. */
#define cnrtQueue CNqueue_st
#define cnrtNotifier CNnotifier_st /**< See cnrtQueue. */

/** An in-order queue of work. NULL is the default queue. The same type as CNqueue. */
typedef struct cnrtQueue* cnrtQueue_t;

/** A point in time on a queue. The same type as CNnotifier. */
typedef struct cnrtNotifier* cnrtNotifier_t;

/** Flags of cnrtNotifierCreateWithFlags. */
typedef enum cnrtNotifierFlags MLUOP_INT_ENUM {
  CNRT_NOTIFIER_DEFAULT = 0x0,
  CNRT_NOTIFIER_DISABLE_TIMING_SW = 0x2,                          /**< It does not measure time. */
  CNRT_NOTIFIER_DISABLE_TIMING = CNRT_NOTIFIER_DISABLE_TIMING_SW, /**< The same. */
  CNRT_NOTIFIER_DISABLE_TIMING_ALL = 0x4,                         /**< The same. */
  CNRT_NOTIFIER_INTERPROCESS = 0x8                                /**< cnrtErrorNotSupport. */
} cnrtNotifierFlags_t;

/** A function that runs in the order of a queue. */
typedef void (*cnrtHostFn_t)(void* userData);

/* Errors */

/** The name of an enumerator, "cnrtErrorArgsInvalid"; "cnrtErrorUnknown" for any other value. */
const char* cnrtGetErrorName(cnrtRet_t error);
/** A short description; never NULL. */
const char* cnrtGetErrorStr(cnrtRet_t error);
/** Returns and clears this thread's last error; cnrtSuccess if there was none. */
cnrtRet_t cnrtGetLastError(void);
/** Returns the last error without clearing it. */
cnrtRet_t cnrtPeekAtLastError(void);

/* Device: there is one, with ordinal 0. */

/** CNRT_MAJOR_VERSION, CNRT_MINOR_VERSION and CNRT_PATCH_VERSION. */
cnrtRet_t cnrtGetLibVersion(int* major, int* minor, int* patch);
/** CN_MAJOR_VERSION, CN_MINOR_VERSION and CN_PATCH_VERSION of cn_api.h: there is no driver. */
cnrtRet_t cnrtDriverGetVersion(int* major, int* minor, int* patch);
/** Sets *count to 1. */
cnrtRet_t cnrtGetDeviceCount(unsigned int* count);
/** Sets *ordinal to 0. */
cnrtRet_t cnrtGetDevice(int* ordinal);
/** cnrtErrorDeviceInvalid for any ordinal but 0. */
cnrtRet_t cnrtSetDevice(int ordinal);
/** Waits for all queues: returns immediately. */
cnrtRet_t cnrtSyncDevice(void);
/**
 * Destroys all queues and notifiers of the process and frees all its memory of cnrtMalloc and
 * cnrtHostMalloc. Handles of mlu_op.h stay usable. No other thread may use what is destroyed.
 */
cnrtRet_t cnrtDeviceReset(void);
/**
 * The value of an attribute whose comment has a value. cnrtErrorNotSupport for the other enumerators,
 * which a CPU does not have; cnrtErrorArgsInvalid for any other number.
 */
cnrtRet_t cnrtDeviceGetAttribute(int* value, cnrtDeviceAttr_t attr, int device);
/** All attributes at once. */
cnrtRet_t cnrtGetDeviceProperties(cnrtDeviceProp_t* prop, int device);
/** The flags that were set; initially cnrtDeviceScheduleSpin. */
cnrtRet_t cnrtGetDeviceFlag(uint32_t* flags);
/** flags are a cnrtDeviceFlags_t. */
cnrtRet_t cnrtSetDeviceFlag(uint32_t flags);
/** Both numbers are 0: queues have no priorities. */
cnrtRet_t cnrtDeviceGetQueuePriorityRange(int* minPriority, int* maxPriority);

/* Queues */

/** Creates a queue. */
cnrtRet_t cnrtQueueCreate(cnrtQueue_t* queue);
/** As cnrtQueueCreate; flags must be 0, and every priority becomes 0. */
cnrtRet_t cnrtQueueCreateWithPriority(cnrtQueue_t* queue, unsigned int flags, int priority);
/** The priority of a queue: 0. */
cnrtRet_t cnrtQueueGetPriority(cnrtQueue_t queue, int* priority);
/** cnrtErrorInvalidResourceHandle unless the queue is live. */
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue);
/** Waits until the queue is empty: returns immediately. */
cnrtRet_t cnrtQueueSync(cnrtQueue_t queue);
/** Whether the queue is empty: cnrtSuccess for every live queue and for NULL. */
cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue);
/** Calls fn(userData) before it returns. */
cnrtRet_t cnrtInvokeHostFunc(cnrtQueue_t queue, cnrtHostFn_t fn, void* userData);

/* Memory, aligned to 64 bytes. An allocation of 0 bytes returns a pointer that may be freed. */

/** cnrtErrorNoMem if memory runs out. */
cnrtRet_t cnrtMalloc(void** pointer, size_t bytes);
/** As cnrtMalloc. */
cnrtRet_t cnrtMallocConstant(void** pointer, size_t bytes);
/** As cnrtMalloc. */
cnrtRet_t cnrtMemAllocAsync(void** pointer, size_t bytes, cnrtQueue_t queue);
/** NULL is ignored; cnrtErrorArgsInvalid unless the pointer came from cnrtMalloc and is live. */
cnrtRet_t cnrtFree(void* pointer);
/** As cnrtFree. */
cnrtRet_t cnrtMemFreeAsync(void* pointer, cnrtQueue_t queue);
/** cnrtErrorNoMem if memory runs out. */
cnrtRet_t cnrtHostMalloc(void** pointer, size_t bytes);
/** NULL is ignored; cnrtErrorArgsInvalid unless the pointer came from cnrtHostMalloc and is live.
 */
cnrtRet_t cnrtFreeHost(void* pointer);
/** Free and total memory of the machine in bytes; limits of the process lower the free memory. */
cnrtRet_t cnrtMemGetInfo(size_t* free, size_t* total);
/** Which allocation a pointer belongs to; it may point inside. cnrtErrorArgsInvalid for NULL. */
cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t* attr, const void* pointer);

/** Source and destination may overlap; NULL is an error only if bytes > 0. */
cnrtRet_t cnrtMemcpy(void* destination, void* source, size_t bytes, cnrtMemTransDir_t direction);
/** As cnrtMemcpy. */
cnrtRet_t cnrtMemcpyAsync(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                          cnrtMemTransDir_t direction);
/** As cnrtMemcpy. */
cnrtRet_t cnrtMemcpyAsync_V2(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t direction);
/** As cnrtMemcpy. */
cnrtRet_t cnrtMemcpyAsync_V3(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t direction);
/**
 * Copies `height` rows of `width` bytes, which begin every source_pitch and destination_pitch bytes.
 * cnrtErrorArgsInvalid if a number is 0, a pitch is below width or a pointer is NULL.
 */
cnrtRet_t cnrtMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                       size_t source_pitch, size_t width, size_t height,
                       cnrtMemTransDir_t direction);
/** As cnrtMemcpy2D. */
cnrtRet_t cnrtMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                            size_t source_pitch, size_t width, size_t height,
                            cnrtMemTransDir_t direction, cnrtQueue_t queue);
/** Sets every byte to the low 8 bits of `value`. */
cnrtRet_t cnrtMemset(void* pointer, int value, size_t bytes);
/** As cnrtMemset. */
cnrtRet_t cnrtMemsetAsync(void* pointer, int value, size_t bytes, cnrtQueue_t queue);

/* Notifiers: two of them, placed before and after some work, measure its time. */

/** Creates a notifier. */
cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t* notifier);
/** The same; flags are of cnrtNotifierFlags_t. */
cnrtRet_t cnrtNotifierCreateWithFlags(cnrtNotifier_t* notifier, unsigned int flags);
/** cnrtErrorInvalidResourceHandle unless the notifier is live. */
cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier);
/** Records the current time; placing it again replaces that. */
cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue);
/** The same; flags must be 0, because there is no queue capture. */
cnrtRet_t cnrtPlaceNotifierWithFlags(cnrtNotifier_t notifier, cnrtQueue_t queue,
                                     unsigned int flags);
/** Waits for the work before the notifier: returns immediately. */
cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier);
/** Whether that work is done: cnrtSuccess for every live notifier. */
cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier);
/** Makes a queue wait for a notifier of another queue; flags must be 0. */
cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flags);
/**
 * Microseconds from one placed notifier to another. cnrtErrorIllegalState before both are placed,
 * cnrtErrorArgsInvalid if one of them does not measure time.
 */
cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float* microseconds);
/** The same in milliseconds. */
cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float* milliseconds);

/* Conversion of elements */

/** Parameters of a quantisation. scale must be finite and not 0. */
cnrtRet_t cnrtCreateQuantizedParam(cnrtQuantizedParam_t* param, int pos, float scale, int offset);
/**
 * Parameters for each channel of a tensor with dimNum sizes dimValues; channelDim is the axis of
 * channels, and the arrays have one element per channel. Everything is copied.
 */
cnrtRet_t cnrtCreateQuantizedParamByChannel(cnrtQuantizedParam_t* param, int* poses, float* scales,
                                            float* offsets, int dimNum, int* dimValues,
                                            int channelDim);
/** cnrtErrorArgsInvalid unless the parameters are live. */
cnrtRet_t cnrtDestroyQuantizedParam(cnrtQuantizedParam_t param);
/**
 * Converts `count` elements. Source and destination must not overlap, unless they are equal and the types
 * have the same size. The result is rounded once, as roundingMode says.
 *
 * Without param: from and to double, float, half and bfloat; any integer type and boolean to one of
 * these and back. Integers saturate, and NaN becomes 0; a number beyond half or bfloat becomes infinity,
 * or the largest finite number if roundingMode rounds towards it. Any number but 0 is true.
 *
 * With param: float and half to int8 and int16, float to int32 and half, as
 * x * scale / 2^pos + offset; int8, int16 to float and half, int32 to float, as
 * (x - offset) * 2^pos / scale. Parameters by channel require count to be the number of elements.
 *
 * cnrtErrorArgsInvalid: NULL with count > 0; count below 0; a type or a rounding mode that is not an
 * enumerator; param not live. cnrtErrorNotSupport: another pair of types.
 */
cnrtRet_t cnrtCastDataType_V2(const void* src, cnrtDataType_V2_t srcDataType, void* dst,
                              cnrtDataType_V2_t dstDataType, int count, cnrtQuantizedParam_t param,
                              cnrtRoundingMode_t roundingMode);
/** cnrtCastDataType_V2 with cnrtRounding_rm. Deprecated: it has no bfloat and no uint64. */
MLUOP_DEPRECATED("use cnrtCastDataType_V2")
cnrtRet_t cnrtCastDataType(void* src, cnrtDataType_t srcDataType, void* dst,
                           cnrtDataType_t dstDataType, int count, cnrtQuantizedParam_t param);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/** @cond older names */

/* Return values of CNRT 4. Of these only SUCCESS and ERR_UNKNOWN are returned, as in CNRT 6. */
#define CNRT_RET_SUCCESS cnrtSuccess
#define CNRT_RET_WARNING_FAKE_DEVICE ((cnrtRet_t)1)
#define CNRT_RET_ERR_NOT_READY ((cnrtRet_t)632006)
#define CNRT_RET_ERR_INVALID ((cnrtRet_t)632007)
#define CNRT_RET_ERR_NOMEM ((cnrtRet_t)632008)
#define CNRT_RET_ERR_NODEV ((cnrtRet_t)632009)
#define CNRT_RET_ERR_SYS ((cnrtRet_t)632011)
#define CNRT_RET_ERR_ACCES ((cnrtRet_t)632012)
#define CNRT_RET_ERR_ACCESS ((cnrtRet_t)632012)
#define CNRT_RET_ERR_FAULT ((cnrtRet_t)632013)
#define CNRT_RET_ERR_BUSY ((cnrtRet_t)632014)
#define CNRT_RET_ERR_NORES ((cnrtRet_t)632019)
#define CNRT_RET_ERR_UNSUPPORTED ((cnrtRet_t)632020)
#define CNRT_RET_ERR_INVALID_POINTER ((cnrtRet_t)632021)
#define CNRT_RET_ERR_NO_EXIST ((cnrtRet_t)632022)
#define CNRT_RET_ERR_BROKEN ((cnrtRet_t)632023)
#define CNRT_RET_ERR_INIT ((cnrtRet_t)632024)
#define CNRT_RET_ERR_QUEUE ((cnrtRet_t)632025)
#define CNRT_RET_ERR_OUT_RANGE ((cnrtRet_t)632026)
#define CNRT_RET_ERR_FUNC_CALL ((cnrtRet_t)632028)
#define CNRT_RET_ERR_UNHANDLED ((cnrtRet_t)632029)
#define CNRT_RET_ERR_INVALID_TYPE ((cnrtRet_t)632030)
#define CNRT_RET_ERR_INVALID_OP ((cnrtRet_t)632031)
#define CNRT_RET_ERR_RESHAPE ((cnrtRet_t)632035)
#define CNRT_RET_ERR_MEMCPY ((cnrtRet_t)632036)
#define CNRT_RET_ERR_ENCRYPT ((cnrtRet_t)632037)
#define CNRT_RET_ERR_INVALID_DATADESC ((cnrtRet_t)632038)
#define CNRT_RET_ERR_MAP ((cnrtRet_t)632039)
#define CNRT_RET_ERR_UNMAP ((cnrtRet_t)632040)
#define CNRT_RET_ERR_CACHE ((cnrtRet_t)632041)
#define CNRT_RET_ERR_FIND_DEV_ADDR ((cnrtRet_t)632042)
#define CNRT_RET_ERR_KERNEL_VERSION_TOO_HIGH ((cnrtRet_t)632043)
#define CNRT_RET_ERR_CNDRV_FUNC_CALL ((cnrtRet_t)632046)
#define CNRT_RET_ERR_CNDEV_FUNC_CALL ((cnrtRet_t)632047)
#define CNRT_RET_ERR_IO ((cnrtRet_t)632048)
#define CNRT_RET_ERR_TIMEOUT ((cnrtRet_t)632049)
#define CNRT_RET_ERR_NOSYS ((cnrtRet_t)632050)
#define CNRT_RET_ERR_AGAIN ((cnrtRet_t)632051)
#define CNRT_RET_ERR_EXIST ((cnrtRet_t)632052)
#define CNRT_RET_ERR_MATH_OVERFLOW ((cnrtRet_t)632053)
#define CNRT_RET_ERR_MLU ((cnrtRet_t)632054)
#define CNRT_RET_ERR_ONCHIP_CORE ((cnrtRet_t)632055)
#define CNRT_RET_ERR_GET_MEM_RANGE ((cnrtRet_t)632056)
#define CNRT_RET_ERR_GET_MEM_INFO ((cnrtRet_t)632057)
#define CNRT_RET_ERR_EVENT ((cnrtRet_t)632058)
#define CNRT_RET_ERR_NOTIFIER ((cnrtRet_t)632059)
#define CNRT_RET_ERR_GET_IMP_DEV ((cnrtRet_t)632060)
#define CNRT_RET_ERR_LOAD_MODULE ((cnrtRet_t)632061)
#define CNRT_RET_ERR_UNKNOWN cnrtErrorUnknown
#define CNRT_RET_ERR_MAX cnrtErrorMax

#define CNRT_MEM_TRANS_DIR_HOST2DEV cnrtMemcpyHostToDev
#define CNRT_MEM_TRANS_DIR_DEV2DEV cnrtMemcpyDevToDev
#define CNRT_MEM_TRANS_DIR_DEV2HOST cnrtMemcpyDevToHost
#define CNRT_MEM_TRANS_DIR_HOST2HOST cnrtMemcpyHostToHost
#define CNRT_MEM_TRANS_DIR_PEER2PEER cnrtMemcpyPeerToPeer
#define CNRT_MEM_TRANS_DIR_NODIR cnrtMemcpyNoDirection

#define CNRT_QUEUE_SYNC_SPIN cnrtDeviceScheduleSpin
#define CNRT_QUEUE_SYNC_BLOCK cnrtDeviceScheduleBlock
#define CNRT_QUEUE_SYNC_YIELD cnrtDeviceScheduleYield

#define CNRT_FUNC_TYPE_BLOCK cnrtFuncTypeBlock
#define CNRT_FUNC_TYPE_BLOCK0 cnrtFuncTypeBlock0
#define CNRT_FUNC_TYPE_BLOCK1 cnrtFuncTypeBlock1
#define CNRT_FUNC_TYPE_UNION1 cnrtFuncTypeUnion1
#define CNRT_FUNC_TYPE_UNION2 cnrtFuncTypeUnion2
#define CNRT_FUNC_TYPE_UNION4 cnrtFuncTypeUnion4
#define CNRT_FUNC_TYPE_UNION8 cnrtFuncTypeUnion8
#define CNRT_FUNC_TYPE_UNION16 cnrtFuncTypeUnion16
#define CNRT_FUNC_TYPE_MUTABLE cnrtFuncTypeMutable
#define CNRT_JOB_TYPE_BLOCK cnrtJobTypeBlock
#define CNRT_JOB_TYPE_UNION1 cnrtJobTypeUnion1
#define CNRT_JOB_TYPE_UNION2 cnrtJobTypeUnion2
#define CNRT_JOB_TYPE_UNION4 cnrtJobTypeUnion4

#define CNRT_INVALID cnrtInvalid
#define CNRT_FLOAT16 cnrtFloat16
#define CNRT_FLOAT32 cnrtFloat32
#define CNRT_FLOAT64 cnrtFloat64
#define CNRT_INT4 cnrtInt4
#define CNRT_INT8 cnrtInt8
#define CNRT_INT16 cnrtInt16
#define CNRT_INT32 cnrtInt32
#define CNRT_INT64 cnrtInt64
#define CNRT_AUTO cnrtAuto
#define CNRT_UINT8 cnrtUInt8
#define CNRT_UINT16 cnrtUInt16
#define CNRT_UINT32 cnrtUInt32
#define CNRT_FIX8 cnrtFix8
#define CNRT_QUANT8 cnrtQuant8
#define CNRT_BOOL cnrtBool
/** @endcond */

#ifndef CNRT_CHECK
#ifndef CNRT_CHECK_PRINT_CHANNEL
/** Where CNRT_CHECK prints; the vendor's default is stdout. A program may define it first. */
#define CNRT_CHECK_PRINT_CHANNEL stderr
#endif
#ifndef CNRT_CHECK_ERROR_BEHAVIOR
/** What CNRT_CHECK does after that. A program may define it first. */
#define CNRT_CHECK_ERROR_BEHAVIOR(ret) exit(EXIT_FAILURE)
#endif
/** Prints a message and ends the program if a runtime call fails. */
#define CNRT_CHECK(call)                                                              \
  do {                                                                                \
    const cnrtRet_t cnrt_check_result = (call);                                       \
    if (cnrt_check_result != cnrtSuccess) {                                           \
      fprintf(CNRT_CHECK_PRINT_CHANNEL, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
              cnrtGetErrorStr(cnrt_check_result));                                    \
      fflush(CNRT_CHECK_PRINT_CHANNEL);                                               \
      CNRT_CHECK_ERROR_BEHAVIOR(cnrt_check_result);                                   \
    }                                                                                 \
  } while (0)
#endif

#endif /* CNRT_H_ */
