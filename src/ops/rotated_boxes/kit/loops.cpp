#include "ops/rotated_boxes/kit/loops.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "ops/rotated_boxes/kit/pair_loops.hpp"
#include "runtime/parallel.hpp"

namespace mluop::rotated_boxes {
namespace {

using reference::Turned;
using testing::HostTensor;
using testing::LoopSettings;

template <class Real>
std::vector<Turned<Real>> turned(const HostTensor& boxes, const Real* fields) {
  std::vector<Turned<Real>> all;
  for (std::int64_t i = 0; i < boxes.dims()[0]; ++i) all.emplace_back(fields + i * boxes.dims()[1]);
  return all;
}

std::vector<std::int32_t> order_of(const HostTensor& scores) {
  const std::vector<double> values = scores.values();
  std::vector<std::int32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(
      order, [](double a, double b) { return std::isnan(a) ? !std::isnan(b) : a > b; },
      [&](std::int32_t i) { return values[static_cast<std::size_t>(i)]; });
  return order;
}

}  // namespace

void IouLoops::run(const reference::Pairs& pairs, const HostTensor& first, const HostTensor& second,
                   HostTensor& ious, const LoopSettings& settings) {
  testing::in_loop_type(first.dtype(), [&]<class Real>(Real) {
    const auto a = turned(first, first_.read<Real>(first, settings));
    const auto b = turned(second, second_.read<Real>(second, settings));
    Real* const to = ious_.write<Real>(ious);
    const PairLoops<Real>& loops = pair_loops<Real>(settings.isa);
    if (pairs.aligned) {
      parallel_for(settings.threads, pairs.N, 256, [&](std::int64_t begin, std::int64_t end, int) {
        loops.aligned(&a[static_cast<std::size_t>(begin)], &b[static_cast<std::size_t>(begin)],
                      end - begin, pairs.over_first, to + begin);
      });
    } else {
      constexpr std::int64_t piece = 4096;
      const std::int64_t pieces = (pairs.M + piece - 1) / piece;
      parallel_for(settings.threads, pairs.N * pieces, 1, [&](std::int64_t i, std::int64_t, int) {
        const std::int64_t row = i / pieces, begin = i % pieces * piece;
        loops.row(a[static_cast<std::size_t>(row)], &b[static_cast<std::size_t>(begin)],
                  std::min(piece, pairs.M - begin), pairs.over_first, to + row * pairs.M + begin);
      });
    }
    ious_.store(ious, settings);
  });
}

void NmsLoops::run(float threshold, const HostTensor& boxes, const HostTensor& scores,
                   HostTensor& output, HostTensor& count, const LoopSettings& settings) {
  const std::vector<std::int32_t> order = order_of(scores);
  std::vector<std::uint8_t> suppressed(order.size());
  auto* const to = static_cast<std::int32_t*>(output.data());
  std::int32_t kept = 0;
  testing::in_loop_type(boxes.dtype(), [&]<class Real>(Real) {
    const auto all = turned(boxes, boxes_.read<Real>(boxes, settings));
    const PairLoops<Real>& loops = pair_loops<Real>(settings.isa);
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (suppressed[i] != 0) continue;
      to[kept++] = order[i];
      const auto later = static_cast<std::int64_t>(i) + 1;
      parallel_for(settings.threads, std::ssize(order) - later, 256,
                   [&](std::int64_t begin, std::int64_t end, int) {
                     loops.suppress(all[static_cast<std::size_t>(order[i])], all.data(),
                                    order.data() + later + begin, end - begin,
                                    static_cast<Real>(threshold),
                                    suppressed.data() + later + begin);
                   });
    }
  });
  std::fill(to + kept, to + order.size(), 0);
  *static_cast<std::int32_t*>(count.data()) = kept;
}

}  // namespace mluop::rotated_boxes
