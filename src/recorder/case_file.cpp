// Writes tensors with their data, in the text or in side files.
#include "recorder/case_file.hpp"

#include <utility>

#include "core/numbers/dtype.hpp"
#include "recorder/text/case_text.hpp"
#include "recorder/text/values.hpp"

namespace mluop::recorder {
namespace {

std::uint64_t bytes_of(const Tensor& tensor) {
  return tensor.desc->element_count * size_of(tensor.desc->dtype);
}

bool keeps_data(const Input& input, const Order& order) {
  return input.need <= order.kept || input.tensor.desc->element_count <= order.kept_elements;
}

}  // namespace

void CaseFile::keep() noexcept {
  text_.keep();
  for (TextFile& file : beside_) file.keep();
}

void CaseFile::write(const Description& call, const Order& order) {
  text_.append(opening_text(call));
  std::size_t number = 0;
  for (const Input& input : call.inputs) {
    text_.append(tensor_text("input", input.tensor));
    if (keeps_data(input, order)) {
      write_data(input.tensor, number, "_input", order, order.notation);
    } else {
      text_.append(random_text(input.bounds));
    }
    text_.append("}\n");
    ++number;
  }
  outputs_begin_ = text_.size();
  for (const Tensor& output : call.outputs) text_.append(tensor_text("output", output) + "}\n");
  text_.append(closing_text(call));
  if (!order.outputs) text_.close();
}

void CaseFile::complete(const Description& call, const Order& order) {
  if (!order.outputs) return;
  // With data it is longer than the text it replaces.
  text_.rewind(outputs_begin_);
  std::size_t number = call.inputs.size();
  for (const Tensor& output : call.outputs) {
    text_.append(tensor_text("output", output));
    if (output.desc != nullptr && output.data != nullptr) {
      write_data(output, number, "_output", order, *order.outputs);
    }
    text_.append("}\n");
    ++number;
  }
  text_.append(closing_text(call));
  text_.close();
}

void CaseFile::write_data(const Tensor& tensor, std::size_t number, const char* kind,
                          const Order& order, Notation notation) {
  if (bytes_of(tensor) <= order.inline_bytes) return write_values(tensor, notation);
  const std::string name = write_beside(tensor, "_data" + std::to_string(number) + kind);
  text_.append("  path: \"" + name + "\"\n");
}

void CaseFile::write_values(const Tensor& tensor, Notation notation) {
  constexpr std::size_t per_line = 8, flushed = std::size_t{1} << 16;
  const std::size_t count = tensor.desc->element_count;
  if (count == 0) return;
  const Values values(tensor.desc->dtype, tensor.data, count, notation);
  std::string text = std::string{"  "} + values.field() + ": [";
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) text += i % per_line == 0 ? ",\n    " : ", ";
    values.append(i, text);
    if (text.size() < flushed) continue;
    text_.append(text);
    text.clear();
  }
  text_.append(text + "]\n");
}

std::string CaseFile::write_beside(const Tensor& tensor, const std::string& suffix) {
  std::filesystem::path path = text_.path();
  path.replace_extension();
  path += suffix;
  std::string name = path.filename().string();
  TextFile& file = beside_.emplace_back(TextFile::replacing(std::move(path)));
  file.append({static_cast<const char*>(tensor.data), bytes_of(tensor)});
  file.close();
  return name;
}

}  // namespace mluop::recorder
