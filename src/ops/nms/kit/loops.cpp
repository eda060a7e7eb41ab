#include "ops/nms/kit/loops.hpp"

#include <algorithm>
#include <numeric>

#include "runtime/parallel.hpp"

namespace mluop::nms {
namespace {

/// Later boxes that a thread is worth.
constexpr std::int64_t later_grain = 4096;

/// Boxes that are kept of `order`, at most `most`.
template <class Real>
std::vector<std::int64_t> keep(const reference::Rule& rule, const Real* boxes,
                               const std::vector<std::int64_t>& order, std::int64_t most,
                               int threads) {
  const auto numbers = static_cast<std::int64_t>(rule.numbers());
  const std::int64_t count = std::ssize(order);
  std::vector<char> suppressed(order.size());
  std::vector<std::int64_t> kept;
  for (std::int64_t at = 0; at < count && std::ssize(kept) < most; ++at) {
    if (suppressed[static_cast<std::size_t>(at)] != 0) continue;
    const std::int64_t i = order[static_cast<std::size_t>(at)];
    kept.push_back(i);
    const auto mark = [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t j = at + 1 + begin; j < at + 1 + end; ++j) {
        char& one = suppressed[static_cast<std::size_t>(j)];
        if (one != 0) continue;
        const std::int64_t later = order[static_cast<std::size_t>(j)];
        one = reference::suppresses(rule, boxes + i * numbers, boxes + later * numbers) ? 1 : 0;
      }
    };
    parallel_for(threads, count - at - 1, later_grain, mark);
  }
  return kept;
}

template <class Real>
std::vector<std::int64_t> order_of(const Real* scores, std::int64_t count) {
  if (scores == nullptr) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  return reference::by_score(std::vector<double>(scores, scores + count));
}

template <class Real>
void fill_overlaps(const Real* a, const Real* b, std::int64_t N, std::int64_t M, Real* to,
                   int threads) {
  parallel_for(threads, N, 1, [&](std::int64_t i, std::int64_t, int) {
    for (std::int64_t j = 0; j < M; ++j) {
      to[i * M + j] = reference::overlap(a + 7 * i, b + 7 * j);
    }
  });
}

}  // namespace

void NmsLoops::run(const Operation& operation, const Setting& setting, const View& view,
                   const testing::LoopSettings& settings) {
  const bool overlap = operation.function == Function::overlap;
  const std::int64_t N =
      view.boxes.count() / static_cast<std::int64_t>(numbers_of(operation, setting));
  testing::in_loop_type(view.boxes.dtype(), [&]<class Real>(Real) {
    const Real* const boxes = boxes_.read<Real>(view.boxes, settings);
    const Real* const second =
        view.second.descriptor() == nullptr ? nullptr : second_.read<Real>(view.second, settings);
    if (overlap) {
      fill_overlaps(boxes, second, N, view.second.count() / 7, output_.write<Real>(view.output),
                    settings.threads);
      return;
    }
    std::vector<std::int64_t> order = order_of(second, N);
    if (operation.function == Function::nms) {
      std::erase_if(order, [&](std::int64_t i) {
        return second != nullptr && !(second[i] > Real(setting.confidence_threshold));
      });
    }
    const auto kept = keep(rule_of(operation, setting), boxes, order, N, settings.threads);
    const std::vector<double> indices(kept.begin(), kept.end());
    std::vector<double> all(static_cast<std::size_t>(view.output.count()));
    std::ranges::copy(indices, all.begin());
    view.output.assign(all);
    view.number->set(0, static_cast<double>(kept.size()));
  });
  if (overlap) output_.store(view.output, settings);
}

}  // namespace mluop::nms
