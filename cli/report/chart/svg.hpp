// Drawing in SVG: scales from values to coordinates, and elements as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mluop::cli::report {

/// Text for HTML and SVG: &, <, > and quotes are escaped.
std::string escaped(std::string_view text);

/// The same for a name in HTML, with a line break allowed after each underscore.
std::string breakable(std::string_view name);

/// A coordinate: at most two decimals, no trailing zeros.
std::string place_text(double place);

struct Tick {
  double value;
  std::string label;
};

/// Linear map from an interval of values to coordinates; values outside are clamped.
class LinearScale {
 public:
  LinearScale(double from, double to, double first, double last)
      : from_(from), to_(to), first_(first), last_(last) {}
  double operator()(double value) const;

 private:
  double from_, to_, first_, last_;
};

/// The same on a logarithmic scale. Bounds are positive.
class LogScale {
 public:
  LogScale(double from, double to, double first, double last);
  double operator()(double value) const;
  /// The powers of ten inside, bounds included, at most `most` of them.
  std::vector<Tick> decades(std::size_t most) const;

 private:
  double from_, to_;  // logarithms
  LinearScale scale_;
};

/// Rounds outwards to powers of ten.
double decade_below(double value);
double decade_above(double value);

/// "1000", "0.01", "1e-06": the label of a power of ten.
std::string power_label(int exponent);

/// Elements, each drawn above the ones before it. Colours and fonts come from the classes.
class Svg {
 public:
  /// `label` is for screen readers.
  Svg(double width, double height, std::string_view css_class, std::string_view label);

  Svg& line(double x1, double y1, double x2, double y2, std::string_view css_class);
  Svg& rect(double x, double y, double width, double height, std::string_view css_class,
            std::string_view title = "");
  Svg& circle(double x, double y, double radius, std::string_view css_class,
              std::string_view title = "");
  /// Points upwards.
  Svg& triangle(double x, double y, double radius, std::string_view css_class,
                std::string_view title = "");
  /// `anchor`: start, middle or end.
  Svg& text(double x, double y, std::string_view content, std::string_view anchor,
            std::string_view css_class = "");

  std::string finish() const;
  /// The same as a file of its own, with the rules that the classes need.
  std::string file(std::string_view style) const;

 private:
  Svg& element(std::string_view tag, std::string_view attributes, std::string_view css_class,
               std::string_view title);

  std::string head_, body_;
};

}  // namespace mluop::cli::report
