// The order in which boxes are kept: by score, the highest first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory/workspace.hpp"
#include "core/numbers/dtype.hpp"
#include "ops/suppression/keyed_sort.hpp"

namespace mluop::suppression {

/// Unsigned numbers that ascend where scores descend: NaN of either sign is first, and both zeros are equal.
std::uint32_t descending_key(float score) noexcept;
std::uint32_t descending_key(Half score) noexcept;
std::uint32_t descending_key(BFloat16 score) noexcept;
std::uint64_t descending_key(double score) noexcept;

/// Sorts scores: descending, NaN first, equal scores by index, as torch's stable sort does.
class ScoreOrder {
 public:
  /// `count` scores of a floating dtype; at most 2^31 - 1.
  ScoreOrder(std::int64_t count, mluOpDataType_t dtype, WorkspaceLayout& layout);

  /// The indices of the scores in their order, in scratch at `base`, which is that of the layout.
  const std::int32_t* sort(const void* scores, std::byte* base) const;

 private:
  template <class T>
  void sort_as(const void* scores, std::byte* base, std::int32_t* order) const;

  std::int64_t count_;
  mluOpDataType_t dtype_;
  Slot<Keyed<std::uint32_t>> narrow_;  // entries and as many spare ones
  Slot<Keyed<std::uint64_t>> wide_;    // the same of DOUBLE
  Slot<std::int32_t> order_;
};

}  // namespace mluop::suppression
