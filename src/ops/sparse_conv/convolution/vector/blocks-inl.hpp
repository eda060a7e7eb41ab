// Gathered rows times a filter that is too large to stay in L2, or that is used too rarely to be packed
// before: blocks of source channels × columns; included per target.
#if defined(MLUOPS_CONVOLUTION_BLOCKS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CONVOLUTION_BLOCKS_INL_HPP
#undef MLUOPS_CONVOLUTION_BLOCKS_INL_HPP
#else
#define MLUOPS_CONVOLUTION_BLOCKS_INL_HPP
#endif

#include <array>
#include <bit>
#include <type_traits>
#include <utility>

#include "ops/sparse_conv/convolution/vector/pack-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_conv::HWY_NAMESPACE {

/// Lines of memory to prefetch into L2, evenly over the loops before they are needed.
class LinesAhead {
 public:
  static constexpr std::int64_t step_channels = 16;

  LinesAhead() = default;
  /// `runs` runs of `run_bytes`, `pitch` bytes apart; prefetched in about `steps` steps.
  LinesAhead(const void* from, std::int64_t runs, std::int64_t run_bytes, std::int64_t pitch,
             std::int64_t steps)
      : from_(static_cast<const char*>(from)),
        pitch_(pitch),
        shift_(std::countr_zero(
            std::bit_ceil(static_cast<std::uint64_t>(ceil_div<std::int64_t>(run_bytes, 64))))),
        end_(runs << shift_),
        per_step_(ceil_div(end_, std::max<std::int64_t>(steps, 1))) {}

  HWY_INLINE void step() {
    const std::int64_t mask = (std::int64_t{1} << shift_) - 1;
    for (const std::int64_t last = std::min(at_ + per_step_, end_); at_ < last; ++at_) {
      __builtin_prefetch(from_ + (at_ >> shift_) * pitch_ + (at_ & mask) * 64, 0, 2);
    }
  }

 private:
  const char* from_ = nullptr;
  std::int64_t pitch_ = 0;
  int shift_ = 0;
  std::int64_t end_ = 0, per_step_ = 0, at_ = 0;
};

/// Some source channels of a list of pairs times a panel of columns.
template <class Real>
struct PanelProduct {
  const Real* source;  // the first of the channels, in row 0
  std::int64_t row_channels;
  std::int64_t channels;
  const Real* panel;
  std::int64_t panel_pitch;
  const TilePair* pairs;
  std::int64_t count;
  Real* sums;  // a row per pair, between blocks of channels
  std::int64_t sums_pitch;
  Real* tile;
  std::int64_t tile_pitch;
  bool first, last;  // blocks of channels: sums begin at 0, and go to the tile
};

template <int rows, int vectors, class Real>
void multiply_rows(const PanelProduct<Real>& p, std::int64_t t, LinesAhead& ahead) {
  const hn::ScalableTag<Real> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const Real* row[rows];
  const Real* next[rows];  // of the next block, to prefetch
  hn::Vec<decltype(d)> sums[rows][vectors];
  Real* const kept = p.sums + t * p.sums_pitch;
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    row[r] = p.source + p.pairs[t + r].source * p.row_channels;
    next[r] = p.source + p.pairs[std::min(t + rows + r, p.count - 1)].source * p.row_channels;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      sums[r][v] = p.first ? hn::Zero(d) : hn::Load(d, kept + r * p.sums_pitch + v * lanes);
    }
  }
  const Real* panel = p.panel;
  for (std::int64_t i = 0; i < p.channels;) {
    ahead.step();
    HWY_UNROLL(8)
    for (int r = 0; r < rows; ++r) __builtin_prefetch(next[r] + i);
    const std::int64_t end = std::min(i + LinesAhead::step_channels, p.channels);
    for (; i < end; ++i, panel += p.panel_pitch) {
      hn::Vec<decltype(d)> filter[vectors];
      HWY_UNROLL(4)
      for (int v = 0; v < vectors; ++v) filter[v] = hn::LoadU(d, panel + v * lanes);
      HWY_UNROLL(8)
      for (int r = 0; r < rows; ++r) {
        const auto value = hn::Set(d, row[r][i]);
        HWY_UNROLL(4)
        for (int v = 0; v < vectors; ++v) sums[r][v] = hn::MulAdd(value, filter[v], sums[r][v]);
      }
    }
  }
  HWY_UNROLL(8)
  for (int r = 0; r < rows; ++r) {
    Real* const to = p.tile + p.pairs[t + r].target * p.tile_pitch;
    HWY_UNROLL(4)
    for (int v = 0; v < vectors; ++v) {
      if (p.last) {
        hn::Store(hn::Add(hn::Load(d, to + v * lanes), sums[r][v]), d, to + v * lanes);
      } else {
        hn::Store(sums[r][v], d, kept + r * p.sums_pitch + v * lanes);
      }
    }
  }
}

/// All pairs, in blocks of equally many rows, so that none is left nearly empty.
template <int vectors, class Real>
void multiply_rows_of(const PanelProduct<Real>& p, LinesAhead& ahead) {
  constexpr int most = block_rows(vectors);
  using Multiply = void (*)(const PanelProduct<Real>&, std::int64_t, LinesAhead&);
  static constexpr auto by_rows = []<int... r>(std::integer_sequence<int, r...>) {
    return std::array<Multiply, most>{multiply_rows<r + 1, vectors, Real>...};
  }
  (std::make_integer_sequence<int, most>{});
  std::int64_t blocks = ceil_div(p.count, std::int64_t{most});
  for (std::int64_t t = 0; blocks > 0; --blocks) {
    const std::int64_t rows = ceil_div(p.count - t, blocks);
    by_rows[static_cast<std::size_t>(rows - 1)](p, t, ahead);
    t += rows;
  }
}

/// Pairs that are multiplied together: packing a block for them takes little of their time.
inline constexpr std::int64_t packed_piece = 96, unpacked_piece = 512;

/// One worker's scratch: a block of a filter, and the sums of a piece.
template <class T>
struct BlockScratch {
  using Real = Compute<T>;

  BlockScratch(const Convolution& problem, std::int64_t slice)
      : sums_pitch(tile_pitch<1, Real>(slice)),
        block(layout.add<Real>(std::min(block_channels<Real>, problem.source.channels) *
                               std::min(group_columns<Real>, sums_pitch))),
        sums(layout.add<Real>(
            problem.source.channels > block_channels<Real> ? unpacked_piece * sums_pitch : 0)) {}

  WorkspaceLayout layout;
  std::int64_t sums_pitch;
  Slot<Real> block, sums;
};

/// The product of an offset, block by block of its filter.
template <class T>
class BlockedProduct {
  using Real = Compute<T>;

 public:
  explicit BlockedProduct(const OffsetProduct& product)
      : product_(product),
        problem_(*product.problem),
        channels_(problem_.source.channels),
        scratch_(problem_, product.slice.size),
        is_packed_(product.filter != nullptr),
        piece_(is_packed_ ? packed_piece : unpacked_piece) {}

  void run() const {
    for (std::int64_t begin = 0; begin < product_.count; begin += piece_) {
      const std::int64_t count = std::min(piece_, product_.count - begin);
      Block block{product_.k, 0, 0};
      for (bool more = true; more;) {
        Block next = following(block);
        more = next.k == product_.k;
        if (!more && begin + count < product_.count) next = {product_.k, 0, 0};
        multiply(block, next, product_.pairs + begin, count);
        block = next;
      }
    }
  }

 private:
  struct Block {
    std::int64_t k, channel, column;  // the column from the begin of the slice
  };

  /// The next block in the order of the loops; that of another offset ends them.
  Block following(Block block) const {
    block.column += group_columns<Real>;
    if (block.column < product_.slice.size) return block;
    block.column = 0;
    block.channel += block_channels<Real>;
    if (block.channel < channels_) return block;
    return {product_.next_k, 0, 0};
  }

  FilterBlock<T> in_filter(const Block& block) const {
    return block_of<T>(problem_, block.k, block.channel,
                       std::min(block_channels<Real>, channels_ - block.channel),
                       product_.slice.begin + block.column,
                       std::min(group_columns<Real>, product_.tile_pitch - block.column));
  }

  LinesAhead lines_of(const Block& next, std::int64_t steps) const {
    if (is_packed_ || next.k >= problem_.pairs.K) return {};
    const FilterBlock<T> filter = in_filter(next);
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    if (filter.stride_j == 1) {
      return {filter.from, filter.channels, filter.columns * size, filter.stride_i * size, steps};
    }
    return {filter.from, filter.columns, filter.channels * size, filter.stride_j * size, steps};
  }

  void multiply(const Block& block, const Block& next, const TilePair* pairs,
                std::int64_t count) const {
    const FilterBlock<T> filter = in_filter(block);
    const auto* const source = static_cast<const Real*>(
        product_.prepared != nullptr ? static_cast<const void*>(product_.prepared)
                                     : problem_.source.data);
    const std::int64_t panels = ceil_div(filter.width, panel_width<Real>(filter.width, 0));
    LinesAhead ahead =
        lines_of(next, panels * ceil_div<std::int64_t>(count, block_rows(panel_vectors)) *
                           ceil_div(filter.channels, LinesAhead::step_channels));
    PanelProduct<Real> product{.source = source + block.channel,
                               .row_channels = channels_,
                               .channels = filter.channels,
                               .panel = nullptr,
                               .panel_pitch = 0,
                               .pairs = pairs,
                               .count = count,
                               .sums = scratch_.sums.in(product_.scratch) + block.column,
                               .sums_pitch = scratch_.sums_pitch,
                               .tile = static_cast<Real*>(product_.tile) + block.column,
                               .tile_pitch = product_.tile_pitch,
                               .first = block.channel == 0,
                               .last = block.channel + filter.channels == channels_};
    const bool in_place = is_used_once(filter, count);
    const Real* packed = nullptr;
    if (is_packed_) {
      packed = reinterpret_cast<const Real*>(product_.filter) +
               (product_.slice.begin + block.column) * channels_;
    } else if (!in_place) {
      Real* const to = scratch_.block.in(product_.scratch);
      pack_block(filter, to);
      packed = to;
    }
    for (std::int64_t column = 0; column < filter.width;) {
      const std::int64_t width = panel_width<Real>(filter.width, column);
      product.panel_pitch = width;
      if (in_place) {
        if constexpr (std::is_same_v<T, Real>) product.panel = filter.from + column;
        product.panel_pitch = filter.stride_i;
      } else if (is_packed_) {
        product.panel = packed + column * channels_ + block.channel * width;
      } else {
        product.panel = packed + column * filter.channels;
      }
      with_vectors<Real>(width, [&]<int vectors>() { multiply_rows_of<vectors>(product, ahead); });
      product.sums += width;
      product.tile += width;
      column += width;
    }
  }

  /// One block of rows reads the filter once: from where it is.
  bool is_used_once(const FilterBlock<T>& filter, std::int64_t count) const {
    return std::is_same_v<T, Real> && !is_packed_ && filter.stride_j == 1 &&
           filter.columns == filter.width && count <= block_rows(panel_vectors);
  }

  const OffsetProduct& product_;
  const Convolution& problem_;
  std::int64_t channels_;
  BlockScratch<T> scratch_;
  bool is_packed_;
  std::int64_t piece_;
};

}  // namespace mluop::sparse_conv::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
