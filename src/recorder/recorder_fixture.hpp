// A fixture that records into a temporary directory and captures the log.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/rotated_feature_align/kit/direction.hpp"
#include "recorder/settings.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/logged_warnings.hpp"

namespace mluop::recorder {

inline std::string contents_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>{stream}, {}};
}

class RecorderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "recorder_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
    set_directory(root.string());
  }
  void TearDown() override {
    set_mode(std::nullopt);
    set_directory(std::nullopt);
    std::filesystem::remove_all(root);
  }

  /// All files below the directory, sorted.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) found.push_back(entry.path());
    }
    std::sort(found.begin(), found.end());
    return found;
  }

  /// The text of the only case.
  std::string only_case() const {
    const auto all = files();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? "" : contents_of(all.front());
  }

  std::filesystem::path root;
  testing::LoggedWarnings log;
};

/// The smallest call: one pixel with its box at its centre. The result is twice the input.
struct PixelCall {
  rotated_feature_align::reference::Shape shape{1, 1, 1, 1, 1.0f, 1};
  testing::HostTensor input, boxes, output;

  explicit PixelCall(mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT)
      : input("input", dtype, MLUOP_LAYOUT_NHWC, {1, 1, 1, 1}),
        boxes("bboxes", dtype, MLUOP_LAYOUT_ARRAY, {1, 1, 1, 5}),
        output("output", dtype, MLUOP_LAYOUT_NHWC, {1, 1, 1, 1}) {
    input.set(0, 0.75);
    boxes.assign(std::vector<double>{0, 0, 1, 1, 0});
  }

  mluOpStatus_t run(mluOpHandle_t handle) {
    return rotated_feature_align::forward_direction.run(handle, shape, input, boxes, output);
  }
};

}  // namespace mluop::recorder
