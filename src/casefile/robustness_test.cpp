// Truncated or overwritten files give an error message or a verdict, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "casefile/reader.hpp"
#include "casefile/run.hpp"
#include "casefile/test_files.hpp"
#include "testing/data/generators.hpp"
#include "testing/faults/sanitized.hpp"

namespace mluop::casefile {
namespace {

/// Reads the damaged file and runs it if it is still a case. Returns whether it was.
bool survives(const std::string& name, const std::string& content, const testing::Handle& handle) {
  constexpr std::size_t enough = std::size_t{16} << 20;
  try {
    const auto call = read_call(write_file(name, content), {.memory_limit = enough});
    run_case(*call, handle);
    return true;
  } catch (const FileError& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return false;
  }
}

/// The good files that are small enough to be run hundreds of times.
std::vector<std::string> small_texts() {
  std::vector<std::string> texts;
  for (const auto& path : good_files()) {
    const auto file = read_case(path);
    std::int64_t elements = 0;
    for (const auto& input : file.inputs) elements += input.tensor.count();
    if (elements < 2000) texts.push_back(content_of(path));
  }
  EXPECT_GE(texts.size(), 10u);
  return texts;
}

constexpr int attempts = testing::sanitized ? 10 : 40;

TEST(DamagedFiles, CutShort) {
  testing::Handle handle;
  handle.threads(1);
  for (const auto& path : good_files()) {
    const std::string text = content_of(path), binary = binary_of(text);
    const std::size_t step = std::max<std::size_t>(1, binary.size() / attempts);
    for (std::size_t length = 0; length < binary.size(); length += step) {
      survives("cut.pb", binary.substr(0, length), handle);
      survives("cut.prototxt", text.substr(0, text.size() * length / binary.size()), handle);
    }
  }
}

TEST(DamagedFiles, WithOtherBytes) {
  testing::Handle handle;
  handle.threads(1);
  testing::Generator random("casefile/damaged");
  int read = 0;
  for (const std::string& text : small_texts()) {
    for (const std::string& original : {text, binary_of(text)}) {
      const char* const name = original == text ? "other.prototxt" : "other.pb";
      for (int i = 0; i < attempts; ++i) {
        std::string damaged = original;
        for (std::int64_t n = random.integer(1, 3); n > 0; --n) {
          const auto at = static_cast<std::size_t>(
              random.integer(0, static_cast<std::int64_t>(damaged.size()) - 1));
          damaged[at] = static_cast<char>(random.integer(0, 255));
        }
        read += survives(name, damaged, handle) ? 1 : 0;
      }
    }
  }
  EXPECT_GT(read, 10) << random.describe();  // damaged data is still a case
}

TEST(DamagedFiles, WithOtherNumbers) {
  testing::Handle handle;
  handle.threads(1);
  testing::Generator random("casefile/numbers");
  const char* const numbers[] = {"0", "1", "-1", "2147483647", "-2147483648", "65536"};
  for (const std::string& text : small_texts()) {
    for (int i = 0; i < attempts; ++i) {
      const std::size_t start =
          static_cast<std::size_t>(random.integer(0, static_cast<std::int64_t>(text.size()) - 1));
      const std::size_t begin = text.find_first_of("0123456789", start);
      if (begin == std::string::npos) continue;
      const std::size_t end = text.find_first_not_of("0123456789.", begin);
      const std::string other = numbers[random.integer(0, 5)];
      survives("number.prototxt", text.substr(0, begin) + other + text.substr(end), handle);
    }
  }
}

TEST(DamagedFiles, OfNothingButNoise) {
  testing::Handle handle;
  testing::Generator random("casefile/noise");
  for (int i = 0; i < 10 * attempts; ++i) {
    std::string noise(static_cast<std::size_t>(random.integer(1, 200)), '\0');
    for (char& byte : noise) byte = static_cast<char>(random.integer(0, 255));
    EXPECT_FALSE(survives("noise.pb", noise, handle));
    EXPECT_FALSE(survives("noise.prototxt", noise, handle));
  }
}

}  // namespace
}  // namespace mluop::casefile
