// The data of a tensor in a case file, from any source, as bytes of its dtype.
#pragma once

#include "casefile/mlu_op_test.pb.h"
#include "casefile/place.hpp"
#include "casefile/side_file.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::casefile {

bool has_data(const mluoptest::Tensor& tensor);

/// Fills `target` from the first source of the tensor; throws CaseError. With strides, values may cover all
/// of the memory or only the elements.
void load_data(const mluoptest::Tensor& tensor, const Place& place, const SideFiles& side_files,
               testing::HostTensor& target);

}  // namespace mluop::casefile
