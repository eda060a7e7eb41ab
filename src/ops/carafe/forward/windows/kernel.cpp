// Forward of small groups: lanes are windows, that is output pixels times groups. Weights are transposed, and each
// vector of them is multiplied by all channels of its groups.
#include <hwy/cache_control.h>

#include <algorithm>

#include "ops/carafe/forward/windows/row.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/carafe/forward/windows/kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/carafe/forward/windows/lanes-inl.hpp"
#include "ops/carafe/rows/convert-inl.hpp"
#include "ops/carafe/rows/pin-inl.hpp"
#include "ops/carafe/rows/registers-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON

/// Rows of outputs that share the loads of the input, and the most channels whose sums are in registers with them.
inline constexpr int most_rows = 2;
template <int rows>
inline constexpr int most_channels = many_registers || rows == 1 ? 8 : 6;

/// The windows of a vector of lanes.
template <class Real>
struct Cells {
  const Real* const* input;  // by kh
  std::int64_t lane, pitch, period;
  std::int64_t k, kh_begin, kh_end;
  const Real* weights;  // by row of outputs, cell and lane
};

/// to[row · stride + c · lanes + lane] = Σ over the cells of weight · cell.
template <int rows, int channels, class Real>
HWY_NOINLINE void sum_cells(const Cells<Real>& cells, std::int64_t channel, Real* to,
                            std::int64_t stride) {
  const hn::ScalableTag<Real> d;
  constexpr std::int64_t lanes = lanes_of<Real>;
  hn::Vec<decltype(d)> sums[rows][channels];
  HWY_UNROLL(8)
  for (int c = 0; c < channels; ++c) {
    HWY_UNROLL(2)
    for (int r = 0; r < rows; ++r) sums[r][c] = hn::Zero(d);
  }
  const std::int64_t pitch = cells.pitch, period = cells.period, k = cells.k;
  const std::int64_t next_row = k * k * lanes;
  for (std::int64_t kh = cells.kh_begin; kh < cells.kh_end; ++kh) {
    const Real* from = cells.input[kh] + cells.lane + channel * pitch;
    const Real* weights = cells.weights + kh * k * lanes;
    for (const Real* const end = weights + k * lanes; weights < end; weights += lanes) {
      hn::Vec<decltype(d)> weight[rows];
      HWY_UNROLL(2)
      for (int r = 0; r < rows; ++r) weight[r] = hn::Load(d, weights + r * next_row);
      HWY_UNROLL(8)
      for (int c = 0; c < channels; ++c) {
        auto cell = hn::LoadU(d, from + c * pitch);
        if constexpr (rows > 1) cell = pinned(cell);
        HWY_UNROLL(2)
        for (int r = 0; r < rows; ++r) sums[r][c] = hn::MulAdd(weight[r], cell, sums[r][c]);
      }
      from += period;
    }
  }
  HWY_UNROLL(8)
  for (int c = 0; c < channels; ++c) {
    HWY_UNROLL(2)
    for (int r = 0; r < rows; ++r) {
      hn::Store(sums[r][c], d, to + r * stride + (channel + c) * lanes);
    }
  }
}

template <class T, int k>
class Windows {
 public:
  using Real = Compute<T>;

  explicit Windows(const WindowsRow<T>& row)
      : row_(row),
        cells_(row.k * row.k),
        stream_(row.stream &&
                lanes * row.channels * static_cast<std::int64_t>(sizeof(T)) % 64 == 0) {}

  HWY_INLINE void run() const {
    std::int64_t sy = 0;
    for (; sy + most_rows <= row_.s; sy += most_rows) run_rows<most_rows>(sy);
    for (; sy < row_.s; ++sy) run_rows<1>(sy);
  }

 private:
  static constexpr std::int64_t lanes = lanes_of<Real>;
  static constexpr std::int64_t ahead = 8192;  // bytes of the mask

  template <int rows>
  HWY_INLINE void run_rows(std::int64_t sy) const {
    const std::int64_t stride = row_.channels * lanes;
    for (std::int64_t lane = 0; lane < row_.lanes; lane += lanes) {
      const std::int64_t count = HWY_MIN(lanes, row_.lanes - lane);
      for (int r = 0; r < rows; ++r)
        place_weights(sy + r, lane, count, row_.weights + r * cells_ * lanes);
      if (lane < row_.inner_begin || lane + count > row_.inner_end) clear_unused<rows>(lane);
      const Cells<Real> cells{row_.input, lane,          row_.pitch,  row_.period,
                              row_.k,     row_.kh_begin, row_.kh_end, row_.weights};
      const std::int64_t parts = ceil_div(row_.channels, std::int64_t{most_channels<rows>});
      const std::int64_t part = ceil_div(row_.channels, parts);
      for (std::int64_t c = 0; c < row_.channels; c += part) {
        sum_some<rows, most_channels<rows>>(cells, c, HWY_MIN(part, row_.channels - c));
      }
      for (int r = 0; r < rows; ++r) {
        store(row_.sums + r * stride, count,
              row_.output + (sy + r) * row_.output_pitch + lane * row_.channels);
      }
    }
  }

  template <int rows, int most>
  HWY_INLINE void sum_some(const Cells<Real>& cells, std::int64_t channel,
                           std::int64_t count) const {
    if constexpr (most > 1) {
      if (count < most) return sum_some<rows, most - 1>(cells, channel, count);
    }
    sum_cells<rows, most>(cells, channel, row_.sums, row_.channels * lanes);
  }

  HWY_INLINE void place_weights(std::int64_t sy, std::int64_t lane, std::int64_t count,
                                Real* to) const {
    const T* const from = row_.mask[sy] + lane * cells_;
    const std::byte* const next = next_weights(sy, lane);
    constexpr std::int64_t bytes = block_lanes<Real> * lanes * static_cast<std::int64_t>(sizeof(T));
    if constexpr (std::is_same_v<T, Real>) {
      if (count == lanes) return transpose_windows<k>(from, cells_, to, next, bytes);
    }
    widen_run(from, row_.widened, count * cells_);
    transpose_windows<k, Real>(row_.widened, cells_, to, next, bytes);
  }

  /// The windows to prefetch: some vectors ahead, in this row or in the next.
  HWY_INLINE const std::byte* next_weights(std::int64_t sy, std::int64_t lane) const {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    const std::int64_t row = row_.lanes * cells_ * size, at = lane * cells_ * size + ahead;
    const auto* const bytes =
        reinterpret_cast<const std::byte*>(at < row ? row_.mask[sy] : row_.next_mask[sy]);
    return bytes + (at < row ? at : at - row);
  }

  /// Weights of cells outside the map are replaced by zeros, since they may be infinite.
  template <int rows>
  HWY_INLINE void clear_unused(std::int64_t lane) const {
    const hn::ScalableTag<Real> d;
    const auto column = hn::LoadU(d, row_.columns + lane);
    const std::int64_t first = (row_.k - 1) / 2 - row_.first_column;
    for (std::int64_t kw = 0; kw < row_.k; ++kw) {
      const auto least = hn::Set(d, static_cast<Real>(first - kw));
      const auto end = hn::Set(d, static_cast<Real>(row_.W + first - kw));
      const auto used = hn::And(hn::Ge(column, least), hn::Lt(column, end));
      for (std::int64_t i = kw; i < rows * cells_; i += row_.k) {
        Real* const weight = row_.weights + i * lanes;
        hn::Store(hn::IfThenElseZero(used, hn::Load(d, weight)), d, weight);
      }
    }
  }

  HWY_INLINE void store(const Real* sums, std::int64_t count, T* to) const {
    if constexpr (std::is_same_v<T, Real>) {
      if (count == lanes && !stream_) return interleave_channels(sums, row_.channels, to);
    }
    interleave_channels(sums, row_.channels, row_.pixel_run);
    if (stream_ && count == lanes) return stream_run(row_.pixel_run, to, lanes * row_.channels);
    narrow_run(row_.pixel_run, to, count * row_.channels);
  }

  const WindowsRow<T>& row_;
  std::int64_t cells_;
  bool stream_;
};

template <class T>
void windows_row(const WindowsRow<T>& row) {
  switch (row.k) {
    case 3:
      Windows<T, 3>(row).run();
      break;
    case 5:
      Windows<T, 5>(row).run();
      break;
    default:
      Windows<T, 0>(row).run();
  }
  if (row.stream) hwy::FlushStream();
}

template <class T>
void spread_row(const LaneSpread<T>& spread) {
  spread_lanes(spread);
}

template <class T>
constexpr WindowsKernels<T> kernels_of{spread_row<T>, windows_row<T>};

const PerDtype<WindowsKernels>& windows_table() {
  static constexpr PerDtype<WindowsKernels> all{kernels_of<float>, kernels_of<double>,
                                                kernels_of<Half>, kernels_of<BFloat16>};
  return all;
}

#else

const PerDtype<WindowsKernels>& windows_table() {
  static constexpr PerDtype<WindowsKernels> none{};
  return none;
}

#endif

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::carafe {

const KernelTable<PerDtype<WindowsKernels>> windows_kernels = MLUOP_PER_ISA(windows_table);

}  // namespace mluop::carafe
#endif
