// What a worker of forward keeps of the RoI in hand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/memory/arena.hpp"
#include "core/memory/workspace.hpp"
#include "ops/roi_align/geometry.hpp"
#include "runtime/parallel.hpp"

namespace mluop::roi_align::forward {

/// Threads worth waking: each has some microseconds of bins.
inline int threads_of(const Problem& problem, int threads) {
  constexpr double least_work = 1 << 14;
  const double bins = static_cast<double>(problem.K) * static_cast<double>(problem.bins());
  return threads_for(bins * static_cast<double>(std::max<std::int64_t>(problem.C, 16)), least_work,
                     threads);
}

/// The taps of a row of bins, and those of as many columns as fit.
template <class Real>
struct Room {
  Tap<Real>* rows;
  Tap<Real>* columns;
  std::int64_t column_room;
  std::int64_t* column_begin;  // [PW + 1]
};

template <class Real>
class Rooms {
 public:
  /// A bin has at most as many taps as the map has cells; four are usual.
  Rooms(const Problem& problem, WorkspaceLayout& layout, std::int64_t workers)
      : H_(problem.H),
        begins_(problem.PW + 1),
        room_(problem.W + 4 * problem.PW),
        rows_(layout.add<Tap<Real>>(workers * H_)),
        columns_(layout.add<Tap<Real>>(workers * room_)),
        begin_(layout.add<std::int64_t>(workers * begins_)) {}

  void place(std::byte* base) {
    first_ = {rows_.in(base), columns_.in(base), room_, begin_.in(base)};
  }
  Room<Real> of(int worker) const {
    return {first_.rows + worker * H_, first_.columns + worker * room_, room_,
            first_.column_begin + worker * begins_};
  }

 private:
  std::int64_t H_, begins_, room_;
  Slot<Tap<Real>> rows_, columns_;
  Slot<std::int64_t> begin_;
  Room<Real> first_{};
};

/// Fills the taps of bins from `bin` to `end` until they might not fit, and returns the first that is left out.
template <class Real>
std::int64_t fill_columns(const Offsets<Real>& x, std::int64_t bin, std::int64_t end,
                          const Room<Real>& room) {
  Tap<Real>* to = room.columns;
  for (std::int64_t i = 0; bin < end; ++bin, ++i) {
    const Range inside = x.axis().inside(bin);
    const std::int64_t most = std::min(2 * inside.size(), x.axis().size);
    if (to - room.columns + most > room.column_room) return bin;
    room.column_begin[i] = to - room.columns;
    to = add_taps(x, bin, inside, to);
    room.column_begin[i + 1] = to - room.columns;
  }
  return bin;
}

/// The image that a RoI names.
template <class T>
const T* image_of(const Problem& problem, std::int64_t image) {
  return static_cast<const T*>(problem.source) + image * problem.H * problem.W * problem.C;
}

}  // namespace mluop::roi_align::forward
