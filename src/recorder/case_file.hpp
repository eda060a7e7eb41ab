// A case on its way to disk: the text, and the files beside it that hold large data.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "recorder/description.hpp"
#include "recorder/order.hpp"
#include "recorder/text_file.hpp"

namespace mluop::recorder {

/// Whatever goes wrong is thrown as a Failure. Unless it is kept, everything that was written goes
/// with the object.
class CaseFile {
 public:
  explicit CaseFile(TextFile file) noexcept : text_(std::move(file)) {}

  const std::filesystem::path& path() const noexcept { return text_.path(); }

  /// A whole case, before the call runs; only its results are still missing.
  void write(const Description& call, const Order& order);
  /// Writes the results if they are wanted.
  void complete(const Description& call, const Order& order);
  void keep() noexcept;

 private:
  void write_data(const Tensor& tensor, std::size_t number, const char* kind, const Order& order,
                  Notation notation);
  void write_values(const Tensor& tensor, Notation notation);
  /// Returns the name of the file.
  std::string write_beside(const Tensor& tensor, const std::string& suffix);

  TextFile text_;
  std::uint64_t outputs_begin_ = 0;
  std::vector<TextFile> beside_;
};

}  // namespace mluop::recorder
