// Invalid case files: reading one gives a call or an error message, running it a verdict.
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "casefile/reader.hpp"
#include "casefile/run.hpp"
#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

namespace fs = std::filesystem;

/// A temporary directory, removed at exit.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("mluops_fuzz_" + std::to_string(getpid()))) {
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path file(std::span<const std::uint8_t> bytes) const {
    // A binary file begins with the key of op_name, or another; no text begins with it.
    const bool binary = !bytes.empty() && bytes.front() == '*';
    fs::path path = path_ / (binary ? "case.pb" : "case.prototxt");
    std::ofstream out{path, std::ios::binary | std::ios::trunc};
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  fs::path path_;
};

}  // namespace

bool case_file(std::span<const std::uint8_t> bytes) {
  static const Folder folder;
  constexpr std::size_t most_memory = 1 << 20;  // small enough to be computed quickly
  try {
    const auto call = casefile::read_call(folder.file(bytes), {.memory_limit = most_memory});
    casefile::run_case(*call, testing::Handle{}.threads(2));
    for (const testing::FileTensor& output : call->file().outputs) {
      if (!output.null() && !output.tensor.intact()) {
        throw Violation{"memory beside " + output.id + " was written"};
      }
    }
    return true;
  } catch (const casefile::FileError& error) {
    if (std::string{error.what()}.find("case.p") == std::string::npos) {
      throw Violation{std::string{"the sentence does not name the file: "} + error.what()};
    }
    return false;
  }
}

}  // namespace mluop::fuzz
