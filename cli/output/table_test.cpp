#include "output/table.hpp"

#include <gtest/gtest.h>

namespace mluop::cli {
namespace {

TEST(Table, AlignsAndLeavesOutEmptyColumns) {
  Table table({{"name", Align::left}, {"ms"}, {"unused"}, {"note", Align::left}});
  table.add({"a", "1.5", "", "first"});
  table.add({"longer", "12.25"});
  EXPECT_EQ(table.text(),
            "  name       ms  note\n"
            "  a         1.5  first\n"
            "  longer  12.25\n");
}

}  // namespace
}  // namespace mluop::cli
