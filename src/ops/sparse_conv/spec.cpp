// The checks of the three convolutions, in the order the contract gives.
#include "ops/sparse_conv/spec.hpp"

#include <algorithm>
#include <string>

#include "ops/sparse_conv/spec_rules.hpp"

namespace mluop::sparse_conv {
namespace {

constexpr RankSet four_or_five{bits_of(4, 5)};
constexpr RankSet five_on_card{bits_of(4, 5), bits_of(5)};
constexpr LayoutSet all_layouts{filter_layouts};
constexpr LayoutSet spatial_on_card{filter_layouts, spatial_layouts};

/// W(k, i, j) takes i from the channels of the source.
Convolution convolution_of(const Check& check, const ConvolutionArguments& call,
                           const FilterShape& filter, const Rows& rows, Rows::Side source) {
  const bool forward = source == Rows::Side::input;
  return {check.function(),
          call.source.desc->dtype,
          pairs_of(call.pairs, call.indice_num, rows, source),
          matrix_of(call.source),
          matrix_of(call.target),
          call.filters.data,
          filter.stride('W'),
          filter.stride(forward ? 'C' : 'N'),
          filter.stride(forward ? 'N' : 'C')};
}

/// Submanifold: every row is its own partner at the centre, which therefore has the most pairs.
void check_centre(Check& check, const std::int64_t* indice_num, std::int64_t K) {
  if (!check.running() || K <= 0) return;
  const std::string centre = "indice_num[" + text_of(K / 2) + "], the centre when sub_m is 1,";
  check.require(centre.c_str(), indice_num[K / 2],
                at_least(*std::max_element(indice_num, indice_num + K)));
}

/// On the card an offset joins a row once at most. Rows with equal coordinates, which are legal here,
/// break that: several of them meet the same output row.
void check_card_partners(Check& check, const ConvolutionArguments& call, const Rows& rows) {
  if (!check.running()) return;
  const std::int64_t K = call.pairs.desc->dim(0), most = rows.second().desc->dim(0);
  const std::int64_t* const first =
      std::find_if(call.indice_num, call.indice_num + std::max<std::int64_t>(K, 0),
                   [most](std::int64_t count) { return count > most; });
  const std::int64_t k = first - call.indice_num;
  if (k >= K) return;
  check.on_card(("indice_num[" + text_of(k) + ']').c_str(), *first, at_most(most),
                MLUOP_STATUS_BAD_PARAM);
}

/// The rules of backward data that tie the counts to the rows.
void check_partners(Check& check, const ConvolutionArguments& call, const Rows& rows, Dim& L) {
  if (!check.running()) return;
  const std::int64_t K = call.pairs.desc->dim(0);
  check.require_each("indice_num", call.indice_num, K, at_most(L.value()));
  if (call.sub_m == 1) {
    check.dim(rows.second(), 0, L);
    check_centre(check, call.indice_num, K);
  }
  check_card_partners(check, call, rows);
  if (call.sub_m == 1) check.require("the number of offsets when sub_m is 1", K, odd());
}

/// Filters and pairs may not agree yet: no more counts are read than both of them announce.
void check_not_negative(Check& check, const ConvolutionArguments& call, FilterShape& filter) {
  if (!check.running()) return;
  const std::int64_t announced = filter.K().evaluate().value_or(0);
  check.require_each("indice_num", call.indice_num, std::min(announced, call.pairs.desc->dim(0)),
                     at_least(0));
}

}  // namespace

void check_forward(Check& check, const ConvolutionArguments& call, Convolution& problem) {
  const auto& [features, filters, pairs, features_out, indice_num, inverse, sub_m, num_act_out] =
      call;
  check.tensors(features, filters, pairs).present();
  check.present("indice_num", indice_num).tensors(features_out).present();
  check.tensors(features, filters).dtype(floating);
  check.tensors(pairs).dtype(int32);
  check.tensors(features_out).dtype(floating);
  check.tensors(features, filters, features_out).same_dtype();
  check.require("sub_m", sub_m, one_of(0, 1))
      .require("inverse", inverse, one_of(0, 1))
      .on_card("inverse", inverse, equal_to(0));
  check.tensors(filters).layout(spatial_on_card, MLUOP_STATUS_NOT_SUPPORTED);
  check.tensors(features).rank(2);
  check.tensors(pairs).rank(3);
  check.tensors(features_out).rank(2);
  check_card_rows(check, pairs, MLUOP_STATUS_NOT_SUPPORTED);
  check.tensors(filters)
      .rank(five_on_card, MLUOP_STATUS_NOT_SUPPORTED)
      .rank_of_layout(MLUOP_STATUS_NOT_SUPPORTED);
  check.tensors(features, filters, pairs, features_out).contiguous().size_limits();

  const Rows rows{features, features_out, inverse == 1};
  FilterShape filter{check, filters};
  Dim L{"L"}, Y{"num_act_out", num_act_out};
  check_shapes(check, filter, pairs, rows, L);
  check.dim(features_out, 0, Y);
  check_counts(check, indice_num, filter.K(), L);
  check.done_if_empty(features, filters, pairs, features_out);
  if (check.running()) problem = convolution_of(check, call, filter, rows, Rows::Side::input);
}

void check_backward_data(Check& check, const ConvolutionArguments& call, Convolution& problem) {
  const auto& [output_grad, filters, pairs, input_grad, indice_num, inverse, sub_m, num_act_out] =
      call;
  check.tensors(output_grad, filters, pairs, input_grad).present();
  check.present("indice_num", indice_num).tensors(output_grad).rank(2);
  check.tensors(filters).rank(four_or_five);
  check.tensors(pairs).rank(3);
  check.tensors(input_grad).rank(2);
  check.dim(pairs, 1, 2);
  check_card_rows(check, pairs, MLUOP_STATUS_NOT_SUPPORTED);
  check.tensors(output_grad, filters, input_grad).dtype(floating);
  check.tensors(pairs).dtype(int32);
  check.tensors(filters).layout(all_layouts).rank_of_layout();
  check.tensors(output_grad, filters, pairs, input_grad).contiguous();
  check.require("inverse", inverse, one_of(0, 1)).require("sub_m", sub_m, one_of(0, 1));

  const Rows rows{input_grad, output_grad, inverse == 1};
  FilterShape filter{check, filters};
  Dim L{"L"};
  check_not_negative(check, call, filter);
  check.on_card("inverse", inverse, equal_to(0));
  check_shapes(check, filter, pairs, rows, L);
  check_partners(check, call, rows, L);
  check.tensors(output_grad, input_grad, filters).same_dtype();
  check.tensors(input_grad, output_grad, filters, pairs).size_limits();
  check.done_if_empty(input_grad, output_grad, filters, pairs);
  if (check.running()) problem = convolution_of(check, call, filter, rows, Rows::Side::output);
}

void check_backward_filter(Check& check, const FilterGradientArguments& call,
                           FilterGradient& problem) {
  const auto& [features, output_grad, pairs, filters_grad, indice_num, inverse, layout] = call;
  const bool tagged = layout == GradientLayout::tagged;
  auto all = check.tensors(features, output_grad, pairs, filters_grad);
  all.present();
  check.present("indice_num", indice_num)
      .require("inverse", inverse, one_of(0, 1))
      .on_card("inverse", inverse, equal_to(0), MLUOP_STATUS_BAD_PARAM);
  all.contiguous();
  check.tensors(pairs).dtype(int32);
  check.tensors(features, output_grad, filters_grad).dtype(floating).same_dtype();
  check.tensors(features, output_grad, pairs).plain_onchip_dtype();
  check.tensors(filters_grad).wide_onchip_dtype(floating);
  all.size_limits();
  check.tensors(features, output_grad).rank(2);
  check.tensors(pairs).rank(3);
  check.tensors(filters_grad).rank(four_or_five);
  if (tagged) check.tensors(filters_grad).layout(all_layouts).rank_of_layout();
  check_card_rows(check, pairs, MLUOP_STATUS_BAD_PARAM);

  const Rows rows{features, output_grad, inverse == 1};
  FilterShape filter =
      tagged ? FilterShape{check, filters_grad}
             : FilterShape{check, filters_grad, FilterShape::dense_axes(check, filters_grad)};
  Dim L{"L"};
  check_shapes(check, filter, pairs, rows, L);
  check.done_if_empty(features, output_grad, pairs, filters_grad);
  check_counts(check, indice_num, filter.K(), L);
  if (!check.running()) return;
  problem = {check.function(),
             features.desc->dtype,
             pairs_of(pairs, indice_num, rows, Rows::Side::input),
             matrix_of(features),
             matrix_of(output_grad),
             const_cast<void*>(filters_grad.data),
             filter.stride('W'),
             filter.stride('C'),
             filter.stride('N')};
}

}  // namespace mluop::sparse_conv
