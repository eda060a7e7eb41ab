// Rows of coordinates, their bounds and their packing, compiled per instruction set.
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/dynamic_point_to_voxel/kernels/rows.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Row by row, passing over those with a negative entry.
std::int64_t survey_rows(const std::int32_t* coors, std::int64_t rows, std::int64_t D,
                         std::int32_t* least, std::int32_t* most) {
  std::int64_t valid = 0;
  for (const std::int32_t* row = coors; row < coors + rows * D; row += D) {
    std::int32_t signs = 0;
    for (std::int64_t j = 0; j < D; ++j) signs |= row[j];
    if (signs < 0) continue;
    ++valid;
    for (std::int64_t j = 0; j < D; ++j) {
      least[j] = HWY_MIN(least[j], row[j]);
      most[j] = HWY_MAX(most[j], row[j]);
    }
  }
  return valid;
}

/// Packs rows [begin, begin + rows) of points whose numbers start at `point`, and stops at `last`.
void pack_one_by_one(const RowFormat& format, const std::int32_t* coors, std::int64_t rows,
                     std::uint64_t point, sorting::Narrow* to, const sorting::Narrow* last) {
  for (std::int64_t i = 0; i < rows && to < last; ++i, coors += format.D) {
    std::uint64_t packed = format.origin + point + static_cast<std::uint64_t>(i);
    std::int32_t signs = 0;
    for (std::int64_t j = 0; j < format.D; ++j) {
      signs |= coors[j];
      packed += static_cast<std::uint64_t>(static_cast<std::uint32_t>(coors[j]))
                << format.shifts[j];
    }
    *to = packed;
    to += signs >= 0;
  }
}

// With one lane GCC 12 pairs entries in MMX registers, and leaves the x87 unit unusable.
#if HWY_TARGET == HWY_SCALAR

template <int D>
std::int64_t survey_columns(const std::int32_t* coors, std::int64_t rows, std::int32_t* least,
                            std::int32_t* most) {
  return survey_rows(coors, rows, D, least, most);
}
template <int D>
void pack_columns(const RowFormat& format, const std::int32_t* coors, std::int64_t rows,
                  std::uint64_t point, sorting::Narrow* to, const sorting::Narrow* last) {
  pack_one_by_one(format, coors, rows, point, to, last);
}

#else

/// Column by column the entries of as many rows as a vector has lanes.
template <int columns, class Tag>
struct Rows {
  hn::Vec<Tag> column[columns];

  HWY_INLINE Rows(Tag d, const std::int32_t* coors) {
    if constexpr (columns == 1) column[0] = hn::LoadU(d, coors);
    if constexpr (columns == 2) hn::LoadInterleaved2(d, coors, column[0], column[1]);
    if constexpr (columns == 3) hn::LoadInterleaved3(d, coors, column[0], column[1], column[2]);
    if constexpr (columns == 4) {
      hn::LoadInterleaved4(d, coors, column[0], column[1], column[2], column[3]);
    }
  }

  /// Negative where a row is invalid.
  HWY_INLINE hn::Vec<Tag> signs() const {
    auto all = column[0];
    HWY_UNROLL(4)
    for (int j = 1; j < columns; ++j) all = hn::Or(all, column[j]);
    return all;
  }
};

template <int D>
std::int64_t survey_columns(const std::int32_t* coors, std::int64_t rows, std::int32_t* least,
                            std::int32_t* most) {
  const hn::ScalableTag<std::int32_t> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  const auto none = hn::Set(d, -1), highest = hn::Set(d, INT32_MAX);
  hn::Vec<decltype(d)> low[D], high[D];
  for (int j = 0; j < D; ++j) {
    low[j] = highest;
    high[j] = none;
  }
  std::int64_t row = 0, valid_rows = 0;
  for (; row + lanes <= rows; row += lanes) {
    const Rows<D, hn::ScalableTag<std::int32_t> > entries(d, coors + row * D);
    const auto valid = hn::Gt(entries.signs(), none);
    valid_rows += static_cast<std::int64_t>(hn::CountTrue(d, valid));
    HWY_UNROLL(4)
    for (int j = 0; j < D; ++j) {
      low[j] = hn::Min(low[j], hn::IfThenElse(valid, entries.column[j], highest));
      high[j] = hn::Max(high[j], hn::IfThenElse(valid, entries.column[j], none));
    }
  }
  for (int j = 0; j < D; ++j) {
    least[j] = HWY_MIN(least[j], hn::GetLane(hn::MinOfLanes(d, low[j])));
    most[j] = HWY_MAX(most[j], hn::GetLane(hn::MaxOfLanes(d, high[j])));
  }
  return valid_rows + survey_rows(coors + row * D, rows - row, D, least, most);
}

/// One half of a vector of entries, as wide as packed rows.
template <class D64, class V>
HWY_INLINE hn::Vec<D64> half_of(D64 d, V entries, bool upper) {
  const hn::Rebind<std::uint32_t, D64> half;
  const auto all = hn::BitCast(hn::Twice<decltype(half)>(), entries);
  return hn::PromoteTo(d, upper ? hn::UpperHalf(half, all) : hn::LowerHalf(half, all));
}

template <int D>
void pack_columns(const RowFormat& format, const std::int32_t* coors, std::int64_t rows,
                  std::uint64_t point, sorting::Narrow* to, const sorting::Narrow* last) {
  const hn::ScalableTag<std::int32_t> d;
  const hn::ScalableTag<std::uint64_t> d64;
  constexpr auto half = static_cast<std::int64_t>(hn::MaxLanes(d64));
  int shifts[D];
  for (int j = 0; j < D; ++j) shifts[j] = format.shifts[j];
  auto numbers = hn::Add(hn::Iota(d64, 0), hn::Set(d64, format.origin + point));
  const auto step = hn::Set(d64, static_cast<std::uint64_t>(half));
  const auto first_negative = hn::Set(d64, std::uint64_t{1} << 31);
  std::int64_t row = 0;
  // Compressed vectors are stored whole, and the rows after `last` belong to another chunk.
  for (; row + 2 * half <= rows && to + 2 * half <= last; row += 2 * half) {
    const Rows<D, hn::ScalableTag<std::int32_t> > entries(d, coors + row * D);
    const auto signs = entries.signs();
    const bool all_valid = hn::AllTrue(d, hn::Gt(signs, hn::Set(d, -1)));
    HWY_UNROLL(2)
    for (int upper = 0; upper < 2; ++upper) {
      auto packed = numbers;
      HWY_UNROLL(4)
      for (int j = 0; j < D; ++j) {
        const auto entry = half_of(d64, entries.column[j], upper == 1);
        packed = hn::Add(packed, hn::ShiftLeftSame(entry, shifts[j]));
      }
      numbers = hn::Add(numbers, step);
      if (all_valid) {
        hn::StoreU(packed, d64, to);
        to += half;
      } else {
        const auto valid = hn::Lt(half_of(d64, signs, upper == 1), first_negative);
        hn::StoreU(hn::Compress(packed, valid), d64, to);
        to += hn::CountTrue(d64, valid);
      }
    }
  }
  pack_one_by_one(format, coors + row * D, rows - row, point + static_cast<std::uint64_t>(row), to,
                  last);
}

#endif

std::int64_t survey(const std::int32_t* coors, std::int64_t rows, std::int64_t D,
                    std::int32_t* least, std::int32_t* most) {
  switch (D) {
    case 1:
      return survey_columns<1>(coors, rows, least, most);
    case 2:
      return survey_columns<2>(coors, rows, least, most);
    case 3:
      return survey_columns<3>(coors, rows, least, most);
    case 4:
      return survey_columns<4>(coors, rows, least, most);
    default:
      return survey_rows(coors, rows, D, least, most);
  }
}

void pack(const RowFormat& format, const std::int32_t* coors, std::int64_t rows, std::int64_t point,
          sorting::Narrow* to, std::int64_t valid) {
  const auto number = static_cast<std::uint64_t>(point);
  switch (format.D) {
    case 3:
      return pack_columns<3>(format, coors, rows, number, to, to + valid);
    case 4:
      return pack_columns<4>(format, coors, rows, number, to, to + valid);
    default:
      return pack_one_by_one(format, coors, rows, number, to, to + valid);
  }
}

constexpr RowKernels row_kernels_of_level{survey, pack};
const RowKernels& row_kernels_of() { return row_kernels_of_level; }

}  // namespace mluop::dynamic_point_to_voxel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::dynamic_point_to_voxel {

const PerIsa<const RowKernels& (*)()> row_kernels = MLUOP_PER_ISA(row_kernels_of);

}  // namespace mluop::dynamic_point_to_voxel
#endif
