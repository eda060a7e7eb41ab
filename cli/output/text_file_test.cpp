// Files written at the end of a run, and what happens to existing ones.
#include "output/text_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

#include "selection.hpp"

namespace mluop::cli {
namespace {

namespace fs = std::filesystem;

class TextFileTest : public ::testing::Test {
 protected:
  TextFileTest() {
    fs::create_directories(folder_);
    std::ofstream(old_) << "old";
  }
  ~TextFileTest() override { fs::remove_all(folder_); }

  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const {
    return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
  }
  static std::string problem_with(const fs::path& path) {
    try {
      const TextFile file(path);
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  const fs::path folder_ = fs::path(::testing::TempDir()) / own_name();
  const fs::path old_ = folder_ / "old.json";

 private:
  static std::string own_name() { return "text_file_test_" + std::to_string(::getpid()); }
};

TEST_F(TextFileTest, ARunThatDoesNotEndLeavesTheEarlierFile) {
  { const TextFile file(old_); }
  EXPECT_EQ(text_of(old_), "old");
  EXPECT_EQ(files(), 1) << "nothing else is left";
}

TEST_F(TextFileTest, TheTextReplacesTheEarlierFile) {
  TextFile file(old_), fresh(folder_ / "new.json");
  EXPECT_EQ(text_of(old_), "old");
  file.write("n");
  fresh.write("new");
  EXPECT_EQ(text_of(old_), "n");
  EXPECT_EQ(text_of(folder_ / "new.json"), "new");
  EXPECT_EQ(files(), 2);
}

TEST_F(TextFileTest, OnePathMayBeGivenTwice) {
  TextFile one(old_), other(old_);
  one.write("one");
  other.write("other");
  EXPECT_EQ(text_of(old_), "other");
}

TEST_F(TextFileTest, LinksAndDevicesStayWhatTheyAre) {
  const fs::path link = folder_ / "link.json";
  fs::create_symlink(old_, link);
  TextFile(link).write("through");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text_of(old_), "through");
  TextFile("/dev/null").write("nothing");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(TextFileTest, BadPathsAreRefusedAtOnce) {
  EXPECT_EQ(problem_with(folder_ / "no" / "x"),
            "cannot write '" + (folder_ / "no" / "x").string() + "': No such file or directory");
  EXPECT_EQ(problem_with(folder_), "cannot write '" + folder_.string() + "': Is a directory");
  EXPECT_EQ(problem_with(old_ / "x"),
            "cannot write '" + (old_ / "x").string() + "': Not a directory");
}

TEST_F(TextFileTest, AFileThatMustNotBeWrittenIsNotReplaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::permissions(old_, fs::perms::owner_read);
  EXPECT_EQ(problem_with(old_), "cannot write '" + old_.string() + "': Permission denied");
}

TEST_F(TextFileTest, NoPathIsNoFile) {
  TextFile("").write("text");
  EXPECT_EQ(files(), 1);
}

}  // namespace
}  // namespace mluop::cli
