// The parts of a case: tensors in order, parameters, thresholds, baseline.
#include "casefile/node.hpp"

#include <string>
#include <utility>
#include <vector>

#include "casefile/elements.hpp"
#include "casefile/operator_name.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::casefile {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using mluoptest::Node;
using testing::Criterion;
using testing::FileParams;
using testing::FileTensor;
using testing::Measure;

Measure measure_of(mluoptest::EvaluationCriterion criterion) {
  switch (criterion) {
    case mluoptest::MAPE:
    case mluoptest::DIFF1:
      return Measure::diff1;
    case mluoptest::DIFF2:
      return Measure::diff2;
    case mluoptest::MAXAPE:
    case mluoptest::DIFF3:
      return Measure::diff3;
    case mluoptest::DIFF3_2:
      return Measure::diff3_2;
    case mluoptest::DIFF4:
      return Measure::diff4;
  }
  return Measure::diff1;
}

using Measures = google::protobuf::RepeatedField<int>;
using Thresholds = google::protobuf::RepeatedField<double>;

std::vector<Criterion> paired(const Measures& measures, const Thresholds& thresholds,
                              const Place& place, const char* field, const char* measures_field) {
  if (measures.size() != thresholds.size()) {
    place.fail(field, sentence("has ", thresholds.size(), " entries for the ", measures.size(),
                               " of ", measures_field));
  }
  std::vector<Criterion> criteria;
  criteria.reserve(static_cast<std::size_t>(measures.size()));
  for (int i = 0; i < measures.size(); ++i) {
    criteria.push_back(
        {measure_of(static_cast<mluoptest::EvaluationCriterion>(measures[i])), thresholds[i]});
  }
  return criteria;
}

/// Priority: test_param, thresholds of the node, thresholds of the output.
std::vector<Criterion> criteria_of(const Node& node, int output, const Place& place,
                                   const Place& output_place) {
  const mluoptest::TestParam& param = node.test_param();
  if (param.error_func_size() > 0 || param.error_threshold_size() > 0) {
    return paired(param.error_func(), param.error_threshold(), place.nested("test_param", param),
                  "error_threshold", "error_func");
  }
  if (node.evaluation_threshold_size() > 0) {
    return paired(node.evaluation_criterion(), node.evaluation_threshold(), place,
                  "evaluation_threshold", "evaluation_criterion");
  }
  const mluoptest::Thresholds& own = node.output(output).thresholds();
  if (node.evaluation_criterion_size() == 0 && own.evaluation_threshold_size() == 0) return {};
  return paired(node.evaluation_criterion(), own.evaluation_threshold(),
                output_place.nested("thresholds", own), "evaluation_threshold",
                "evaluation_criterion");
}

/// `device`, else test_param, else the computed reference.
bool has_stored_baseline(const Node& node) {
  if (node.has_device()) return node.device() == mluoptest::GPU;
  return node.test_param().baseline_device() == mluoptest::GPU;
}

FileTensor read_input(const Node& node, int index, const Place& place,
                      const SideFiles& side_files) {
  const Place here = place.nested("input", node.input(index), index);
  FileTensor input = read_tensor(node.input(index), here);
  if (input.null()) return input;
  if (!has_data(node.input(index)) && input.tensor.count() > 0) {
    here.fail("",
              "has no data: one of value_h, value_f, value_i, value_l, value_ui, value_ul, "
              "path, random_data is needed");
  }
  if (has_data(node.input(index))) {
    load_data(node.input(index), here, side_files, input.tensor);
  }
  return input;
}

FileTensor read_output(const Node& node, int index, bool stored, const Place& place,
                       const SideFiles& side_files) {
  const mluoptest::Tensor& tensor = node.output(index);
  const Place here = place.nested("output", tensor, index);
  FileTensor output = read_tensor(tensor, here);
  output.compared = tensor.threshold_use() != 0;
  if (output.null() || !output.compared) return output;
  output.criteria = criteria_of(node, index, place, here);
  if (!stored) return output;
  if (!has_data(tensor) && output.tensor.count() > 0) {
    here.fail("", "has no values, though the baseline is that of another device");
  }
  if (has_data(tensor)) load_data(tensor, here, side_files, output.tensor);
  output.stored = output.tensor.values();
  output.tensor.poison();
  return output;
}

FileParams::Numbers numbers_of(const Message& message, const FieldDescriptor& field) {
  const auto* reflection = message.GetReflection();
  FileParams::Numbers numbers;
  const int count = field.is_repeated() ? reflection->FieldSize(message, &field) : 1;
  for (int i = 0; i < count; ++i) {
    const bool list = field.is_repeated();
    switch (field.cpp_type()) {
      case FieldDescriptor::CPPTYPE_FLOAT:
        numbers.reals.push_back(list ? reflection->GetRepeatedFloat(message, &field, i)
                                     : reflection->GetFloat(message, &field));
        break;
      case FieldDescriptor::CPPTYPE_INT64:
        numbers.integers.push_back(list ? reflection->GetRepeatedInt64(message, &field, i)
                                        : reflection->GetInt64(message, &field));
        break;
      case FieldDescriptor::CPPTYPE_ENUM:
        numbers.integers.push_back(list ? reflection->GetRepeatedEnumValue(message, &field, i)
                                        : reflection->GetEnumValue(message, &field));
        break;
      case FieldDescriptor::CPPTYPE_BOOL:
        numbers.integers.push_back(list ? reflection->GetRepeatedBool(message, &field, i)
                                        : reflection->GetBool(message, &field));
        break;
      default:
        numbers.integers.push_back(list ? reflection->GetRepeatedInt32(message, &field, i)
                                        : reflection->GetInt32(message, &field));
    }
  }
  return numbers;
}

/// Fields that are set, lists, and fields with a default.
FileParams params_of(const Message& message, const FieldDescriptor& field, const Place& place,
                     int line) {
  FileParams params(field.name(), line);
  const auto* descriptor = message.GetDescriptor();
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor& one = *descriptor->field(i);
    const bool set = one.is_repeated() || one.has_default_value() ||
                     message.GetReflection()->HasField(message, &one);
    if (!set) continue;
    FileParams::Numbers numbers = numbers_of(message, one);
    numbers.line = place.line_of(one.name());
    params.add(one.name(), std::move(numbers));
  }
  return params;
}

/// The only operator message of the file; empty without one.
FileParams read_params(const Node& node, const Place& place) {
  const auto* descriptor = node.GetDescriptor();
  const auto* reflection = node.GetReflection();
  FileParams params;
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor& field = *descriptor->field(i);
    const bool of_operator = field.name().ends_with("_param") && field.name() != "test_param" &&
                             field.name() != "handle_param";
    if (!of_operator || !reflection->HasField(node, &field)) continue;
    const char* name = field.name().c_str();
    if (!params.message().empty()) {
      place.fail(name, sentence("is one too many, the file already has ", params.message()));
    }
    const Message& message = reflection->GetMessage(node, &field);
    params = params_of(message, field, place.nested(name, message), place.line_of(name));
  }
  return params;
}

}  // namespace

testing::FileCase read_node(const Node& node, const Place& place, const Limits& limits) {
  if (!node.has_op_name()) place.fail("op_name", "is missing");
  if (const std::string problem = problem_of_operator(node.op_name()); !problem.empty()) {
    place.fail("op_name", problem);
  }
  expect_memory(node, place, limits.memory);
  testing::FileCase result;
  result.op = node.op_name();
  result.params = read_params(node, place);
  result.stored_baseline = has_stored_baseline(node);
  for (int i = 0; i < node.input_size(); ++i) {
    result.inputs.push_back(read_input(node, i, place, limits.side_files));
  }
  for (int i = 0; i < node.output_size(); ++i) {
    result.outputs.push_back(
        read_output(node, i, result.stored_baseline, place, limits.side_files));
  }
  return result;
}

}  // namespace mluop::casefile
