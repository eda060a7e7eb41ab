// The passes that find regular pairs; each runs in parallel over a fixed partition.
#include "ops/sparse_conv/pairs/regular/passes.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/numbers/integers.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::pairs {
namespace {

constexpr std::int64_t word_grain = 4096;

/// Chunks are short enough to share a small call among threads, and long where each begins and ends
/// lists with lines that it writes in part.
std::int64_t least_rows(const Walk& walk) {
  const std::int64_t pairs = walk.problem().streams() ? 8192 : 2048;
  return std::max<std::int64_t>(1, pairs / walk.most());
}

/// Replaces counts by the sums of those before them and returns the whole sum.
std::int64_t sum_up(std::int64_t* counts, std::int64_t number) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < number; ++i) sum += std::exchange(counts[i], sum);
  return sum;
}

}  // namespace

RegularLists::RegularLists(const Walk& walk, WorkspaceLayout& layout)
    : problem_(walk.problem()),
      walk_(walk),
      chunks_(problem_.L, least_rows(walk)),
      pitch_(round_up(problem_.K, 32)),
      counts_(layout.add<std::uint32_t>((chunks_.number + 1) * pitch_)) {
  walk_.add_tables(layout);
}

Walk RegularLists::prepared(const Execution& run) const {
  Walk walk = walk_;
  walk.make_tables(run.threads, run.base);
  return walk;
}

void RegularLists::place(const Execution& run) const {
  std::uint32_t* const counts = counts_.in(run.base);
  std::uint32_t* const totals = counts + chunks_.number * pitch_;
  place_pairs(counts, chunks_.number, pitch_, totals);
  std::transform(totals, totals + problem_.K, problem_.indice_num,
                 [](std::uint32_t total) { return static_cast<std::int32_t>(total); });
}

MarkedPairs::MarkedPairs(const Walk& walk, WorkspaceLayout& layout)
    : RegularLists(walk, layout),
      mask_(layout.add<std::uint64_t>(static_cast<std::int64_t>(walk.words()))),
      base_(layout.add<std::uint32_t>(mask_.count)),
      ranks_(layout.add<std::int64_t>(mask_.count / word_grain + 1)) {}

std::int64_t MarkedPairs::run(const Execution& run) const {
  require_inside(problem_, run.threads);
  const RegularKernels& kernels = run.choose(regular_kernels)();
  const Walk walk = prepared(run);
  const DenseWords words{mask_.in(run.base), base_.in(run.base)};
  std::int64_t* const ranks = ranks_.in(run.base);
  const auto each_words = [&](auto&& body) {
    parallel_for(run.threads, mask_.count, word_grain, body);
  };
  each_words([&](std::int64_t begin, std::int64_t end, int) {
    std::fill(words.mask + begin, words.mask + end, std::uint64_t{0});
  });
  each_rows(walk, run, [&](const RowTask& task, std::int64_t) {
    std::fill_n(task.next, pitch_, 0u);
    kernels.mark(task, words);
  });
  each_words([&](std::int64_t begin, std::int64_t end, int) {
    ranks[begin / word_grain] = kernels.count_marks(words.mask + begin, end - begin);
  });
  const std::int64_t sites = sum_up(ranks, ceil_div(mask_.count, word_grain));
  require_room(problem_, sites);
  place(run);
  each_words([&](std::int64_t begin, std::int64_t end, int) {
    kernels.rank_marks(walk, words, begin, end, ranks[begin / word_grain]);
  });
  each_rows(walk, run,
            [&](const RowTask& task, std::int64_t) { kernels.emit_marked(task, words); });
  return sites;
}

template <class Packed>
SortedPairs<Packed>::SortedPairs(const Walk& walk, WorkspaceLayout& layout)
    : RegularLists(walk, layout),
      format_{bits_below(static_cast<Wide>(problem_.L) * static_cast<Wide>(walk.most()))},
      sort_(problem_.L * walk.most(), layout),
      first_(layout.add<std::int64_t>(chunks_.number)),
      ranks_(layout.add<std::int64_t>(PackedSort<Packed>::most_ranges(problem_.L * walk.most()))) {}

template <class Packed>
std::int64_t SortedPairs<Packed>::run(const Execution& run) const {
  require_inside(problem_, run.threads);
  const RegularKernels& kernels = run.choose(regular_kernels)();
  const auto& sorting = kernels.of<Packed>();
  const Walk walk = prepared(run);
  std::int64_t* const first = first_.in(run.base);
  std::int64_t* const ranks = ranks_.in(run.base);
  each_rows(walk, run, [&](const RowTask& task, std::int64_t chunk) {
    std::fill_n(task.next, pitch_, 0u);
    first[chunk] = kernels.count(task);
  });
  const std::int64_t met = sum_up(first, chunks_.number);
  std::array<WordBits<Packed>, RowChunks::most> bits;
  each_rows(walk, run, [&](const RowTask& task, std::int64_t chunk) {
    bits[static_cast<std::size_t>(chunk)] =
        sorting.pack(task, format_, first[chunk], sort_.input(run.base) + first[chunk]);
  });
  for (const WordBits<Packed>& chunk : bits) bits[0].add(chunk);
  const auto result =
      sort_.run(met, bits[0].varying() << (format_.number_bits + place_bits), run.threads, run.base,
                [&](std::int64_t r, const Packed* sorted, const WordRange& range) {
                  ranks[r] = sorting.count({format_, sorted, range});
                });
  const std::int64_t sites = sum_up(ranks, result.ranges);
  require_room(problem_, sites);
  place(run);
  auto* const rank_of_met = reinterpret_cast<std::uint32_t*>(result.spare);
  parallel_for(run.threads, result.ranges, 1, [&](std::int64_t r, std::int64_t, int) {
    sorting.rank(walk, {format_, result.sorted, sort_.range(r, run.base)}, ranks[r], rank_of_met);
  });
  each_rows(walk, run, [&](const RowTask& task, std::int64_t chunk) {
    kernels.emit_ranked(task, rank_of_met + first[chunk]);
  });
  return sites;
}

template class SortedPairs<Narrow>;
template class SortedPairs<Wide>;

}  // namespace mluop::sparse_conv::pairs
