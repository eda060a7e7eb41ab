// Places for the labels of a chart, so that no label covers a mark or another label.
#pragma once

#include <string>
#include <vector>

namespace mluop::cli::report {

/// A rectangle in coordinates of the chart; y grows downwards.
struct Box {
  double left, top, right, bottom;

  static Box around(double x, double y, double width, double height);
  bool overlaps(const Box& other) const;
  bool contains(const Box& other) const;
  double x() const { return (left + right) / 2; }
  double y() const { return (top + bottom) / 2; }
};

/// Small boxes along a line.
std::vector<Box> along(double x1, double y1, double x2, double y2);

/// What has a label: a mark, or some marks close together.
struct Labelled {
  Box marks;
  double label_width;
};

/// The place of a label. It has a line to its marks unless it stands beside them.
struct Label {
  Box box;
  bool beside;
};

/// A label for each of `labelled`, in the same order: as close as possible, inside `frame`, clear of
/// `taken` and of the other labels. Where there is no such place, the label covers its own marks.
std::vector<Label> place_labels(const std::vector<Labelled>& labelled, std::vector<Box> taken,
                                const Box& frame, double height);

/// The first of `candidates` that overlaps none of `taken`; the first if all do.
Box first_free(const std::vector<Box>& candidates, const std::vector<Box>& taken);

/// "3, 5–8": ascending numbers with runs of three and more joined.
std::string ranges_text(const std::vector<std::size_t>& numbers);

}  // namespace mluop::cli::report
