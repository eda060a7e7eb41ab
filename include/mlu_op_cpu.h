/**
 * @file mlu_op_cpu.h
 * @brief Extensions of the MLU-OPS interface: error messages, the card's limits as a mode, threads,
 * instruction sets, logging, choice of implementation, and operators that MLU-OPS does not have.
 *
 * Environment variables. Only mluOpCreate reads them. Of those that this library adds, an empty value is
 * ignored and an invalid one BAD_PARAM:
 *
 *     MLUOP_LIMITS       none | mlu; default none
 *     MLUOP_NUM_THREADS  1 .. 1024; default the cores this process may use, or its CPU quota
 *     MLUOP_ISA          generic | sse4 | avx2 | avx512 | avx512_bf16 | amx | neon; lowers the level, never raises it
 *     MLUOP_LOG_LEVEL    off | error | warning | info | debug, or 0 .. 4; default off
 *
 * Variables of MLU-OPS follow its rules: an invalid value counts as unset, and a warning is logged.
 *
 *     MLUOP_CHECK_DIM_SIZE  1, ON, YES or TRUE, in any case: the card's 2^31 bounds each dim, not the
 *                           number of elements
 *     MLUOP_GEN_CASE...     recording of calls (docs/recording.md)
 *
 * Setuid programs ignore them all. Functions that set a value override its variable.
 *
 * Interfaces grow as docs/versioning.md of the project says.
 *
 * Unless its comment says otherwise, a function returns MLUOP_STATUS_BAD_PARAM for a NULL argument.
 */
#ifndef MLU_OP_CPU_H_
#define MLU_OP_CPU_H_

#include "mlu_op.h"

/** The version of this library. MLUOP_MAJOR etc. in mlu_op.h are that of the MLU-OPS interface. */
#define MLUOP_CPU_MAJOR 0
#define MLUOP_CPU_MINOR 1      /**< See MLUOP_CPU_MAJOR. */
#define MLUOP_CPU_PATCHLEVEL 0 /**< See MLUOP_CPU_MAJOR. */

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/** The version of the library at run time; NULL pointers are skipped. */
void MLUOP_WIN_API mluOpCpuGetVersion(int* major, int* minor, int* patch);

/**
 * The message of this thread's last failed call, such as
 * "mluOpSetTensorDescriptor: dimNb must be at least 0, got -1"; "" if no call has failed.
 * The text stays valid and unchanged until the next failure in this thread.
 */
const char* MLUOP_WIN_API mluOpCpuGetLastError(void);

/** Whether a handle enforces limits that only the card has. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_CPU_LIMITS_NONE = 0, /**< Everything that is well defined works. */
  MLUOP_CPU_LIMITS_MLU = 1   /**< The card's limits apply, with the card's statuses. */
} mluOpCpuLimits_t;

/** Sets whether the handle enforces the card's limits. Any other value of `limits` is BAD_PARAM. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLimits(mluOpHandle_t handle, mluOpCpuLimits_t limits);
/** Whether the handle enforces the card's limits. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetLimits(const mluOpHandle_t handle, mluOpCpuLimits_t* limits);

/**
 * The maximum number of threads of an operator, 1 .. 1024. An operator never uses more threads than the
 * process has cores, which are counted when handles are created; mluOpCpuGetThreads returns the number
 * that was set. Results have the same bits for every number of threads.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetThreads(mluOpHandle_t handle, int threads);
/** The number that was set. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetThreads(const mluOpHandle_t handle, int* threads);

/** The instruction set this handle's operators may use, by its MLUOP_ISA name; static text. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetIsa(const mluOpHandle_t handle, const char** name);

/**
 * Sets that instruction set, whatever MLUOP_ISA says. A name that MLUOP_ISA does not know is BAD_PARAM, an
 * instruction set that this machine or this build does not have NOT_SUPPORTED. Implementations that were
 * forced stay forced.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetIsa(mluOpHandle_t handle, const char* name);

/** A level logs its own lines and those of the levels above it in this list. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_CPU_LOG_OFF = 0,
  MLUOP_CPU_LOG_ERROR = 1, /**< The message of every failed call. */
  MLUOP_CPU_LOG_WARNING = 2,
  MLUOP_CPU_LOG_INFO = 3,
  MLUOP_CPU_LOG_DEBUG = 4
} mluOpCpuLogLevel_t;

/** Receives a line without prefix and newline; calls may come from several threads at once. */
typedef void (*mluOpCpuLogCallback_t)(mluOpCpuLogLevel_t level, const char* line, void* user);

/** Sets the level of the process; overrides MLUOP_LOG_LEVEL from now on. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLogLevel(mluOpCpuLogLevel_t level);

/**
 * Sends the log lines of the process to `callback`, or to stderr again if it is NULL. When the call
 * returns, the former callback is not running and will not be called again, so its `user` may be freed.
 * The callback itself must therefore not call this function (BAD_PARAM). Lines that are logged inside the
 * callback are dropped. The callback may fork; its thread is not cancelled while it runs.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuSetLogCallback(mluOpCpuLogCallback_t callback, void* user);

/**
 * One design of an operator. The first whose instruction set the handle has and that accepts the call's
 * shapes runs; the last accepts everything.
 *
 * Later versions may add fields at the end, so the caller states how many bytes it has:
 *
 *     mluOpCpuImplementation_t one;
 *     one.struct_size = sizeof(one);
 */
typedef struct {
  size_t struct_size; /**< In: the bytes the caller has. Out: how many of them were filled. */
  const char* name;   /**< As mluOpCpuForceImplementation takes it; static text. */
  const char* isa; /**< The least instruction set it needs, by its MLUOP_ISA name; static text. */
  int available;   /**< 1 if the handle may use it. */
  int chosen; /**< 1 for the one the handle tries first: the forced one, or the first available. */
} mluOpCpuImplementation_t;

/** The number of operators of the library. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetOperatorCount(size_t* count);
/** The name of an operator, such as "rotated_feature_align_forward"; static text. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetOperatorName(size_t index, const char** name);

/** The number of designs of an operator; an unknown operator is BAD_PARAM. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetImplementationCount(const char* op, size_t* count);
/**
 * A design of an operator, in the order in which they are tried.
 *
 * @param handle,op,index whose design
 * @param implementation struct_size must be set
 *
 * BAD_PARAM: an unknown operator; an index beyond the designs; a struct_size below that of version 0.1,
 * as when it was not set.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetImplementation(const mluOpHandle_t handle, const char* op,
                                                      size_t index,
                                                      mluOpCpuImplementation_t* implementation);

/**
 * Makes the handle compute `op` by the design of that name, or with NULL by the first that accepts the call
 * again. The name of an instruction set instead makes `op` use that one, and leaves the design to the library.
 *
 * An unknown operator or name is BAD_PARAM; what the handle's instruction set does not allow is NOT_SUPPORTED;
 * both leave the choice as it was. A call whose shapes the forced design does not accept is NOT_SUPPORTED, and
 * writes nothing.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuForceImplementation(mluOpHandle_t handle, const char* op,
                                                        const char* name);

/* Sparse convolution */

/**
 * mluOpIndiceConvolutionBackwardFilter with filters_grad in the layout of its descriptor, like the filters
 * of mluOpIndiceConvolutionForward and BackwardData: 5 dims NDHWC [Co, Kd, Kh, Kw, Ci], NCDHW [Co, Ci, Kd,
 * Kh, Kw] or ARRAY; 4 dims NHWC, NCHW, HWCN or ARRAY. (The function of MLU-OPS ignores the layout: its
 * filters_grad is always [Kd, Kh, Kw, Ci, Co] or [Kh, Kw, Ci, Co].) Values have the same bits.
 *
 * Arguments, checks and workspace are those of the MLU-OPS functions. Another layout, or a layout for
 * another number of dims, is BAD_PARAM, also under the card's limits. mluOpCpuForceImplementation of
 * "indice_convolution_backward_filter" applies to both. Calls with layout ARRAY or HWCN are recorded as
 * mluOpIndiceConvolutionBackwardFilter; others are not recorded, because case files have no such layout.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[],
    const int64_t inverse, const int64_t sub_m, size_t* workspace_size);
/** See mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceConvolutionBackwardFilter(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc,
    void* filters_grad);

/* Points in boxes */

/**
 * The first box that contains each point, as mmcv's points_in_boxes_part. Unlike mluOpPointsInBoxes, z of
 * a box is its bottom face, and sides have no tolerance: a point is inside if
 * |z - (z_box + dz / 2)| <= dz / 2 and, rotated into the box's axes, |x| < dx / 2 and |y| < dy / 2.
 * The card's limits do not bound T. Everything else is as in mluOpPointsInBoxes.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesPart(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t points_indices_desc, void* points_indices);

/**
 * For every point and every box of its batch element, whether the box contains the point, by the formula
 * of mluOpCpuPointsInBoxesPart.
 *
 * @param box_major 0 or 1 (else BAD_PARAM): the order of flags
 * @param flags INT32, 1 or 0: [B, M, T] with box_major 0, as mmcv's points_in_boxes_all writes them;
 *        [B, T, M] with 1, as its points_in_boxes_cpu does
 *
 * An empty tensor is SUCCESS, and nothing is written. flags may have any number of elements. Everything
 * else is as in mluOpCpuPointsInBoxesPart.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuPointsInBoxesAll(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes, const int box_major,
    const mluOpTensorDescriptor_t flags_desc, void* flags);

/* Sparse pooling */

/** The initial value of maximum pooling, and which inputs receive the gradient. */
typedef enum MLUOP_INT_ENUM {
  /** As mmcv and spconv: the initial value is 0, so the result is at least 0. Every input that equals the
      result receives the gradient, also if both are 0. */
  MLUOP_CPU_MAXPOOL_ZERO_FLOOR = 0,
  /** The true maximum; only the first input that equals it receives the gradient. */
  MLUOP_CPU_MAXPOOL_EXACT = 1
} mluOpCpuMaxPoolMode_t;

/**
 * Maximum pooling over the pairs of mluOpGetIndicePairs: pair t < indice_num[k] of offset k makes input row
 * indice_pairs[k,0,t] an element of the window of output row indice_pairs[k,1,t].
 *
 * features, input_grad [L,C]; features_out, output_grad [Y,C]: HALF, FLOAT, DOUBLE or BFLOAT16, all of one dtype
 * (HALF or FLOAT if the card's limits apply, although the card has no such operator); indice_pairs [K,2,L] INT32;
 * indice_num a host array of K counts, each from 0 to L; num_act_out = Y. Every row of the result is written;
 * rows without pairs become 0. No workspace.
 *
 * BAD_PARAM also for a pair outside [0,L) or [0,Y); the result is then not written. NOT_SUPPORTED for a tensor
 * that is not contiguous. An empty tensor is SUCCESS, and nothing is written.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out, const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out);

/** The gradient of mluOpCpuIndiceMaxPoolForward; features_out is its result in the same mode. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceMaxPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t features_out_desc, const void* features_out,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpCpuMaxPoolMode_t mode,
    const mluOpTensorDescriptor_t input_grad_desc, void* input_grad);

/** The mean over the pairs of an output row; a pair that is listed twice counts twice. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out);

/** The gradient of mluOpCpuIndiceAvgPoolForward: each pair adds output_grad / number of its row's pairs. */
mluOpStatus_t MLUOP_WIN_API mluOpCpuIndiceAvgPoolBackward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const mluOpTensorDescriptor_t input_grad_desc, void* input_grad);

/* Voxelization */

/**
 * The cell of each point, as mmcv's dynamic_voxelize: mluOpVoxelization without collecting. points [N, F],
 * voxel_size [3] and coors_range [6] are those of mluOpVoxelization, NDim is 3.
 *
 * @param coors [N, 3], INT32: the cell as z, y, x, or -1, -1, -1 for a point outside
 *
 * BAD_PARAM: shapes, dtypes or values other than these; NULL, except for data when there are no points: then
 * SUCCESS. NOT_SUPPORTED: a tensor that is not contiguous; under the card's limits one of 2^31 elements or more.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuDynamicVoxelize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t voxel_size_desc, const void* voxel_size,
    const mluOpTensorDescriptor_t coors_range_desc, const void* coors_range, const int32_t NDim,
    const mluOpTensorDescriptor_t coors_desc, void* coors);

/* Non-maximum suppression */

/**
 * Non-maximum suppression exactly as mmcv's nms: no exchange of corners and no confidence threshold.
 *
 * boxes [N,4] (x1, y1, x2, y2) and scores [N]: FLOAT or HALF, by default also DOUBLE and BFLOAT16; output [N] INT32
 * or INT64, and so is the count that result_num points at. offset 0 or 1 (else BAD_PARAM). output becomes the
 * indices of kept boxes in the order of their scores (descending, NaN first, equal ones by index), then 0.
 * Without boxes SUCCESS, and *result_num, if given, becomes 0.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuNms(mluOpHandle_t handle, const float iou_threshold,
                                        const int offset, const mluOpTensorDescriptor_t boxes_desc,
                                        const void* boxes,
                                        const mluOpTensorDescriptor_t scores_desc,
                                        const void* scores,
                                        const mluOpTensorDescriptor_t output_desc, void* output,
                                        void* result_num);

/**
 * Non-maximum suppression of 3-D boxes [N,7] (x, y, z, three sizes, heading) that are in the order of their
 * scores, by their overlap in bird's eye view, as mmcv's nms3d; ignore_heading 1 takes them as axis-aligned, as
 * nms3d_normal (other values but 0: BAD_PARAM). output [N] INT32 or INT64, and so is the count that result_num points
 * at: positions of kept boxes, ascending, then 0. Everything else is as in mluOpCpuNms.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuNms3d(mluOpHandle_t handle, const float iou_threshold,
                                          const int ignore_heading,
                                          const mluOpTensorDescriptor_t boxes_desc,
                                          const void* boxes,
                                          const mluOpTensorDescriptor_t output_desc, void* output,
                                          void* result_num);

/**
 * The area of the overlap in bird's eye view of each box of boxes_a [N,7] and each of boxes_b [M,7]: [N,M], as
 * mmcv's boxes_overlap_bev. All FLOAT or HALF, by default also DOUBLE or BFLOAT16. An empty tensor is SUCCESS, and
 * nothing is written.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCpuBoxesOverlapBev(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_a_desc, const void* boxes_a,
    const mluOpTensorDescriptor_t boxes_b_desc, const void* boxes_b,
    const mluOpTensorDescriptor_t overlap_desc, void* overlap);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* MLU_OP_CPU_H_ */
