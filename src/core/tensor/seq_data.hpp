// The descriptor of sequence data behind mluOpSeqDataDescriptor_t.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "mlu_op.h"

/// Defaults are those of a fresh descriptor.
struct mluOpSeqDataStruct {
  mluOpSeqDataLayout_t layout = MLUOP_SEQDATA_TNC;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  std::vector<std::int64_t> dims;
  std::vector<std::int64_t> lengths;
  /// The first element that was given, in size_of(dtype) bytes.
  std::array<std::byte, 8> padding{};
  bool has_padding = false;
  int position = 0;
  float scale = 1.0f;
};
