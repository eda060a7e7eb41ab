// What a call says of itself, so that it can be recorded as a test case.
#pragma once

#include <string>
#include <vector>

#include "core/check.hpp"

namespace mluop::recorder {

/// How much a case needs the contents of an input: every level includes the ones before it.
enum class Need {
  always,     // a case with anything else might be refused
  structure,  // indices and boxes: with random ones the call would hardly do anything
  values,     // the contract asks for real data where data is recorded
  nothing     // random numbers do as well
};

/// Where the random numbers lie that replace the contents of an input.
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
  std::vector<Tensor> outputs;  // likewise; no descriptor or no data: the caller gave none
  const char* parameters_name;  // null: the operator has no numbers
  std::vector<Parameter> parameters;
  /// Whose rounding mode the case states; null if it states none.
  const mluOpContext* handle = nullptr;
  std::vector<Criterion> criteria = {{"DIFF1", 0.003}, {"DIFF2", 0.003}};
};

}  // namespace mluop::recorder
