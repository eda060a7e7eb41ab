// The loops of regular (not submanifold) pairs, compiled per instruction set.
#include "ops/sparse_conv/pairs/regular/kernels.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_conv/pairs/regular/kernels.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/sparse_conv/pairs/staged_list-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::pairs::HWY_NAMESPACE {

template <class Word, class Use>
HWY_INLINE void each_pair(const RowTask& task, Use&& use) {
  for (std::int64_t j = task.begin; j < task.end; ++j) {
    task.walk->each_site<Word>(
        j, [&](std::int64_t k, Word word, unsigned place) { use(j, k, word, place); });
  }
}

/// Atomic, because threads mark the same words. Tests the bit first: most sites are marked already, and a
/// load is cheaper than an atomic OR.
HWY_INLINE void set_bits(std::uint64_t& word, std::uint64_t bits) {
  std::atomic_ref<std::uint64_t> shared(word);
  if ((shared.load(std::memory_order_relaxed) & bits) != bits) {
    shared.fetch_or(bits, std::memory_order_relaxed);
  }
}

/// Adds the bits of masks to counts by offset.
void add_bits(const std::uint64_t* masks, std::int64_t count, std::int64_t K,
              std::uint32_t* counts) {
  const hn::ScalableTag<std::uint64_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  HWY_ALIGN std::uint64_t sums[ReachTables::most_offsets];
  for (std::int64_t k = 0; k < K; k += lanes) {
    const auto bits = hn::Shl(hn::Set(d, std::uint64_t{1} << k), hn::Iota(d, 0));
    auto sum = hn::Zero(d);
    for (std::int64_t i = 0; i < count; ++i) {
      // A lane of all ones is -1.
      sum = hn::Sub(sum, hn::VecFromMask(d, hn::TestBit(hn::Set(d, masks[i]), bits)));
    }
    hn::Store(sum, d, sums + k);
  }
  for (std::int64_t k = 0; k < K; ++k) counts[k] += static_cast<std::uint32_t>(sums[k]);
}

HWY_FLATTEN void mark_by_tables(const RowTask& task, const DenseWords& words) {
  constexpr std::int64_t block = 256;
  const Problem& problem = task.walk->problem();
  std::uint64_t masks[block];
  for (std::int64_t begin = task.begin; begin < task.end; begin += block) {
    const std::int64_t count = std::min(block, task.end - begin);
    for (std::int64_t i = 0; i < count; ++i) {
      const SiteRow entries = task.walk->entries_of(begin + i);
      masks[i] = task.walk->offsets_of(entries);
      task.walk->each_word_met(entries, [&](std::uint64_t word, std::uint64_t bits) {
        set_bits(words.mask[word], bits);
      });
    }
    add_bits(masks, count, problem.K, task.next);
  }
}

HWY_FLATTEN void mark_by_axes(const RowTask& task, const DenseWords& words) {
  each_pair<std::uint64_t>(task,
                           [&](std::int64_t, std::int64_t k, std::uint64_t word, unsigned place) {
                             ++task.next[k];
                             set_bits(words.mask[word], std::uint64_t{1} << place);
                           });
}

void mark(const RowTask& task, const DenseWords& words) {
  if (task.walk->has_tables()) {
    mark_by_tables(task, words);
  } else {
    mark_by_axes(task, words);
  }
}

std::int64_t count_marks(const std::uint64_t* mask, std::int64_t count) {
  std::int64_t sum = 0;
  for (std::int64_t w = 0; w < count; ++w) sum += ones(mask[w]);
  return sum;
}

constexpr std::int64_t most_staged = 32;

/// Writes pairs, each with the rank that rank_of(word, place) gives it.
template <class RankOf>
HWY_INLINE void emit(const RowTask& task, RankOf&& rank_of) {
  const Problem& problem = task.walk->problem();
  if (problem.K > most_staged || !problem.streams()) {
    each_pair<std::uint64_t>(
        task, [&](std::int64_t j, std::int64_t k, std::uint64_t word, unsigned place) {
          std::int32_t* const pair = problem.indice_pairs + 2 * k * problem.L + task.next[k]++;
          pair[0] = static_cast<std::int32_t>(j);
          pair[problem.L] = static_cast<std::int32_t>(rank_of(word, place));
        });
    return;
  }
  StagedList lists[most_staged];
  for (std::int64_t k = 0; k < problem.K; ++k) {
    std::int32_t* const inputs = problem.indice_pairs + 2 * k * problem.L + task.next[k];
    lists[k].open(inputs, inputs + problem.L);
  }
  for (std::int64_t begin = task.begin; begin < task.end; begin += StagedList::block) {
    const std::int64_t end = std::min(begin + StagedList::block, task.end);
    each_pair<std::uint64_t>(
        {task.walk, begin, end, nullptr},
        [&](std::int64_t j, std::int64_t k, std::uint64_t word, unsigned place) {
          lists[k].append(static_cast<std::int32_t>(j),
                          static_cast<std::int32_t>(rank_of(word, place)));
        });
    for (std::int64_t k = 0; k < problem.K; ++k) lists[k].flush();
  }
  for (std::int64_t k = 0; k < problem.K; ++k) lists[k].close();
  hwy::FlushStream();
}

HWY_FLATTEN void emit_marked(const RowTask& task, const DenseWords& words) {
  emit(task, [&](std::uint64_t word, unsigned place) {
    return words.base[word] + ones(words.mask[word] & below(place));
  });
}

/// The first cell of a word of the output space.
struct OutputCell {
  std::int64_t b, z, y, x;
};

/// Finds it for many words, without divisions where 64 bits hold a word.
template <class Word>
class OutputCells {
 public:
  explicit OutputCells(const Walk& walk)
      : line_words_(walk.line_words()),
        height_(walk.problem().axes[1].output),
        depth_(walk.problem().axes[0].output) {}

  OutputCell at(Word word) const {
    const auto [line, place] = line_words_.divide(word);
    const auto [plane, y] = height_.divide(line);
    const auto [b, z] = depth_.divide(plane);
    return {static_cast<std::int64_t>(b), static_cast<std::int64_t>(z),
            static_cast<std::int64_t>(y), static_cast<std::int64_t>(place) << place_bits};
  }

 private:
  struct WideDivisor {
    explicit WideDivisor(std::int64_t number) : divisor(static_cast<Wide>(number)) {}
    std::array<Wide, 2> divide(Wide value) const { return {value / divisor, value % divisor}; }
    Wide divisor;
  };
  using Divide = std::conditional_t<std::is_same_v<Word, Narrow>, Divisor, WideDivisor>;

  Divide line_words_, height_, depth_;
};

/// Writes the sites of a word as rows and returns where the next row goes.
HWY_INLINE std::int32_t* write_rows(const Problem& problem, const OutputCell& cell,
                                    std::uint64_t mask, std::int32_t* to) {
  for (; mask != 0; mask &= mask - 1) {
    *to++ = static_cast<std::int32_t>(cell.b);
    if (problem.columns == 4) *to++ = static_cast<std::int32_t>(cell.z);
    *to++ = static_cast<std::int32_t>(cell.y);
    *to++ = static_cast<std::int32_t>(cell.x + std::countr_zero(mask));
  }
  return to;
}

void rank_marks(const Walk& walk, const DenseWords& words, std::int64_t begin, std::int64_t end,
                std::int64_t rank) {
  const Problem& problem = walk.problem();
  const OutputCells<Narrow> cells(walk);
  std::int32_t* to = problem.out_indices + rank * problem.columns;
  for (std::int64_t w = begin; w < end; ++w) {
    const std::uint64_t mask = words.mask[w];
    words.base[w] = static_cast<std::uint32_t>(rank);
    if (mask == 0) continue;
    to = write_rows(problem, cells.at(static_cast<Narrow>(w)), mask, to);
    rank += ones(mask);
  }
}

HWY_FLATTEN std::int64_t count_pairs(const RowTask& task) {
  std::int64_t count = 0;
  each_pair<std::uint64_t>(task, [&](std::int64_t, std::int64_t k, std::uint64_t, unsigned) {
    ++task.next[k];
    ++count;
  });
  return count;
}

template <class Packed>
HWY_FLATTEN WordBits<Packed> pack_sites(const RowTask& task, const PackedFormat& format,
                                        std::int64_t first, Packed* to) {
  WordBits<Packed> bits;
  auto number = static_cast<std::uint64_t>(first);
  each_pair<Packed>(task, [&](std::int64_t, std::int64_t, Packed word, unsigned place) {
    bits.add(word);
    *to++ = format.pack(word, place, number++);
  });
  return bits;
}

template <class Packed>
std::int64_t count_sites(const MetSites<Packed>& met) {
  std::int64_t count = 0;
  each_word(met.format, met.sites, met.range,
            [&](Packed, std::uint64_t mask, std::int64_t, std::int64_t) { count += ones(mask); });
  return count;
}

template <class Packed>
void rank_sites(const Walk& walk, const MetSites<Packed>& met, std::int64_t rank,
                std::uint32_t* ranks) {
  const Problem& problem = walk.problem();
  const OutputCells<Packed> cells(walk);
  std::int32_t* to = problem.out_indices + rank * problem.columns;
  each_word(met.format, met.sites, met.range,
            [&](Packed word, std::uint64_t mask, std::int64_t first, std::int64_t last) {
              for (std::int64_t i = first; i < last; ++i) {
                const Packed site = met.sites[i];
                ranks[met.format.number(site)] =
                    static_cast<std::uint32_t>(rank) + ones(mask & below(met.format.place(site)));
              }
              to = write_rows(problem, cells.at(word), mask, to);
              rank += ones(mask);
            });
}

HWY_FLATTEN void emit_ranked(const RowTask& task, const std::uint32_t* ranks) {
  emit(task, [&](std::uint64_t, unsigned) { return *ranks++; });
}

template <class Packed>
constexpr SortedKernels<Packed> sorted_kernels{pack_sites<Packed>, count_sites<Packed>,
                                               rank_sites<Packed>};

const RegularKernels& regular_table() {
  static constexpr RegularKernels all{mark,
                                      count_marks,
                                      rank_marks,
                                      emit_marked,
                                      count_pairs,
                                      sorted_kernels<Narrow>,
                                      sorted_kernels<Wide>,
                                      emit_ranked};
  return all;
}

}  // namespace mluop::sparse_conv::pairs::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_conv::pairs {

const PerIsa<const RegularKernels& (*)()> regular_kernels = MLUOP_PER_ISA(regular_table);

}  // namespace mluop::sparse_conv::pairs
#endif
