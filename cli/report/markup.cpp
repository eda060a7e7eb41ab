#include "report/markup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "report/chart/svg.hpp"

namespace mluop::cli::report {

namespace {

/// The text between `mark` at `begin` and the next `mark`, which begin is moved behind; "" if there is
/// none.
std::string_view enclosed(std::string_view line, std::string_view mark, std::size_t& begin) {
  if (!line.substr(begin).starts_with(mark)) return "";
  const std::size_t from = begin + mark.size(), to = line.find(mark, from);
  if (to == std::string_view::npos || to == from || line[from] == ' ') return "";
  begin = to + mark.size();
  return line.substr(from, to - from);
}

/// The words of a link at `begin`, which is moved behind it; "" if there is none.
std::string_view linked(std::string_view line, std::size_t& begin) {
  if (line[begin] != '[') return "";
  const std::size_t middle = line.find("](", begin), end = line.find(')', begin);
  if (middle == std::string_view::npos || end == std::string_view::npos || end < middle) return "";
  if (line.substr(begin + 1, middle - begin - 1).find('[') != std::string_view::npos) return "";
  const std::string_view words = line.substr(begin + 1, middle - begin - 1);
  begin = end + 1;
  return words;
}

enum class Block { none, paragraph, list, code, table };

Block kind_of(std::string_view line, Block before) {
  if (line.empty()) return Block::none;
  if (line.starts_with("    ") && before != Block::list && before != Block::paragraph) {
    return Block::code;
  }
  if (line.starts_with("- ") || (line.starts_with("  ") && before == Block::list)) {
    return Block::list;
  }
  return line.starts_with('|') ? Block::table : Block::paragraph;
}

std::string table_html(const std::vector<std::string_view>& lines) {
  std::string out = "<div class=\"scroll\"><table class=\"quoted\">\n";
  for (std::size_t row = 0; row < lines.size(); ++row) {
    if (row == 1) continue;  // the rule below the heading
    const char* const cell = row == 0 ? "th" : "td";
    out += "<tr>";
    std::string_view rest = lines[row].substr(1);
    for (std::size_t end = rest.find('|'); end != std::string_view::npos; end = rest.find('|')) {
      std::string_view text = rest.substr(0, end);
      while (text.starts_with(' ')) text.remove_prefix(1);
      while (text.ends_with(' ')) text.remove_suffix(1);
      out += fmt::format("<{}>{}</{}>", cell, html_of_line(text), cell);
      rest.remove_prefix(end + 1);
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

std::string block_html(Block kind, const std::vector<std::string_view>& lines) {
  if (kind == Block::table) return table_html(lines);
  std::string text;
  for (std::string_view line : lines) {
    if (kind == Block::code) {
      text += escaped(line.substr(std::min<std::size_t>(4, line.size()))) + "\n";
    } else if (kind == Block::list && line.starts_with("- ")) {
      text += "<li>" + html_of_line(line.substr(2)) + "\n";
    } else {
      text += html_of_line(line) + "\n";
    }
  }
  if (kind == Block::code) return fmt::format("<pre>{}</pre>\n", text);
  return kind == Block::list ? fmt::format("<ul>{}</ul>\n", text)
                             : fmt::format("<p>{}</p>\n", text);
}

}  // namespace

std::string html_of_line(std::string_view line) {
  std::string out;
  for (std::size_t i = 0; i < line.size();) {
    if (const auto code = enclosed(line, "`", i); !code.empty()) {
      out += fmt::format("<code>{}</code>", escaped(code));
    } else if (const auto strong = enclosed(line, "**", i); !strong.empty()) {
      out += fmt::format("<strong>{}</strong>", html_of_line(strong));
    } else if (const auto soft = enclosed(line, "*", i); !soft.empty()) {
      out += fmt::format("<em>{}</em>", html_of_line(soft));
    } else if (const auto words = linked(line, i); !words.empty()) {
      out += html_of_line(words);
    } else {
      out += escaped(line.substr(i++, 1));
    }
  }
  return out;
}

std::string html_of(std::string_view markdown) {
  std::string out;
  std::vector<std::string_view> lines;
  Block block = Block::none;
  const auto finish = [&] {
    if (block != Block::none) out += block_html(block, lines);
    lines.clear();
  };
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    // A blank line between two pieces of code does not end it.
    if (line.empty() && block == Block::code && markdown.starts_with("    ")) {
      lines.push_back(line);
      continue;
    }
    const Block kind = kind_of(line, block);
    if (kind != block) finish();
    block = kind;
    if (kind != Block::none) lines.push_back(line);
  }
  finish();
  return out;
}

}  // namespace mluop::cli::report
