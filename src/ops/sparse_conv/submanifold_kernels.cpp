// The loops of submanifold pairs, compiled for every instruction set.
#include "ops/sparse_conv/submanifold_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/submanifold_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::pairs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class Packed>
WordCount count_words(const SortedSites<Packed>& sorted, std::int64_t begin, std::int64_t end) {
  WordCount count;
  each_word(sorted.format, sorted.sites, sorted.count, begin, end,
            [&](Packed, std::uint64_t mask, std::int64_t, std::int64_t) {
              ++count.words;
              count.sites += ones(mask);
            });
  return count;
}

template <class Packed>
void write_words(const SortedSites<Packed>& sorted, std::int64_t begin, std::int64_t end,
                 WordCount at, const SiteWords<Packed>& words) {
  each_word(sorted.format, sorted.sites, sorted.count, begin, end,
            [&](Packed word, std::uint64_t mask, std::int64_t first, std::int64_t last) {
              words.word[at.words] = word;
              words.mask[at.words] = mask;
              words.base[at.words] = static_cast<std::uint32_t>(at.sites);
              ++at.words;
              // Rows ascend, so that of equal sites the last stays.
              for (std::int64_t i = first; i < last; ++i) {
                const Packed site = sorted.sites[i];
                words.row[at.sites + ones(mask & below(sorted.format.place(site)))] =
                    static_cast<std::int32_t>(sorted.format.number(site));
              }
              at.sites += ones(mask);
            });
}

template <class Packed>
void share_found(const SortedSites<Packed>& sorted, std::int64_t begin, std::int64_t end,
                 WordCount at, const SiteWords<Packed>& words, Found* found) {
  each_word(sorted.format, sorted.sites, sorted.count, begin, end,
            [&](Packed, std::uint64_t mask, std::int64_t first, std::int64_t last) {
              for (std::int64_t i = first; i < last; ++i) {
                const Packed site = sorted.sites[i];
                const std::uint64_t row = sorted.format.number(site);
                found[row] =
                    found[words.row[at.sites + ones(mask & below(sorted.format.place(site)))]];
              }
              at.sites += ones(mask);
            });
}

/// The first word from `at` on that is not below `wanted`; there is one.
HWY_INLINE std::int64_t advance(const Narrow* words, std::int64_t at, Narrow wanted) {
  const hn::ScalableTag<std::int64_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  if (lanes >= 4) {
    const auto bound = hn::Set(d, static_cast<std::int64_t>(wanted));
    std::size_t passed = 0;
    do {
      const auto next = hn::LoadU(d, reinterpret_cast<const std::int64_t*>(words) + at);
      passed = hn::CountTrue(d, hn::Lt(next, bound));
      at += static_cast<std::int64_t>(passed);
    } while (HWY_UNLIKELY(passed == static_cast<std::size_t>(lanes)));
    return at;
  }
  while (words[at] < wanted) ++at;
  return at;
}
HWY_INLINE std::int64_t advance(const Wide* words, std::int64_t at, Wide wanted) {
  while (words[at] < wanted) ++at;
  return at;
}

/// The cells in and around a line's middle word, for the sites of one word.
struct View {
  std::uint64_t cells[4];  // before the middle word, in it, behind it; 0
  std::uint32_t base;      // the number of the first site in them
  int first, bit;
  std::uint64_t window;  // as many ones as the line is wide
};

template <class Word>
HWY_INLINE View view_of(const SiteWords<Word>& words, std::int64_t at, Word middle,
                        const Line& line) {
  const bool before = words.word[at - 1] == middle - 1;
  const bool in = words.word[at] == middle;
  const bool behind = words.word[at + in] == middle + 1;
  return {{before ? words.mask[at - 1] : 0, in ? words.mask[at] : 0,
           behind ? words.mask[at + in] : 0, 0},
          words.base[at - before],
          line.first,
          line.bit,
          (std::uint64_t{1} << line.width) - 1};
}

/// Appends the rows of the sites in a view's window to a list and returns their bits.
HWY_INLINE std::uint32_t meet(const View& view, unsigned place, const std::int32_t* rows,
                              std::int32_t*& list) {
  const unsigned start = static_cast<unsigned>(view.first) + place;
  const unsigned word = start / 64, shift = start % 64;
  const std::uint64_t bits =
      (view.cells[word] >> shift | view.cells[word + 1] << 1 << (63 - shift)) & view.window;
  std::uint32_t site = view.base + ones(view.cells[word] & below(shift));
  for (unsigned i = 0; i < word; ++i) site += ones(view.cells[i]);
  const std::uint32_t count = ones(bits);
  for (std::uint32_t i = 0; i < count; i += 4) std::memcpy(list + i, rows + site + i, 16);
  list += count;
  return static_cast<std::uint32_t>(bits) << view.bit;
}

template <class Word>
void look_up(const Neighbours<Word>& task, std::int64_t begin, std::int64_t end,
             std::uint32_t first) {
  const SiteWords<Word>& words = task.words;
  const Group& group = *task.group;
  std::int64_t at[group_bits];
  for (int l = 0; l < group.line_count; ++l) {
    const Word middle = words.word[begin] + static_cast<Word>(group.lines[l].middle);
    at[l] = std::lower_bound(words.word, words.word + task.word_count, middle) - words.word;
  }
  std::int32_t* list = task.met + first;
  View views[group_bits];
  for (std::int64_t w = begin; w < end; ++w) {
    int active = 0;
    for (int l = 0; l < group.line_count; ++l) {
      const Word middle = words.word[w] + static_cast<Word>(group.lines[l].middle);
      at[l] = advance(words.word, at[l], middle);
      const View view = view_of(words, at[l], middle, group.lines[l]);
      views[active] = view;
      active += (view.cells[0] | view.cells[1] | view.cells[2]) != 0;
    }
    const std::int32_t* row = words.row + words.base[w];
    for (std::uint64_t rest = words.mask[w]; rest != 0; rest &= rest - 1) {
      const auto place = static_cast<unsigned>(std::countr_zero(rest));
      Found found{0, static_cast<std::uint32_t>(list - task.met)};
      for (int v = 0; v < active; ++v) found.mask |= meet(views[v], place, words.row, list);
      task.found[*row++] = found;
    }
  }
}

void count_bits(const Found* found, std::int64_t count, std::uint32_t* counts) {
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::uint32_t rest = found[j].mask; rest != 0; rest &= rest - 1) {
      ++counts[std::countr_zero(rest)];
    }
  }
}

void emit(const Emission& task) {
  std::int32_t* to[group_bits];
  for (int b = 0; b < task.bits; ++b) to[b] = task.to[b] + task.next[b];
  for (std::int64_t j = task.begin; j < task.end; ++j) {
    const Found found = task.found[j];
    const std::int32_t* met = task.met + found.first;
    for (std::uint32_t rest = found.mask; rest != 0; rest &= rest - 1) {
      std::int32_t*& pair = to[std::countr_zero(rest)];
      pair[0] = static_cast<std::int32_t>(j);
      pair[task.L] = *met++;
      ++pair;
    }
  }
}

template <class Packed>
constexpr WordKernels<Packed> word_kernels{count_words<Packed>, write_words<Packed>,
                                           share_found<Packed>, look_up<Packed>};

const SubmanifoldKernels& submanifold_table() {
  static constexpr SubmanifoldKernels all{word_kernels<Narrow>, word_kernels<Wide>, count_bits,
                                          emit};
  return all;
}

}  // namespace mluop::sparse_conv::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv::pairs {

const PerIsa<const SubmanifoldKernels& (*)()> submanifold_kernels =
    MLUOP_PER_ISA(submanifold_table);

}  // namespace mluop::sparse_conv::pairs
#endif
