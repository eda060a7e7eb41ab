// The data of a tensor in a case file, from whichever source, as bytes of the tensor's dtype.
#pragma once

#include "casefile/mlu_op_test.pb.h"
#include "casefile/place.hpp"
#include "casefile/side_file.hpp"
#include "testing/host_tensor.hpp"

namespace mluop::casefile {

bool has_data(const mluoptest::Tensor& tensor);

/// Fills `target` from the first source that there is; throws CaseError. With strides, values may
/// cover all of the memory or just the elements.
void load_data(const mluoptest::Tensor& tensor, const Place& place, const SideFiles& side_files,
               testing::HostTensor& target);

}  // namespace mluop::casefile
