// The text of a case file but for the data of its tensors.
#pragma once

#include <string>

#include "recorder/description.hpp"

namespace mluop::recorder {

/// The lines before the tensors.
std::string opening_text(const Description& call);

/// A tensor up to its data, "input {" or "output {" included; "}" is left to the caller.
std::string tensor_text(const char* kind, const Tensor& tensor);

/// What stands where an input has no data.
std::string random_text(const Bounds& bounds);

/// The lines behind the tensors: parameters of the operator, of the handle and of the test.
std::string closing_text(const Description& call);

}  // namespace mluop::recorder
