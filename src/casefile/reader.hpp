// Test-case files of MLU-OPS, as text (.prototxt) or binary (.pb).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "runtime/available_memory.hpp"
#include "testing/suite/file_case.hpp"

namespace mluop::casefile {

/// A file that is not a valid case. The message names the file and the line, if known, or the field.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Limits for the reader.
struct ReadOptions {
  /// Memory of all tensors of the case together, including references.
  std::size_t memory_limit = available_memory();
  /// Allow side files outside the directory of the file.
  bool allow_outside = false;
};

/// Reads a file of a known operator and its side files; throws FileError.
testing::FileCase read_case(const std::filesystem::path& path, const ReadOptions& options = {});

/// read_case, then the operator's conversion to a call; throws FileError.
std::unique_ptr<testing::FileCall> read_call(const std::filesystem::path& path,
                                             const ReadOptions& options = {});

/// Whether the extension is that of a case file.
bool is_case_file(const std::filesystem::path& path);

}  // namespace mluop::casefile
