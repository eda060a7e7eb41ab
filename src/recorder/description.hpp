// The description of a call for the recorder.
#pragma once

#include <string>
#include <vector>

#include "core/check/check.hpp"

namespace mluop::recorder {

/// How much a case needs the real contents of an input, in descending order.
enum class Need {
  always,     // the case might be invalid with other contents
  structure,  // indices and boxes: with random ones the call would do little work
  values,     // real data in modes that record data
  nothing     // random numbers are sufficient
};

/// The range of the random numbers that replace the contents of an input.
struct Bounds {
  double lower = -1, upper = 1;
};

struct Input {
  Tensor tensor;  // named as in case files
  Need need = Need::nothing;
  Bounds bounds = {};
};

struct Parameter {
  const char* name;
  std::string value;
};

struct Criterion {
  const char* measure;
  double threshold;
};

struct Description {
  std::string op;
  std::vector<Input> inputs;    // in the order of case files
  std::vector<Tensor> outputs;  // likewise; null descriptor or data if the caller omitted it
  const char* parameters_name;  // null: the operator has no parameters
  std::vector<Parameter> parameters;
  /// The handle whose rounding mode is recorded; null if none is.
  const mluOpContext* handle = nullptr;
  std::vector<Criterion> criteria = {{"DIFF1", 0.003}, {"DIFF2", 0.003}};
};

}  // namespace mluop::recorder
