// Test-case files of MLU-OPS, as text (.prototxt) or binary (.pb).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <stdexcept>

#include "testing/file_case.hpp"

namespace mluop::casefile {

/// A file that holds no case that could be run. The sentence names the file and the line, if it is
/// known, or the field.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the tensors of one file may take together: three quarters of the machine's memory.
std::size_t default_memory_limit();

/// Reads a file and the side files it names; throws FileError.
testing::FileCase read_case(const std::filesystem::path& path,
                            std::size_t memory_limit = default_memory_limit());

/// The call behind a file: read_case, then the operator's own view of it; throws FileError.
std::unique_ptr<testing::FileCall> read_call(const std::filesystem::path& path,
                                             std::size_t memory_limit = default_memory_limit());

/// Whether read_case would look at it, by its extension.
bool is_case_file(const std::filesystem::path& path);

}  // namespace mluop::casefile
