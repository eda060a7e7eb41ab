// Both gradients of small groups: lanes are groups and columns, so there are no sums across lanes and groups
// are not padded.
//
// The outputs of a chunk of columns are transposed once for both. grad_mask adds up channel by channel; its
// results are transposed back. grad_input multiplies by transposed masks. Lanes ascend by columns, and the cells
// of a row go from right to left, so that a target adds rows from top to bottom, within a row pixels from left
// to right, then the outputs of a pixel.
#include <hwy/cache_control.h>

#include <algorithm>

#include "ops/carafe/backward/transposed/row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/backward/transposed/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/backward/transpose-inl.hpp"
#include "ops/carafe/backward/transposed/products-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2

template <class T>
class TransposedColumns {
 public:
  using Real = Compute<T>;

  explicit TransposedColumns(const TransposedRow<T>& row)
      : row_(row),
        r_((row.k - 1) / 2),
        cells_(row.k * row.k),
        outputs_(row.s * row.s),
        C_(row.G * row.channels) {}

  HWY_INLINE void run() {
    if (row_.grad_mask != nullptr) {
      for (std::int64_t kh = row_.fresh; kh < row_.kh_end; ++kh) place_input(kh);
    }
    for (std::int64_t kh = row_.targets_begin; kh < row_.targets_end; ++kh) {
      if (row_.begins(kh)) std::fill_n(row_.sums[kh], row_.channels * row_.pitch, Real{});
    }
    const bool targets = row_.targets_begin < row_.targets_end;
    if (targets) run_columns({row_.sources.begin, row_.tile.begin}, false);
    run_columns(row_.tile, row_.grad_mask != nullptr);
    if (targets) run_columns({row_.tile.end, row_.sources.end}, false);
    for (std::int64_t kh = row_.targets_begin; kh < row_.targets_end; ++kh) {
      if (row_.ends(kh)) write_targets(kh);
    }
    if (row_.results != nullptr) hwy::FlushStream();
  }

 private:
  static constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(hn::ScalableTag<Real>()));

  /// Lane of group 0 of a column in transposed rows.
  std::int64_t lane_of(std::int64_t column) const {
    return (column - row_.sources.begin + r_) * row_.G;
  }

  /// Calls step(offset, lanes, lane) for the vectors of lanes of columns [begin, end) of a row of the input:
  /// offset of the first in a stored row, how many there are, and its lane in transposed rows.
  template <class Step>
  HWY_INLINE void for_lanes(std::int64_t begin, std::int64_t end, const Step& step) const {
    const std::int64_t count = (end - begin) * row_.G;
    for (std::int64_t q = 0; q < count; q += lanes) {
      step(begin * C_ + q * row_.channels, HWY_MIN(count - q, lanes), lane_of(begin) + q);
    }
  }

  HWY_INLINE void place_input(std::int64_t kh) const {
    for_lanes(HWY_MAX(row_.tile.begin - r_, 0), HWY_MIN(row_.tile.end + r_, row_.W),
              [&](std::int64_t offset, std::int64_t valid, std::int64_t lane) HWY_ATTR {
                std::int64_t at[lanes];
                for (std::int64_t i = 0; i < lanes; ++i) {
                  at[i] = HWY_MIN(i, valid - 1) * row_.channels;
                }
                to_lanes(row_.input[kh] + offset, at, row_.channels, row_.input_lanes[kh] + lane,
                         row_.pitch);
              });
  }

  HWY_INLINE void write_targets(std::int64_t kh) const {
    T* const to = row_.grad_input + (kh - row_.targets_begin) * row_.W * C_;
    std::int64_t at[lanes];
    for (std::int64_t i = 0; i < lanes; ++i) at[i] = i * row_.channels;
    for_lanes(row_.tile.begin, row_.tile.end,
              [&](std::int64_t offset, std::int64_t valid, std::int64_t lane) HWY_ATTR {
                from_lanes(row_.sums[kh] + lane, row_.pitch, row_.channels, valid, to + offset, at);
              });
  }

  HWY_INLINE void run_columns(ColumnRange columns, bool products) {
    for (std::int64_t w = columns.begin; w < columns.end; w += row_.chunk.columns) {
      for (std::int64_t g = 0; g < row_.G; g += row_.chunk.groups) {
        run_chunk(w, g, {HWY_MIN(columns.end - w, row_.chunk.columns),
                         HWY_MIN(row_.G - g, row_.chunk.groups)},
                  products);
      }
    }
  }

  HWY_INLINE void run_chunk(std::int64_t w, std::int64_t g, const LaneChunk& chunk, bool products) {
    w_ = w;
    g_ = g;
    if (chunk.columns != chunk_.columns || chunk.groups != chunk_.groups) set_chunk(chunk);
    const std::int64_t count = chunk.columns * chunk.groups;
    for (lane_ = 0; lane_ < count; lane_ += lanes) {
      valid_ = HWY_MIN(count - lane_, lanes);
      place_delta();
      if (products) run_products();
      if (row_.targets_begin < row_.targets_end) run_targets();
    }
    if (products && row_.results != nullptr) write_results();
  }

  /// Where the lanes of a chunk are; those that fill its last vector repeat the last one.
  HWY_INLINE void set_chunk(const LaneChunk& chunk) {
    chunk_ = chunk;
    const std::int64_t count = chunk.columns * chunk.groups, padded = round_up(count, lanes);
    std::int64_t column = 0, group = 0;
    for (std::int64_t i = 0; i < padded; ++i) {
      row_.delta_at[i] = column * row_.s * C_ + group * row_.channels;
      row_.mask_at[i] = (column * row_.s * row_.G + group) * cells_;
      if (i + 1 < count && ++group == chunk.groups) group = 0, ++column;
    }
  }

  /// Calls step(sy, sx, p) for each output p of a pixel.
  template <class Step>
  HWY_INLINE void for_outputs(const Step& step) const {
    std::int64_t p = 0;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < row_.s; ++sx, ++p) step(sy, sx, p);
    }
  }

  HWY_INLINE void place_delta() const {
    const std::int64_t first = w_ * row_.s * C_ + g_ * row_.channels;
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      to_lanes(row_.delta[sy] + first + sx * C_, row_.delta_at + lane_, row_.channels,
               row_.delta_lanes + p * row_.channels * lanes, lanes);
    });
  }

  HWY_INLINE void run_products() const {
    LaneProducts<Real> products;
    products.output = row_.channels * lanes;
    products.step = row_.G;
    products.pitch = row_.pitch;
    products.channels = row_.channels;
    products.results = cells_ * lanes;
    const std::int64_t lane = lane_of(w_ - r_) + g_ + lane_;
    for (std::int64_t kh = row_.kh_begin; kh < row_.kh_end; ++kh) {
      for (std::int64_t kw = 0, count; kw < row_.k; kw += count) {
        count = next_part(row_.k - kw, lane_cells);
        products.cell = row_.input_lanes[kh] + lane + kw * row_.G;
        for (std::int64_t p = 0, size; p < outputs_; p += size) {
          size = next_part(outputs_ - p, lane_factors);
          products.delta = row_.delta_lanes + p * products.output;
          products.products = row_.products + p * products.results + (kh * row_.k + kw) * lanes;
          pick_loop<lane_factors, lane_cells>(products, size, count);
        }
      }
    }
    clear_unused();
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      from_lanes(row_.products + p * products.results, lanes, cells_, valid_, result_of(sy, sx),
                 row_.mask_at + lane_);
    });
  }

  /// Sets cells outside the map to zero.
  HWY_INLINE void clear_unused() const {
    const hn::ScalableTag<Real> d;
    const auto clear = [&](std::int64_t kh, std::int64_t kw, std::int64_t begin,
                           std::int64_t end) HWY_ATTR {  // all lanes but [begin, end)
      const auto used = hn::AndNot(hn::FirstN(d, static_cast<std::size_t>(begin)),
                                   hn::FirstN(d, static_cast<std::size_t>(end)));
      for (std::int64_t p = 0; p < outputs_; ++p) {
        Real* const to = row_.products + (p * cells_ + kh * row_.k + kw) * lanes;
        hn::Store(hn::IfThenElseZero(used, hn::Load(d, to)), d, to);
      }
    };
    const auto in_vector = [&](std::int64_t column) HWY_ATTR {  // its first lane
      return HWY_MAX(HWY_MIN((column - w_) * chunk_.groups - lane_, lanes), 0);
    };
    for (std::int64_t kw = 0; kw < row_.k; ++kw) {
      const std::int64_t begin = in_vector(r_ - kw), end = in_vector(row_.W + r_ - kw);
      for (std::int64_t kh = 0; kh < row_.k; ++kh) {
        if (kh < row_.kh_begin || kh >= row_.kh_end) {
          clear(kh, kw, 0, 0);
        } else if (begin > 0 || end < valid_) {
          clear(kh, kw, begin, end);
        }
      }
    }
  }

  /// The results of an output, from the first lane of the chunk on.
  HWY_INLINE T* result_of(std::int64_t sy, std::int64_t sx) const {
    if (row_.results != nullptr) {
      const std::int64_t pixel = chunk_.groups * cells_;
      return row_.results + (sy * chunk_.columns * row_.s + sx) * pixel;
    }
    return stored_result(sy, sx);
  }
  HWY_INLINE T* stored_result(std::int64_t sy, std::int64_t sx) const {
    const std::int64_t x = (sy * row_.W + w_) * row_.s + sx;
    return row_.grad_mask + (x * row_.G + g_) * cells_;
  }

  HWY_INLINE void write_results() const {
    constexpr std::int64_t size = sizeof(T);
    const bool whole = chunk_.groups == row_.G;  // the outputs of a row are adjacent
    const std::int64_t runs = whole ? 1 : row_.s;
    const std::int64_t run = chunk_.columns * row_.s * chunk_.groups * cells_ / runs;
    for (std::int64_t sy = 0; sy < row_.s; ++sy) {
      for (std::int64_t sx = 0; sx < runs; ++sx) {
        stream_bytes(reinterpret_cast<const std::byte*>(row_.results + (sy * runs + sx) * run),
                     reinterpret_cast<std::byte*>(stored_result(sy, sx)), run * size);
      }
    }
  }

  HWY_INLINE void place_mask() const {
    const std::int64_t first = (w_ * row_.s * row_.G + g_) * cells_;
    for_outputs([&](std::int64_t sy, std::int64_t sx, std::int64_t p) HWY_ATTR {
      to_lanes(row_.mask[sy] + first + sx * row_.G * cells_, row_.mask_at + lane_, cells_,
               row_.mask_lanes + p * cells_ * lanes, lanes);
    });
  }

  /// Each column of targets adds the outputs of the pixels to its left before those to its right.
  HWY_INLINE void run_targets() const {
    place_mask();
    LaneTargets<Real> targets;
    targets.outputs = outputs_;
    targets.output = row_.channels * lanes;
    targets.window = cells_ * lanes;
    targets.row = row_.k * lanes;
    targets.pitch = row_.pitch;
    targets.valid = valid_;
    const std::int64_t lane = lane_of(w_ - r_) + g_ + lane_;
    for (std::int64_t kw = row_.k - 1; kw >= 0; --kw) {
      for (std::int64_t c = 0, factors; c < row_.channels; c += factors) {
        factors = next_part(row_.channels - c, lane_factors);
        targets.delta = row_.delta_lanes + c * lanes;
        for (std::int64_t kh = row_.targets_begin, count; kh < row_.targets_end; kh += count) {
          count = next_part(row_.targets_end - kh, lane_cells);
          targets.mask = row_.mask_lanes + (kh * row_.k + kw) * lanes;
          for (std::int64_t i = 0; i < count; ++i) {
            targets.sums[i] = row_.sums[kh + i] + c * row_.pitch + lane + kw * row_.G;
          }
          pick_loop<lane_factors, lane_cells>(targets, factors, count);
        }
      }
    }
  }

  const TransposedRow<T>& row_;
  std::int64_t r_, cells_, outputs_, C_;
  LaneChunk chunk_{0, 0};
  std::int64_t w_ = 0, g_ = 0;         // of the first lane of the chunk
  std::int64_t lane_ = 0, valid_ = 0;  // of the vector: its first in the chunk, and how many there are
};

template <class T>
void transposed_row(const TransposedRow<T>& row) {
  TransposedColumns<T>(row).run();
}

const PerDtype<TransposedKernel>& transposed_table() {
  static constexpr PerDtype<TransposedKernel> all{transposed_row<float>, transposed_row<double>,
                                                  transposed_row<Half>, transposed_row<BFloat16>};
  return all;
}

#else

const PerDtype<TransposedKernel>& transposed_table() {
  static constexpr PerDtype<TransposedKernel> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<TransposedKernel>> transposed_kernels = MLUOP_PER_ISA(transposed_table);

}  // namespace mluop::carafe
#endif
