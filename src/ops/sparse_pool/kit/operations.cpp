// The arguments of each operator, from operands to the C API and to the reference.
#include "ops/sparse_pool/kit/operations.hpp"

#include <array>
#include <stdexcept>
#include <utility>

#include "testing/data/handle.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::HostTensor;

HostTensor matrix(const char* name, mluOpDataType_t dtype, std::int64_t rows, std::int64_t C) {
  return {name, dtype, MLUOP_LAYOUT_ARRAY, {rows, C}};
}

/// The formula with sums of type Real.
template <class Real>
std::vector<double> computed(const Operation& operation, const Operands& o) {
  const reference::Layer layer = o.layer();
  if (!operation.maximum) {
    return operation.backward ? reference::avg_backward<Real>(layer, o.output_grad.values())
                              : reference::avg_forward<Real>(layer, o.features.values());
  }
  if (!operation.backward) return reference::max_forward(layer, o.features.values(), o.exact());
  return reference::max_backward<Real>(layer, o.features.values(), o.features_out.values(),
                                       o.output_grad.values(), o.exact());
}

}  // namespace

Operands::Operands(std::shared_ptr<const PairTable> pairs, std::int64_t channels,
                   mluOpDataType_t dtype, mluOpCpuMaxPoolMode_t pool_mode)
    : table(std::move(pairs)),
      C(channels),
      mode(pool_mode),
      features(matrix("features", dtype, table->L, C)),
      features_out(matrix("features_out", dtype, table->Y, C)),
      output_grad(matrix("output_grad", dtype, table->Y, C)) {}

void Operands::pool_features() {
  features_out.assign(reference::max_forward(layer(), features.values(), exact()));
}

std::vector<HostTensor Operands::*> Operation::sources() const {
  if (!backward) return {&Operands::features};
  if (!maximum) return {&Operands::output_grad};
  return {&Operands::features, &Operands::features_out, &Operands::output_grad};
}

HostTensor Operation::make_result(const Operands& o) const {
  return backward ? matrix("input_grad", o.dtype(), o.table->L, o.C)
                  : matrix("features_out", o.dtype(), o.table->Y, o.C);
}

mluOpStatus_t Operation::run(mluOpHandle_t handle, const Operands& o, HostTensor& result) const {
  const PairTable& table = *o.table;
  if (maximum && backward) {
    return mluOpCpuIndiceMaxPoolBackward(
        handle, o.features.descriptor(), o.features.data(), o.features_out.descriptor(),
        o.features_out.data(), o.output_grad.descriptor(), o.output_grad.data(),
        table.pairs.descriptor(), table.pairs.data(), table.indice_num(), o.mode,
        result.descriptor(), result.data());
  }
  if (maximum) {
    return mluOpCpuIndiceMaxPoolForward(handle, o.features.descriptor(), o.features.data(),
                                        table.pairs.descriptor(), table.pairs.data(),
                                        table.indice_num(), table.Y, o.mode, result.descriptor(),
                                        result.data());
  }
  if (backward) {
    return mluOpCpuIndiceAvgPoolBackward(handle, o.output_grad.descriptor(), o.output_grad.data(),
                                         table.pairs.descriptor(), table.pairs.data(),
                                         table.indice_num(), result.descriptor(), result.data());
  }
  return mluOpCpuIndiceAvgPoolForward(
      handle, o.features.descriptor(), o.features.data(), table.pairs.descriptor(),
      table.pairs.data(), table.indice_num(), table.Y, result.descriptor(), result.data());
}

HostTensor Operation::compute(mluOpHandle_t handle, const Operands& operands) const {
  HostTensor result = make_result(operands);
  testing::expect_success(run(handle, operands, result), function);
  if (!result.intact()) throw std::runtime_error("the call wrote outside its result");
  return result;
}

std::vector<double> Operation::reference(const Operands& operands) const {
  return operands.dtype() == MLUOP_DTYPE_DOUBLE ? computed<long double>(*this, operands)
                                                : computed<double>(*this, operands);
}

std::vector<double> Operation::plain(const Operands& operands) const {
  return testing::rounded_to(operands.dtype(), operands.dtype() == MLUOP_DTYPE_DOUBLE
                                                   ? computed<double>(*this, operands)
                                                   : computed<float>(*this, operands));
}

std::span<const Operation* const> operations() {
  static constexpr std::array all{&max_forward, &max_backward, &avg_forward, &avg_backward};
  return all;
}

namespace {

/// One pair of rows of C channels.
struct PlainRows {
  const float *features, *features_out, *output_grad;
  float *in, *out;  // of the result
};

void serial_row(const Operation& operation, const PlainRows& row, std::int64_t C, float count) {
  if (operation.maximum && operation.backward) {
    for (std::int64_t c = 0; c < C; ++c) {
      if (row.features[c] == row.features_out[c]) row.in[c] += row.output_grad[c];
    }
  } else if (operation.maximum) {
    for (std::int64_t c = 0; c < C; ++c) {
      if (row.features[c] > row.out[c]) row.out[c] = row.features[c];
    }
  } else if (operation.backward) {
    for (std::int64_t c = 0; c < C; ++c) row.in[c] += row.output_grad[c] / count;
  } else {
    for (std::int64_t c = 0; c < C; ++c) row.out[c] += row.features[c] / count;
  }
}

}  // namespace

void serial_loop(const Operation& operation, const Operands& o, std::vector<float>& result) {
  const reference::Layer layer = o.layer();
  const std::int64_t C = o.C;
  const auto floats = [](const HostTensor& tensor) {
    return static_cast<const float*>(tensor.data());
  };
  result.assign(static_cast<std::size_t>((operation.backward ? layer.L : layer.Y) * C), 0);
  const std::vector<std::int64_t> counts =
      operation.maximum ? std::vector<std::int64_t>(static_cast<std::size_t>(layer.Y), 1)
                        : reference::counts(layer);
  layer.each_pair([&](std::int64_t x, std::int64_t y) {
    const PlainRows row{floats(o.features) + x * C, floats(o.features_out) + y * C,
                        floats(o.output_grad) + y * C, result.data() + x * C,
                        result.data() + y * C};
    serial_row(operation, row, C, static_cast<float>(counts[static_cast<std::size_t>(y)]));
  });
}

}  // namespace mluop::sparse_pool
