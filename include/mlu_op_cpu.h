/*
 * What this library adds to the MLU-OPS interface: sentences behind statuses, limits of the card as
 * a mode, threads, instruction sets, logging, the implementations behind an operator, and operators that
 * MLU-OPS does not have.
 *
 * Environment, read by mluOpCreate and by nothing else; a value that is not understood makes it return
 * BAD_PARAM, an empty one counts as unset. A program with more rights than its user (setuid) gets none:
 *   MLUOP_LIMITS          none | mlu; default none
 *   MLUOP_CHECK_DIM_SIZE  0 | 1; with 1, the card's 2^31 bounds each dim, not the number of elements
 *   MLUOP_NUM_THREADS     1 .. 1024; default the cores this process may use, or its CPU quota
 *   MLUOP_ISA             generic | sse4 | avx2 | avx512 | amx | neon; lowers the level, never raises it
 *   MLUOP_LOG_LEVEL       off | error | warning | info | debug, or 0 .. 4; default off
 *
 * Unless its comment says otherwise, a function returns MLUOP_STATUS_BAD_PARAM for a NULL argument.
 */
#ifndef MLU_OP_CPU_H_
#define MLU_OP_CPU_H_

#include "mlu_op.h"

/** The version of this library; MLUOP_MAJOR and its like in mlu_op.h name the MLU-OPS interface. */
#define MLUOP_CPU_MAJOR 0
#define MLUOP_CPU_MINOR 1
#define MLUOP_CPU_PATCHLEVEL 0

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/** The version of the library at run time; NULL pointers are skipped. */
void MLUOP_WIN_API mluOpCpuGetVersion(int* major, int* minor, int* patch);

/**
 * One sentence about this thread's most recent failed call, such as
 * "mluOpSetTensorDescriptor: dimNb must be at least 0, got -1"; "" if no call has failed.
 * The text stays valid and unchanged until the next failure in this thread.
 */
const char* MLUOP_WIN_API mluOpCpuGetLastError(void);

/** Whether a handle refuses what only the card cannot do. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_CPU_LIMITS_NONE = 0, /**< Whatever is well defined works. */
  MLUOP_CPU_LIMITS_MLU = 1   /**< The card's limits apply, with the card's statuses. */
} mluOpCpuLimits_t;

/** Any other value of `limits` is BAD_PARAM. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLimits(mluOpHandle_t handle, mluOpCpuLimits_t limits);
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetLimits(const mluOpHandle_t handle, mluOpCpuLimits_t* limits);

/**
 * The most threads an operator uses, 1 .. 1024; it never uses more than the process has cores, as they
 * are counted when handles are created. mluOpCpuGetThreads tells what was set. Results have the same
 * bits for every number.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetThreads(mluOpHandle_t handle, int threads);
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetThreads(const mluOpHandle_t handle, int* threads);

/** The instruction set this handle's operators may use, by its MLUOP_ISA name; static text. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetIsa(const mluOpHandle_t handle, const char** name);

/** A level lets through its own lines and those of every level above it in this list. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_CPU_LOG_OFF = 0,
  MLUOP_CPU_LOG_ERROR = 1, /**< The sentence of every failed call. */
  MLUOP_CPU_LOG_WARNING = 2,
  MLUOP_CPU_LOG_INFO = 3,
  MLUOP_CPU_LOG_DEBUG = 4
} mluOpCpuLogLevel_t;

/** Receives a line without prefix and newline; calls may come from several threads at once. */
typedef void (*mluOpCpuLogCallback_t)(mluOpCpuLogLevel_t level, const char* line, void* user);

/** Sets the level of the process, from now on and whatever MLUOP_LOG_LEVEL says. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLogLevel(mluOpCpuLogLevel_t level);

/**
 * Sends the lines of the process to `callback`, or with NULL back to stderr. When the call returns,
 * the former callback is not running and will not be called again, so its `user` may go away; the
 * callback itself must therefore not call this function (BAD_PARAM). Lines that arise inside the
 * callback are dropped. The callback may fork; its thread is not cancelled meanwhile.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLogCallback(mluOpCpuLogCallback_t callback, void* user);

/** One way to compute an operator. */
typedef struct {
  const char* name; /**< As mluOpCpuForceImplementation takes it; static text. */
  const char* isa;  /**< The instruction set it needs, by its MLUOP_ISA name; static text. */
  int available;    /**< 1 if the handle may use it. */
  int chosen;       /**< 1 for the one that the handle uses. */
} mluOpCpuImplementation_t;

/** The operators of the library, by names such as "rotated_feature_align_forward"; static text. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetOperatorCount(size_t* count);
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetOperatorName(size_t index, const char** name);

/** The implementations of an operator, fastest first; an unknown operator is BAD_PARAM. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetImplementationCount(const char* op, size_t* count);
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetImplementation(const mluOpHandle_t handle, const char* op,
                                                      size_t index,
                                                      mluOpCpuImplementation_t* implementation);

/**
 * Makes the handle compute `op` by the implementation of that name, or with NULL by the fastest
 * again. An unknown operator or name is BAD_PARAM, an implementation that the handle's instruction
 * set does not allow NOT_SUPPORTED; both leave the choice as it was.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuForceImplementation(mluOpHandle_t handle, const char* op,
                                                        const char* name);

/* Sparse convolution */

/**
 * mluOpIndiceConvolutionBackwardFilter, whose filters_grad is [Kd, Kh, Kw, Ci, Co] or [Kh, Kw, Ci, Co]
 * whatever its layout says, with filters_grad in the layout that it names, as the filters of
 * mluOpIndiceConvolutionForward and BackwardData are: 5 dims NDHWC [Co, Kd, Kh, Kw, Ci], NCDHW [Co, Ci,
 * Kd, Kh, Kw] or ARRAY; 4 dims NHWC, NCHW, HWCN or ARRAY. The numbers have the same bits, in another order.
 *
 * Arguments, checks and workspace are those of the other two functions; another layout, or one of another
 * number of dims, is BAD_PARAM, under the card's limits too. Forcing an implementation of
 * "indice_convolution_backward_filter" counts for both. Calls are recorded as mluOpIndiceConvolution-
 * BackwardFilter where the layout is ARRAY or HWCN and not at all otherwise: case files know no other.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[],
    const int64_t inverse, const int64_t sub_m, size_t* workspace_size);
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceConvolutionBackwardFilter(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc,
    void* filters_grad);

/* Points in boxes */

/**
 * The first box that holds each point, as mmcv's points_in_boxes_part has it: like mluOpPointsInBoxes, but
 * z of a box is its bottom face, and nothing is added to its sides. A point is inside if
 * |z - (z_box + dz / 2)| <= dz / 2 and, turned into the box's axes, |x| < dx / 2 and |y| < dy / 2.
 * Everything else is as in mluOpPointsInBoxes, but for the limit of T under the card's limits.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesPart(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t points_indices_desc, void* points_indices);

/**
 * For every point and every box of its batch element whether the box holds the point, by the formula of
 * mluOpCpuPointsInBoxesPart.
 *
 * box_major  0 or 1 (else BAD_PARAM): the order of flags
 * flags      INT32, 1 or 0: [B, M, T] with box_major 0, as mmcv's points_in_boxes_all writes them;
 *            [B, T, M] with 1, as its points_in_boxes_cpu does
 * An empty tensor is SUCCESS, and nothing is written. Everything else is as there; flags may have any number of
 * elements.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesAll(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const int box_major,
    const mluOpTensorDescriptor_t flags_desc, void* flags);

/* Sparse pooling */

/** What maximum pooling over index pairs starts from, and who receives its gradient. */
typedef enum MLUOP_INT_ENUM {
  /** As mmcv and spconv: starts from 0, so the result is at least 0; every input that equals the result
      receives the gradient, also one that equals the 0 it started from. */
  MLUOP_CPU_MAXPOOL_ZERO_FLOOR = 0,
  /** The true maximum; the gradient goes to the first input that has it, and to no other. */
  MLUOP_CPU_MAXPOOL_EXACT = 1
} mluOpCpuMaxPoolMode_t;

/**
 * Pooling of sparse tensors over the pairs that mluOpGetIndicePairs finds: pair t < indice_num[k] of offset k
 * makes row indice_pairs[k,0,t] of the input part of row indice_pairs[k,1,t] of the output.
 *
 * features, input_grad [L,C]; features_out, output_grad [Y,C]: HALF, FLOAT, DOUBLE or BFLOAT16, all of one dtype
 * (HALF or FLOAT if the card's limits apply, although the card has no such operator); indice_pairs [K,2,L] INT32;
 * indice_num a host array of K counts, each from 0 to L; num_act_out = Y. Every row of the result is written,
 * those without pairs as 0. No workspace.
 *
 * BAD_PARAM, with the result untouched, also for a pair outside [0,L) or [0,Y); NOT_SUPPORTED for a tensor that
 * is not contiguous. An empty tensor is SUCCESS, nothing written.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out, const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out);

/** The gradient of mluOpCpuIndiceMaxPoolForward; features_out is what that gave in the same mode. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t features_out_desc, const void* features_out,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t input_grad_desc, void* input_grad);

/** The mean over the pairs of an output row, each counted as often as it is listed. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out);

/** The gradient of mluOpCpuIndiceAvgPoolForward: output_grad over the number of its pairs, to each of them. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpTensorDescriptor_t input_grad_desc, void* input_grad);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* MLU_OP_CPU_H_ */
