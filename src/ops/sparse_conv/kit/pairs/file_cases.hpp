// get_indice_pairs as case files describe it.
#pragma once

#include <memory>

#include "testing/suite/file_case.hpp"

namespace mluop::sparse_conv {

/// get_indice_pairs_param; indices -> out_indices, indice_pairs, indice_num, which is not the order of
/// the C API.
std::unique_ptr<testing::FileCall> pairs_from_file(testing::FileCase file);

}  // namespace mluop::sparse_conv
