// Messages of the case format, in the order of MLU-OPS.
#include "recorder/text/case_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/numbers/dtype.hpp"
#include "core/tensor/tensor_descriptor.hpp"
#include "recorder/text/values.hpp"

namespace mluop::recorder {
namespace {

std::string line(int depth, const std::string& name, const std::string& value) {
  return std::string(static_cast<std::size_t>(2 * depth), ' ') + name + ": " + value + '\n';
}

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string shape_text(const mluOpTensorStruct& desc) {
  std::string text = "  shape {\n";
  for (std::int64_t dim : desc.dims) text += line(2, "dims", text_of(dim));
  // Checked tensors are dense: only strides of dims of size 1 can differ. Keep those of the call.
  if (desc.strides != dense_strides(desc.dims)) {
    for (std::int64_t stride : desc.strides) text += line(2, "dim_stride", text_of(stride));
  }
  return text + "  }\n";
}

std::string round_mode_text(mluOpQuantizeRoundMode_t mode) {
  static constexpr std::array names{"ROUND_TO_EVEN", "ROUND_HALF_UP", "ROUND_OFF_ZERO"};
  return names[static_cast<std::size_t>(mode)];
}

}  // namespace

std::string opening_text(const Description& call) {
  std::string type = call.op;
  std::transform(type.begin(), type.end(), type.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return line(0, "op_name", quoted(call.op)) + line(0, "op_type", type);
}

std::string tensor_text(const char* kind, const Tensor& tensor) {
  if (tensor.desc == nullptr) {  // the format has no tensor without a descriptor
    const mluOpTensorStruct any{.dims = {1}, .strides = {1}, .dtype = MLUOP_DTYPE_INT32};
    return tensor_text(kind, {tensor.name, &any});
  }
  const mluOpTensorStruct& desc = *tensor.desc;
  std::string text = std::string{kind} + " {\n";
  text += line(1, "id", quoted(std::string{tensor.name} + (tensor.data == nullptr ? "_NULL" : "")));
  text += shape_text(desc);
  text += line(1, "layout", std::string{"LAYOUT_"} + name_of(desc.layout));
  text += line(1, "dtype", std::string{"DTYPE_"} + name_of(desc.dtype));
  if (desc.onchip_dtype != MLUOP_DTYPE_INVALID) {
    text += line(1, "onchip_dtype", std::string{"DTYPE_"} + name_of(desc.onchip_dtype));
  }
  text += line(1, "position", text_of(desc.position));
  text += line(1, "scale", decimals_of(desc.scale));
  return text + line(1, "offset", text_of(desc.offset));
}

std::string random_text(const Bounds& bounds) {
  return "  random_data {\n" + line(2, "seed", "233") + line(2, "distribution", "UNIFORM") +
         line(2, "upper_bound", text_of(bounds.upper)) +
         line(2, "lower_bound", text_of(bounds.lower)) + "  }\n";
}

std::string closing_text(const Description& call) {
  std::string text;
  if (call.parameters_name != nullptr) {
    text += std::string{call.parameters_name} + " {\n";
    for (const auto& [name, value] : call.parameters) text += line(1, name, value);
    text += "}\n";
  }
  if (call.handle != nullptr) {
    text += "handle_param {\n" + line(1, "round_mode", round_mode_text(call.handle->round_mode)) +
            "}\n";
  }
  text += "test_param {\n";
  for (const Criterion& one : call.criteria) text += line(1, "error_func", one.measure);
  for (const Criterion& one : call.criteria) {
    text += line(1, "error_threshold", text_of(one.threshold));
  }
  return text + line(1, "baseline_device", "CPU") + "}\n";
}

}  // namespace mluop::recorder
