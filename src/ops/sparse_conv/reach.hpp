// Which output sites an input site meets, axis by axis.
#pragma once

#include <hwy/base.h>

#include <array>
#include <cstdint>

#include "ops/sparse_conv/packed_sites.hpp"
#include "ops/sparse_conv/pair_lists.hpp"
#include "ops/sparse_conv/pairs.hpp"

namespace mluop::sparse_conv::pairs {

/// What a coordinate meets along an axis: `count` outputs, evenly spaced, through offsets that are.
struct Reach {
  std::int32_t count, offset, output;
};

/// The outputs of one axis, without trying offsets: those that a coordinate meets are the solutions of
/// output · stride = input + pad - offset · dilation, one in every stride / gcd(stride, dilation)
/// offsets. Transposed, every offset meets one: output = input · stride - pad + offset · dilation.
class AxisReach {
 public:
  AxisReach() = default;
  AxisReach(const Axis& axis, bool transpose);

  Reach at(std::int64_t input) const noexcept;
  /// The largest count of any coordinate.
  std::int64_t most() const noexcept;
  std::int32_t offset_step() const noexcept { return static_cast<std::int32_t>(offset_step_); }
  std::int32_t output_step() const noexcept { return static_cast<std::int32_t>(output_step_); }

 private:
  Reach between(std::int64_t first, std::int64_t last, std::int64_t offset,
                std::int64_t output) const noexcept;

  Axis axis_;
  bool transpose_ = false;
  std::int64_t offset_step_ = 1, output_step_ = -1;
  std::int64_t divisor_ = 1;  // gcd(stride, dilation)
  std::int64_t inverse_ = 0;  // of dilation / divisor modulo stride / divisor
};

/// The sites that rows meet.
struct Walk {
  explicit Walk(const Problem& problem);

  const Problem* problem;
  std::array<AxisReach, 3> axes;
  std::array<const Reach*, 3> tables{};  // by coordinate; null where reaches are computed each time
  std::int64_t line_words;               // of the output space

  /// The most sites a row can meet.
  std::int64_t most() const noexcept { return axes[0].most() * axes[1].most() * axes[2].most(); }
  /// Lines and words of the output space.
  Wide lines() const noexcept;
  Wide words() const noexcept { return lines() * static_cast<Wide>(line_words); }

  Reach reach(std::size_t axis, std::int32_t coordinate) const noexcept {
    return tables[axis] != nullptr ? tables[axis][coordinate] : axes[axis].at(coordinate);
  }

  /// Calls use(k, word, place) for each kernel offset k through which a row meets an output site, and
  /// the site. Always inline, so that it is compiled for the instruction set of its caller.
  template <class Word, class Use>
  HWY_INLINE void each_site(const SiteRow& row, Use&& use) const {
    const Reach plane = reach(0, row.z), line = reach(1, row.y), cell = reach(2, row.x);
    const auto& [D, H, W] = problem->axes;
    for (std::int32_t i = 0; i < plane.count; ++i) {
      const std::int64_t a0 = plane.offset + i * axes[0].offset_step();
      const auto planes = static_cast<Word>(row.b) * static_cast<Word>(D.output) +
                          static_cast<Word>(plane.output + i * axes[0].output_step());
      for (std::int32_t j = 0; j < line.count; ++j) {
        const std::int64_t a1 = line.offset + j * axes[1].offset_step();
        const auto lines = planes * static_cast<Word>(H.output) +
                           static_cast<Word>(line.output + j * axes[1].output_step());
        std::int64_t k = (a0 * H.filter + a1) * W.filter + cell.offset;
        std::int64_t x = cell.output;
        for (std::int32_t l = 0; l < cell.count; ++l) {
          use(k, lines * static_cast<Word>(line_words) + static_cast<Word>(x >> place_bits),
              static_cast<unsigned>(x & 63));
          k += axes[2].offset_step();
          x += axes[2].output_step();
        }
      }
    }
  }
};

}  // namespace mluop::sparse_conv::pairs
