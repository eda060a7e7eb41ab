// A parallel radix sort of integers by some of their bits. Each sorted range is passed on while it is in cache.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/sorting/packed.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sorting {

/// All threads split the elements into parts by the highest bits in which words differ. Each part is then
/// sorted by one thread, least significant digit first; a part that is too large is sorted by all threads.
/// Every step is stable, and none depends on the number of threads.
template <class Packed>
class PackedSort {
 public:
  /// Room for `most` elements.
  PackedSort(std::int64_t most, WorkspaceLayout& layout)
      : buffers_{layout.add<Packed>(most), layout.add<Packed>(most)},
        positions_(layout.add<Position>((most_chunks + 1) << most_part_bits)),
        ranges_(layout.add<Range>(most_ranges(most))) {}

  /// The most ranges that a sort of `count` elements makes.
  static std::int64_t most_ranges(std::int64_t count) noexcept {
    return (std::int64_t{1} << most_part_bits) + count / large_grain + 1;
  }

  /// Where the elements to be sorted go.
  Packed* input(std::byte* base) const noexcept { return buffers_[0].in(base); }

  struct Result {
    Packed* sorted;
    Packed* spare;  // as large, free for use
    std::int64_t ranges;
  };

  /// Sorts `count` elements by the bits set in `varying`, which are all those that differ. Calls
  /// use(r, sorted, range) for each of the consecutive ranges, once the elements that may share its words
  /// are in order.
  template <class Use>
  Result run(std::int64_t count, Packed varying, int threads, std::byte* base, Use&& use) const {
    const Plan plan = plan_of(count, varying);
    Packed *data = buffers_[0].in(base), *other = buffers_[1].in(base);
    Position* const positions = positions_.in(base);
    Range* const ranges = ranges_.in(base);
    move({data, other, count, plan.part_shift, plan.part_bits}, threads, positions);
    std::swap(data, other);
    const std::int64_t number = find_ranges(plan, count, positions, ranges);
    for (std::int64_t r = 0; r < number; ++r) {
      if (ranges[r].large && ranges[r].begin == ranges[r].first) {
        sort_large(plan, ranges[r], data, other, threads, positions);
      }
    }
    Packed* const sorted = plan.passes % 2 == 0 ? data : other;
    parallel_for(threads, number, 1, [&](std::int64_t r, std::int64_t, int) {
      if (!ranges[r].large) sort_part(plan, ranges[r], data, other);
      use(r, const_cast<const Packed*>(sorted), static_cast<const WordRange&>(ranges[r]));
    });
    return {sorted, plan.passes % 2 == 0 ? other : data, number};
  }
  /// The ranges of the last run.
  const WordRange& range(std::int64_t r, std::byte* base) const noexcept {
    return ranges_.in(base)[r];
  }

 private:
  // Elements of a Narrow sort have numbers of 32 bits.
  using Position = std::conditional_t<std::is_same_v<Packed, Narrow>, std::uint32_t, std::uint64_t>;

  // The open cache lines of all digits fit L1, and so do a part and the counters of its digits.
  static constexpr int most_part_bits = 10;
  static constexpr int most_digit_bits = 8;
  static constexpr std::int64_t most_chunks = 64;
  static constexpr std::int64_t large_grain = 8192;
  static constexpr std::int64_t tiny_part = 24;

  /// Digits above bit `low` order a part; the bits above them, part_bits from part_shift on, the parts.
  struct Plan {
    int low = 0, digit_bits = 0, passes = 0;
    int part_shift = 0, part_bits = 0;
  };
  struct Range : WordRange {
    bool large;
  };
  struct Move {
    const Packed* from;
    Packed* to;
    std::int64_t count;
    int shift, bits;

    std::size_t digit(Packed element) const noexcept {
      return static_cast<std::size_t>(element >> shift) & ((std::size_t{1} << bits) - 1);
    }
  };

  static Plan plan_of(std::int64_t count, Packed varying) noexcept {
    Plan plan;
    while (varying != 0 && (varying >> plan.low & 1) == 0) ++plan.low;
    const int bits = bits_below(static_cast<Wide>(varying >> plan.low) + 1);
    // Parts of some 256 elements.
    plan.part_bits =
        std::min(std::clamp(bits_below(static_cast<Wide>(count)) - 8, 0, most_part_bits), bits);
    if (plan.part_bits > 0) plan.part_shift = plan.low + bits - plan.part_bits;
    const int rest = bits - plan.part_bits;
    plan.passes = ceil_div(rest, most_digit_bits);
    plan.digit_bits = plan.passes == 0 ? 0 : ceil_div(rest, plan.passes);
    return plan;
  }

  static std::int64_t chunks_of(std::int64_t count) noexcept {
    const auto wanted = std::bit_ceil(static_cast<std::uint64_t>(count) / 4096 + 1);
    return std::min(static_cast<std::int64_t>(wanted), most_chunks);
  }

  /// Moves elements to the places of their digits: chunks are counted in parallel, counts become
  /// positions, and the chunks move their elements. The starts of the digits follow the positions.
  static void move(const Move& task, int threads, Position* positions) {
    if (task.count == 0) return;
    const std::int64_t grain = ceil_div(task.count, chunks_of(task.count));
    const auto of_chunk = [&](std::int64_t begin) {
      return positions + (begin / grain << task.bits);
    };
    parallel_for(threads, task.count, grain, [&](std::int64_t begin, std::int64_t end, int) {
      Position* const counts = of_chunk(begin);
      std::fill_n(counts, std::size_t{1} << task.bits, Position{0});
      for (std::int64_t i = begin; i < end; ++i) ++counts[task.digit(task.from[i])];
    });
    place(positions, ceil_div(task.count, grain), std::int64_t{1} << task.bits);
    parallel_for(threads, task.count, grain, [&](std::int64_t begin, std::int64_t end, int) {
      Position* const next = of_chunk(begin);
      for (std::int64_t i = begin; i < end; ++i) {
        task.to[next[task.digit(task.from[i])]++] = task.from[i];
      }
    });
  }

  /// Turns counts [chunks, digits] into positions: digit by digit, within a digit chunk by chunk. Rows
  /// are added up whole, which vectorises; the row after the last holds the start of each digit.
  static void place(Position* rows, std::int64_t chunks, std::int64_t digits) {
    const auto row = [&](std::int64_t chunk) { return rows + chunk * digits; };
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
      std::transform(row(chunk), row(chunk + 1), row(chunk - 1), row(chunk), std::plus<>{});
    }
    Position* const starts = row(chunks);
    std::exclusive_scan(row(chunks - 1), row(chunks), starts, Position{0});
    for (std::int64_t chunk = chunks - 1; chunk > 0; --chunk) {
      std::transform(starts, starts + digits, row(chunk - 1), row(chunk), std::plus<>{});
    }
    std::copy_n(starts, digits, rows);
  }

  /// One range per part, several for a large one; parts without elements have none.
  static std::int64_t find_ranges(const Plan& plan, std::int64_t count, const Position* positions,
                                  Range* ranges) {
    if (count == 0) return 0;
    const std::int64_t grain = ceil_div(count, chunks_of(count));
    const std::int64_t parts = std::int64_t{1} << plan.part_bits;
    const Position* const starts = positions + ceil_div(count, grain) * parts;
    std::int64_t number = 0;
    for (std::int64_t part = 0; part < parts; ++part) {
      const auto begin = static_cast<std::int64_t>(starts[part]);
      const std::int64_t end =
          part + 1 < parts ? static_cast<std::int64_t>(starts[part + 1]) : count;
      const bool large = end - begin > std::max(2 * large_grain, count / 32);
      const std::int64_t step = large ? large_grain : end - begin;
      for (std::int64_t at = begin; at < end; at += step) {
        ranges[number++] = {{at, std::min(at + step, end), begin, end}, large};
      }
    }
    return number;
  }

  static void sort_large(const Plan& plan, const Range& range, Packed* data, Packed* other,
                         int threads, Position* positions) {
    for (int pass = 0; pass < plan.passes; ++pass) {
      move({data + range.first, other + range.first, range.last - range.first,
            plan.low + pass * plan.digit_bits, plan.digit_bits},
           threads, positions);
      std::swap(data, other);
    }
  }

  static void sort_part(const Plan& plan, const Range& range, Packed* data, Packed* other) {
    const std::int64_t count = range.end - range.begin;
    Packed *from = data + range.begin, *to = other + range.begin;
    if (count <= tiny_part) {
      // Numbers, below the word, keep equal elements in their order.
      std::sort(from, from + count);
      if (plan.passes % 2 == 1) std::copy_n(from, count, to);
      return;
    }
    for (int pass = 0; pass < plan.passes; ++pass) {
      const Move task{from, to, count, plan.low + pass * plan.digit_bits, plan.digit_bits};
      std::uint32_t next[1 << most_digit_bits];
      const std::size_t digits = std::size_t{1} << plan.digit_bits;
      std::fill_n(next, digits, 0u);
      for (std::int64_t i = 0; i < count; ++i) ++next[task.digit(from[i])];
      std::exclusive_scan(next, next + digits, next, 0u);
      for (std::int64_t i = 0; i < count; ++i) to[next[task.digit(from[i])]++] = from[i];
      std::swap(from, to);
    }
  }

  Slot<Packed> buffers_[2];
  Slot<Position> positions_;
  Slot<Range> ranges_;
};

}  // namespace mluop::sorting
