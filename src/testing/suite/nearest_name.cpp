// Distances between names.
#include "testing/suite/nearest_name.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace mluop::testing {
namespace {

std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_' && c != '-')
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  for (const std::string_view prefix : {"mluopcpu", "mluop"}) {
    if (letters.size() > prefix.size() && letters.starts_with(prefix)) {
      return letters.substr(prefix.size());
    }
  }
  return letters;
}

/// Insertions, deletions, exchanges and swaps of neighbours that turn `from` into `to`.
std::size_t distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), now(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t exchanged = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, exchanged});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last.back();
}

}  // namespace

std::string nearest_name(std::string_view name, std::span<const std::string> known) {
  const std::string wanted = plain(name);
  std::string nearest;
  std::size_t least = wanted.size() / 3 + 1;  // of a distance that is too far
  for (const std::string& candidate : known) {
    const std::size_t far = distance(wanted, plain(candidate));
    if (far >= least) continue;
    least = far;
    nearest = candidate;
  }
  constexpr std::size_t enough = 3;  // letters
  if (!nearest.empty() || wanted.size() < enough) return nearest;
  const auto begins = [&](const std::string& candidate) {
    return plain(candidate).starts_with(wanted);
  };
  const auto found = std::ranges::find_if(known, begins);
  return found != known.end() ? *found : "";
}

std::string suggestion_for(std::string_view name, std::span<const std::string> known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

std::string hint_for(std::string_view name, std::span<const std::string> known) {
  std::string hint = suggestion_for(name, known);
  if (!hint.empty()) return hint;
  hint = "; known: ";
  for (const std::string& one : known) hint += (&one == known.data() ? "" : ", ") + one;
  return hint;
}

}  // namespace mluop::testing
