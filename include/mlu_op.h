/**
 * @file mlu_op.h
 * @brief The MLU-OPS operator interface on the CPU.
 *
 * Programs written for MLU-OPS compile against this header unchanged. Operators are synchronous:
 * outputs are complete when a call returns. Only one thread at a time may use a handle; different
 * handles are independent. Operators only read their tensor descriptors.
 *
 * A call returns MLUOP_STATUS_BAD_PARAM, before it reads or writes any tensor, if an output shares memory
 * with an input, another output or the workspace, or if the workspace shares memory with a tensor.
 * Tensors that are only read may overlap.
 *
 * After a failure, mluOpCpuGetLastError (mlu_op_cpu.h) returns a message. Unless a comment says otherwise,
 * a NULL argument is MLUOP_STATUS_BAD_PARAM, and running out of memory MLUOP_STATUS_ALLOC_FAILED.
 */
#ifndef MLU_OP_H_
#define MLU_OP_H_

/** The version of the MLU-OPS interface; that of the library itself is in mlu_op_cpu.h. */
#define MLUOP_MAJOR 1
#define MLUOP_MINOR 11     /**< See MLUOP_MAJOR. */
#define MLUOP_PATCHLEVEL 1 /**< See MLUOP_MAJOR. */
/** Deprecated: use the three numbers. */
#define MLUOP_VERSION (MLUOP_MAJOR * 1000 + MLUOP_MINOR * 100 + MLUOP_PATCHLEVEL)

/** The most dims MLU-OPS kernels expect; descriptors accept more. */
#define MLUOP_DIM_MAX 8

#include <stddef.h>
#include <stdint.h>

#include "cn_api.h"
#include "cnrt.h"

#ifndef MLUOP_WIN_API
#ifdef _WIN32
/** The calling convention, which only Windows has. */
#define MLUOP_WIN_API __stdcall
#else
#define MLUOP_WIN_API
#endif
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#if defined(__cplusplus)
extern "C" {
#endif

/* Types */

/** The status of a call. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_STATUS_SUCCESS = 0,
  MLUOP_STATUS_NOT_INITIALIZED = 1,
  MLUOP_STATUS_ALLOC_FAILED = 2,     /**< Out of memory; the handle stays usable. */
  MLUOP_STATUS_BAD_PARAM = 3,        /**< An argument is invalid. */
  MLUOP_STATUS_INTERNAL_ERROR = 4,   /**< A bug of the library. */
  MLUOP_STATUS_ARCH_MISMATCH = 5,    /**< Never returned on the CPU. */
  MLUOP_STATUS_EXECUTION_FAILED = 6, /**< The computation could not be carried out. */
  MLUOP_STATUS_NOT_SUPPORTED = 7,    /**< The call is valid but not implemented. */
  MLUOP_STATUS_NUMERICAL_OVERFLOW = 8
} mluOpStatus_t;

/** The meaning of the dims of a tensor, slowest first. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_LAYOUT_NCHW = 0,
  MLUOP_LAYOUT_NHWC = 1,
  MLUOP_LAYOUT_HWCN = 2,
  MLUOP_LAYOUT_NDHWC = 3,
  MLUOP_LAYOUT_ARRAY = 4, /**< No particular meaning. */
  MLUOP_LAYOUT_NCDHW = 5,
  MLUOP_LAYOUT_TNC = 6,
  MLUOP_LAYOUT_NTC = 7,
  MLUOP_LAYOUT_NC = 8,
  MLUOP_LAYOUT_NLC = 9,
  MLUOP_LAYOUT_NCL = 10
} mluOpTensorLayout_t;

/** The meaning of the dims of sequence data: T time, N batch, B beam, C embedding. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_SEQDATA_TNC = 0,
  MLUOP_SEQDATA_TNC_PACKED = 1,
  MLUOP_SEQDATA_NTC = 2,
  MLUOP_SEQDATA_NC = 3,
  MLUOP_SEQDATA_TNBC = 4,
  MLUOP_SEQDATA_TBNC = 5,
  MLUOP_SEQDATA_NBTC = 6,
  MLUOP_SEQDATA_NTBC = 7,
  MLUOP_SEQDATA_BNTC = 8,
  MLUOP_SEQDATA_BTNC = 9,
  MLUOP_SEQDATA_TN = 10,
  MLUOP_SEQDATA_NT = 11
} mluOpSeqDataLayout_t;

/** The type of an element; 10 is not used. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_DTYPE_INVALID = 0,
  MLUOP_DTYPE_HALF = 1, /**< IEEE binary16. */
  MLUOP_DTYPE_FLOAT = 2,
  MLUOP_DTYPE_INT8 = 3,
  MLUOP_DTYPE_INT16 = 4,
  MLUOP_DTYPE_INT31 = 5, /**< 4 bytes. */
  MLUOP_DTYPE_INT32 = 6,
  MLUOP_DTYPE_UINT8 = 7,
  MLUOP_DTYPE_BOOL = 8, /**< 1 byte. */
  MLUOP_DTYPE_INT64 = 9,
  MLUOP_DTYPE_UINT32 = 11,
  MLUOP_DTYPE_UINT64 = 12,
  MLUOP_DTYPE_UINT16 = 13,
  MLUOP_DTYPE_DOUBLE = 14,
  MLUOP_DTYPE_COMPLEX_HALF = 15,  /**< Two halves. */
  MLUOP_DTYPE_COMPLEX_FLOAT = 16, /**< Two floats. */
  MLUOP_DTYPE_BFLOAT16 = 17       /**< The upper half of a float. */
} mluOpDataType_t;

/** Where a scalar tensor is; on the CPU it only decides whether rank 0 is valid. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_POINTER_MODE_HOST = 0,
  MLUOP_POINTER_MODE_DEVICE = 1
} mluOpPointerMode_t;

/** Rounding of quantisation; stored in the handle, but no operator here quantises. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_ROUND_HALF_TO_EVEN = 0,
  MLUOP_ROUND_HALF_UP = 1,
  MLUOP_ROUND_HALF_OFF_ZERO = 2
} mluOpQuantizeRoundMode_t;

/** Whether sums may use atomics; stored in the handle, but no operator here uses any. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_ATOMICS_NOT_ALLOWED = 1,
  MLUOP_ATOMICS_ALLOWED = 2
} mluOpAtomicsMode_t;

/* Some of the enumerations from here on belong to operators that this library does not have. Programs that
   only mention them compile. */

/** Whether NaN passes through an operator. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_NOT_PROPAGATE_NAN = 0,
  MLUOP_PROPAGATE_NAN = 1
} mluOpNanPropagation_t;

/** Whether speed or accuracy decides about the algorithm. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_COMPUTATION_FAST = 0,
  MLUOP_COMPUTATION_HIGH_PRECISION = 1,
  MLUOP_COMPUTATION_ULTRAHIGH_PRECISION = 2
} mluOpComputationPreference_t;

/** The parameters of a quantisation. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_QUANTIZE_POSITION = 0,
  MLUOP_QUANTIZE_POSITION_SCALE = 1,
  MLUOP_QUANTIZE_POSITION_SCALE_OFFSET = 2
} mluOpQuantizeMode_t;

/** The base of a logarithm. */
typedef enum MLUOP_INT_ENUM { MLUOP_LOG_E = 0, MLUOP_LOG_2 = 1, MLUOP_LOG_10 = 2 } mluOpLogBase_t;

/** The numbers of a box: two corners, or centre and size. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_NMS_BOX_DIAGONAL = 0,
  MLUOP_NMS_BOX_CENTER = 1
} mluOpNmsBoxPointMode_t;

/** The result of non-maximum suppression. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_NMS_OUTPUT_TARGET_INDICES = 0,
  MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1 = 1,
  MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2 = 2,
  MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS = 3
} mluOpNmsOutputMode_t;

/** How non-maximum suppression lowers a confidence. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_NMS_HARD_NMS = 0,
  MLUOP_NMS_SOFT_NMS_LINEAR = 1,
  MLUOP_NMS_SOFT_NMS_GAUSSIAN = 2
} mluOpNmsMethodMode_t;

/** Whether the sides of a box include its last pixel. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY = 0,
  MLUOP_NMS_ALGO_INCLUDE_BOUNDARY = 1
} mluOpNmsAlgo_t;

/** The width of the indices that a reduction returns. */
typedef enum MLUOP_INT_ENUM { MLUOP_32BIT_INDICES = 0, MLUOP_16BIT_INDICES = 1 } mluOpIndicesType_t;

/** How the elements of a loss are combined. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_LOSS_REDUCTION_NONE = 0,
  MLUOP_LOSS_REDUCTION_SUM = 1,
  MLUOP_LOSS_REDUCTION_MEAN = 2
} mluOpLossReduction_t;

/** How points of a voxel are combined. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_REDUCE_DSUM = 0,
  MLUOP_REDUCE_DMEAN = 1,
  MLUOP_REDUCE_DMAX = 2
} mluOpReduceMode_t;

/** How elements of a window are combined. */
typedef enum MLUOP_INT_ENUM {
  MLUOP_POOLING_MAX = 0,
  MLUOP_POOLING_AVERAGE_COUNT_INCLUDE_PADDING = 1,
  MLUOP_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING = 2,
  MLUOP_POOLING_FIXED = 3
} mluOpPoolingMode_t;

/** The state of the library; one thread at a time may use a handle. */
typedef struct mluOpContext* mluOpHandle_t;

/** Sizes, strides, layout and dtype of a tensor. */
typedef struct mluOpTensorStruct* mluOpTensorDescriptor_t;

/** Tensor descriptors in a grid whose data lie one behind the other. */
typedef struct mluOpTensorSetStruct* mluOpTensorSetDescriptor_t;

/** Sizes, layout and dtype of sequence data, with the length of each sequence. */
typedef struct mluOpSeqDataStruct* mluOpSeqDataDescriptor_t;

/** The geometry of a sparse convolution, and the output sites found for it. */
typedef struct mluOpSparseConvolutionStruct* mluOpSparseConvolutionDescriptor_t;

/** Window, groups and scale of CARAFE. */
typedef struct mluOpCarafeStruct* mluOpCarafeDescriptor_t;

/** Boxes, thresholds and results of non-maximum suppression. */
typedef struct cnnlNmsStruct* mluOpNmsDescriptor_t;

/** Pooled size, sampling and mode of RoI align forward. */
typedef struct cnnlRoiAlignStruct* mluOpRoiAlignForwardDescriptor_t;

/* Runtime */

/**
 * Creates a handle with the settings of the environment variables (mlu_op_cpu.h).
 *
 * BAD_PARAM also if a variable is invalid; *handle is then not written.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreate(mluOpHandle_t* handle);

/** Destroys a handle. */
mluOpStatus_t MLUOP_WIN_API mluOpDestroy(mluOpHandle_t handle);

/** No effect: the CPU of a handle does not change. */
mluOpStatus_t MLUOP_WIN_API mluOpUpdateContextInformation(mluOpHandle_t handle);

/** Sets the queue; NULL is the default queue. */
mluOpStatus_t MLUOP_WIN_API mluOpSetQueue(mluOpHandle_t handle, cnrtQueue_t queue);
/** The queue that was set; NULL if none was. */
mluOpStatus_t MLUOP_WIN_API mluOpGetQueue(mluOpHandle_t handle, cnrtQueue_t* queue);

/** Initially MLUOP_ROUND_HALF_TO_EVEN; BAD_PARAM for a value that is not an enumerator. */
mluOpStatus_t MLUOP_WIN_API mluOpSetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t round_mode);
/** The mode that was set. */
mluOpStatus_t MLUOP_WIN_API mluOpGetQuantizeRoundMode(mluOpHandle_t handle,
                                                      mluOpQuantizeRoundMode_t* round_mode);

/** Initially MLUOP_ATOMICS_NOT_ALLOWED; the value is not validated. */
mluOpStatus_t MLUOP_WIN_API mluOpSetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t atomics_mode);
/** The mode that was set. */
mluOpStatus_t MLUOP_WIN_API mluOpGetAtomicsMode(mluOpHandle_t handle,
                                                mluOpAtomicsMode_t* atomics_mode);

/** The name of the enumerator; "MLUOP_STATUS_UNKNOWN" for any other value. */
const char* MLUOP_WIN_API mluOpGetErrorString(mluOpStatus_t status);

/** Bytes per element; 0 for a value that is not an enumerator, BAD_PARAM for INVALID. */
mluOpStatus_t MLUOP_WIN_API mluOpGetSizeOfDataType(mluOpDataType_t data_type, size_t* size);

/** MLUOP_MAJOR, MLUOP_MINOR and MLUOP_PATCHLEVEL; NULL pointers are skipped. */
void MLUOP_WIN_API mluOpGetLibVersion(int* major, int* minor, int* patch);

/**
 * Sets how the process records calls as test cases; overrides MLUOP_GEN_CASE. 0 off, 1 shapes, 2 shapes
 * and data, 3 shapes to standard output; any other value means off. Calls that fail are not recorded.
 */
void MLUOP_WIN_API mluOpSetGenCaseMode(int mode);

/**
 * Sets the directory of recorded cases for the process; overrides MLUOP_GEN_CASE_DIR. Files are
 * `gen_case/<operator>/...` in this directory, or in the current one for "". {pid} and {deviceid} in the
 * path are replaced.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetGenCaseDirectory(const char* path);

/**
 * Copies that directory into `buffer` with a final zero and returns `buffer`. `pathLen`, if not
 * NULL, receives its length without the zero. If `buffer` is NULL or `bufferSize` is not above that
 * length, nothing is copied and the result is NULL. `status`, if not NULL, receives SUCCESS, or
 * BAD_PARAM if the buffer is too small; a query of the length alone (buffer NULL, bufferSize 0, pathLen
 * given) succeeds.
 */
const char* MLUOP_WIN_API mluOpGetGenCaseDirectory(char* buffer, size_t bufferSize, size_t* pathLen,
                                                   mluOpStatus_t* status);

/* Tensor descriptors */

/**
 * Creates a descriptor of rank 0 and 0 elements: dtype FLOAT, on-chip dtype INVALID, layout ARRAY,
 * pointer mode DEVICE, position 0, scale 1, offset 0.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorDescriptor(mluOpTensorDescriptor_t* desc);

/** Each group_desc[i] points to the variable that receives descriptor i; desc_num is above 0. */
mluOpStatus_t MLUOP_WIN_API mluOpCreateGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                                              const int desc_num);

/** Destroys a descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpDestroyTensorDescriptor(mluOpTensorDescriptor_t desc);
/** Destroys the descriptors of a group; desc_num is above 0. */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroyGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[], const int desc_num);

/** Restores the state of a new descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpResetTensorDescriptor(mluOpTensorDescriptor_t desc);

/**
 * Sets layout, dtype and sizes, slowest first; strides become dense. May be called again.
 *
 * BAD_PARAM: layout or dtype negative; dimNb negative, or 0 unless the pointer mode is HOST (then
 * the tensor has one element); dimSize NULL. The descriptor is then not changed. Sizes are checked by
 * the operators, not here.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor(mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t layout,
                                                     mluOpDataType_t dtype, int dimNb,
                                                     const int dimSize[]);
/** mluOpSetTensorDescriptor with 64-bit sizes. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptor_v2(mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t layout,
                                                        mluOpDataType_t dtype, int dimNb,
                                                        const int64_t dimSize[]);

/** mluOpSetTensorDescriptor with strides, in elements; BAD_PARAM also if dimStride is NULL. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx(mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t layout,
                                                       mluOpDataType_t dtype, int dimNb,
                                                       const int dimSize[], const int dimStride[]);
/** mluOpSetTensorDescriptorEx with 64-bit sizes and strides. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorEx_v2(mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t layout,
                                                          mluOpDataType_t dtype, int dimNb,
                                                          const int64_t dimSize[],
                                                          const int64_t dimStride[]);

/**
 * Sets sizes and dense strides; layout and dtype stay. BAD_PARAM: dimNb negative, or 0 unless the pointer
 * mode is HOST (then the tensor has one element); dimSize NULL unless dimNb is 0.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorDim(mluOpTensorDescriptor_t desc, int dimNb,
                                                        const int* dimSize);
/**
 * mluOpSetTensorDescriptorDim with 64-bit sizes; dimNb 0 makes a tensor of one element in either pointer
 * mode.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorDim_v2(mluOpTensorDescriptor_t desc, int dimNb,
                                                           const int64_t* dimSize);

/**
 * Sets several descriptors; group_dimSize holds the sizes of all of them, one after the other.
 * Sets all or none; the first invalid one decides the status.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetGroupTensorDescriptors(mluOpTensorDescriptor_t* group_desc[],
                                                           const mluOpTensorLayout_t group_layout[],
                                                           const mluOpDataType_t group_dtype[],
                                                           const int group_dimNb[],
                                                           const int group_dimSize[],
                                                           const int desc_num);

/** Stored in the descriptor; only the check of mluOpIndiceConvolutionBackwardFilter reads it. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorOnchipDataType(mluOpTensorDescriptor_t desc,
                                                                   mluOpDataType_t onchip_dtype);
/** The dtype that was set; initially INVALID. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorOnchipDataType(
    const mluOpTensorDescriptor_t desc, mluOpDataType_t* onchip_dtype);

/** Decides whether the setters accept rank 0; a negative mode is BAD_PARAM. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPointerMode(mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t pointer_mode);
/** The mode that was set; initially DEVICE. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPointerMode(const mluOpTensorDescriptor_t desc,
                                                                mluOpPointerMode_t* pointer_mode);

/** Quantisation parameters, stored in the descriptor; no operator here reads them. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPosition(mluOpTensorDescriptor_t desc,
                                                             int position);
/** mluOpSetTensorDescriptorPosition with a scale. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionAndScale(mluOpTensorDescriptor_t desc,
                                                                     int position, float scale);
/** mluOpSetTensorDescriptorPosition with a scale and an offset. */
mluOpStatus_t MLUOP_WIN_API mluOpSetTensorDescriptorPositionScaleAndOffset(
    mluOpTensorDescriptor_t desc, int position, float scale, int offset);
/** The position; initially 0. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPosition(const mluOpTensorDescriptor_t desc,
                                                             int* position);
/** Position and scale; initially 0 and 1. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionAndScale(
    const mluOpTensorDescriptor_t desc, int* position, float* scale);
/** Position, scale and offset; initially 0, 1 and 0. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorPositionScaleAndOffset(
    const mluOpTensorDescriptor_t desc, int* position, float* scale, int* offset);

/** Returns the settings; NULL output pointers are skipped. Sizes are narrowed to int. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor(const mluOpTensorDescriptor_t desc,
                                                     mluOpTensorLayout_t* layout,
                                                     mluOpDataType_t* dtype, int* dimNb,
                                                     int dimSize[]);
/** mluOpGetTensorDescriptor with 64-bit sizes. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptor_v2(const mluOpTensorDescriptor_t desc,
                                                        mluOpTensorLayout_t* layout,
                                                        mluOpDataType_t* dtype, int* dimNb,
                                                        int64_t dimSize[]);

/** mluOpGetTensorDescriptor with strides; no output pointer may be NULL. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx(const mluOpTensorDescriptor_t desc,
                                                       mluOpTensorLayout_t* layout,
                                                       mluOpDataType_t* dtype, int* dimNb,
                                                       int dimSize[], int dimStride[]);
/** mluOpGetTensorDescriptorEx with 64-bit sizes and strides. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorDescriptorEx_v2(const mluOpTensorDescriptor_t desc,
                                                          mluOpTensorLayout_t* layout,
                                                          mluOpDataType_t* dtype, int* dimNb,
                                                          int64_t dimSize[], int64_t dimStride[]);

/** The product of the sizes, strides ignored; 0 for a new descriptor and for NULL. */
size_t MLUOP_WIN_API mluOpGetTensorElementNum(const mluOpTensorDescriptor_t desc);

/* Tensor sets: descriptors in a grid of any number of dims, the last one fastest. The data of the members
   lie one behind the other in one block, in that order. */

/**
 * Creates a set of new tensor descriptors, whose size is 0.
 *
 * @param tensorSetDesc receives the set
 * @param setDimNb the number of dims of the set, at least 1
 * @param setDimSize the members along each dim, at least 1
 *
 * BAD_PARAM also if the number of members does not fit an int.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateTensorSetDescriptor(
    mluOpTensorSetDescriptor_t* tensorSetDesc, const int setDimNb, const int setDimSize[]);

/** The dims of a set. */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc,
                                                        int* setDimNb, int setDimSize[]);

/** Destroys a set with its members. */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroyTensorSetDescriptor(mluOpTensorSetDescriptor_t tensorSetDesc);

/**
 * mluOpSetTensorDescriptor for one member.
 *
 * @param tensorSetDesc the set
 * @param setDimNb the number of dims of the set
 * @param tensorIndex the position of the member, setDimNb numbers
 * @param layout,dtype,dimNb,dimSize as in mluOpSetTensorDescriptor
 *
 * BAD_PARAM: another setDimNb, an index out of range, or whatever mluOpSetTensorDescriptor refuses.
 */
mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptor(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    mluOpTensorLayout_t layout, mluOpDataType_t dtype, const int dimNb, const int dimSize[]);

/** mluOpSetTensorDescriptorPositionAndScale for one member. */
mluOpStatus_t MLUOP_WIN_API mluOpInitTensorSetMemberDescriptorPositionAndScale(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    const int position, const float scale);

/** The bytes of all members; BAD_PARAM if they do not fit an int. */
mluOpStatus_t MLUOP_WIN_API
mluOpGetTensorSetDescriptorSize(mluOpTensorSetDescriptor_t tensorSetDesc, int* sizeInBytes);

/**
 * The descriptor of one member, which stays the set's, and the address of its data.
 *
 * @param tensorSetDesc the set
 * @param setDimNb the number of dims of the set
 * @param tensorIndex the position of the member, setDimNb numbers
 * @param data the block with the data of the set
 * @param tensorDesc receives the descriptor; do not destroy it
 * @param dataAddrInDevice receives `data` plus the bytes of the members before this one
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetTensorAndDataFromTensorSet(
    mluOpTensorSetDescriptor_t tensorSetDesc, const int setDimNb, const int tensorIndex[],
    void* data, mluOpTensorDescriptor_t* tensorDesc, void** dataAddrInDevice);

/* Sequence data */

/** Creates a descriptor of 0 dims: layout TNC, dtype FLOAT, position 0, scale 1. */
mluOpStatus_t MLUOP_WIN_API mluOpCreateSeqDataDescriptor(mluOpSeqDataDescriptor_t* seq_data_desc);

/**
 * Sets a descriptor; arrays are copied.
 *
 * @param seq_data_desc the descriptor
 * @param layout,dtype enumerators
 * @param dimNb 1 to MLUOP_DIM_MAX
 * @param dimSize the sizes, at least 0
 * @param seqLengthArraySize the number of sequences, at least 0
 * @param seqLengthArray their lengths, above 0; ignored if there is none
 * @param paddingFill an element of dtype that fills sequences up; NULL for none. It is copied.
 *
 * BAD_PARAM: anything else; the descriptor is then not changed.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpSetSeqDataDescriptor_v2(mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t layout,
                             mluOpDataType_t dtype, int dimNb, const int64_t dimSize[],
                             int seqLengthArraySize, const int seqLengthArray[], void* paddingFill);

/**
 * Returns the settings; NULL output pointers are skipped. paddingFill receives one element, or stays as it
 * is if none was set.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetSeqDataDescriptor_v2(
    const mluOpSeqDataDescriptor_t seq_data_desc, mluOpSeqDataLayout_t* layout,
    mluOpDataType_t* dtype, int* dimNb, int64_t dimSize[], int64_t* seqLengthArraySize,
    int64_t seqLengthArray[], void* paddingFill);

/** Quantisation parameters, stored in the descriptor; no operator here reads them. */
mluOpStatus_t MLUOP_WIN_API mluOpSetSeqDataDescriptorPositionAndScale(
    mluOpSeqDataDescriptor_t seq_data_desc, int position, float scale);

/** Destroys a descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpDestroySeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc);

/* Sparse convolution descriptor */

/**
 * Creates a descriptor with all fields 0. No operator accepts it before it is set.
 *
 * NOT_INITIALIZED: desc is NULL. ALLOC_FAILED.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpCreateSparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t* desc);

/**
 * Sets the geometry of a sparse convolution; arrays hold dimNb - 2 entries in the order D, H, W.
 *
 * @param dimNb 5; 4 (images: H, W) too unless the card's limits apply
 * @param batch_size at least 1
 * @param pad at least 0, on both sides; stride, dilation and the spaces at least 1
 * @param sub_m not 0: submanifold, the output sites are the input sites
 * @param transpose 0; 1 (deconvolution) too unless the card's limits apply
 * @param inverse 0; 1 too unless the card's limits apply. It does not change the pairs: an inverse
 *        convolution uses those of the convolution that it undoes
 *
 * BAD_PARAM: anything else; the descriptor is then not changed. There is no handle here, so the limits are
 * those of MLUOP_LIMITS at the last mluOpCreate (none before the first); an operator applies those of its
 * own handle. num_act_out is kept.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetSparseConvolutionDescriptor(
    mluOpSparseConvolutionDescriptor_t desc, int dimNb, int batch_size, const int pad[],
    const int stride[], const int dilation[], const int input_space[], const int filter_space[],
    const int output_space[], const int sub_m, const int transpose, const int inverse);

/** The number of output sites that the last mluOpGetIndicePairs found, initially 0; NOT_INITIALIZED for NULL. */
mluOpStatus_t MLUOP_WIN_API
mluOpGetSparseConvolutionNumActOut(mluOpSparseConvolutionDescriptor_t desc, int* num_act_out);

/** Destroys a descriptor; EXECUTION_FAILED for NULL. */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroySparseConvolutionDescriptor(mluOpSparseConvolutionDescriptor_t desc);

/* CARAFE descriptor */

/**
 * Creates a descriptor with all fields 0. No operator accepts it before it is set.
 *
 * BAD_PARAM: carafe_desc is NULL. ALLOC_FAILED.
 */
mluOpStatus_t MLUOP_WIN_API mluOpCreateCarafeDescriptor(mluOpCarafeDescriptor_t* carafe_desc);

/**
 * Sets window, groups and scale.
 *
 * @param carafe_desc the descriptor
 * @param dimNb 4
 * @param kernel_size the side k of the window: odd, at least 1
 * @param group_size the number G of groups of channels, each with its own weights: at least 1
 * @param scale_factor the side s of the block of output pixels for each input pixel: at least 1
 *
 * BAD_PARAM: anything else; the descriptor is then not changed.
 */
mluOpStatus_t MLUOP_WIN_API mluOpSetCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc,
                                                     const int dimNb, const int kernel_size,
                                                     const int group_size, const int scale_factor);

/** Destroys a descriptor; BAD_PARAM for NULL. */
mluOpStatus_t MLUOP_WIN_API mluOpDestroyCarafeDescriptor(mluOpCarafeDescriptor_t carafe_desc);

/* Operators */

/**
 * The bytes of workspace that mluOpGetIndicePairs needs for these shapes; 0 if a tensor is empty. The
 * result does not depend on threads or limits of the handle.
 *
 * BAD_PARAM and NOT_SUPPORTED as mluOpGetIndicePairs, except for data. ALLOC_FAILED: the size exceeds the
 * address space.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetIndicePairsWorkspaceSize(
    mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc,
    const mluOpTensorDescriptor_t indices_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t out_indices_desc, const mluOpTensorDescriptor_t indice_num_desc,
    size_t* workspace_size);

/**
 * The pairs of input and output sites for each offset of a kernel. Offset k of K, coordinates a with the
 * last axis fastest, pairs input site z with output site o where, on every axis,
 * o * stride = z + pad - a * dilation; transposed, o = z * stride - pad + a * dilation.
 *
 * @param indices [L, 4], rows (batch, d, h, w), in any order; [L, 3] without d for images
 * @param out_indices [rows, 4] or [rows, 3]: the output sites that have pairs, ascending, padded with rows of
 *        -1; with sub_m the rows of indices in their order
 * @param indice_pairs [K, 2, L]: for offset k, rows of indices [k, 0, :], ascending, and their rows of
 *        out_indices [k, 1, :], padded with -1
 * @param indice_num [K], pairs per offset; a tensor like the others, not a host array
 *
 * The dtype of all four is INT32.
 *
 * With sub_m, sites pair at multiples of the dilation; pad = (kernel / 2) * dilation centres the kernel.
 * The number of output sites is stored in sparse_conv_desc. Duplicate rows of indices all make pairs;
 * with sub_m the last one represents the site as an output.
 *
 * BAD_PARAM: shapes, dtypes or a geometry other than these; rows above the cells of the output space (with
 * sub_m, and above L); sub_m with a stride other than 1 or with different spaces; NULL; a workspace below
 * the size of the query; a row of indices outside batch or space; fewer rows in out_indices than output
 * sites. Under the card's limits also dimNb 4, transpose, inverse, stride and dilation both above 1 on an
 * axis, sub_m with a dilation other than 1, K above 4096, L above 10^6 or above the cells of the input
 * space. Nothing is then written.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; L or output sites beyond int32; more than 2^62 cells;
 * under the card's limits, 2^31 elements or more.
 *
 * An empty tensor is SUCCESS: 0 output sites, nothing else is written.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetIndicePairs(
    mluOpHandle_t handle, const mluOpSparseConvolutionDescriptor_t sparse_conv_desc,
    const mluOpTensorDescriptor_t indices_desc, const void* indices, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t indice_pairs_desc,
    void* indice_pairs, const mluOpTensorDescriptor_t out_indices_desc, void* out_indices,
    const mluOpTensorDescriptor_t indice_num_desc, void* indice_num);

/**
 * The bytes of workspace that mluOpIndiceConvolutionForward needs for these arguments, with any handle;
 * 0 if a tensor is empty. Statuses are those of the operator, except for data; workspace_size may be
 * NULL only if a tensor is empty.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t features_out_desc, const int64_t indice_num[],
    const int64_t num_act_out, const int64_t inverse, const int64_t sub_m, size_t* workspace_size);
/**
 * Sparse convolution: features_out[q] = sum of features[p] * W[k] over the pairs (p, q) of every
 * offset k; rows without pairs become 0.
 *
 * @param features [L, Ci]
 * @param filters 5 dims: NDHWC [Co, Kd, Kh, Kw, Ci], NCDHW [Co, Ci, Kd, Kh, Kw], or ARRAY [Kd, Kh, Kw,
 *        Ci, Co]; unless the card's limits apply, 4 dims too: NHWC [Co, Kh, Kw, Ci], NCHW [Co,
 *        Ci, Kh, Kw], HWCN or ARRAY [Kh, Kw, Ci, Co]. K = Kd * Kh * Kw, row by row.
 * @param indice_pairs [K, 2, L], INT32: pair t < indice_num[k] of offset k joins row p = [k, 0, t] of
 *        features with row q = [k, 1, t] of features_out; later entries are not read
 * @param indice_num K counts in host memory, each from 0 to L
 * @param num_act_out the rows of features_out
 * @param inverse 1 exchanges the two sides of the pairs: features_out then has the L rows; 0 if the
 *        card's limits apply
 * @param sub_m 0 or 1: the result is the same
 * @param features_out [num_act_out, Co]
 * @param workspace at least the size of the query, any alignment
 *
 * Features, filters and features_out have one dtype: FLOAT or HALF; DOUBLE and BFLOAT16 too
 * unless the card's limits apply.
 *
 * If a tensor is empty: SUCCESS, and nothing is written.
 *
 * BAD_PARAM: shapes, dtypes or values other than these; a pair with a row out of range (nothing is then
 * written); a workspace that is too small; NULL.
 *
 * NOT_SUPPORTED: other layouts and ranks of filters; a tensor that is not contiguous; under the card's
 * limits also inverse 1, L above 10^6, 2^31 elements or more.
 *
 * ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionForward(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t filters_desc, const void* filters,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t num_act_out, const int64_t inverse,
    const int64_t sub_m, void* workspace, size_t workspace_size,
    const mluOpTensorDescriptor_t features_out_desc, void* features_out);

/** As mluOpGetIndiceConvolutionForwardWorkspaceSize, but workspace_size must not be NULL. */
mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc,
    const mluOpTensorDescriptor_t filters_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t input_grad_desc, const int64_t indice_num[],
    const int64_t inverse, size_t* workspace_size);
/**
 * The gradient of a sparse convolution with respect to its features: input_grad[p] = sum of
 * output_grad[q] * transposed W[k] over the pairs (p, q) of every offset k.
 *
 * @param output_grad [Y, Co]
 * @param filters as in mluOpIndiceConvolutionForward; 4 dims also under the card's limits
 * @param indice_num each from 0 to L; under the card's limits also at most Y
 * @param inverse 1 exchanges the two sides of the pairs: output_grad then has the L rows
 * @param sub_m 1 requires L = Y, K odd, and no count above that of the centre, indice_num[K / 2]
 * @param input_grad [L, Ci]
 *
 * Everything else is as in mluOpIndiceConvolutionForward, except that other layouts and ranks of filters
 * are BAD_PARAM.
 */
mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionBackwardData(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t filters_desc, const void* filters,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t input_grad_desc, void* input_grad);

/** As mluOpGetIndiceConvolutionForwardWorkspaceSize, but workspace_size must not be NULL. */
mluOpStatus_t MLUOP_WIN_API mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc,
    const mluOpTensorDescriptor_t output_grad_desc, const mluOpTensorDescriptor_t indice_pairs_desc,
    const mluOpTensorDescriptor_t filters_grad_desc, const int64_t indice_num[],
    const int64_t inverse, const int64_t sub_m, size_t* workspace_size);
/**
 * The gradient of a sparse convolution with respect to its filters: filters_grad[k] = sum of
 * transposed features[p] * output_grad[q] over the pairs (p, q) of offset k.
 *
 * @param features [L, Ci]
 * @param output_grad [Y, Co]
 * @param inverse 1 exchanges the two sides of the pairs: output_grad then has the L rows
 * @param sub_m ignored
 * @param filters_grad [Kd, Kh, Kw, Ci, Co] or [Kh, Kw, Ci, Co]; its layout is ignored
 *
 * On-chip dtypes, if set, are the dtype itself; that of filters_grad a floating dtype that is not narrower.
 *
 * Everything else is as in mluOpIndiceConvolutionForward, except that under the card's limits inverse 1
 * and L above 10^6 are BAD_PARAM.
 */
mluOpStatus_t MLUOP_WIN_API mluOpIndiceConvolutionBackwardFilter(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t features_desc, const void* features,
    const mluOpTensorDescriptor_t output_grad_desc, const void* output_grad,
    const mluOpTensorDescriptor_t indice_pairs_desc, const void* indice_pairs,
    const int64_t indice_num[], const int64_t inverse, const int64_t sub_m, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t filters_grad_desc,
    void* filters_grad);

/**
 * CARAFE, content-aware reassembly of features: each output pixel is a weighted sum of the k x k window
 * around its input pixel, with separate weights for every group of channels. Cells outside the map are
 * skipped.
 *
 * @param input [N, H, W, C], layout NHWC; C is a multiple of G
 * @param mask [N, s * H, s * W, G * k * k], NHWC: channel (g * k + kh) * k + kw
 * @param output [N, s * H, s * W, C], NHWC
 *
 * All three have one dtype: FLOAT or HALF; DOUBLE and BFLOAT16 too unless the card's limits apply.
 *
 * BAD_PARAM: shapes, dtypes, layouts or values other than these; a tensor that is not contiguous; NULL,
 * except for data when a tensor is empty: then SUCCESS and nothing is written.
 *
 * NOT_SUPPORTED: under the card's limits, kernel_size above 45, scale_factor above 5, 2^31 elements or
 * more. ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpCarafeForward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                   const mluOpTensorDescriptor_t input_desc, const void* input,
                   const mluOpTensorDescriptor_t mask_desc, const void* mask,
                   const mluOpTensorDescriptor_t output_desc, void* output);

/**
 * The gradients of CARAFE with respect to its input and its mask.
 *
 * @param grad_output as output of mluOpCarafeForward
 * @param grad_input,grad_mask as input and mask; overwritten. grad_mask is 0 for cells outside the map
 *
 * Unless the card's limits apply, one of the two gradients may be omitted: its descriptor and its data
 * are NULL. The other one has the same bits as when both are computed and takes about half the time.
 *
 * BAD_PARAM: both omitted; only one of descriptor and data NULL.
 *
 * Everything else is as in mluOpCarafeForward, except that a tensor that is not contiguous is
 * NOT_SUPPORTED, and of the card's limits only 2^31 elements and a kernel_size of at most 137 apply.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpCarafeBackward(mluOpHandle_t handle, const mluOpCarafeDescriptor_t carafe_desc,
                    const mluOpTensorDescriptor_t input_desc, const void* input,
                    const mluOpTensorDescriptor_t mask_desc, const void* mask,
                    const mluOpTensorDescriptor_t grad_output_desc, const void* grad_output,
                    const mluOpTensorDescriptor_t grad_input_desc, void* grad_input,
                    const mluOpTensorDescriptor_t grad_mask_desc, void* grad_mask);

/**
 * The bytes of workspace that mluOpRoiAwarePool3dForward needs: 0, because its scratch belongs to the
 * handle. rois_desc and pts_desc are ignored and may be NULL.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetRoiAwarePool3dForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t rois_desc,
    const mluOpTensorDescriptor_t pts_desc, const mluOpTensorDescriptor_t pts_feature_desc,
    size_t* workspace_size);
/**
 * RoI-aware pooling: divides each box into out_x * out_y * out_z voxels, lists the points in each and
 * pools their features.
 *
 * @param pool_method 0: maximum; 1: average
 * @param rois [boxes_num, 7]: x and y of the centre, z of the bottom face, sizes along the box's
 *        axes, heading in radians, counter-clockwise from x
 * @param pts [pts_num, 3]: x, y, z
 * @param pts_feature [pts_num, channels]
 * @param workspace not used; NULL only with workspace_size 0
 * @param max_pts_each_voxel one more than the maximum number of points of a voxel; the first points are kept
 * @param argmax [boxes_num, out_x, out_y, out_z, channels], INT32: the point of each maximum, the
 *        first of equal ones, or -1 if there is none. With pool_method 1 it becomes 0;
 *        descriptor or data may then be NULL.
 * @param pts_idx_of_voxels [boxes_num, out_x, out_y, out_z, max_pts_each_voxel], INT32: the number of points,
 *        then their indices, padded with 0
 * @param pooled_features [boxes_num, out_x, out_y, out_z, channels]; 0 for empty voxels
 *
 * Rois, pts, pts_feature and pooled_features have one dtype: FLOAT or HALF; DOUBLE and BFLOAT16 too
 * unless the card's limits apply.
 *
 * Layouts are ignored. A point is inside a box if it is strictly between its sides and not below or
 * above it.
 *
 * BAD_PARAM: shapes, dtypes or values other than these; an empty tensor; NULL.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; more than 2^30 voxels in a box; under the card's limits
 * also 65536 boxes or channels, max_pts_each_voxel above 2976 (HALF: 2944), boxes_num * pts_num beyond
 * int32, 2^31 elements or more.
 *
 * ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpRoiAwarePool3dForward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num,
    const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois,
    const mluOpTensorDescriptor_t pts_desc, const void* pts,
    const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace,
    size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y,
    const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features);

/**
 * The gradient of RoI-aware pooling with respect to pts_feature. With pool_method 0 each element of
 * grad_out is added to the point in argmax (-1: none); with 1, it is divided by the number of points of its
 * voxel and added to each of them.
 *
 * @param pts_idx_of_voxels,argmax results of mluOpRoiAwarePool3dForward; both are required, one of them is read
 * @param grad_out [boxes_num, out_x, out_y, out_z, channels]
 * @param grad_in [points, channels], overwritten
 *
 * BAD_PARAM also for a point out of range and for a count above max_pts_each_voxel - 1; grad_in is then not
 * written. A count below 1 is an empty voxel. Under the card's limits, max_pts_each_voxel above
 * 98240 is NOT_SUPPORTED. Everything else is as in mluOpRoiAwarePool3dForward.
 */
mluOpStatus_t MLUOP_WIN_API mluOpRoiAwarePool3dBackward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x,
    const int out_y, const int out_z, const int channels, const int max_pts_each_voxel,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t argmax_desc, const void* argmax,
    const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out,
    const mluOpTensorDescriptor_t grad_in_desc, void* grad_in);

/** Deprecated name of mluOpGetRoiAwarePool3dForwardWorkspaceSize. */
MLUOP_DEPRECATED("use mluOpGetRoiAwarePool3dForwardWorkspaceSize")
mluOpStatus_t MLUOP_WIN_API mluOpGetRoiawarePool3dForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t rois_desc,
    const mluOpTensorDescriptor_t pts_desc, const mluOpTensorDescriptor_t pts_feature_desc,
    size_t* workspace_size);
/** Deprecated name of mluOpRoiAwarePool3dForward. */
MLUOP_DEPRECATED("use mluOpRoiAwarePool3dForward")
mluOpStatus_t MLUOP_WIN_API mluOpRoiawarePool3dForward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int pts_num,
    const int channels, const mluOpTensorDescriptor_t rois_desc, const void* rois,
    const mluOpTensorDescriptor_t pts_desc, const void* pts,
    const mluOpTensorDescriptor_t pts_feature_desc, const void* pts_feature, void* workspace,
    size_t workspace_size, const int max_pts_each_voxel, const int out_x, const int out_y,
    const int out_z, const mluOpTensorDescriptor_t argmax_desc, void* argmax,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t pooled_features_desc, void* pooled_features);
/** Deprecated name of mluOpRoiAwarePool3dBackward. */
MLUOP_DEPRECATED("use mluOpRoiAwarePool3dBackward")
mluOpStatus_t MLUOP_WIN_API mluOpRoiawarePool3dBackward(
    mluOpHandle_t handle, const int pool_method, const int boxes_num, const int out_x,
    const int out_y, const int out_z, const int channels, const int max_pts_each_voxel,
    const mluOpTensorDescriptor_t pts_idx_of_voxels_desc, const void* pts_idx_of_voxels,
    const mluOpTensorDescriptor_t argmax_desc, const void* argmax,
    const mluOpTensorDescriptor_t grad_out_desc, const void* grad_out,
    const mluOpTensorDescriptor_t grad_in_desc, void* grad_in);

/**
 * Rotated feature align: adds to each pixel the features sampled at its box, bilinearly.
 *
 * @param input,output [N, H, W, C], layout NHWC
 * @param bboxes [N, H, W, 5]: y, x, w, h in image coordinates, angle in radians
 * @param spatial_scale above 0: from image to feature coordinates
 * @param points 1 samples the centre, 5 the four corners as well
 *
 * All three have one dtype: FLOAT or HALF; DOUBLE and BFLOAT16 too unless the card's limits apply.
 *
 * BAD_PARAM: shapes, dtypes, layouts or values other than these; an empty tensor; NULL.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; H * W of 2^32 or more; under the card's limits, 2^31
 * elements or more.
 */
mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignForward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input,
    const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale,
    const int points, const mluOpTensorDescriptor_t output_desc, void* output);

/**
 * The gradient of rotated feature align with respect to its input; boxes get no gradient.
 *
 * @param top_output,bottom_input [N, H, W, C], layout NHWC; bottom_input is overwritten
 *
 * Everything else is as in mluOpRotatedFeatureAlignForward; ALLOC_FAILED also without memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignBackward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t top_output_desc,
    const void* top_output, const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes,
    const float spatial_scale, const int points, const mluOpTensorDescriptor_t bottom_input_desc,
    void* bottom_input);

/**
 * Points in boxes: the first box that contains each point. z of a box is its centre; sides have a tolerance
 * of 1e-5.
 *
 * @param points [B, M, 3]: x, y, z
 * @param boxes [B, T, 7]: x, y, z of the centre, sizes along the box's axes, heading in radians,
 *        counter-clockwise from x
 * @param points_indices [B, M], INT32: the lowest index of a box of the same batch element that contains the
 *        point, or -1
 *
 * Points and boxes have one dtype: FLOAT; HALF, DOUBLE and BFLOAT16 too unless the card's limits apply. HALF
 * and BFLOAT16 are computed in float. The layout of all three is ARRAY.
 *
 * A point is inside if |z - z_box| <= dz / 2 and, rotated into the box's axes, |x| < dx / 2 + 1e-5 and
 * |y| < dy / 2 + 1e-5; a comparison with NaN fails. Each operation is rounded separately (no FMA).
 *
 * BAD_PARAM: shapes, dtypes or layouts other than these; NULL, except for data when a tensor is empty: then
 * SUCCESS. Without boxes every index becomes -1; under the card's limits indices stay as they are, and
 * T above 23404 is BAD_PARAM.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; T of 2^31 or more; under the card's limits, points or boxes
 * of 2^31 elements or more. ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API
mluOpPointsInBoxes(mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc,
                   const void* points, const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                   const mluOpTensorDescriptor_t points_indices_desc, void* points_indices);

/* Voxelization */

/** The workspace of mluOpVoxelization: 0 bytes. */
mluOpStatus_t MLUOP_WIN_API mluOpGetVoxelizationWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc,
    const mluOpTensorDescriptor_t voxel_size_desc, const mluOpTensorDescriptor_t coors_range_desc,
    const int32_t max_points, const int32_t max_voxels, const int32_t NDim,
    const bool deterministic, const mluOpTensorDescriptor_t voxels_desc,
    const mluOpTensorDescriptor_t coors_desc,
    const mluOpTensorDescriptor_t num_points_per_voxel_desc,
    const mluOpTensorDescriptor_t voxel_num_desc, size_t* size);
/** Collects points into voxels, in the order of the points. */
mluOpStatus_t MLUOP_WIN_API mluOpVoxelization(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t points_desc, const void* points,
    const mluOpTensorDescriptor_t voxel_size_desc, const void* voxel_size,
    const mluOpTensorDescriptor_t coors_range_desc, const void* coors_range,
    const int32_t max_points, const int32_t max_voxels, const int32_t NDim,
    const bool deterministic, void* workspace, size_t workspace_size,
    const mluOpTensorDescriptor_t voxels_desc, void* voxels,
    const mluOpTensorDescriptor_t coors_desc, void* coors,
    const mluOpTensorDescriptor_t num_points_per_voxel_desc, void* num_points_per_voxel,
    const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num);

/* Dynamic point to voxel */

/**
 * The bytes of workspace that mluOpDynamicPointToVoxelForward needs: 0, because its scratch belongs to the
 * handle. BAD_PARAM: NULL.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetDynamicPointToVoxelForwardWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t feats_desc,
    const mluOpTensorDescriptor_t coors_desc, size_t* workspace_size);
/**
 * Reduces the features of points to those of their voxels, as mmcv's DynamicScatter.
 *
 * @param reduce_type MLUOP_REDUCE_DMAX, DMEAN, or DSUM, which is BAD_PARAM under the card's limits
 * @param feats [N, C]: FLOAT; HALF, DOUBLE and BFLOAT16 too unless the card's limits apply
 * @param coors [N, D], INT32, D at least 1, under the card's limits 3: the cell of each point. A point with a
 *        negative entry is invalid. Never written
 * @param workspace may be NULL if workspace_size is 0
 * @param voxel_feats [R, C], the dtype of feats, R at most N: the maximum, the mean or the sum over the points of
 *        each voxel, in ascending order of the points. NaN is never a maximum; without any other value it is -inf
 * @param voxel_coors [R, D], INT32: the distinct valid rows of coors in ascending lexicographic order
 * @param point2voxel_map [N], INT32: the voxel of each point, -1 for invalid ones
 * @param voxel_points_count [R], INT32: the number of points of each voxel
 * @param voxel_num [1], INT32: the number M of voxels
 *
 * Rows from M on become -inf (maximum) or 0 in voxel_feats, -1 in voxel_coors and 0 in voxel_points_count. HALF
 * and BFLOAT16 are summed in float.
 *
 * BAD_PARAM: shapes, dtypes or a reduce_type other than these; M above R; outputs that overlap anything; NULL.
 * Nothing is then written. Without points or channels: SUCCESS, and voxel_num, if not NULL, becomes 0.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; N of 2^31 or more; under the card's limits, feats or coors of
 * 2^31 elements or more. ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpDynamicPointToVoxelForward(
    const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type,
    const mluOpTensorDescriptor_t feats_desc, const void* feats,
    const mluOpTensorDescriptor_t coors_desc, void* coors, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t voxel_feats_desc, void* voxel_feats,
    const mluOpTensorDescriptor_t voxel_coors_desc, void* voxel_coors,
    const mluOpTensorDescriptor_t point2voxel_map_desc, void* point2voxel_map,
    const mluOpTensorDescriptor_t voxel_points_count_desc, void* voxel_points_count,
    const mluOpTensorDescriptor_t voxel_num_desc, void* voxel_num);
/**
 * The bytes of workspace that mluOpDynamicPointToVoxelBackward needs: 0, because its scratch belongs to the
 * handle. BAD_PARAM: NULL. Nothing else is tested.
 */
mluOpStatus_t MLUOP_WIN_API mluOpGetDynamicPointToVoxelBackwardWorkspaceSize(
    const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type,
    const mluOpTensorDescriptor_t grad_voxel_feats_desc, const mluOpTensorDescriptor_t feats_desc,
    const mluOpTensorDescriptor_t voxel_feats_desc,
    const mluOpTensorDescriptor_t point2voxel_map_desc,
    const mluOpTensorDescriptor_t voxel_points_count_desc,
    const mluOpTensorDescriptor_t voxel_num_desc, size_t* workspace_size);
/**
 * The gradient of mluOpDynamicPointToVoxelForward, whose tensors, dtypes and values these are; rows from
 * voxel_num[0] on are not read.
 *
 * @param reduce_type under the card's limits only MLUOP_REDUCE_DMAX
 * @param grad_voxel_feats [R, C]
 * @param grad_feats [N, C]. Maximum: the gradient of a voxel and channel goes to its lowest point whose feature
 *        equals voxel_feats, if there is one. Sum: each point has the gradient of its voxel. Mean: that over
 *        voxel_points_count. 0 for all others
 *
 * BAD_PARAM, with nothing written: voxel_num[0] below 0 or above R; an entry of point2voxel_map that is neither -1
 * nor below voxel_num[0]; for the mean, a voxel with points whose count is not positive; NULL, except for data when
 * a tensor is empty. Under the card's limits also 5 * N + 20 * C + 4 above 389120. Everything else is as in
 * mluOpDynamicPointToVoxelForward. Without points or channels: SUCCESS.
 */
mluOpStatus_t MLUOP_WIN_API mluOpDynamicPointToVoxelBackward(
    const mluOpHandle_t handle, const mluOpReduceMode_t reduce_type,
    const mluOpTensorDescriptor_t grad_voxel_feats_desc, const void* grad_voxel_feats,
    const mluOpTensorDescriptor_t feats_desc, const void* feats,
    const mluOpTensorDescriptor_t voxel_feats_desc, const void* voxel_feats,
    const mluOpTensorDescriptor_t point2voxel_map_desc, const void* point2voxel_map,
    const mluOpTensorDescriptor_t voxel_points_count_desc, const void* voxel_points_count,
    const mluOpTensorDescriptor_t voxel_num_desc, const void* voxel_num, void* workspace,
    const size_t workspace_size, const mluOpTensorDescriptor_t grad_feats_desc, void* grad_feats);

/* Rotated boxes */

/**
 * The overlap of rotated boxes, of all pairs or of pairs of equal number.
 *
 * A box is x and y of the centre, width, height, angle in radians (clockwise where y points downwards).
 *
 * @param mode 0: intersection over union; 1: over the area of the box of bbox1
 * @param aligned false: each box of bbox1 with each of bbox2; true: boxes of equal number
 * @param bbox1 [N, 5]
 * @param bbox2 [M, 5]; aligned: [N, 5]
 * @param ious [N, M]; aligned: [N]
 *
 * All three have one dtype: FLOAT; HALF, DOUBLE and BFLOAT16 too unless the card's limits apply. HALF and
 * BFLOAT16 are computed in float. Layouts do not matter. Each operation is rounded separately (no FMA). A box
 * whose width * height is below 1e-14 gives 0, and so does NaN in x, y or angle.
 *
 * BAD_PARAM: shapes, dtypes or values other than these; NULL, except for data when N or M is 0: then SUCCESS.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; under the card's limits, 2^31 elements or more, or more than
 * 10000000 pairs of equal number. ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpBoxIouRotated(mluOpHandle_t handle, const int mode,
                                               const bool aligned,
                                               const mluOpTensorDescriptor_t bbox1_desc,
                                               const void* bbox1,
                                               const mluOpTensorDescriptor_t bbox2_desc,
                                               const void* bbox2,
                                               const mluOpTensorDescriptor_t ious_desc, void* ious);

/** The workspace of mluOpNmsRotated: 0 bytes. */
mluOpStatus_t MLUOP_WIN_API mluOpGetNmsRotatedWorkspaceSize(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t boxes_desc, size_t* workspace_size);
/**
 * Non-maximum suppression of rotated boxes: boxes are taken by score, the highest first, NaN before all others,
 * equal ones by index. One that is not suppressed is kept and suppresses every later one with which its
 * intersection over union, as in mluOpBoxIouRotated, is above the threshold.
 *
 * @param iou_threshold NaN suppresses nothing; a negative one also boxes that do not meet
 * @param boxes [N, 5] as in mluOpBoxIouRotated, or [N, 6] with a label, which has no effect
 * @param scores [N]
 * @param workspace not used; may be NULL if its size is 0
 * @param output [N], INT32: the indices of the kept boxes in that order, then zeros
 * @param result_num one number: how many boxes are kept
 *
 * Boxes and scores have one dtype: FLOAT; HALF, DOUBLE and BFLOAT16 too unless the card's limits apply.
 *
 * BAD_PARAM: shapes or dtypes other than these; NULL, except for data when N is 0: then SUCCESS, and
 * result_num becomes 0 if it is not NULL.
 *
 * NOT_SUPPORTED: a tensor that is not contiguous; N above 2^31 - 65; under the card's limits, boxes of 2^31
 * elements or more. ALLOC_FAILED: no memory for scratch.
 */
mluOpStatus_t MLUOP_WIN_API mluOpNmsRotated(
    mluOpHandle_t handle, const float iou_threshold, const mluOpTensorDescriptor_t boxes_desc,
    const void* boxes, const mluOpTensorDescriptor_t scores_desc, const void* scores,
    void* workspace, size_t workspace_size, const mluOpTensorDescriptor_t output_desc, void* output,
    int32_t* result_num);

/* Non-maximum suppression */

/** Creates a descriptor; mluOpSetNmsDescriptor must fill it. */
mluOpStatus_t MLUOP_WIN_API mluOpCreateNmsDescriptor(mluOpNmsDescriptor_t* desc);
/** Destroys a descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpDestroyNmsDescriptor(mluOpNmsDescriptor_t desc);
/** Sets all values of a descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpSetNmsDescriptor(
    mluOpNmsDescriptor_t nms_desc, const mluOpNmsBoxPointMode_t box_mode,
    const mluOpNmsOutputMode_t output_mode, const mluOpNmsAlgo_t algo,
    const mluOpNmsMethodMode_t method_mode, const float iou_threshold, const float soft_nms_sigma,
    const int max_output_size, const float confidence_threshold, const float offset,
    const int input_layout, const bool pad_to_max_output_size);
/** The workspace of mluOpNms: 0 bytes. */
mluOpStatus_t MLUOP_WIN_API mluOpGetNmsWorkspaceSize(mluOpHandle_t handle,
                                                     const mluOpNmsDescriptor_t nms_desc,
                                                     const mluOpTensorDescriptor_t boxes_desc,
                                                     const mluOpTensorDescriptor_t confidence_desc,
                                                     size_t* workspace_size);
/** Non-maximum suppression of axis-aligned boxes, or of 3-D boxes that are in the order of their scores. */
mluOpStatus_t MLUOP_WIN_API mluOpNms(mluOpHandle_t handle, const mluOpNmsDescriptor_t nms_desc,
                                     const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                                     const mluOpTensorDescriptor_t confidence_desc,
                                     const void* confidence, void* workspace, size_t workspace_size,
                                     const mluOpTensorDescriptor_t output_desc, void* output,
                                     void* output_size);

/* RoI align */

/** Creates a descriptor; mluOpSetRoiAlignForwardDescriptor_v2 must fill it. */
mluOpStatus_t MLUOP_WIN_API
mluOpCreateRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t* desc);
/** Destroys a descriptor. */
mluOpStatus_t MLUOP_WIN_API
mluOpDestroyRoiAlignForwardDescriptor(mluOpRoiAlignForwardDescriptor_t desc);
/** Sets all values of a descriptor. */
mluOpStatus_t MLUOP_WIN_API mluOpSetRoiAlignForwardDescriptor_v2(
    mluOpRoiAlignForwardDescriptor_t roialign_desc, const int pooled_height, const int pooled_width,
    const int sampling_ratio, const float spatial_scale, const int pool_mode, const bool aligned);
/** Samples the map below each bin of each RoI, and takes their average or maximum. */
mluOpStatus_t MLUOP_WIN_API
mluOpRoiAlignForward_v2(mluOpHandle_t handle, const mluOpRoiAlignForwardDescriptor_t roialign_desc,
                        const mluOpTensorDescriptor_t input_desc, const void* input,
                        const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
                        const mluOpTensorDescriptor_t output_desc, void* output,
                        const mluOpTensorDescriptor_t argmax_x_desc, void* argmax_x,
                        const mluOpTensorDescriptor_t argmax_y_desc, void* argmax_y);
/** mluOpRoiAlignBackward_v2 of averages. */
mluOpStatus_t MLUOP_WIN_API mluOpRoiAlignBackward(
    mluOpHandle_t handle, const float spatial_scale, const int sampling_ratio, const bool aligned,
    const mluOpTensorDescriptor_t grads_desc, const void* grads,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t grads_image_desc, void* grads_image);
/** The gradient of mluOpRoiAlignForward_v2. */
mluOpStatus_t MLUOP_WIN_API mluOpRoiAlignBackward_v2(
    mluOpHandle_t handle, const mluOpTensorDescriptor_t grads_desc, const void* grads,
    const mluOpTensorDescriptor_t boxes_desc, const void* boxes,
    const mluOpTensorDescriptor_t argmax_x_desc, const void* argmax_x,
    const mluOpTensorDescriptor_t argmax_y_desc, const void* argmax_y, const float spatial_scale,
    const int sampling_ratio, const bool aligned, const int pool_mode,
    const mluOpTensorDescriptor_t grads_image_desc, void* grads_image);

#if defined(__cplusplus)
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* MLU_OP_H_ */
