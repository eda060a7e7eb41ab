// The text of a case file without the data of its tensors.
#pragma once

#include <string>

#include "recorder/description.hpp"

namespace mluop::recorder {

/// The lines before the tensors.
std::string opening_text(const Description& call);

/// A tensor up to its data, including "input {" or "output {"; the caller adds "}".
std::string tensor_text(const char* kind, const Tensor& tensor);

/// The `random_data` of an input without data.
std::string random_text(const Bounds& bounds);

/// The lines after the tensors: parameters of the operator, the handle and the test.
std::string closing_text(const Description& call);

}  // namespace mluop::recorder
