// The checks of the four operators, in the order the contract gives.
#include "ops/sparse_pool/problem.hpp"

namespace mluop::sparse_pool {
namespace {

/// Every indice_num[k] is in [0, L].
void check_counts(Check& check, const std::int64_t* indice_num, const Dim& K, const Dim& L) {
  if (!check.running()) return;  // the sizes may not be bound
  check.require_each("indice_num", indice_num, K.value(), at_least(0))
      .require_each("indice_num", indice_num, K.value(), at_most(L.value()));
}

Matrix matrix_of(const Tensor& tensor) {
  return {tensor.name, tensor.data, tensor.desc->dim(0), tensor.desc->dim(1)};
}

Pairs pairs_of(const Tensor& pairs, const std::int64_t* indice_num, int source_side) {
  return {static_cast<const std::int32_t*>(pairs.data), pairs.desc->dim(0), pairs.desc->dim(2),
          indice_num, source_side};
}

/// The host array indice_num of a call whose other arguments are checked.
Region counts_of(const Tensor& pairs, const std::int64_t* indice_num) {
  if (pairs.desc == nullptr) return {"indice_num"};
  return {"indice_num", indice_num,
          static_cast<std::size_t>(pairs.desc->dim(0)) * sizeof(std::int64_t)};
}

void check_mode(Check& check, const mluOpCpuMaxPoolMode_t& mode) {
  check.require("mode", mode, one_of(MLUOP_CPU_MAXPOOL_ZERO_FLOOR, MLUOP_CPU_MAXPOOL_EXACT));
}

}  // namespace

void check_forward(Check& check, const ForwardArguments& call, Forward& problem) {
  const auto& [features, pairs, features_out, indice_num, num_act_out, mode] = call;
  check.tensors(features, pairs, features_out).present();
  check.present("indice_num", indice_num);
  check.tensors(features).dtype(floating);
  check.tensors(features, features_out).same_dtype();
  check.tensors(pairs).dtype(int32);
  if (mode != nullptr) check_mode(check, *mode);
  check.tensors(features).rank(2);
  check.tensors(pairs).rank(3);
  check.tensors(features_out).rank(2);
  check.tensors(features, pairs, features_out).contiguous().size_limits();

  Dim K{"K"}, L{"L"}, C{"C"}, Y{"num_act_out", num_act_out};
  check.shape(features, {L, C}).dim(pairs, 2, L).dim(pairs, 1, 2).dim(pairs, 0, K);
  check.shape(features_out, {Y, C});
  check_counts(check, indice_num, K, L);
  check.done_if_empty(features, pairs, features_out);
  check.tensors(features, pairs, features_out).data_present();
  if (!check.running()) return;
  check.no_overlap({features, pairs, counts_of(pairs, indice_num)}, {features_out});
  problem = {check.function(),
             features.desc->dtype,
             pairs_of(pairs, indice_num, 0),
             matrix_of(features),
             matrix_of(features_out),
             mode != nullptr && *mode == MLUOP_CPU_MAXPOOL_EXACT};
}

void check_max_backward(Check& check, const MaxBackwardArguments& call, Backward& problem) {
  const auto& [features, features_out, output_grad, pairs, input_grad, indice_num, mode] = call;
  auto all = check.tensors(features, features_out, output_grad, pairs, input_grad);
  all.present();
  check.present("indice_num", indice_num);
  check.tensors(features).dtype(floating);
  check.tensors(features, features_out, output_grad, input_grad).same_dtype();
  check.tensors(pairs).dtype(int32);
  check_mode(check, mode);
  check.tensors(features, features_out, output_grad).rank(2);
  check.tensors(pairs).rank(3);
  check.tensors(input_grad).rank(2);
  all.contiguous().size_limits();

  Dim K{"K"}, L{"L"}, C{"C"}, Y{"Y"};
  check.shape(features, {L, C}).dim(input_grad, 0, L);
  check.dim(pairs, 2, L).dim(pairs, 1, 2).dim(pairs, 0, K);
  check.shape(features_out, {Y, C}).shape(output_grad, {Y, C}).dim(input_grad, 1, C);
  check_counts(check, indice_num, K, L);
  check.done_if_empty(features, features_out, output_grad, pairs, input_grad);
  all.data_present();
  if (!check.running()) return;
  check.no_overlap({features, features_out, output_grad, pairs, counts_of(pairs, indice_num)},
                   {input_grad});
  problem = {check.function(),       features.desc->dtype,           pairs_of(pairs, indice_num, 1),
             matrix_of(output_grad), matrix_of(input_grad),          features.data,
             features_out.data,      mode == MLUOP_CPU_MAXPOOL_EXACT};
}

void check_avg_backward(Check& check, const AvgBackwardArguments& call, Backward& problem) {
  const auto& [output_grad, pairs, input_grad, indice_num] = call;
  auto all = check.tensors(output_grad, pairs, input_grad);
  all.present();
  check.present("indice_num", indice_num);
  check.tensors(output_grad).dtype(floating);
  check.tensors(output_grad, input_grad).same_dtype();
  check.tensors(pairs).dtype(int32);
  check.tensors(output_grad).rank(2);
  check.tensors(pairs).rank(3);
  check.tensors(input_grad).rank(2);
  all.contiguous().size_limits();

  Dim K{"K"}, L{"L"}, C{"C"}, Y{"Y"};
  check.shape(input_grad, {L, C}).dim(pairs, 2, L).dim(pairs, 1, 2).dim(pairs, 0, K);
  check.shape(output_grad, {Y, C});
  check_counts(check, indice_num, K, L);
  check.done_if_empty(output_grad, pairs, input_grad);
  all.data_present();
  if (!check.running()) return;
  check.no_overlap({output_grad, pairs, counts_of(pairs, indice_num)}, {input_grad});
  problem = {check.function(), output_grad.desc->dtype, pairs_of(pairs, indice_num, 1),
             matrix_of(output_grad), matrix_of(input_grad)};
}

}  // namespace mluop::sparse_pool
