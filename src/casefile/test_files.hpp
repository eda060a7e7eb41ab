// Case files for tests: written to a temporary directory, modified, or converted to binary.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace mluop::casefile {

/// A fresh directory for the running test.
std::filesystem::path scratch_directory();

/// Writes a file there and returns its path.
std::filesystem::path write_file(const std::string& name, std::string_view content);

std::string content_of(const std::filesystem::path& path);

/// The binary form of a text; the test fails if it is not a case.
std::string binary_of(const std::string& text);

/// The files of tests/cases/good, sorted.
std::vector<std::filesystem::path> good_files();

/// Replaces the only occurrence of `from`; the test fails unless there is exactly one.
std::string exchanged(std::string text, std::string_view from, std::string_view to);

/// A valid text of carafe_forward, kernel 1, scale 1: input [1,1,2,2], mask [1,1,2,1]. Data are
/// given as "value_f: …" and so on, as are the fields that decide the verdict.
std::string carafe_text(
    const std::string& dtype = "DTYPE_FLOAT",
    const std::string& input_data = "value_f: [1, 2, 3, 4]",
    const std::string& mask_data = "value_f: [2, 3]", const std::string& output_fields = "",
    const std::string& node_fields = "test_param { error_func: DIFF1 error_threshold: 1e-3 }");

}  // namespace mluop::casefile
