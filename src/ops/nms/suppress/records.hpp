// Writes what is kept in the form that a call asks for.
#pragma once

#include <cstdint>
#include <cstring>

#include "ops/nms/spec_rules.hpp"
#include "ops/nms/suppress/boxes.hpp"

namespace mluop::nms {

/// Records of all problems follow each other, in order; what is left of the output is 0.
template <class T>
class Records {
 public:
  explicit Records(const Problem& problem) : problem_(problem) {
    std::memset(problem.output, 0, problem.output_bytes);
  }

  /// The boxes kept of one problem.
  void add(std::int64_t number, const std::int32_t* kept, std::int64_t count) {
    if (problem_.record == Record::index) {
      for (std::int64_t i = 0; i < count; ++i) put_index(written_ + i, kept[i]);
    } else if (problem_.record == Record::triplet) {
      for (std::int64_t i = 0; i < count; ++i) put_triplet(written_ + i, number, kept[i]);
    } else {
      for (std::int64_t i = 0; i < count; ++i) put_box(written_ + i, number, kept[i]);
    }
    written_ += count;
  }

  void finish() const { write_number(problem_.result_num, problem_.index_dtype, written_); }

 private:
  void put_index(std::int64_t at, std::int32_t index) const {
    if (problem_.index_dtype == MLUOP_DTYPE_INT64) {
      static_cast<std::int64_t*>(problem_.output)[at] = index;
    } else {
      static_cast<std::int32_t*>(problem_.output)[at] = index;
    }
  }
  void put_triplet(std::int64_t at, std::int64_t number, std::int32_t index) const {
    put_index(3 * at, static_cast<std::int32_t>(number / problem_.classes));
    put_index(3 * at + 1, static_cast<std::int32_t>(number % problem_.classes));
    put_index(3 * at + 2, index);
  }
  /// Confidence and the four numbers of the box, as they were given.
  void put_box(std::int64_t at, std::int64_t number, std::int32_t index) const {
    const bool row = problem_.record == Record::row;
    const std::int64_t stride = row ? 1 : problem_.plane_stride;
    T* const to = static_cast<T*>(problem_.output) + (row ? 5 * at : at);
    to[0] = static_cast<const T*>(problem_.scores)[number * problem_.N + index];
    const GivenBoxes<T> boxes(problem_, number / problem_.classes);
    for (int f = 0; f < 4; ++f) to[(f + 1) * stride] = boxes.stored(index, f);
  }

  const Problem& problem_;
  std::int64_t written_ = 0;
};

}  // namespace mluop::nms
