// The three convolutions as case files describe them.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::sparse_conv {

/// Whichever of the three file.op names. Files list the tensors in this order:
///   forward          features, filters, indice_pairs -> features_out
///   backward_data    output_grad, filters, indice_pairs -> input_grad
///   backward_filter  features, output_grad, indice_pairs -> filters_grad
std::unique_ptr<testing::FileCall> convolution_from_file(testing::FileCase file);

}  // namespace mluop::sparse_conv
