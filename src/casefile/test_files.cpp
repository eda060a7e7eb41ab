// The only test source that uses protobuf.
#include "casefile/test_files.hpp"

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "casefile/mlu_op_test.pb.h"

namespace mluop::casefile {

namespace fs = std::filesystem;

fs::path scratch_directory() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  // Tests run in parallel processes.
  const fs::path directory =
      fs::path(::testing::TempDir()) / "mluops_casefile" / test->test_suite_name() / test->name();
  fs::create_directories(directory);
  return directory;
}

fs::path write_file(const std::string& name, std::string_view content) {
  const fs::path path = scratch_directory() / name;
  fs::remove(path);  // overwriting may wait for the disk on some file systems
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  EXPECT_TRUE(file.good()) << path;
  return path;
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.is_open()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string binary_of(const std::string& text) {
  mluoptest::Node node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &node));
  return node.SerializeAsString();
}

std::vector<fs::path> good_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(MLUOPS_GOOD_CASES)) {
    if (entry.path().extension() == ".prototxt") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string exchanged(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  if (at == std::string::npos) return text;
  EXPECT_EQ(text.find(from, at + 1), std::string::npos) << from << " occurs twice";
  return text.replace(at, from.size(), to);
}

std::string carafe_text(const std::string& dtype, const std::string& input_data,
                        const std::string& mask_data, const std::string& output_fields,
                        const std::string& node_fields) {
  const auto tensor = [&](const char* kind, const char* dims, const std::string& fields) {
    return std::string(kind) + " shape { dims: " + dims + " } layout: LAYOUT_NHWC dtype: " + dtype +
           " " + fields + " }\n";
  };
  return "op_name: \"carafe_forward\"\n" +
         tensor("input { id: \"input\"", "[1, 1, 2, 2]", input_data) +
         tensor("input { id: \"mask\"", "[1, 1, 2, 1]", mask_data) +
         tensor("output { id: \"output\"", "[1, 1, 2, 2]", output_fields) +
         "carafe_param { dimnb: 4 kernel_size: 1 group_size: 1 scale_factor: 1 }\n" + node_fields +
         "\n";
}

}  // namespace mluop::casefile
