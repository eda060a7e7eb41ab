#include "report/chart/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/numbers/integers.hpp"

namespace mluop::cli::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string breakable(std::string_view name) {
  std::string out;
  for (const char c : escaped(name)) {
    out += c;
    if (c == '_') out += "<wbr>";
  }
  return out;
}

std::string place_text(double place) {
  std::string text = fmt::format("{:.2f}", place);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

double LinearScale::operator()(double value) const {
  const double share = to_ == from_ ? 0.0 : (value - from_) / (to_ - from_);
  return first_ + (last_ - first_) * std::clamp(share, 0.0, 1.0);
}

LogScale::LogScale(double from, double to, double first, double last)
    : from_(std::log10(from)), to_(std::log10(to)), scale_(from_, to_, first, last) {}

double LogScale::operator()(double value) const { return scale_(std::log10(value)); }

std::string power_label(int exponent) {
  if (exponent >= -3 && exponent <= 5) {
    return exponent >= 0 ? fmt::format("{}", std::lround(std::pow(10.0, exponent)))
                         : fmt::format("{:.{}f}", std::pow(10.0, exponent), -exponent);
  }
  return fmt::format("1e{}", exponent);
}

std::vector<Tick> LogScale::decades(std::size_t most) const {
  constexpr double rounding = 1e-9;
  const int first = static_cast<int>(std::ceil(from_ - rounding));
  const int last = static_cast<int>(std::floor(to_ + rounding));
  const int count = std::max(0, last - first + 1);
  const int step = std::max(1, ceil_div(count, static_cast<int>(most)));
  std::vector<Tick> ticks;
  for (int exponent = first; exponent <= last; exponent += step) {
    ticks.push_back({std::pow(10.0, exponent), power_label(exponent)});
  }
  return ticks;
}

double decade_below(double value) { return std::pow(10.0, std::floor(std::log10(value))); }
double decade_above(double value) { return std::pow(10.0, std::ceil(std::log10(value))); }

Svg::Svg(double width, double height, std::string_view css_class, std::string_view label)
    : head_(fmt::format(
          R"(<svg class="{}" viewBox="0 0 {} {}" width="{}" height="{}" role="img" aria-label="{}">)",
          css_class, place_text(width), place_text(height), place_text(width), place_text(height),
          escaped(label))) {}

Svg& Svg::element(std::string_view tag, std::string_view attributes, std::string_view css_class,
                  std::string_view title) {
  body_ += fmt::format("\n<{} class=\"{}\" {}", tag, css_class, attributes);
  body_ += title.empty() ? "/>" : fmt::format("><title>{}</title></{}>", escaped(title), tag);
  return *this;
}

Svg& Svg::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  return element("line",
                 fmt::format(R"(x1="{}" y1="{}" x2="{}" y2="{}")", place_text(x1), place_text(y1),
                             place_text(x2), place_text(y2)),
                 css_class, "");
}

Svg& Svg::rect(double x, double y, double width, double height, std::string_view css_class,
               std::string_view title) {
  return element("rect",
                 fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", place_text(x),
                             place_text(y), place_text(width), place_text(height)),
                 css_class, title);
}

Svg& Svg::circle(double x, double y, double radius, std::string_view css_class,
                 std::string_view title) {
  return element(
      "circle",
      fmt::format(R"(cx="{}" cy="{}" r="{}")", place_text(x), place_text(y), place_text(radius)),
      css_class, title);
}

Svg& Svg::triangle(double x, double y, double radius, std::string_view css_class,
                   std::string_view title) {
  return element("path",
                 fmt::format(R"(d="M{} {}L{} {}L{} {}Z")", place_text(x), place_text(y - radius),
                             place_text(x + radius), place_text(y + 0.8 * radius),
                             place_text(x - radius), place_text(y + 0.8 * radius)),
                 css_class, title);
}

Svg& Svg::text(double x, double y, std::string_view content, std::string_view anchor,
               std::string_view css_class) {
  body_ += fmt::format("\n<text class=\"{}\" x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>",
                       css_class, place_text(x), place_text(y), anchor, escaped(content));
  return *this;
}

std::string Svg::finish() const { return head_ + body_ + "\n</svg>\n"; }

std::string Svg::file(std::string_view style) const {
  constexpr std::string_view tag = "<svg";
  return fmt::format("{} xmlns=\"http://www.w3.org/2000/svg\"{}\n<style>{}</style>{}\n</svg>\n",
                     tag, head_.substr(tag.size()), escaped(style), body_);
}

}  // namespace mluop::cli::report
