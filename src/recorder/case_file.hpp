// Writes a case: the text, and side files for large data.
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

/// Errors are thrown as Failure. The destructor removes the files unless they are kept.
class CaseFile {
 public:
  explicit CaseFile(TextFile file) noexcept : text_(std::move(file)) {}

  const std::filesystem::path& path() const noexcept { return text_.path(); }

  /// Writes the complete case except for its results, before the call runs.
  void write(const Description& call, const Order& order);
  /// Writes the results if they are to be recorded.
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
