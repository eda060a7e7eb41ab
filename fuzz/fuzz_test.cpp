// The fuzz targets without a fuzzer: replays findings and runs random bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

namespace fs = std::filesystem;

class FuzzTarget : public ::testing::TestWithParam<Target> {};

std::string hex(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) {
    for (const int digit : {byte >> 4, byte & 15}) text += "0123456789abcdef"[digit];
  }
  return text;
}

/// Whether the target accepted the bytes; a violation is a test failure that prints them.
bool accepted(const Target& target, const std::vector<std::uint8_t>& bytes) {
  try {
    return target.run(bytes);
  } catch (const Violation& violation) {
    ADD_FAILURE() << violation.what() << "\nbytes: " << hex(bytes);
    return false;
  }
}

TEST_P(FuzzTarget, FindingsStayFixed) {
  const fs::path folder = fs::path{MLUOPS_FUZZ_FINDINGS} / GetParam().name;
  if (!fs::exists(folder)) return;  // no findings yet
  for (const fs::directory_entry& entry : fs::directory_iterator{folder}) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file{entry.path(), std::ios::binary};
    ASSERT_TRUE(file);
    accepted(GetParam(), {std::istreambuf_iterator<char>{file}, {}});
  }
}

/// Valid case files; random bytes are hardly ever valid.
std::vector<std::vector<std::uint8_t>> good_files() {
  std::vector<std::vector<std::uint8_t>> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator{MLUOPS_GOOD_CASES}) {
    if (!entry.is_regular_file() || entry.file_size() > 20000) continue;
    std::ifstream file{entry.path(), std::ios::binary};
    files.emplace_back(std::istreambuf_iterator<char>{file}, std::istreambuf_iterator<char>{});
  }
  return files;
}

/// Up to 600 bytes; for case files, a valid one with up to three bytes replaced.
std::vector<std::uint8_t> random_bytes(std::mt19937& random, const Target& target) {
  std::vector<std::uint8_t> bytes(random() % 600);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  if (target.run != case_file) return bytes;
  static const auto files = good_files();
  bytes = files.at(random() % files.size());
  for (auto replaced = random() % 4; replaced > 0; --replaced) {
    bytes.at(random() % bytes.size()) = static_cast<std::uint8_t>(32 + random() % 95);
  }
  return bytes;
}

TEST_P(FuzzTarget, RandomBytesBreakNoPromise) {
  constexpr int rounds = 1000;
  std::mt19937 random{20};
  int good = 0;
  for (int round = 0; round < rounds; ++round) {
    if (accepted(GetParam(), random_bytes(random, GetParam()))) ++good;
    if (HasFailure()) return;
  }
  // Otherwise the target would test only the checks, or never a failing one.
  EXPECT_GT(good, rounds / 50);
  EXPECT_LT(good, rounds);
}

INSTANTIATE_TEST_SUITE_P(All, FuzzTarget, ::testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& target) { return std::string{target.param.name}; });

}  // namespace
}  // namespace mluop::fuzz
