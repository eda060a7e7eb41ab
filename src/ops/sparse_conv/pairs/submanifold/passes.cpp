// The passes that find submanifold pairs; each runs in parallel over a fixed partition.
#include "ops/sparse_conv/pairs/submanifold/passes.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

constexpr std::int64_t word_grain = 2048;
constexpr std::int64_t least_rows = 4096;

/// Lists of rows are found by 32 bits: with very many rows, fewer offsets are looked up together.
int bits_per_group(const Problem& problem) {
  const std::int64_t lists = std::int64_t{1} << 32;
  const std::int64_t spare = (problem.L / word_grain + 2) * rows_behind;
  return static_cast<int>(std::clamp<std::int64_t>((lists - spare) / problem.L, 1,
                                                   std::min<std::int64_t>(group_bits, problem.K)));
}

}  // namespace

/// What one pass leaves for the next.
template <class Packed>
struct SubmanifoldPairs<Packed>::State {
  const SubmanifoldKernels& kernels;
  int threads;
  std::byte* base;
  typename PackedSort<Packed>::Result sorted{};
  SiteWords<Packed> words{};
  WordCount total{};
};

template <class Packed>
SubmanifoldPairs<Packed>::SubmanifoldPairs(const Problem& problem, const SubmanifoldPlan& plan,
                                           WorkspaceLayout& layout)
    : problem_(problem),
      plan_(plan),
      format_{bits_below(static_cast<Wide>(problem.L))},
      most_bits_(bits_per_group(problem)),
      chunks_(problem.L, least_rows),
      sort_(problem.L, layout),
      counts_(layout.add<WordCount>(PackedSort<Packed>::most_ranges(problem.L) + 1)),
      loose_word_(layout.add<Packed>(problem.L)),
      loose_mask_(layout.add<std::uint64_t>(problem.L)),
      loose_base_(layout.add<std::uint32_t>(problem.L)),
      word_(layout.add<Packed>(problem.L + words_behind + 1)),
      mask_(layout.add<std::uint64_t>(problem.L + words_behind + 1)),
      base_(layout.add<std::uint32_t>(problem.L + words_behind + 1)),
      row_(layout.add<std::int32_t>(problem.L + rows_behind)),
      met_(layout.add<std::int32_t>(problem.L * most_bits_ +
                                    (problem.L / word_grain + 2) * rows_behind)),
      found_(layout.add<Found>(problem.L)),
      positions_(layout.add<std::uint32_t>(chunks_.number * group_bits)) {}

/// Packs some rows; false if one of them is outside.
template <class Packed>
template <bool dilated>
bool SubmanifoldPairs<Packed>::pack_rows(std::int64_t begin, std::int64_t end, Packed* packed,
                                         WordBits<Packed>& bits) const {
  // Coordinates have 32 bits, and so has whatever part of a dilation is below them.
  const auto dilation = static_cast<std::uint32_t>(plan_.dilation());
  bool good = true;
  for (std::int64_t j = begin; j < end; ++j) {
    const SiteRow row = row_at(problem_, j);
    good &= inside(problem_, row);
    const auto x = static_cast<std::uint32_t>(row.x);
    const std::uint32_t cell = dilated ? x / dilation : x;
    const std::uint32_t lane = dilated ? x % dilation : 0;
    const auto word = plan_.template word<Packed>(row.b, row.z, row.y, lane, cell);
    bits.add(word);
    packed[j] = format_.pack(word, cell & 63, static_cast<std::uint64_t>(j));
  }
  return good;
}

/// Packs the rows and returns the bits in which their words differ.
template <class Packed>
Packed SubmanifoldPairs<Packed>::pack(const State& state) const {
  Packed* const packed = sort_.input(state.base);
  std::array<WordBits<Packed>, RowChunks::most> bits;
  std::atomic<bool> all_inside{true};
  chunks_.for_each(state.threads, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
    WordBits<Packed> own;
    const bool good = plan_.dilation() == 1 ? pack_rows<false>(begin, end, packed, own)
                                            : pack_rows<true>(begin, end, packed, own);
    bits[static_cast<std::size_t>(chunk)] = own;
    if (!good) all_inside = false;
  });
  if (!all_inside) report_outside(problem_);
  for (const WordBits<Packed>& chunk : bits) bits[0].add(chunk);
  return bits[0].varying() << (format_.number_bits + place_bits);
}

/// Sorts the rows; while a range of them is in the cache, makes words of it.
template <class Packed>
void SubmanifoldPairs<Packed>::make_words(State& state, Packed varying) const {
  const auto& kernels = state.kernels.template of<Packed>();
  std::byte* const base = state.base;
  const SiteWords<Packed> loose{loose_word_.in(base), loose_mask_.in(base), loose_base_.in(base),
                                row_.in(base)};
  WordCount* const counts = counts_.in(base);
  state.sorted = sort_.run(problem_.L, varying, state.threads, base,
                           [&](std::int64_t r, const Packed* sorted, const WordRange& range) {
                             counts[r] = kernels.write({format_, sorted, range}, loose);
                           });
  for (std::int64_t r = 0; r < state.sorted.ranges; ++r) {
    const WordCount count = std::exchange(counts[r], state.total);
    state.total.words += count.words;
    state.total.sites += count.sites;
  }
  counts[state.sorted.ranges] = state.total;
  state.words = {word_.in(base) + 1, mask_.in(base) + 1, base_.in(base) + 1, row_.in(base)};
  close_gaps(state, loose);
}

/// Closes the gaps between the words of the ranges, and adds sentinels at both ends.
template <class Packed>
void SubmanifoldPairs<Packed>::close_gaps(const State& state,
                                          const SiteWords<Packed>& loose) const {
  const WordCount* const counts = counts_.in(state.base);
  const SiteWords<Packed>& words = state.words;
  parallel_for(state.threads, state.sorted.ranges, 16,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t r = begin; r < end; ++r) {
                   const std::int64_t from = sort_.range(r, state.base).begin;
                   const std::int64_t to = counts[r].words, count = counts[r + 1].words - to;
                   std::copy_n(loose.word + from, count, words.word + to);
                   std::copy_n(loose.mask + from, count, words.mask + to);
                   std::copy_n(loose.base + from, count, words.base + to);
                 }
               });
  // No site is in word 0, and none above the plan's words. The sentinels are valid in signed comparisons, too.
  words.word[-1] = 0;
  words.mask[-1] = words.base[-1] = 0;
  std::fill_n(words.word + state.total.words, words_behind, ~Packed{0} >> 1);
  std::fill_n(words.mask + state.total.words, words_behind, std::uint64_t{0});
  std::fill_n(words.base + state.total.words, words_behind, 0u);
}

/// Finds, for every row, which offsets of a group meet a site, and its row.
template <class Packed>
void SubmanifoldPairs<Packed>::find(const State& state, const Group& group) const {
  const auto& kernels = state.kernels.template of<Packed>();
  Found* const found = found_.in(state.base);
  const Neighbours<Packed> task{state.words, state.total.words, &group, met_.in(state.base), found};
  parallel_for(
      state.threads, state.total.words, word_grain, [&](std::int64_t begin, std::int64_t end, int) {
        const std::int64_t first =
            std::int64_t{state.words.base[begin]} * group.bits + begin / word_grain * rows_behind;
        kernels.look_up(task, begin, end, static_cast<std::uint32_t>(first));
      });
  if (state.total.sites == problem_.L) return;
  parallel_for(state.threads, state.sorted.ranges, 1, [&](std::int64_t r, std::int64_t, int) {
    kernels.share({format_, state.sorted.sorted, sort_.range(r, state.base)}, state.words.row,
                  found);
  });
}

/// Appends the pairs of a group to the lists of its offsets, ascending by row.
template <class Packed>
void SubmanifoldPairs<Packed>::emit(const State& state, const Group& group) const {
  const Found* const found = found_.in(state.base);
  const auto positions = [&](std::int64_t chunk) {
    return positions_.in(state.base) + chunk * group_bits;
  };
  chunks_.for_each(state.threads, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
    state.kernels.count_bits(found + begin, end - begin, positions(chunk));
  });
  std::array<std::uint32_t, group_bits> totals;
  std::array<std::int32_t*, group_bits> lists;
  place_pairs(positions(0), chunks_.number, group_bits, totals.data());
  for (std::size_t b = 0; b < static_cast<std::size_t>(group.bits); ++b) {
    problem_.indice_num[group.offsets[b]] = static_cast<std::int32_t>(totals[b]);
    lists[b] = problem_.indice_pairs + 2 * group.offsets[b] * problem_.L;
  }
  chunks_.for_each(state.threads, [&](std::int64_t begin, std::int64_t end, std::int64_t chunk) {
    state.kernels.emit({found, met_.in(state.base), begin, end, problem_.L, group.bits,
                        lists.data(), positions(chunk)});
  });
}

template <class Packed>
void SubmanifoldPairs<Packed>::copy_rows(const State& state) const {
  const int columns = problem_.columns;
  chunks_.for_each(state.threads, [&](std::int64_t begin, std::int64_t end, std::int64_t) {
    std::copy(problem_.indices + begin * columns, problem_.indices + end * columns,
              problem_.out_indices + begin * columns);
  });
}

template <class Packed>
std::int64_t SubmanifoldPairs<Packed>::run(const Execution& run) const {
  State state{run.choose(submanifold_kernels)(), run.threads, run.base};
  make_words(state, pack(state));
  std::fill_n(problem_.indice_num, problem_.K, 0);
  plan_.each_group(most_bits_, [&](const Group& group) {
    find(state, group);
    emit(state, group);
  });
  copy_rows(state);
  return problem_.L;
}

template class SubmanifoldPairs<Narrow>;
template class SubmanifoldPairs<Wide>;

}  // namespace mluop::sparse_conv::pairs
