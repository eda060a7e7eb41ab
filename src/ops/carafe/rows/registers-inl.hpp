// How much of each loop fits the registers of a target; included per target.
#if defined(MLUOPS_CARAFE_REGISTERS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef MLUOPS_CARAFE_REGISTERS_INL_HPP
#undef MLUOPS_CARAFE_REGISTERS_INL_HPP
#else
#define MLUOPS_CARAFE_REGISTERS_INL_HPP
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "ops/carafe/rows/rows.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::carafe::HWY_NAMESPACE {

#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_NEON
inline constexpr bool many_registers = true;  // 32, else 16
#else
inline constexpr bool many_registers = false;
#endif

/// Whether loops are specialised for this target. The others take as few loops as possible, which keeps the
/// build short.
inline constexpr bool tuned =
    HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_NEON;

/// Vectors of channels for so many output pixels: enough independent accumulators to hide the latency of a
/// fused multiply-add, and room for a cell of the window and a weight.
template <int outputs>
inline constexpr int forward_vectors = !tuned           ? 2
                                       : outputs == 1   ? 8
                                       : many_registers ? 4
                                                        : 3;

/// Vectors of channels for the targets of a window `k` wide.
template <int k>
inline constexpr int grad_input_vectors = k <= 1   ? 8
                                          : k <= 3 ? (many_registers ? 6 : 3)
                                          : k <= 5 ? (many_registers ? 4 : 2)
                                                   : (many_registers ? 3 : 1);

/// Output pixels and cells of the window whose products over the channels are summed together, each in
/// `parts` vectors.
inline constexpr int grad_mask_outputs = many_registers ? 4 : 2;
template <int parts>
inline constexpr int grad_mask_cells = parts == 1 ? 5 : 3;

/// The vectors of a block in pieces that fit the registers: within each group where a group has at least
/// `filling` of them, else across groups.
struct Pieces {
  bool one_group;
  std::int64_t runs, run;  // runs of vectors that are cut into pieces, and their length
  std::int64_t step;       // the most vectors of a piece

  Pieces(const ChannelBlock& block, std::int64_t lanes, std::int64_t most, std::int64_t filling) {
    const std::int64_t per_group = block.padded / lanes;
    one_group = per_group >= filling || block.groups == 1;
    runs = one_group ? block.groups : 1;
    run = one_group ? per_group : per_group * block.groups;
    step = ceil_div(run, ceil_div(run, most));
  }
};

}  // namespace mluop::carafe::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
