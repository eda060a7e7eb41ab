// The passes that find submanifold pairs; each runs in parallel over a fixed partition.
#include "ops/sparse_conv/submanifold_pairs.hpp"

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

/// What the passes hand on.
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
      counts_(layout.add<WordCount>(PackedSort<Packed>::most_ranges(problem.L))),
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

/// Packs the rows and returns the bits in which their words differ.
template <class Packed>
Packed SubmanifoldPairs<Packed>::pack(const State& state) const {
  Packed* const packed = sort_.input(state.base);
  std::array<WordBits<Packed>, RowChunks::most> bits;
  std::atomic<bool> all_inside{true};
  parallel_for(state.threads, problem_.L, chunks_.grain,
               [&](std::int64_t begin, std::int64_t end, int) {
                 WordBits<Packed> own;
                 bool good = true;
                 for (std::int64_t j = begin; j < end; ++j) {
                   const SiteRow row = row_at(problem_, j);
                   good &= inside(problem_, row);
                   const auto word = plan_.template word<Packed>(row.b, row.z, row.y, row.x);
                   own.add(word);
                   packed[j] = format_.pack(word, static_cast<std::uint64_t>(row.x & 63),
                                            static_cast<std::uint64_t>(j));
                 }
                 bits[static_cast<std::size_t>(begin / chunks_.grain)] = own;
                 if (!good) all_inside = false;
               });
  if (!all_inside) report_outside(problem_);
  for (const WordBits<Packed>& chunk : bits) bits[0].add(chunk);
  return bits[0].varying() << (format_.number_bits + place_bits);
}

template <class Packed>
void SubmanifoldPairs<Packed>::make_words(State& state, Packed varying) const {
  const auto& kernels = state.kernels.template of<Packed>();
  std::byte* const base = state.base;
  const SiteWords<Packed> scattered{loose_word_.in(base), loose_mask_.in(base),
                                    loose_base_.in(base), row_.in(base)};
  WordCount* const counts = counts_.in(base);
  state.sorted = sort_.run(problem_.L, varying, state.threads, base,
                           [&](std::int64_t r, const Packed* sorted, const WordRange& range) {
                             counts[r] = kernels.write({format_, sorted, range}, scattered);
                           });
  for (std::int64_t r = 0; r < state.sorted.ranges; ++r) {
    const WordCount count = std::exchange(counts[r], state.total);
    state.total.words += count.words;
    state.total.sites += count.sites;
  }
  state.words = {word_.in(base) + 1, mask_.in(base) + 1, base_.in(base) + 1, row_.in(base)};
  parallel_for(state.threads, state.sorted.ranges, 16,
               [&](std::int64_t begin, std::int64_t end, int) {
                 for (std::int64_t r = begin; r < end; ++r) {
                   const std::int64_t from = sort_.range(r, base).begin, to = counts[r].words;
                   const std::int64_t next =
                       r + 1 < state.sorted.ranges ? counts[r + 1].words : state.total.words;
                   std::copy_n(scattered.word + from, next - to, state.words.word + to);
                   std::copy_n(scattered.mask + from, next - to, state.words.mask + to);
                   std::copy_n(scattered.base + from, next - to, state.words.base + to);
                 }
               });
  // Marks: no site is in word 0, and none behind the plan's words. A signed comparison sees them too.
  state.words.word[-1] = 0;
  state.words.mask[-1] = state.words.base[-1] = 0;
  for (std::int64_t i = 0; i < words_behind; ++i) {
    state.words.word[state.total.words + i] = ~Packed{0} >> 1;
    state.words.mask[state.total.words + i] = 0;
    state.words.base[state.total.words + i] = 0;
  }
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
  std::uint32_t* const positions = positions_.in(state.base);
  parallel_for(state.threads, problem_.L, chunks_.grain,
               [&](std::int64_t begin, std::int64_t end, int) {
                 std::uint32_t* const counts = positions + begin / chunks_.grain * group_bits;
                 std::fill_n(counts, group_bits, 0u);
                 state.kernels.count_bits(found + begin, end - begin, counts);
               });
  std::array<std::uint32_t, group_bits> totals;
  std::array<std::int32_t*, group_bits> lists;
  place_pairs(positions, (problem_.L - 1) / chunks_.grain + 1, group_bits, totals.data());
  for (std::size_t b = 0; b < static_cast<std::size_t>(group.bits); ++b) {
    problem_.indice_num[group.offsets[b]] = static_cast<std::int32_t>(totals[b]);
    lists[b] = problem_.indice_pairs + 2 * group.offsets[b] * problem_.L;
  }
  parallel_for(state.threads, problem_.L, chunks_.grain,
               [&](std::int64_t begin, std::int64_t end, int) {
                 state.kernels.emit({found, met_.in(state.base), begin, end, problem_.L, group.bits,
                                     lists.data(), positions + begin / chunks_.grain * group_bits});
               });
}

template <class Packed>
void SubmanifoldPairs<Packed>::copy_rows(const State& state) const {
  parallel_for(state.threads, problem_.L * problem_.columns, chunks_.grain * problem_.columns,
               [&](std::int64_t begin, std::int64_t end, int) {
                 std::copy(problem_.indices + begin, problem_.indices + end,
                           problem_.out_indices + begin);
               });
}

template <class Packed>
std::int64_t SubmanifoldPairs<Packed>::run(const Run& run) const {
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
