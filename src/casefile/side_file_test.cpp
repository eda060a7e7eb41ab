// Side files: regular files below the directory of the case, others only if allowed.
#include "casefile/side_file.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string>
#include <system_error>

#include "casefile/reader.hpp"
#include "casefile/test_files.hpp"

namespace mluop::casefile {
namespace {

namespace fs = std::filesystem;

/// home/inner/in.bin, home/in.bin and, next to home, homes/out.bin, 16 bytes each.
class SideFile : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(scratch_directory());
    fs::remove_all(root_);
    fs::create_directories(home() / "inner");
    fs::create_directories(root_ / "homes");
    const std::string bytes(16, '\0');
    write_file("home/in.bin", bytes);
    write_file("home/inner/in.bin", bytes);
    write_file("homes/out.bin", bytes);
  }
  void TearDown() override { fs::remove_all(root_); }

  fs::path home() const { return root_ / "home"; }

  /// The error of a case in home after "input[0].path: ", "" if it is read.
  std::string complaint(const std::string& path, bool allow_outside = false) const {
    const fs::path file =
        write_file("home/case.prototxt", carafe_text("DTYPE_FLOAT", "path: '" + path + "'"));
    try {
      read_call(file, {.allow_outside = allow_outside});
    } catch (const FileError& error) {
      const std::string prefix = file.string() + ":2: input[0].path: ", text = error.what();
      EXPECT_EQ(text.find(prefix), 0u) << text;
      return text.substr(prefix.size());
    }
    return "";
  }
  std::string outside(const std::string& path) const {
    return "'" + path +
           "' lies outside the directory of the case file, which only --allow-outside permits";
  }
  /// A path as in messages: relative to the directory of the case.
  std::string unreadable(const std::string& name, const std::string& why) const {
    return "cannot read '" + (scratch_directory() / "home" / name).string() + "': " + why;
  }

  fs::path root_;
};

TEST_F(SideFile, LiesBelowTheDirectoryOfTheCase) {
  for (const char* path : {"in.bin", "inner/in.bin", "./inner/../in.bin", "../home/in.bin"}) {
    EXPECT_EQ(complaint(path), "") << path;
  }
  EXPECT_EQ(complaint((home() / "in.bin").string()), "");
  EXPECT_EQ(complaint("../homes/out.bin"), outside("../homes/out.bin"));
  const std::string absolute = (root_ / "homes/out.bin").string();
  EXPECT_EQ(complaint(absolute), outside(absolute));
  EXPECT_EQ(complaint("none/../../homes/out.bin"), outside("none/../../homes/out.bin"));
  EXPECT_EQ(complaint("../homes/none.bin"), outside("../homes/none.bin"));
}

TEST_F(SideFile, IsWhereLinksLead) {
  fs::create_symlink("inner/in.bin", home() / "stays.bin");
  fs::create_symlink("../homes/out.bin", home() / "leaves.bin");
  fs::create_directory_symlink("../homes", home() / "neighbours");
  fs::create_symlink("../home/in.bin", home() / "returns.bin");
  EXPECT_EQ(complaint("stays.bin"), "");
  EXPECT_EQ(complaint("returns.bin"), "");
  EXPECT_EQ(complaint("leaves.bin"), outside("leaves.bin"));
  EXPECT_EQ(complaint("neighbours/out.bin"), outside("neighbours/out.bin"));
  EXPECT_EQ(complaint("neighbours/../home/in.bin"), "");
}

TEST_F(SideFile, MayLieElsewhereIfThatIsAllowed) {
  fs::create_symlink("../homes/out.bin", home() / "leaves.bin");
  EXPECT_EQ(complaint("../homes/out.bin", true), "");
  EXPECT_EQ(complaint((root_ / "homes/out.bin").string(), true), "");
  EXPECT_EQ(complaint("leaves.bin", true), "");
}

TEST_F(SideFile, MustBeARegularFile) {
  ASSERT_EQ(mkfifo((home() / "pipe").c_str(), 0600), 0);
  fs::create_symlink("pipe", home() / "link");
  fs::create_symlink("loop", home() / "loop");
  for (const bool allow_outside : {false, true}) {
    const auto why = [&](const std::string& path) { return complaint(path, allow_outside); };
    EXPECT_EQ(why("pipe"), unreadable("pipe", "it is a FIFO, not a regular file"));
    EXPECT_EQ(why("link"), unreadable("link", "it is a FIFO, not a regular file"));
    EXPECT_EQ(why("inner"), unreadable("inner", "it is a directory, not a regular file"));
    EXPECT_EQ(why("loop"), unreadable("loop", "Too many levels of symbolic links"));
    EXPECT_EQ(why("none"), unreadable("none", "No such file or directory"));
    EXPECT_EQ(why("in.bin\\000"), "contains a zero byte");
  }
  EXPECT_EQ(complaint("/dev/zero", true),
            "cannot read '/dev/zero': it is a device, not a regular file");
}

/// Also for the case file itself.
TEST_F(SideFile, SocketsAndPipesAreNoCases) {
  const auto refusal = [](const fs::path& path) -> std::string {
    try {
      read_call(path);
    } catch (const FileError& error) {
      return std::string(error.what()).substr(path.string().size());
    }
    return "";
  };
  const fs::path pipe = home() / "pipe.prototxt";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refusal(pipe), ": cannot be read: it is a FIFO, not a regular file");

  const fs::path before = fs::current_path();
  fs::current_path(home());  // the path of a socket is short
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, "socket.pb");
  const int socket_ = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refusal("socket.pb"), ": cannot be read: it is a socket, not a regular file");
  close(socket_);
  fs::current_path(before);
}

TEST_F(SideFile, IsResolvedFromTheCurrentDirectoryToo) {
  const fs::path before = fs::current_path();
  fs::current_path(home());
  EXPECT_EQ(resolved_below("", "in.bin"), home() / "in.bin");
  EXPECT_EQ(resolved_below("", "../homes/out.bin"), std::nullopt);
  EXPECT_EQ(resolved_below("/", "../tmp"), fs::canonical("/tmp"));
  EXPECT_THROW(resolved_below("none", "in.bin"), std::system_error);
  fs::current_path(before);
}

}  // namespace
}  // namespace mluop::casefile
