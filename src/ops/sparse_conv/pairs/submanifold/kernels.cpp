// The loops of submanifold pairs, compiled for every instruction set.
#include "ops/sparse_conv/pairs/submanifold/kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/pairs/submanifold/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/sparse_conv/pairs/staged_list-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::pairs::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The number of a site of a word whose first element is number `begin`.
template <class Packed>
HWY_INLINE std::int64_t number_of(const PackedFormat& format, std::int64_t begin,
                                  std::uint64_t mask, Packed site) {
  return begin + ones(mask & below(format.place(site)));
}

template <class Packed>
WordCount write_words(const SortedSites<Packed>& sorted, const SiteWords<Packed>& words) {
  WordCount count;
  std::int64_t w = sorted.range.begin;
  each_word(sorted.format, sorted.sites, sorted.range,
            [&](Packed word, std::uint64_t mask, std::int64_t begin, std::int64_t end) {
              words.word[w] = word;
              words.mask[w] = mask;
              words.base[w] = static_cast<std::uint32_t>(begin);
              ++w;
              count.sites += ones(mask);
              // Rows ascend, so that of equal sites the last stays.
              for (std::int64_t i = begin; i < end; ++i) {
                const Packed site = sorted.sites[i];
                words.row[number_of(sorted.format, begin, mask, site)] =
                    static_cast<std::int32_t>(sorted.format.number(site));
              }
            });
  count.words = w - sorted.range.begin;
  return count;
}

template <class Packed>
void share_found(const SortedSites<Packed>& sorted, const std::int32_t* row, Found* found) {
  each_word(sorted.format, sorted.sites, sorted.range,
            [&](Packed, std::uint64_t mask, std::int64_t begin, std::int64_t end) {
              for (std::int64_t i = begin; i < end; ++i) {
                const Packed site = sorted.sites[i];
                found[sorted.format.number(site)] =
                    found[row[number_of(sorted.format, begin, mask, site)]];
              }
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

/// Appends the rows of `count` sites from number `site` on. At least four are copied.
HWY_INLINE std::int32_t* append(const std::int32_t* rows, std::uint32_t site, std::uint32_t count,
                                std::int32_t* list) {
  std::memcpy(list, rows + site, 16);
  for (std::uint32_t i = 4; i < count; i += 4) std::memcpy(list + i, rows + site + i, 16);
  return list + count;
}

/// A cursor into the words for each line of a group.
template <class Word>
struct Search {
  Search(const Neighbours<Word>& neighbours, std::int64_t begin)
      : words(neighbours.words), lines(neighbours.group->line_count) {
    const Word* const all = words.word;
    for (int l = 0; l < lines; ++l) {
      const Line& line = neighbours.group->lines[static_cast<std::size_t>(l)];
      shift[l] = static_cast<Word>(line.middle);
      first[l] = line.first;
      bit[l] = line.bit;
      window[l] = (std::uint64_t{1} << line.width) - 1;
      lowest = std::min(lowest, line.first);
      highest = std::max(highest, line.first + line.width - 1);
      alike = alike && first[l] == first[0] && window[l] == window[0] && line.width <= 4;
      at[l] = std::lower_bound(all, all + neighbours.word_count, all[begin] + shift[l]) - all;
    }
  }

  /// Whether the windows of a place lie in middle words.
  bool middle_only(int place) const { return place + lowest >= 64 && place + highest < 128; }

  /// Superset of the middle-word cells covered by windows at `places`; all cells for wide windows.
  HWY_INLINE std::uint64_t spread(std::uint64_t places) const {
    if (highest - lowest >= 8 || lowest > 64 || highest < 64) return ~std::uint64_t{0};
    std::uint64_t cells = places;
    for (int i = lowest; i < 64; ++i) cells |= places >> (64 - i);
    for (int i = 65; i <= highest; ++i) cells |= places << (i - 64);
    return cells;
  }

  SiteWords<Word> words;
  int lines;
  int lowest = 128, highest = 0;
  bool alike = true;  // windows of one short width, at one distance
  Word shift[group_bits];
  std::int64_t at[group_bits];
  int first[group_bits], bit[group_bits];
  std::uint64_t window[group_bits];
};

/// The middle words of one word's lines; only lines that can meet a site there.
struct Views {
  std::uint64_t cells[group_bits];
  std::uint32_t base[group_bits];
  std::int32_t line[group_bits];
  int count;
};

template <class Word>
HWY_INLINE void find_middles(Search<Word>& search, std::int64_t w, Views& views) {
  const SiteWords<Word>& words = search.words;
  const std::uint64_t near = search.spread(words.mask[w]);
  views.count = 0;
  for (int l = 0; l < search.lines; ++l) {
    const Word middle = words.word[w] + search.shift[l];
    const std::int64_t at = advance(words.word, search.at[l], middle);
    search.at[l] = at;
    const std::uint64_t cells = words.mask[at] & (std::uint64_t{0} - (words.word[at] == middle));
    views.cells[views.count] = cells;
    views.base[views.count] = words.base[at];
    views.line[views.count] = l;
    views.count += (cells & near) != 0;
  }
}

template <bool alike, class Word>
HWY_INLINE std::uint32_t meet_middles(const Search<Word>& search, const Views& views, int place,
                                      std::int32_t*& list) {
  std::uint32_t mask = 0;
  for (int v = 0; v < views.count; ++v) {
    const int l = views.line[v];
    const auto start = static_cast<unsigned>(search.first[alike ? 0 : l] + place - 64);
    const std::uint64_t bits = views.cells[v] >> start & search.window[alike ? 0 : l];
    const std::uint32_t site = views.base[v] + ones(views.cells[v] & below(start));
    const std::uint32_t count = ones(bits);
    if constexpr (alike) {
      std::memcpy(list, search.words.row + site, 16);
      list += count;
    } else {
      list = append(search.words.row, site, count, list);
    }
    mask |= static_cast<std::uint32_t>(bits) << search.bit[l];
  }
  return mask;
}

/// The same for a place whose windows reach into other words.
template <class Word>
HWY_NOINLINE std::uint32_t meet_around(const Search<Word>& search, Word word, int place,
                                       std::int32_t*& list) {
  std::uint32_t mask = 0;
  for (int l = 0; l < search.lines; ++l) {
    const Word middle = word + search.shift[l];
    const Word* const at = search.words.word + search.at[l];
    const std::uint64_t* const masks = search.words.mask + search.at[l];
    const std::uint32_t* const bases = search.words.base + search.at[l];
    const bool before = at[-1] == middle - 1, in = at[0] == middle, behind = at[in] == middle + 1;
    const std::uint64_t cells[] = {before ? masks[-1] : 0, in ? masks[0] : 0,
                                   behind ? masks[in] : 0, 0};
    const std::uint32_t base[] = {bases[-1], bases[0], bases[in], 0};
    const auto start = static_cast<unsigned>(search.first[l] + place);
    const unsigned w = start / 64, shift = start % 64;
    const std::uint64_t low = cells[w] >> shift & search.window[l];
    const std::uint64_t high = cells[w + 1] << 1 << (63 - shift) & search.window[l];
    list = append(search.words.row, base[w] + ones(cells[w] & below(shift)), ones(low), list);
    list = append(search.words.row, base[w + 1], ones(high), list);
    mask |= static_cast<std::uint32_t>(low | high) << search.bit[l];
  }
  return mask;
}

template <bool alike, class Word>
HWY_INLINE void look_up_all(const Neighbours<Word>& task, Search<Word>& search, std::int64_t begin,
                            std::int64_t end, std::uint32_t first) {
  const SiteWords<Word>& words = task.words;
  std::int32_t* list = task.met + first;
  Views views;
  for (std::int64_t w = begin; w < end; ++w) {
    find_middles(search, w, views);
    const std::int32_t* row = words.row + words.base[w];
    for (std::uint64_t rest = words.mask[w]; rest != 0; rest &= rest - 1) {
      const int place = std::countr_zero(rest);
      Found found{0, static_cast<std::uint32_t>(list - task.met)};
      if (HWY_LIKELY(search.middle_only(place))) {
        found.mask = meet_middles<alike>(search, views, place, list);
      } else {
        found.mask = meet_around(search, words.word[w], place, list);
      }
      task.found[*row++] = found;
    }
  }
}

template <class Word>
void look_up(const Neighbours<Word>& task, std::int64_t begin, std::int64_t end,
             std::uint32_t first) {
  Search<Word> search(task, begin);
  if (search.alike) {
    look_up_all<true>(task, search, begin, end, first);
  } else {
    look_up_all<false>(task, search, begin, end, first);
  }
}

void count_bits(const Found* found, std::int64_t count, std::uint32_t* counts) {
  const hn::ScalableTag<std::uint32_t> d;
  const std::size_t lanes = hn::Lanes(d);
  HWY_ALIGN std::uint32_t bits[group_bits];
  for (std::size_t b = 0; b < group_bits; ++b) bits[b] = 1u << b;
  for (std::size_t b = 0; b < group_bits; b += lanes) {
    const auto bit = hn::Load(d, bits + b);
    auto sums = hn::Zero(d);
    for (std::int64_t j = 0; j < count; ++j) {
      // A lane of all ones is -1.
      sums = hn::Sub(sums, hn::VecFromMask(d, hn::TestBit(hn::Set(d, found[j].mask), bit)));
    }
    hn::StoreU(sums, d, counts + b);
  }
}

void emit(const Emission& task) {
  StagedList lists[group_bits];
  for (int b = 0; b < task.bits; ++b) {
    lists[b].open(task.to[b] + task.next[b], task.to[b] + task.next[b] + task.L);
  }
  for (std::int64_t begin = task.begin; begin < task.end; begin += StagedList::block) {
    const std::int64_t end = std::min(begin + StagedList::block, task.end);
    for (std::int64_t j = begin; j < end; ++j) {
      const Found found = task.found[j];
      __builtin_prefetch(task.met + task.found[std::min(j + 16, task.end - 1)].first);
      const std::int32_t* met = task.met + found.first;
      for (std::uint32_t rest = found.mask; rest != 0; rest &= rest - 1) {
        lists[std::countr_zero(rest)].append(static_cast<std::int32_t>(j), *met++);
      }
    }
    for (int b = 0; b < task.bits; ++b) lists[b].flush();
  }
  for (int b = 0; b < task.bits; ++b) lists[b].close();
  hwy::FlushStream();
}

template <class Packed>
constexpr WordKernels<Packed> word_kernels{write_words<Packed>, share_found<Packed>,
                                           look_up<Packed>};

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
