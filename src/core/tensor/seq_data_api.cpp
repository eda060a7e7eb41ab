// The functions of mlu_op.h for descriptors of sequence data.
#include "core/tensor/seq_data.hpp"

#include <cstring>
#include <utility>

#include "core/check/arguments.hpp"
#include "core/numbers/dtype.hpp"
#include "core/status/status.hpp"
#include "core/tensor/outputs.hpp"
#include "mlu_op.h"

using namespace mluop;  // NOLINT(google-build-using-namespace): the C entry points are global

namespace {

/// Every enumerator of mluOpDataType_t.
Rule known_dtype() {
  return one_of(MLUOP_DTYPE_INVALID, MLUOP_DTYPE_HALF, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_INT8,
                MLUOP_DTYPE_INT16, MLUOP_DTYPE_INT31, MLUOP_DTYPE_INT32, MLUOP_DTYPE_UINT8,
                MLUOP_DTYPE_BOOL, MLUOP_DTYPE_INT64, MLUOP_DTYPE_UINT32, MLUOP_DTYPE_UINT64,
                MLUOP_DTYPE_UINT16, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_COMPLEX_HALF,
                MLUOP_DTYPE_COMPLEX_FLOAT, MLUOP_DTYPE_BFLOAT16);
}

}  // namespace

mluOpStatus_t mluOpCreateSeqDataDescriptor(mluOpSeqDataDescriptor_t* seq_data_desc) {
  return guarded(__func__, [&] {
    require_present({{"seq_data_desc", seq_data_desc}});
    *seq_data_desc = new mluOpSeqDataStruct;
  });
}

mluOpStatus_t mluOpSetSeqDataDescriptor_v2(mluOpSeqDataDescriptor_t seq_data_desc,
                                           mluOpSeqDataLayout_t layout, mluOpDataType_t dtype,
                                           int dimNb, const int64_t dimSize[],
                                           int seqLengthArraySize, const int seqLengthArray[],
                                           void* paddingFill) {
  return guarded(__func__, [&] {
    require_present({{"seq_data_desc", seq_data_desc}, {"dimSize", dimSize}});
    require("layout", layout, at_least(MLUOP_SEQDATA_TNC));
    require("layout", layout, at_most(MLUOP_SEQDATA_NT));
    require("dtype", dtype, known_dtype());
    require("dimNb", dimNb, at_least(1));
    require("dimNb", dimNb, at_most(MLUOP_DIM_MAX));
    require("seqLengthArraySize", seqLengthArraySize, at_least(0));
    require_each("dimSize", dimSize, static_cast<std::size_t>(dimNb), at_least(0));
    if (seqLengthArraySize > 0) require_present({{"seqLengthArray", seqLengthArray}});
    require_each("seqLengthArray", seqLengthArray, static_cast<std::size_t>(seqLengthArraySize),
                 at_least(1));

    mluOpSeqDataStruct next = *seq_data_desc;
    next.layout = layout;
    next.dtype = dtype;
    next.dims.assign(dimSize, dimSize + dimNb);
    next.lengths.assign(seqLengthArray, seqLengthArray + seqLengthArraySize);
    next.has_padding = paddingFill != nullptr;
    if (next.has_padding) std::memcpy(next.padding.data(), paddingFill, size_of(dtype));
    *seq_data_desc = std::move(next);
  });
}

mluOpStatus_t mluOpGetSeqDataDescriptor_v2(const mluOpSeqDataDescriptor_t seq_data_desc,
                                           mluOpSeqDataLayout_t* layout, mluOpDataType_t* dtype,
                                           int* dimNb, int64_t dimSize[],
                                           int64_t* seqLengthArraySize, int64_t seqLengthArray[],
                                           void* paddingFill) {
  return guarded(__func__, [&] {
    require_present({{"seq_data_desc", seq_data_desc}});
    store(layout, seq_data_desc->layout);
    store(dtype, seq_data_desc->dtype);
    store(dimNb, static_cast<int>(seq_data_desc->dims.size()));
    store(dimSize, seq_data_desc->dims);
    store(seqLengthArraySize, static_cast<std::int64_t>(seq_data_desc->lengths.size()));
    store(seqLengthArray, seq_data_desc->lengths);
    if (paddingFill != nullptr && seq_data_desc->has_padding) {
      std::memcpy(paddingFill, seq_data_desc->padding.data(), size_of(seq_data_desc->dtype));
    }
  });
}

mluOpStatus_t mluOpSetSeqDataDescriptorPositionAndScale(mluOpSeqDataDescriptor_t seq_data_desc,
                                                        int position, float scale) {
  return guarded(__func__, [&] {
    require_present({{"seq_data_desc", seq_data_desc}});
    seq_data_desc->position = position;
    seq_data_desc->scale = scale;
  });
}

mluOpStatus_t mluOpDestroySeqDataDescriptor(mluOpSeqDataDescriptor_t seq_data_desc) {
  return guarded(__func__, [&] {
    require_present({{"seq_data_desc", seq_data_desc}});
    delete seq_data_desc;
  });
}
