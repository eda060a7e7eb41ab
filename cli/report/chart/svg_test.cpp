// Scales, escaping and elements of the charts.
#include "report/chart/svg.hpp"

#include <gtest/gtest.h>

namespace mluop::cli::report {
namespace {

TEST(Svg, TextIsEscaped) {
  EXPECT_EQ(escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  EXPECT_EQ(escaped("µ ≤ 1"), "µ ≤ 1");
  EXPECT_EQ(breakable("a_b<c"), "a_<wbr>b&lt;c");
}

TEST(Svg, PlacesAreShort) {
  EXPECT_EQ(place_text(1), "1");
  EXPECT_EQ(place_text(0.5), "0.5");
  EXPECT_EQ(place_text(12.3456), "12.35");
  EXPECT_EQ(place_text(-0.001), "0");
  EXPECT_EQ(place_text(100), "100");
}

TEST(Svg, LinearScalesMapAndClamp) {
  const LinearScale scale(0, 10, 100, 0);
  EXPECT_EQ(scale(0), 100);
  EXPECT_EQ(scale(5), 50);
  EXPECT_EQ(scale(10), 0);
  EXPECT_EQ(scale(20), 0);
  EXPECT_EQ(scale(-1), 100);
  EXPECT_EQ(LinearScale(3, 3, 1, 2)(3), 1);
}

TEST(Svg, LogScalesTurnRatiosIntoDistances) {
  const LogScale scale(0.01, 100, 0, 400);
  EXPECT_DOUBLE_EQ(scale(0.01), 0);
  EXPECT_DOUBLE_EQ(scale(1), 200);
  EXPECT_DOUBLE_EQ(scale(10), 300);
  EXPECT_DOUBLE_EQ(scale(1e9), 400);
  EXPECT_DOUBLE_EQ(scale(0), 0);
}

TEST(Svg, DecadesAreLabelledAndThinnedOut) {
  const auto labels = [](const std::vector<Tick>& ticks) {
    std::string text;
    for (const Tick& tick : ticks) text += tick.label + " ";
    return text;
  };
  EXPECT_EQ(labels(LogScale(0.01, 1000, 0, 1).decades(10)), "0.01 0.1 1 10 100 1000 ");
  EXPECT_EQ(labels(LogScale(0.02, 500, 0, 1).decades(10)), "0.1 1 10 100 ");
  EXPECT_EQ(labels(LogScale(1e-6, 1e6, 0, 1).decades(5)), "1e-6 0.001 1 1000 1e6 ");
  EXPECT_EQ(decade_below(0.3), 0.1);
  EXPECT_EQ(decade_above(30), 100);
}

TEST(Svg, ElementsCarryClassAndTitle) {
  const std::string text = Svg(20, 10, "chart", "a < b")
                               .line(0, 0, 20, 10, "grid")
                               .circle(1, 2, 3, "mark", "x & y")
                               .text(5, 6, "<7>", "middle")
                               .finish();
  EXPECT_EQ(text,
            "<svg class=\"chart\" viewBox=\"0 0 20 10\" width=\"20\" height=\"10\" role=\"img\" "
            "aria-label=\"a &lt; b\">\n"
            "<line class=\"grid\" x1=\"0\" y1=\"0\" x2=\"20\" y2=\"10\"/>\n"
            "<circle class=\"mark\" cx=\"1\" cy=\"2\" r=\"3\"><title>x &amp; y</title></circle>\n"
            "<text class=\"\" x=\"5\" y=\"6\" text-anchor=\"middle\">&lt;7&gt;</text>\n"
            "</svg>\n");
}

}  // namespace
}  // namespace mluop::cli::report
