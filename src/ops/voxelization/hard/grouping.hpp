// Groups the points of a cloud by cell, each group in the order of its points.
//
// The highest bits of the hash of a key put each point into a bucket; the move is stable, so a bucket holds its
// points in their order. One thread then finds the cells of a bucket with a table of slots that stays in its
// cache. Buckets, and all that comes of them, depend on the cloud alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/numbers/integers.hpp"
#include "ops/voxelization/hard/key_kernel.hpp"
#include "runtime/parallel.hpp"

namespace mluop::voxelization {

/// How points are cut into chunks and buckets.
struct Partition {
  std::int64_t N;
  std::int64_t grain;  // points of a chunk, a multiple of key_slack
  std::int64_t chunks;
  int bucket_bits;
  int slot_bits;  // of the table of a bucket

  std::int64_t buckets() const noexcept { return std::int64_t{1} << bucket_bits; }
  std::int64_t slots() const noexcept { return std::int64_t{1} << slot_bits; }
};

inline int bit_width(std::int64_t count) noexcept {
  return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
}

/// Some 1024 points for a bucket, whose table then fits L1 beside them; enough chunks for every thread, and
/// few enough that their counts are short beside the points.
inline Partition partition_of(std::int64_t N) noexcept {
  constexpr std::int64_t most_chunks = 64, least_grain = 4096;
  constexpr int most_bucket_bits = 10;
  const std::int64_t grain = round_up(std::max(least_grain, ceil_div(N, most_chunks)), key_slack);
  const int bucket_bits = std::min(bit_width(N >> 10), most_bucket_bits);
  // Half full at most if all cells differ, hash permitting.
  return {N, grain, ceil_div(N, grain), bucket_bits, bit_width(2 * (N >> bucket_bits)) + 1};
}

inline constexpr std::uint32_t opens_none = 0xFFFFFFFF;

template <class Key>
class Grouping {
 public:
  /// A cell that holds a point: its members are members()[begin, begin + count).
  struct Cell {
    Key key;
    std::uint32_t begin, count;
  };

  Grouping(const Partition& partition, std::int64_t max_points, int threads,
           WorkspaceLayout& layout)
      : partition_(partition),
        max_points_(static_cast<std::uint32_t>(std::min(max_points, partition.N))),
        threads_(threads),
        keys_(layout.add<Key>(partition.N + key_slack)),
        numbers_(layout.add<std::uint32_t>(partition.N + key_slack)),
        entries_(layout.add<Entry>(partition.N)),
        cells_(layout.add<Cell>(partition.N)),
        opens_(layout.add<std::uint32_t>(partition.N)),
        counts_(layout.add<std::uint32_t>(partition.chunks << partition.bucket_bits)),
        ends_(layout.add<std::uint32_t>(partition.buckets())),
        kept_(layout.add<std::int64_t>(partition.chunks)),
        tables_(layout.add<std::uint32_t>(team_size(threads, partition.buckets(), 1)
                                          << partition.slot_bits)) {}

  /// make_keys(begin, end, keys, numbers, counts) makes the keys of a chunk and returns their number.
  template <class MakeKeys>
  void run(std::byte* base, MakeKeys&& make_keys) {
    const View view{keys_.in(base),   numbers_.in(base), entries_.in(base),
                    cells_.in(base),  opens_.in(base),   counts_.in(base),
                    ends_.in(base),   kept_.in(base),    tables_.in(base)};
    view_ = view;
    parallel_for(threads_, partition_.N, partition_.grain,
                 [&](std::int64_t begin, std::int64_t end, int) {
                   const std::int64_t chunk = begin / partition_.grain;
                   view.kept[chunk] =
                       make_keys(begin, end, view.keys, view.numbers, counts_of(chunk));
                   std::fill(view.opens + begin, view.opens + end, opens_none);
                 });
    place();
    parallel_for(threads_, partition_.chunks, 1,
                 [&](std::int64_t chunk, std::int64_t, int) { move(chunk); });
    parallel_for(threads_, partition_.buckets(), 1,
                 [&](std::int64_t bucket, std::int64_t, int worker) { group(bucket, worker); });
  }

  /// For each point the number of the cell that it is the first of, or opens_none.
  const std::uint32_t* opens() const noexcept { return view_.opens; }
  const Cell& cell(std::uint32_t number) const noexcept { return view_.cells[number]; }
  /// Numbers of points, those of a cell one behind the other, at most max_points of each.
  const std::uint32_t* members() const noexcept { return view_.numbers; }

 private:
  struct Entry {
    Key key;
    std::uint32_t number;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };
  struct View {
    Key* keys;               // once moved, the cells of the entries
    std::uint32_t* numbers;  // once moved, the members
    Entry* entries;
    Cell* cells;
    std::uint32_t *opens, *counts, *ends;
    std::int64_t* kept;
    std::uint32_t* tables;
  };

  std::uint32_t* counts_of(std::int64_t chunk) const noexcept {
    return view_.counts + (chunk << partition_.bucket_bits);
  }

  /// Turns the counts of chunks and buckets into the places where each chunk's entries begin: bucket by
  /// bucket, within a bucket chunk by chunk. Buckets end where the last chunk ends.
  void place() const noexcept {
    std::uint32_t* const next = view_.ends;
    const std::int64_t buckets = partition_.buckets();
    std::fill_n(next, buckets, 0u);
    for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk) {
      const std::uint32_t* const counts = counts_of(chunk);
      for (std::int64_t b = 0; b < buckets; ++b) next[b] += counts[b];
    }
    std::uint32_t sum = 0;
    for (std::int64_t b = 0; b < buckets; ++b) {
      const std::uint32_t count = next[b];
      next[b] = sum;
      sum += count;
    }
    for (std::int64_t chunk = 0; chunk < partition_.chunks; ++chunk) {
      std::uint32_t* const counts = counts_of(chunk);
      for (std::int64_t b = 0; b < buckets; ++b) {
        const std::uint32_t count = counts[b];
        counts[b] = next[b];
        next[b] += count;
      }
    }
  }

  void move(std::int64_t chunk) const noexcept {
    std::uint32_t* const next = counts_of(chunk);
    const std::int64_t begin = chunk * partition_.grain;
    for (std::int64_t i = begin; i < begin + view_.kept[chunk]; ++i) {
      const Key key = view_.keys[i];
      const std::uint64_t bucket = high_bits(hash_of(key), partition_.bucket_bits);
      view_.entries[next[bucket]++] = {key, view_.numbers[i]};
    }
  }

  void group(std::int64_t bucket, int worker) const noexcept {
    const std::uint32_t begin = bucket == 0 ? 0 : view_.ends[bucket - 1];
    const std::uint32_t end = view_.ends[bucket];
    std::uint32_t* const table = view_.tables + (std::int64_t{worker} << partition_.slot_bits);
    // The keys of the entries are in the entries: their memory is free.
    std::uint32_t* const cell_of_entry = reinterpret_cast<std::uint32_t*>(view_.keys);
    std::uint32_t cells_end = find_cells(begin, end, table, cell_of_entry);
    if (cells_end == opens_none) cells_end = find_cells_by_sorting(begin, end, cell_of_entry);
    std::uint32_t place = begin;
    for (std::uint32_t c = begin; c < cells_end; ++c) {
      view_.cells[c].begin = place;
      place += std::min(view_.cells[c].count, max_points_);
      view_.cells[c].count = 0;
    }
    for (std::uint32_t e = begin; e < end; ++e) {
      Cell& cell = view_.cells[cell_of_entry[e]];
      if (cell.count == max_points_) continue;
      view_.numbers[cell.begin + cell.count++] = view_.entries[e].number;
    }
  }

  /// Numbers the cells of a bucket from `begin` on, counts their points and says who is first. Returns where
  /// the cells end; opens_none if so many keys share slots that the table is of no use.
  std::uint32_t find_cells(std::uint32_t begin, std::uint32_t end, std::uint32_t* table,
                           std::uint32_t* cell_of_entry) const noexcept {
    const std::int64_t slots = partition_.slots();
    const auto mask = static_cast<std::uint64_t>(slots - 1);
    std::fill_n(table, slots, opens_none);
    std::uint32_t cells_end = begin;
    const auto most_cells_end = begin + static_cast<std::uint64_t>(slots) / 2;
    std::uint64_t steps_left = 8 * std::uint64_t{end - begin} + 64;
    for (std::uint32_t e = begin; e < end; ++e) {
      const Entry entry = view_.entries[e];
      std::uint64_t slot =
          high_bits(hash_of(entry.key) << partition_.bucket_bits, partition_.slot_bits);
      while (table[slot] != opens_none && !(view_.cells[table[slot]].key == entry.key)) {
        if (--steps_left == 0) return opens_none;
        slot = (slot + 1) & mask;
      }
      if (table[slot] == opens_none) {
        if (cells_end == most_cells_end) return opens_none;
        table[slot] = cells_end;
        open(cells_end++, entry);
      }
      ++view_.cells[table[slot]].count;
      cell_of_entry[e] = table[slot];
    }
    return cells_end;
  }

  /// The same for keys of any hash. What find_cells has said of first points is said again: a cell has one
  /// first point, whichever number the cell has.
  std::uint32_t find_cells_by_sorting(std::uint32_t begin, std::uint32_t end,
                                      std::uint32_t* cell_of_entry) const noexcept {
    std::sort(view_.entries + begin, view_.entries + end);
    std::uint32_t cells_end = begin;
    for (std::uint32_t e = begin; e < end; ++e) {
      const Entry& entry = view_.entries[e];
      if (e == begin || !(view_.entries[e - 1].key == entry.key)) open(cells_end++, entry);
      ++view_.cells[cells_end - 1].count;
      cell_of_entry[e] = cells_end - 1;
    }
    return cells_end;
  }

  void open(std::uint32_t cell, const Entry& first) const noexcept {
    view_.cells[cell] = {first.key, 0, 0};
    view_.opens[first.number] = cell;
  }

  Partition partition_;
  std::uint32_t max_points_;
  int threads_;
  Slot<Key> keys_;
  Slot<std::uint32_t> numbers_;
  Slot<Entry> entries_;
  Slot<Cell> cells_;
  Slot<std::uint32_t> opens_, counts_, ends_;
  Slot<std::int64_t> kept_;
  Slot<std::uint32_t> tables_;
  View view_{};
};

}  // namespace mluop::voxelization
