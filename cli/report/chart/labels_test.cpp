// Labels are clear of everything, also where marks are crowded.
#include "report/chart/labels.hpp"

#include <gtest/gtest.h>

#include <random>

namespace mluop::cli::report {
namespace {

TEST(Labels, BoxesOverlapIfTheyShareAnArea) {
  const Box box = Box::around(5, 5, 10, 10);
  EXPECT_TRUE(box.overlaps({9, 9, 12, 12}));
  EXPECT_FALSE(box.overlaps({10, 0, 12, 10})) << "an edge in common is no overlap";
  EXPECT_FALSE(box.overlaps({0, 11, 10, 12}));
  EXPECT_TRUE(box.contains({1, 1, 10, 10}));
  EXPECT_FALSE(box.contains({1, 1, 11, 10}));
}

TEST(Labels, ALoneMarkHasItsLabelOnTheRight) {
  const std::vector<Labelled> one{{Box::around(50, 50, 10, 10), 20}};
  const Label label = place_labels(one, {one[0].marks}, {0, 0, 100, 100}, 12)[0];
  EXPECT_TRUE(label.beside);
  EXPECT_GE(label.box.left, 55);
  EXPECT_DOUBLE_EQ(label.box.y(), 50);
}

TEST(Labels, AtTheRightEdgeTheLabelIsOnTheLeft) {
  const std::vector<Labelled> one{{Box::around(95, 50, 10, 10), 20}};
  EXPECT_LE(place_labels(one, {one[0].marks}, {0, 0, 100, 100}, 12)[0].box.right, 90);
}

TEST(Labels, CrowdedLabelsCoverNothing) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(140, 260);
  const Box frame{0, 0, 400, 400};
  std::vector<Labelled> marks;
  std::vector<Box> taken;
  for (int i = 0; i < 60; ++i) {
    marks.push_back({Box::around(place(random), place(random), 8, 8), 14});
    taken.push_back(marks.back().marks);
  }
  const auto labels = place_labels(marks, taken, frame, 11);
  ASSERT_EQ(labels.size(), marks.size());
  int with_line = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    SCOPED_TRACE(i);
    with_line += labels[i].beside ? 0 : 1;
    EXPECT_TRUE(frame.contains(labels[i].box));
    for (const Box& mark : taken) EXPECT_FALSE(labels[i].box.overlaps(mark));
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(labels[i].box.overlaps(labels[j].box)) << j;
  }
  EXPECT_GT(with_line, 0) << "not crowded enough to test lines";
}

TEST(Labels, TheFirstFreePlaceIsTaken) {
  const Box a{0, 0, 10, 10}, b{20, 0, 30, 10};
  EXPECT_EQ(first_free({a, b}, {}).left, 0);
  EXPECT_EQ(first_free({a, b}, {{5, 5, 6, 6}}).left, 20);
  EXPECT_EQ(first_free({a}, {{5, 5, 6, 6}}).left, 0) << "none is free";
}

TEST(Labels, LinesAreCoveredFromEndToEnd) {
  const auto boxes = along(0, 0, 30, 40);
  EXPECT_TRUE(boxes.front().contains({0, 0, 0, 0}));
  EXPECT_TRUE(boxes.back().contains({30, 40, 30, 40}));
  EXPECT_GE(boxes.size(), 10u);
}

TEST(Labels, RunsOfNumbersAreJoined) {
  EXPECT_EQ(ranges_text({3}), "3");
  EXPECT_EQ(ranges_text({3, 4}), "3, 4");
  EXPECT_EQ(ranges_text({1, 3, 4, 5, 9, 10}), "1, 3\u20135, 9, 10");
  EXPECT_EQ(ranges_text({}), "");
}

}  // namespace
}  // namespace mluop::cli::report
