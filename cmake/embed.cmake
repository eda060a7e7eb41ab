# Writes a C++ source that contains files as text: cmake -D OUTPUT=… -D ROOT=… -D FILES=a,b -P embed.cmake
string(REPLACE "," ";" FILES "${FILES}")
set(rows "")
foreach(name IN LISTS FILES)
  file(READ "${ROOT}/${name}" text)
  # The length of a string literal is limited; adjacent literals are concatenated.
  string(LENGTH "${text}" length)
  set(literals "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} 4000 piece)
    string(APPEND literals "\n     R\"text(${piece})text\"")
    math(EXPR begin "${begin} + 4000")
  endwhile()
  string(APPEND rows "    {\"${name}\",${literals}},\n")
endforeach()
file(WRITE "${OUTPUT}" "// Made by cmake/embed.cmake: files that the report quotes and that the program prints.
#include \"report/embedded.hpp\"

#include <stdexcept>
#include <string>

namespace mluop::cli::report {

std::string_view embedded(std::string_view name) {
  static constexpr std::pair<std::string_view, std::string_view> files[] = {
${rows}  };
  for (const auto& [path, text] : files) {
    if (path == name) return text;
  }
  throw std::logic_error(\"no embedded file '\" + std::string(name) + \"'\");
}

}  // namespace mluop::cli::report
")
