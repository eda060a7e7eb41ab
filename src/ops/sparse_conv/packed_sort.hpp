// A parallel radix sort of packed sites by the bits of their words that differ.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "core/workspace.hpp"
#include "ops/sparse_conv/packed_sites.hpp"
#include "runtime/parallel.hpp"

namespace mluop::sparse_conv::pairs {

/// Least significant digit first, and therefore stable: chunks of the input are counted in parallel,
/// counts become positions, and the chunks move their elements there. The partition is fixed.
template <class Packed>
class PackedSort {
 public:
  /// Room for `most` elements.
  PackedSort(std::int64_t most, WorkspaceLayout& layout)
      : buffers_{layout.add<Packed>(most), layout.add<Packed>(most)},
        positions_(layout.add<Position>((chunks_of(most) + 1) << most_digit_bits)) {}

  /// Where the elements to be sorted go.
  Packed* input(std::byte* base) const noexcept { return buffers_[0].in(base); }

  struct Result {
    Packed* sorted;
    Packed* spare;  // as large, free for use
  };

  /// Sorts `count` elements by the bits set in `varying`, which are all those that differ.
  Result run(std::int64_t count, Packed varying, int threads, std::byte* base) const {
    Result result{buffers_[0].in(base), buffers_[1].in(base)};
    if (varying == 0) return result;
    const int low = lowest_bit(varying);
    const int bits = bits_below(static_cast<Wide>(varying) + 1) - low;
    const int most = std::clamp(bits_below(static_cast<Wide>(count)), 4, most_digit_bits);
    const int passes = (bits + most - 1) / most;
    const int digit = (bits + passes - 1) / passes;
    for (int pass = 0; pass < passes; ++pass) {
      move({result.sorted, result.spare, count, low + pass * digit, digit}, threads,
           positions_.in(base));
      std::swap(result.sorted, result.spare);
    }
    return result;
  }

 private:
  // Positions of a Narrow sort fit 32 bits, because its numbers and words share 64.
  using Position = std::conditional_t<std::is_same_v<Packed, Narrow>, std::uint32_t, std::uint64_t>;

  // 4096 counters and as many open lines: more would leave the first cache levels.
  static constexpr int most_digit_bits = 12;
  static constexpr std::int64_t most_chunks = 64;

  struct Move {
    const Packed* from;
    Packed* to;
    std::int64_t count;
    int shift, bits;

    std::size_t digit(Packed element) const noexcept {
      return static_cast<std::size_t>(element >> shift) & ((std::size_t{1} << bits) - 1);
    }
  };

  static int lowest_bit(Packed bits) noexcept {
    int low = 0;
    while ((bits >> low & 1) == 0) ++low;
    return low;
  }

  static std::int64_t chunks_of(std::int64_t count) noexcept {
    const auto wanted =
        std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)) / 16384 + 1);
    return std::min(static_cast<std::int64_t>(wanted), most_chunks);
  }

  static void move(const Move& task, int threads, Position* positions) {
    const std::int64_t chunks = chunks_of(task.count);
    const std::int64_t grain = (task.count - 1) / chunks + 1;
    const auto of_chunk = [&](std::int64_t begin) {
      return positions + (begin / grain << task.bits);
    };
    parallel_for(threads, task.count, grain, [&](std::int64_t begin, std::int64_t end, int) {
      Position* const counts = of_chunk(begin);
      std::fill_n(counts, std::size_t{1} << task.bits, Position{0});
      for (std::int64_t i = begin; i < end; ++i) ++counts[task.digit(task.from[i])];
    });
    place(positions, (task.count - 1) / grain + 1, std::int64_t{1} << task.bits);
    parallel_for(threads, task.count, grain, [&](std::int64_t begin, std::int64_t end, int) {
      Position* const next = of_chunk(begin);
      for (std::int64_t i = begin; i < end; ++i) {
        task.to[next[task.digit(task.from[i])]++] = task.from[i];
      }
    });
  }

  /// Turns counts [chunks, digits] into positions: digit by digit, within a digit chunk by chunk. Rows
  /// are added up whole, which vectorises; the row behind the last holds the start of each digit.
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

  Slot<Packed> buffers_[2];
  Slot<Position> positions_;
};

}  // namespace mluop::sparse_conv::pairs
