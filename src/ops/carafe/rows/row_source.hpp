// The rows of a stored map in the form kernels read: in place, or widened into a ring of rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "ops/carafe/rows/rows.hpp"

namespace mluop::carafe {

/// A part of one image of a map: some columns, some channels of some groups.
template <class T>
struct StoredPart {
  const T* image;        // its first row
  std::int64_t pitch;    // from row to row
  std::int64_t pixel;    // from pixel to pixel
  std::int64_t columns;  // of the part, in pixels of this map
  std::int64_t first;    // the first of them
  std::int64_t offset;   // to the first channel
  std::int64_t groups, group, channels, padded;
};

/// Rows are read in ascending order; the last `ring` of them stay valid.
template <class T>
class RowSource {
 public:
  using Real = Compute<T>;

  /// `buffer` holds `ring` rows of the widened part; null if rows are read in place.
  RowSource(const StoredPart<T>& part, WidenKernel<T> widen, Real* buffer, std::int64_t ring,
            std::int64_t first_row)
      : part_(part), widen_(widen), buffer_(buffer), ring_(ring), next_(first_row) {}

  const Real* row(std::int64_t y) {
    if constexpr (std::is_same_v<T, Real>) {
      if (buffer_ == nullptr) return stored_row(y);
    }
    for (; next_ <= y; ++next_) widen_(widening(next_));
    return ring_row(y);
  }

  /// Row y, the next one, for the caller to widen before it is read; no columns if there is nothing to widen.
  Widening<T> widen_later(std::int64_t y) {
    if (buffer_ == nullptr || next_ != y) return {};
    ++next_;
    return widening(y);
  }

  /// The first row that is neither widened nor handed out by widen_later().
  std::int64_t next() const noexcept { return next_; }

  /// Row y as elements of `Element`: T in place, or Real in place or from the ring.
  template <class Element>
  const Element* row_as(std::int64_t y) {
    if constexpr (std::is_same_v<Element, Real>) {
      return row(y);
    } else {
      return stored_row(y);
    }
  }

  const StoredPart<T>& part() const noexcept { return part_; }

  /// The row in place, from column 0 on.
  const T* stored_row(std::int64_t y) const noexcept {
    return part_.image + y * part_.pitch + part_.offset;
  }

  /// Elements of a pixel, and the first column of the rows, as row() gives them.
  std::int64_t pixel() const noexcept {
    return buffer_ == nullptr ? part_.pixel : part_.groups * part_.padded;
  }
  std::int64_t first() const noexcept { return buffer_ == nullptr ? 0 : part_.first; }

 private:
  Real* ring_row(std::int64_t y) const noexcept {
    return buffer_ + y % ring_ * (part_.columns * part_.groups * part_.padded);
  }
  Widening<T> widening(std::int64_t y) const noexcept {
    const T* const from = part_.image + y * part_.pitch + part_.first * part_.pixel + part_.offset;
    return {from,         ring_row(y), part_.columns,  part_.pixel,
            part_.groups, part_.group, part_.channels, part_.padded};
  }

  StoredPart<T> part_;
  WidenKernel<T> widen_;
  Real* buffer_;
  std::int64_t ring_;
  std::int64_t next_;
};

}  // namespace mluop::carafe
