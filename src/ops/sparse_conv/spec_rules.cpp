// Rules about pairs, in terms of Check.
#include "ops/sparse_conv/spec_rules.hpp"

namespace mluop::sparse_conv {

void check_card_rows(Check& check, const Tensor& pairs, Status status) {
  if (!check.running()) return;  // the rank may not be 3
  check.on_card("indice_pairs dim 2", pairs.desc->dim(2), at_most(1'000'000), status);
}

void check_shapes(Check& check, FilterShape& filter, const Tensor& pairs, const Rows& rows,
                  Dim& L) {
  check.shape(pairs, {filter.K(), 2, L})
      .dim(rows.first(), 0, L)
      .dim(rows.input, 1, filter.Ci)
      .dim(rows.output, 1, filter.Co);
}

void check_counts(Check& check, const std::int64_t* indice_num, const Size& K, const Dim& L) {
  if (!check.running()) return;  // the sizes may not be bound
  const std::int64_t count = K.evaluate().value_or(0);
  check.require_each("indice_num", indice_num, count, at_least(0))
      .require_each("indice_num", indice_num, count, at_most(L.value()));
}

Pairs pairs_of(const Tensor& pairs, const std::int64_t* indice_num, const Rows& rows,
               Rows::Side source) {
  return {static_cast<const std::int32_t*>(pairs.data), pairs.desc->dim(0), pairs.desc->dim(2),
          indice_num, rows.column(source)};
}

Matrix matrix_of(const Tensor& tensor) {
  return {tensor.name, tensor.data, tensor.desc->dim(0), tensor.desc->dim(1)};
}

}  // namespace mluop::sparse_conv
