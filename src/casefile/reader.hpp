// Test-case files of MLU-OPS, as text (.prototxt) or binary (.pb).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "testing/available_memory.hpp"
#include "testing/file_case.hpp"

namespace mluop::casefile {

/// A file that holds no case that could be run. The sentence names the file and the line, if it is
/// known, or the field.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What a file may make its reader do.
struct ReadOptions {
  /// That the tensors of the case may take together, with what they are compared with.
  std::size_t memory_limit = testing::available_memory();
  /// Side files may lie outside the directory of the file.
  bool allow_outside = false;
};

/// Reads a file of an operator that there is, and the side files it names; throws FileError.
testing::FileCase read_case(const std::filesystem::path& path, const ReadOptions& options = {});

/// The call behind a file: read_case, then the operator's own view of it; throws FileError.
std::unique_ptr<testing::FileCall> read_call(const std::filesystem::path& path,
                                             const ReadOptions& options = {});

/// Whether read_case would look at it, by its extension.
bool is_case_file(const std::filesystem::path& path);

}  // namespace mluop::casefile
