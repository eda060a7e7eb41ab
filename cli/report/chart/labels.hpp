// Places for the labels of a chart, so that no label covers a mark or another label.
#pragma once

#include <vector>

namespace mluop::cli::report {

/// A rectangle in coordinates of the chart; y grows downwards.
struct Box {
  double left, top, right, bottom;

  static Box around(double x, double y, double width, double height);
  bool overlaps(const Box& other) const;
  bool contains(const Box& other) const;
};

/// A round mark and the width of its label.
struct Mark {
  double x, y, radius;
  double label_width;
};

/// The label of a mark. It has a line to its mark unless it stands beside it.
struct Label {
  Box box;
  bool beside;
};

/// A label for each mark, in the same order: as close as possible, inside `frame`, clear of all marks, of
/// `taken` and of the other labels. Where there is no such place, the label covers its own mark.
std::vector<Label> place_labels(const std::vector<Mark>& marks, std::vector<Box> taken,
                                const Box& frame, double height);

/// The first of `candidates` that overlaps none of `taken`; the first if all do.
Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken);

}  // namespace mluop::cli::report
