// The list of operators and the choice among an operator's implementations.
#include "core/implementation.hpp"

#include <algorithm>
#include <array>

#include "ops/carafe/carafe.hpp"
#include "ops/points_in_boxes/points_in_boxes.hpp"
#include "ops/roiaware_pool3d/roiaware_pool3d.hpp"
#include "ops/rotated_feature_align/rotated_feature_align.hpp"
#include "ops/sparse_conv/pairs.hpp"
#include "ops/sparse_conv/spec.hpp"
#include "ops/sparse_pool/sparse_pool.hpp"

namespace mluop {

std::span<const OperatorInfo* const> operators() {
  static constexpr std::array all{&sparse_conv::get_indice_pairs_operator,
                                  &sparse_conv::forward_operator,
                                  &sparse_conv::backward_data_operator,
                                  &sparse_conv::backward_filter_operator,
                                  &carafe::forward_operator,
                                  &carafe::backward_operator,
                                  &roiaware_pool3d::forward_operator,
                                  &roiaware_pool3d::backward_operator,
                                  &rotated_feature_align::forward_operator,
                                  &rotated_feature_align::backward_operator,
                                  &points_in_boxes::centred_operator,
                                  &points_in_boxes::part_operator,
                                  &points_in_boxes::all_operator,
                                  &sparse_pool::max_forward_operator,
                                  &sparse_pool::max_backward_operator,
                                  &sparse_pool::avg_forward_operator,
                                  &sparse_pool::avg_backward_operator};
  return all;
}

const OperatorInfo* find_operator(std::string_view name) {
  const auto all = operators();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const OperatorInfo* op) { return op->name == name; });
  return found != all.end() ? *found : nullptr;
}

ImplementationInfo chosen(const OperatorInfo& op, const mluOpContext& handle) {
  const auto forced = handle.forced.find(std::string_view{op.name});
  const ImplementationList all = op.implementations();
  for (const ImplementationInfo& one : all) {
    const bool wanted = forced != handle.forced.end() ? forced->second == one.name
                                                      : isa_allows(handle.isa, one.isa);
    if (wanted) return one;
  }
  return all[all.size() - 1];
}

}  // namespace mluop
