/*
 * The subset of the CNRT runtime that MLU-OPS programs use, on host memory.
 *
 * There is one device, the CPU. Device memory is host memory, so all copy directions do the same.
 * Operators and copies run synchronously in the calling thread: a queue is always empty, and an
 * asynchronous call has finished when it returns. All functions are thread-safe.
 *
 * Functions return cnrtSuccess or an error code; a bad argument never crashes. Names and values are
 * those of CNRT 6. Older names that programs still use are defined too.
 */
#ifndef CNRT_H_
#define CNRT_H_

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/** The CNRT version whose subset this is. */
#define CNRT_MAJOR_VERSION 6
#define CNRT_MINOR_VERSION 14
#define CNRT_PATCH_VERSION 1
#define CNRT_VERSION (CNRT_MAJOR_VERSION * 10000 + CNRT_MINOR_VERSION * 100 + CNRT_PATCH_VERSION)

/* Fixed underlying type in C++, so that out-of-range values are well defined and can be rejected. */
#if defined(__cplusplus)
#define CNRT_INT_ENUM : int
#else
#define CNRT_INT_ENUM
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/** What a runtime call returns. */
typedef enum CNRT_INT_ENUM {
  cnrtSuccess = 0,
  cnrtErrorNotReady = 1,                    /**< Work is pending; never returned here. */
  cnrtErrorInit = 100002,                   /**< The runtime could not be initialised. */
  cnrtErrorNoDevice = 100004,               /**< There is no device. */
  cnrtErrorDeviceInvalid = 100005,          /**< The device ordinal is out of range. */
  cnrtErrorArgsInvalid = 100006,            /**< An argument is null or out of range. */
  cnrtErrorSys = 100007,                    /**< A system call failed. */
  cnrtErrorSysNoMem = 100010,               /**< Out of host memory. */
  cnrtErrorInvalidResourceHandle = 100014,  /**< Not a live queue or notifier. */
  cnrtErrorIllegalState = 100015,           /**< The notifier has not been placed yet. */
  cnrtErrorNotSupport = 100050,             /**< The feature does not exist here. */
  cnrtErrorNoMem = 100100,                  /**< Out of device memory. */
  cnrtErrorMemcpyDirectionInvalid = 632013, /**< Not a cnrtMemTransDir_t. */
  cnrtErrorUnknown = 999991,

  /* Older names. */
  CNRT_RET_SUCCESS = cnrtSuccess,
  CNRT_RET_ERR_NOT_READY = cnrtErrorNotReady,
  CNRT_RET_ERR_INVALID = cnrtErrorArgsInvalid,
  CNRT_RET_ERR_NOMEM = cnrtErrorNoMem,
  CNRT_RET_ERR_NODEV = cnrtErrorNoDevice,
  CNRT_RET_ERR_SYS = cnrtErrorSys
} cnrtRet_t;

/** The direction of a copy; it has no effect here. */
typedef enum CNRT_INT_ENUM {
  cnrtMemcpyHostToDev = 0,
  cnrtMemcpyDevToDev = 1,
  cnrtMemcpyDevToHost = 2,
  cnrtMemcpyHostToHost = 3,
  cnrtMemcpyPeerToPeer = 4,
  cnrtMemcpyNoDirection = 5,

  /* Older names. */
  CNRT_MEM_TRANS_DIR_HOST2DEV = cnrtMemcpyHostToDev,
  CNRT_MEM_TRANS_DIR_DEV2DEV = cnrtMemcpyDevToDev,
  CNRT_MEM_TRANS_DIR_DEV2HOST = cnrtMemcpyDevToHost,
  CNRT_MEM_TRANS_DIR_HOST2HOST = cnrtMemcpyHostToHost,
  CNRT_MEM_TRANS_DIR_PEER2PEER = cnrtMemcpyPeerToPeer,
  CNRT_MEM_TRANS_DIR_NODIR = cnrtMemcpyNoDirection
} cnrtMemTransDir_t;

/** An in-order queue of work. NULL is the default queue. */
typedef struct cnrtQueue* cnrtQueue_t;

/** A point in time on a queue. */
typedef struct cnrtNotifier* cnrtNotifier_t;

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

cnrtRet_t cnrtGetLibVersion(int* major, int* minor, int* patch);
cnrtRet_t cnrtGetDeviceCount(unsigned int* count);
cnrtRet_t cnrtGetDevice(int* ordinal);
/** cnrtErrorDeviceInvalid for any ordinal but 0. */
cnrtRet_t cnrtSetDevice(int ordinal);
/** Waits for all queues: returns immediately. */
cnrtRet_t cnrtSyncDevice(void);

/* Queues */

cnrtRet_t cnrtQueueCreate(cnrtQueue_t* queue);
/** cnrtErrorInvalidResourceHandle unless the queue is live. */
cnrtRet_t cnrtQueueDestroy(cnrtQueue_t queue);
/** Waits until the queue is empty: returns immediately. */
cnrtRet_t cnrtQueueSync(cnrtQueue_t queue);
/** Whether the queue is empty: cnrtSuccess for every live queue and for NULL. */
cnrtRet_t cnrtQueueQuery(cnrtQueue_t queue);

/* Memory, aligned to 64 bytes. An allocation of 0 bytes returns a pointer that may be freed. */

/** cnrtErrorNoMem if memory runs out. */
cnrtRet_t cnrtMalloc(void** pointer, size_t bytes);
/** NULL is ignored; cnrtErrorArgsInvalid unless the pointer came from cnrtMalloc and is live. */
cnrtRet_t cnrtFree(void* pointer);
/** cnrtErrorNoMem if memory runs out. */
cnrtRet_t cnrtHostMalloc(void** pointer, size_t bytes);
/** NULL is ignored; cnrtErrorArgsInvalid unless the pointer came from cnrtHostMalloc and is live.
 */
cnrtRet_t cnrtFreeHost(void* pointer);

/** Source and destination may overlap; NULL is an error only if bytes > 0. */
cnrtRet_t cnrtMemcpy(void* destination, void* source, size_t bytes, cnrtMemTransDir_t direction);
cnrtRet_t cnrtMemcpyAsync(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                          cnrtMemTransDir_t direction);
/** Sets every byte to the low 8 bits of `value`. */
cnrtRet_t cnrtMemset(void* pointer, int value, size_t bytes);
cnrtRet_t cnrtMemsetAsync(void* pointer, int value, size_t bytes, cnrtQueue_t queue);

/* Notifiers: two of them, placed before and after some work, measure its time. */

cnrtRet_t cnrtNotifierCreate(cnrtNotifier_t* notifier);
/** cnrtErrorInvalidResourceHandle unless the notifier is live. */
cnrtRet_t cnrtNotifierDestroy(cnrtNotifier_t notifier);
/** Records the current time; placing it again replaces that. */
cnrtRet_t cnrtPlaceNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue);
/** Waits for the work before the notifier: returns immediately. */
cnrtRet_t cnrtWaitNotifier(cnrtNotifier_t notifier);
/** Whether that work is done: cnrtSuccess for every live notifier. */
cnrtRet_t cnrtQueryNotifier(cnrtNotifier_t notifier);
/** Makes a queue wait for a notifier of another queue; flags must be 0. */
cnrtRet_t cnrtQueueWaitNotifier(cnrtNotifier_t notifier, cnrtQueue_t queue, unsigned int flags);
/** Microseconds from one placed notifier to another; cnrtErrorIllegalState before both are placed.
 */
cnrtRet_t cnrtNotifierDuration(cnrtNotifier_t start, cnrtNotifier_t end, float* microseconds);
/** The same in milliseconds. */
cnrtRet_t cnrtNotifierElapsedTime(cnrtNotifier_t start, cnrtNotifier_t end, float* milliseconds);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

/** Prints a message and exits if a runtime call fails, as the vendor's macro does. */
#ifndef CNRT_CHECK
#define CNRT_CHECK(call)                                            \
  do {                                                              \
    const cnrtRet_t cnrt_check_result = (call);                     \
    if (cnrt_check_result != cnrtSuccess) {                         \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
              cnrtGetErrorStr(cnrt_check_result));                  \
      exit(EXIT_FAILURE);                                           \
    }                                                               \
  } while (0)
#endif

#endif /* CNRT_H_ */
