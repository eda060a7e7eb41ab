/*
 * Every enumerator has the value of the interface that it belongs to; a wrong one does not compile. Values are
 * part of the binary interface: they never change.
 */
#include "cnrt.h"

/* C89 has no static assertions. */
#define IS(name, value) typedef char name##_is[(long)(name) == (value) ? 1 : -1]

/* cnrt.h, as CNRT 6.14 has them */
IS(cnrtErrorQueueCaptureInvalidated, 100361);
IS(cnrtErrorQueueCaptureWrongThread, 100362);
IS(cnrtErrorQueueCaptureMerged, 100363);
IS(cnrtErrorQueueCaptureUnjoined, 100364);
IS(cnrtErrorQueueCaptureIsolation, 100365);
IS(cnrtComputeModeDefault, 0);
IS(cnrtComputeModeExclusiveProcess, 1);
IS(cnrtAttrComputeCapabilityMinor, 0x02);
IS(cnrtAttrSparseComputingSupported, 0x03);
IS(cnrtAttrFP16ComputingSupported, 0x04);
IS(cnrtAttrINT4ComputingSupported, 0x05);
IS(cnrtAttrINT8ComputingSupported, 0x06);
IS(cnrtAttrBF16ComputingSupported, 0x07);
IS(cnrtAttrTF32ComputingSupported, 0x08);
IS(cnrtAttrNotifierSize, 0x102);
IS(cnrtAttrSupportQueuePriorities, 0x103);
IS(cnrtAttrTinyCoreSupported, 0x104);
IS(cnrtAttrCodecJPEGSupported, 0x105);
IS(cnrtAttrCodecH264Supported, 0x106);
IS(cnrtAttrCodecH265Supported, 0x107);
IS(cnrtAttrAIIspCoreSupported, 0x108);
IS(cnrtAttrMultiCtxNotifierWaitSupported, 0x109);
IS(cnrtAttrMaxDimY, 0x202);
IS(cnrtAttrMaxDimZ, 0x203);
IS(cnrtAttrMaxClusterCountPerUnionTask, 0x204);
IS(cnrtAttrMaxQuadrantCount, 0x207);
IS(cnrtAttrMaxUnionTypePerQuadrant, 0x208);
IS(cnrtAttrMaxClusterPerUnionLimitTask, 0x209);
IS(cnrtAttrTotalConstMemorySize, 0x304);
IS(cnrtAttrLmemSizePerMcore, 0x305);
IS(cnrtAttrIpuClockRate, 0x402);
IS(cnrtAttrMemClockRate, 0x403);
IS(cnrtAttrGmemBusWidth, 0x404);
IS(cnrtAttrPciBusID, 0x406);
IS(cnrtAttrPciDeviceID, 0x407);
IS(cnrtAttrPciDomainID, 0x408);
IS(cnrtAttrCanMapHostMemory, 0x1000000);
IS(cnrtAttrCanSetQueueSize, 0x1000001);
IS(cnrtAttrCanSetNotifierSize, 0x1000002);
IS(cnrtAttrConcurrentKernels, 0x1000003);
IS(cnrtAttrSupportManagedMem, 0x1000005);
IS(cnrtAttrSupportNativeAtomic, 0x1000006);
IS(cnrtAttrSupportPageableMemAccess, 0x1000007);
IS(cnrtAttrCanUseHostPointer, 0x1000008);
IS(cnrtAttrCacheSize, 0x100000a);
IS(cnrtDeviceFlagsMaxNum, 4);
IS(cnrtUvaNotSupport, -1);
IS(cnrtUvaUnknown, 0);
IS(cnrtUvaUnCached, 1);
IS(cnrtUvaCached, 2);
IS(cnrtInvalid, 0x0);
IS(CNRT_RET_WARNING_FAKE_DEVICE, 1);
IS(CNRT_RET_ERR_ACCES, 632012);
IS(CNRT_RET_ERR_ACCESS, 632012);
IS(CNRT_RET_ERR_FAULT, 632013);
IS(CNRT_RET_ERR_BUSY, 632014);
IS(CNRT_RET_ERR_NORES, 632019);
IS(CNRT_RET_ERR_UNSUPPORTED, 632020);
IS(CNRT_RET_ERR_INVALID_POINTER, 632021);
IS(CNRT_RET_ERR_NO_EXIST, 632022);
IS(CNRT_RET_ERR_BROKEN, 632023);
IS(CNRT_RET_ERR_INIT, 632024);
IS(CNRT_RET_ERR_QUEUE, 632025);
IS(CNRT_RET_ERR_OUT_RANGE, 632026);
IS(CNRT_RET_ERR_FUNC_CALL, 632028);
IS(CNRT_RET_ERR_UNHANDLED, 632029);
IS(CNRT_RET_ERR_INVALID_TYPE, 632030);
IS(CNRT_RET_ERR_INVALID_OP, 632031);
IS(CNRT_RET_ERR_RESHAPE, 632035);
IS(CNRT_RET_ERR_MEMCPY, 632036);
IS(CNRT_RET_ERR_ENCRYPT, 632037);
IS(CNRT_RET_ERR_INVALID_DATADESC, 632038);
IS(CNRT_RET_ERR_MAP, 632039);
IS(CNRT_RET_ERR_UNMAP, 632040);
IS(CNRT_RET_ERR_CACHE, 632041);
IS(CNRT_RET_ERR_FIND_DEV_ADDR, 632042);
IS(CNRT_RET_ERR_KERNEL_VERSION_TOO_HIGH, 632043);
IS(CNRT_RET_ERR_CNDRV_FUNC_CALL, 632046);
IS(CNRT_RET_ERR_CNDEV_FUNC_CALL, 632047);
IS(CNRT_RET_ERR_IO, 632048);
IS(CNRT_RET_ERR_TIMEOUT, 632049);
IS(CNRT_RET_ERR_NOSYS, 632050);
IS(CNRT_RET_ERR_AGAIN, 632051);
IS(CNRT_RET_ERR_EXIST, 632052);
IS(CNRT_RET_ERR_MATH_OVERFLOW, 632053);
IS(CNRT_RET_ERR_MLU, 632054);
IS(CNRT_RET_ERR_ONCHIP_CORE, 632055);
IS(CNRT_RET_ERR_GET_MEM_RANGE, 632056);
IS(CNRT_RET_ERR_GET_MEM_INFO, 632057);
IS(CNRT_RET_ERR_EVENT, 632058);
IS(CNRT_RET_ERR_NOTIFIER, 632059);
IS(CNRT_RET_ERR_GET_IMP_DEV, 632060);
IS(CNRT_RET_ERR_MAX, cnrtErrorMax);
IS(CNRT_QUEUE_SYNC_SPIN, cnrtDeviceScheduleSpin);
IS(CNRT_QUEUE_SYNC_BLOCK, cnrtDeviceScheduleBlock);
IS(CNRT_QUEUE_SYNC_YIELD, cnrtDeviceScheduleYield);
IS(CNRT_FUNC_TYPE_BLOCK0, cnrtFuncTypeBlock0);
IS(CNRT_FUNC_TYPE_BLOCK1, cnrtFuncTypeBlock1);
IS(CNRT_FUNC_TYPE_MUTABLE, cnrtFuncTypeMutable);
IS(CNRT_JOB_TYPE_BLOCK, cnrtJobTypeBlock);
IS(CNRT_JOB_TYPE_UNION1, cnrtJobTypeUnion1);
IS(CNRT_JOB_TYPE_UNION2, cnrtJobTypeUnion2);
IS(CNRT_JOB_TYPE_UNION4, cnrtJobTypeUnion4);
IS(CNRT_INVALID, cnrtInvalid);
IS(CNRT_FLOAT64, cnrtFloat64);
IS(CNRT_INT4, cnrtInt4);
IS(CNRT_INT32, cnrtInt32);
IS(CNRT_INT64, cnrtInt64);
IS(CNRT_AUTO, cnrtAuto);
IS(CNRT_UINT16, cnrtUInt16);
IS(CNRT_UINT32, cnrtUInt32);
IS(CNRT_FIX8, cnrtFix8);
IS(CNRT_QUANT8, cnrtQuant8);

IS(cnrtSuccess, 0);
IS(cnrtErrorNotReady, 1);
IS(cnrtErrorInit, 100002);
IS(cnrtErrorNoDevice, 100004);
IS(cnrtErrorDeviceInvalid, 100005);
IS(cnrtErrorArgsInvalid, 100006);
IS(cnrtErrorSys, 100007);
IS(cnrtErrorSysNoMem, 100010);
IS(cnrtErrorInvalidResourceHandle, 100014);
IS(cnrtErrorIllegalState, 100015);
IS(cnrtErrorNotSupport, 100050);
IS(cnrtErrorOpsNotPermitted, 100051);
IS(cnrtErrorQueue, 100060);
IS(cnrtErrorNoMem, 100100);
IS(cnrtErrorAssert, 100128);
IS(cnrtErrorKernelTrap, 100132);
IS(cnrtErrorKernelUserTrap, 100133);
IS(cnrtErrorNotFound, 100301);
IS(cnrtErrorInvalidKernel, 100302);
IS(cnrtErrorUnsupportedKernelVersion, 100303);
IS(cnrtErrorQueueCaptureUnsupported, 100360);
IS(cnrtErrorQueueCaptureUnmatched, 100366);
IS(cnrtErrorTaskTopoEntityUpdateFailure, 100400);
IS(cnrtErrorNoKernel, 101312);
IS(cnrtErrorNoModule, 101315);
IS(cnrtErrorSetOnActiveProcess, 632002);
IS(cnrtErrorDevice, 632006);
IS(cnrtErrorNoAttribute, 632009);
IS(cnrtErrorMemcpyDirectionInvalid, 632013);
IS(cnrtErrorBusy, 632014);
IS(cnrtErrorCndrvFuncCall, 632015);
IS(cnrtErrorCndevFuncCall, 632017);
IS(cnrtErrorNoCnrtContext, 632019);
IS(cnrtErrorCndrvFuncNotFound, 632020);
IS(cnrtErrorInvalidSymbol, 632100);
IS(cnrtErrorUnknown, 999991);
IS(cnrtErrorMax, 999992);

IS(CNRT_RET_SUCCESS, 0);
IS(CNRT_RET_ERR_NOT_READY, 632006);
IS(CNRT_RET_ERR_INVALID, 632007);
IS(CNRT_RET_ERR_NOMEM, 632008);
IS(CNRT_RET_ERR_NODEV, 632009);
IS(CNRT_RET_ERR_SYS, 632011);
IS(CNRT_RET_ERR_LOAD_MODULE, 632061);
IS(CNRT_RET_ERR_UNKNOWN, 999991);

IS(cnrtMemcpyHostToDev, 0);
IS(cnrtMemcpyDevToDev, 1);
IS(cnrtMemcpyDevToHost, 2);
IS(cnrtMemcpyHostToHost, 3);
IS(cnrtMemcpyPeerToPeer, 4);
IS(cnrtMemcpyNoDirection, 5);

IS(CNRT_MEM_TRANS_DIR_HOST2DEV, 0);
IS(CNRT_MEM_TRANS_DIR_DEV2DEV, 1);
IS(CNRT_MEM_TRANS_DIR_DEV2HOST, 2);
IS(CNRT_MEM_TRANS_DIR_HOST2HOST, 3);
IS(CNRT_MEM_TRANS_DIR_PEER2PEER, 4);
IS(CNRT_MEM_TRANS_DIR_NODIR, 5);

IS(cnrtFuncTypeBlock, 1);
IS(cnrtFuncTypeBlock0, 1);
IS(cnrtFuncTypeBlock1, 2);
IS(cnrtFuncTypeUnion1, 4);
IS(cnrtFuncTypeUnion2, 8);
IS(cnrtFuncTypeUnion4, 16);
IS(cnrtFuncTypeUnion8, 32);
IS(cnrtFuncTypeUnion16, 64);
IS(cnrtFuncTypeMutable, -1);

IS(CNRT_FUNC_TYPE_BLOCK, 1);
IS(CNRT_FUNC_TYPE_UNION1, 4);
IS(CNRT_FUNC_TYPE_UNION2, 8);
IS(CNRT_FUNC_TYPE_UNION4, 16);
IS(CNRT_FUNC_TYPE_UNION8, 32);
IS(CNRT_FUNC_TYPE_UNION16, 64);

IS(cnrtJobTypeBlock, 1);
IS(cnrtJobTypeUnion1, 4);
IS(cnrtJobTypeUnion2, 8);
IS(cnrtJobTypeUnion4, 16);

IS(cnrtFloat16, 0x12);
IS(cnrtFloat32, 0x13);
IS(cnrtFloat64, 0x14);
IS(cnrtInt4, 0x20);
IS(cnrtInt8, 0x21);
IS(cnrtInt16, 0x22);
IS(cnrtInt32, 0x23);
IS(cnrtInt64, 0x24);
IS(cnrtAuto, 0x25);
IS(cnrtUInt8, 0x31);
IS(cnrtUInt16, 0x32);
IS(cnrtUInt32, 0x33);
IS(cnrtFix8, 0x41);
IS(cnrtQuant8, 0x51);
IS(cnrtBool, 0x61);

IS(CNRT_FLOAT16, 0x12);
IS(CNRT_FLOAT32, 0x13);
IS(CNRT_INT8, 0x21);
IS(CNRT_INT16, 0x22);
IS(CNRT_UINT8, 0x31);
IS(CNRT_BOOL, 0x61);

IS(cnrtUnknown, 0);
IS(cnrtDouble, 1);
IS(cnrtFloat, 2);
IS(cnrtHalf, 3);
IS(cnrtBfloat, 4);
IS(cnrtUlonglong, 0x11);
IS(cnrtUint, 0x12);
IS(cnrtUshort, 0x13);
IS(cnrtUchar, 0x14);
IS(cnrtLonglong, 0x21);
IS(cnrtInt, 0x22);
IS(cnrtShort, 0x23);
IS(cnrtChar, 0x24);
IS(cnrtBoolean, 0x31);

IS(cnrtRounding_rn, 0);
IS(cnrtRounding_rz, 1);
IS(cnrtRounding_rd, 2);
IS(cnrtRounding_ru, 3);
IS(cnrtRounding_ro, 4);
IS(cnrtRounding_rm, 5);
IS(cnrtRounding_max, 6);

IS(cnrtMemTypeUnregistered, 0);
IS(cnrtMemTypeHost, 1);
IS(cnrtMemTypeDevice, 2);

IS(CNRT_NOTIFIER_DEFAULT, 0);
IS(CNRT_NOTIFIER_DISABLE_TIMING_SW, 2);
IS(CNRT_NOTIFIER_DISABLE_TIMING, 2);
IS(CNRT_NOTIFIER_DISABLE_TIMING_ALL, 4);
IS(CNRT_NOTIFIER_INTERPROCESS, 8);

IS(cnrtDeviceScheduleSpin, 0);
IS(cnrtDeviceScheduleBlock, 1);
IS(cnrtDeviceScheduleYield, 2);
IS(cnrtDeviceScheduleAuto, 3);

IS(cnrtAttrComputeCapabilityMajor, 0x01);
IS(cnrtAttrComputeMode, 0x09);
IS(cnrtAttrQueueSize, 0x101);
IS(cnrtAttrIPCNotifierSupported, 0x10a);
IS(cnrtAttrMaxDimX, 0x201);
IS(cnrtAttrClusterCount, 0x205);
IS(cnrtAttrMcorePerCluster, 0x206);
IS(cnrtAttrISAVersion, 0x20a);
IS(cnrtAttrIsMultipleTensorProcessor, 0x20b);
IS(cnrtAttrMaxL2CacheSize, 0x301);
IS(cnrtAttrNramSizePerMcore, 0x302);
IS(cnrtAttrWramSizePerMcore, 0x303);
IS(cnrtAttrSramSizePerMcore, 0x306);
IS(cnrtAttrGlobalMemoryNodeCount, 0x307);
IS(cnrtAttrMaxPersistingL2CacheSize, 0x309);
IS(cnrtAttrAvailableGlobalMemorySize, 0x312);
IS(cnrtAttrEccEnable, 0x401);
IS(cnrtAttrTotalMemSize, 0x405);
IS(cnrtAttrMDRMemorySize, 0x409);
IS(cnrtAttrUnsupportedFlag, 0xffffff);
IS(cnrtAttrSupportUnifiedAddr, 0x1000004);
IS(cnrtAttrSupportHostRegsiter, 0x1000009);
IS(cnrtAttrMaxNum, 0x100000b);

IS(CNRT_MAJOR_VERSION, 6);
IS(CNRT_MINOR_VERSION, 14);
IS(CNRT_PATCH_VERSION, 1);
IS(CNRT_VERSION, 61401);

/* Structures that the vendor's headers define. */
typedef char cnrtDim3_t_is[sizeof(cnrtDim3_t) == 12 ? 1 : -1];
typedef char cnrtPointerAttributes_t_is[sizeof(cnrtPointerAttributes_t) == 48 ? 1 : -1];
typedef char
    cnrtDeviceProp_t_is[sizeof(cnrtDeviceProp_t) == 256 + 46 * 4 + 16 + 8 + 30 * 4 ? 1 : -1];
typedef char CNctxConfigParam_is[sizeof(CNctxConfigParam) == 8 ? 1 : -1];

/* An enumeration is an int, in C and in every C++. */
typedef char cnrtRet_t_is[sizeof(cnrtRet_t) == sizeof(int) ? 1 : -1];
typedef char CNresult_is[sizeof(CNresult) == sizeof(int) ? 1 : -1];
