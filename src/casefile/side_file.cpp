// Case files are untrusted: by default they may read only files in their own directory.
#include "casefile/side_file.hpp"

#include <algorithm>
#include <system_error>

#include "casefile/regular_file.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::casefile {
namespace {

namespace fs = std::filesystem;

fs::path allowed(const std::string& path, const SideFiles& files, const Place& place) {
  if (files.allow_outside) return files.directory / path;
  const std::optional<fs::path> resolved = resolved_below(files.directory, path);
  if (!resolved) {
    place.fail("path", sentence("'", path,
                                "' lies outside the directory of the case file, which only "
                                "--allow-outside permits"));
  }
  return *resolved;
}

}  // namespace

std::optional<fs::path> resolved_below(const fs::path& directory, const fs::path& path) {
  const fs::path home = fs::canonical(directory.empty() ? "." : directory);
  fs::path target = fs::weakly_canonical(home / path);  // an absolute path replaces home
  if (std::ranges::mismatch(home, target).in1 != home.end()) return std::nullopt;
  return target;
}

std::vector<std::byte> read_side_file(const std::string& path, const SideFiles& files,
                                      const Place& place, const testing::HostTensor& target) {
  // The system would stop at the null character.
  if (path.find('\0') != std::string::npos) place.fail("path", "contains a zero byte");
  const std::string shown = (files.directory / path).string();
  try {
    const RegularFile file(allowed(path, files, place));
    const std::size_t elements =
        static_cast<std::size_t>(target.count()) * testing::encoded_size(target.dtype());
    if (file.size() != elements && file.size() != target.bytes()) {
      place.fail("path",
                 sentence("'", shown, "' has ", file.size(), " bytes, the shape needs ", elements));
    }
    std::vector<std::byte> bytes(file.size());
    file.read(bytes);
    return bytes;
  } catch (const std::system_error& error) {
    place.fail("path", sentence("cannot read '", shown, "': ", error.code().message()));
  } catch (const CannotRead& problem) {
    place.fail("path", sentence("cannot read '", shown, "': ", problem.what()));
  }
}

}  // namespace mluop::casefile
