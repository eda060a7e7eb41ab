// Adds lines to rows of sums, a lane for each column.
#include "ops/roi_align/backward/one_channel/one_channel_kernel.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/roi_align/backward/one_channel/one_channel_kernel.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "ops/roi_align/pieces-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace mluop::roi_align::HWY_NAMESPACE {

using backward::AddLine;
using backward::LineSum;

template <class T>
void add_line(const LineSum<Compute<T>>& sum) {
  using Real = Compute<T>;
  for_pieces<4, lanes_of<Real>, Real>(sum.length, [&](auto piece) HWY_ATTR {
    constexpr int vectors = decltype(piece)::count;
    const auto d = piece.d;
    const auto weight = hn::Set(d, sum.weight);
    hn::Vec<decltype(d)> sums[vectors];  // all before the first store: vectors may overlap
    HWY_UNROLL(4)
    for (int k = 0; k < vectors; ++k) {
      const std::int64_t at = piece.channel + piece.offset(k);
      sums[k] = hn::MulAdd(weight, hn::LoadU(d, sum.line + at), hn::LoadU(d, sum.sums + at));
    }
    HWY_UNROLL(4)
    for (int k = 0; k < vectors; ++k) {
      hn::StoreU(sums[k], d, sum.sums + piece.channel + piece.offset(k));
    }
  });
}

const PerDtype<AddLine>& add_lines() {
  static constexpr PerDtype<AddLine> all{add_line<float>, add_line<double>, add_line<Half>,
                                         add_line<BFloat16>};
  return all;
}

}  // namespace mluop::roi_align::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::roi_align {

const PerIsa<const PerDtype<backward::AddLine>& (*)()> backward::add_line_kernels =
    MLUOP_PER_ISA(add_lines);

}  // namespace mluop::roi_align
#endif
