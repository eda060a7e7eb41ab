// Where the neighbours of a site lie in the sorted words of a submanifold convolution.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "ops/sparse_conv/pairs/packed_sites.hpp"
#include "ops/sparse_conv/pairs/problem.hpp"

namespace mluop::sparse_conv::pairs {

/// Offsets that are looked up together: one bit each in the mask of a row.
inline constexpr int group_bits = 32;

/// Neighbouring offsets along the last axis, at one place of the other two: the neighbours of a site
/// are a window of `width` cells in some lane. The window starts at bit `first` + place, counted from the
/// start of word (site's word + middle - 1), and may span two words.
struct Line {
  Wide middle;  // modulo 2^128, so that it may be negative
  int first, width;
  int bit;  // of the mask: the window's cells in ascending order
};

/// At most group_bits lines; two lines may share bits if at most one can match for any site.
struct Group {
  std::array<Line, group_bits> lines;
  std::array<std::int64_t, group_bits> offsets;  // the kernel offset of each bit
  int line_count = 0, bits = 0;
};

/// The space of a submanifold convolution, cut into words. With a dilation d of the last axis a line is d
/// lanes: cell c of lane r is x = c·d + r, so that the cells a kernel meets are neighbours in a lane. Each
/// lane, line, plane and volume is padded with empty cells, as far as the kernel reaches: no neighbour beyond
/// an edge is taken for a site.
class SubmanifoldPlan {
 public:
  explicit SubmanifoldPlan(const Problem& problem);

  /// Every word is below this.
  Wide words() const noexcept { return words_; }
  std::int64_t dilation() const noexcept { return axes_[2].dilation; }
  /// The word of a cell of a lane of the line at (b, z, y).
  template <class Word>
  Word word(std::int64_t b, std::int64_t z, std::int64_t y, std::int64_t lane,
            std::int64_t cell) const noexcept {
    const auto line = (static_cast<Word>(b) * static_cast<Word>(planes_) + static_cast<Word>(z)) *
                          static_cast<Word>(lines_) +
                      static_cast<Word>(y);
    return static_cast<Word>(origin_) + line * static_cast<Word>(line_words_) +
           static_cast<Word>(lane) * static_cast<Word>(lane_words_) +
           static_cast<Word>(cell >> place_bits);
  }

  /// Calls use(group) for groups of at most `most_bits` offsets that together hold every offset that can
  /// meet a site; within a group, bits are in the order of the sites they lead to.
  template <class Use>
  void each_group(int most_bits, Use&& use) const {
    Group group;
    each_window(most_bits, [&](const Window& window) {
      if (group.bits + window.width > most_bits || group.line_count + window.moves > group_bits) {
        use(group);
        group.line_count = group.bits = 0;
      }
      for (int m = 0; m < window.moves; ++m) {
        Line line = line_at(window, window.move[static_cast<std::size_t>(m)]);
        line.bit = group.bits;
        group.lines[static_cast<std::size_t>(group.line_count++)] = line;
      }
      for (int i = 0; i < window.width; ++i) {
        group.offsets[static_cast<std::size_t>(group.bits++)] =
            window.first_offset + i * window.step;
      }
    });
    if (group.bits > 0) use(group);
  }

 private:
  /// A lane shift caused by the pad of the last axis. If the pad is no multiple of the dilation there are
  /// two shifts; the one that does not apply to a lane ends in an empty lane.
  struct Move {
    std::int64_t lanes, cells;
  };
  /// Some neighbouring offsets of the last axis, at one place of the other two.
  struct Window {
    std::int64_t dz, dy;
    std::int64_t cell;  // of the first one, before the move
    int width;
    int moves;  // that meet anything
    std::array<Move, 2> move;
    std::int64_t first_offset, step;  // kernel offsets
  };

  /// How far the offset a of an axis leads.
  std::int64_t shift(const Axis& axis, std::int64_t a) const noexcept {
    return transpose_ ? a * axis.dilation - axis.pad : axis.pad - a * axis.dilation;
  }
  std::int64_t reach(const Axis& axis) const noexcept;
  std::int64_t cell_reach() const noexcept;
  void find_moves();
  Line line_at(const Window& window, const Move& move) const;

  /// Calls use(window) for the windows that meet anything, in the order of the sites they lead to.
  template <class Use>
  void each_window(int most_width, Use&& use) const {
    const auto& [D, H, W] = axes_;
    Window window{};
    window.step = transpose_ ? 1 : -1;
    for (std::int64_t i = 0; i < D.filter * H.filter; ++i) {
      const std::int64_t at = transpose_ ? i : D.filter * H.filter - 1 - i;
      window.dz = shift(D, at / H.filter);
      window.dy = shift(H, at % H.filter);
      if (std::abs(window.dz) >= D.input || std::abs(window.dy) >= H.input) continue;
      for (std::int64_t done = 0; done < W.filter; done += most_width) {
        const std::int64_t a = transpose_ ? done : W.filter - 1 - done;
        window.width = static_cast<int>(std::min<std::int64_t>(most_width, W.filter - done));
        window.cell = transpose_ ? a : -a;
        window.first_offset = at * W.filter + a;
        choose_moves(window);
        if (window.moves > 0) use(window);
      }
    }
  }
  void choose_moves(Window& window) const;

  std::array<Axis, 3> axes_;
  bool transpose_;
  std::int64_t lanes_, cells_;  // those that may hold sites
  std::array<Move, 2> moves_{};
  int move_count_ = 0;
  std::int64_t planes_, lines_;  // including the empty ones
  std::int64_t lane_words_, line_words_;
  Wide origin_, words_;
};

}  // namespace mluop::sparse_conv::pairs
