// The steps of the encoder, made of the calls that the cases are made of.
#include "ops/sparse_conv/kit/encoder_run.hpp"

#include <cmath>
#include <cstring>
#include <map>

#include "ops/sparse_conv/kit/centerpoint.hpp"
#include "testing/data/generators.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::HostTensor;

/// Input and output channels, by the name of a layer without its family.
struct Channels {
  std::int64_t in, out;
};
Channels channels_of(const std::string& layer) {
  static const std::map<std::string, Channels> all{
      {"subm1", {5, 16}},  {"down1", {16, 32}},  {"subm2", {32, 32}},   {"down2", {32, 64}},
      {"subm3", {64, 64}}, {"down3", {64, 128}}, {"subm4", {128, 128}}, {"extra", {128, 128}}};
  return all.at(layer.substr(layer.find('_') + 1));
}

std::unique_ptr<PairsCall> find_pairs(const Layer& layer) {
  auto call = std::make_unique<PairsCall>(layer.geometry(), layer.indices(), layer.pairs().Y);
  testing::expect_success(call->run(testing::Handle{}), "mluOpGetIndicePairs");
  return call;
}

std::shared_ptr<const PairTable> table_from(const PairsCall& call, std::int64_t rows) {
  const auto num = call.output(2);
  return std::make_shared<const PairTable>(rows, call.num_act_out(), call.output(1),
                                           std::vector<std::int64_t>{num.begin(), num.end()});
}

std::unique_ptr<Operands> make_operands(const Layer& layer, const PairsCall& call,
                                        mluOpDataType_t dtype, testing::Generator& random) {
  const reference::Geometry& geometry = layer.geometry();
  const auto [in, out] = channels_of(layer.name());
  const reference::FilterShape shape{
      MLUOP_LAYOUT_ARRAY,
      {geometry.filter_space[0], geometry.filter_space[1], geometry.filter_space[2]},
      in,
      out};
  auto operands = std::make_unique<Operands>(table_from(call, layer.rows()), shape, dtype, false,
                                             geometry.sub_m != 0);
  // Keeps the size of the features from layer to layer.
  const auto terms =
      static_cast<double>(in * layer.pairs().total()) / static_cast<double>(layer.pairs().Y);
  random.fill_uniform(operands->filters, -std::sqrt(3 / terms), std::sqrt(3 / terms));
  return operands;
}

}  // namespace

EncoderRun::EncoderRun(std::string_view family, mluOpDataType_t dtype) {
  testing::Generator random{"sparse_conv/encoder"};
  for (const Layer& layer : encoder(family)) {
    State& state = layers_.emplace_back();
    state.name = layer.name();
    state.pairs = find_pairs(layer);
    state.operands = make_operands(layer, *state.pairs, dtype, random);
    const auto result = [&](const Direction& direction) {
      return std::make_unique<HostTensor>(direction.make_result(*state.operands));
    };
    state.features_out = result(forward_direction);
    state.input_grad = result(backward_data_direction);
    state.filters_grad = result(backward_filter_direction);
  }
  random.fill_uniform(layers_.front().operands->features, -1, 1);
  random.fill_uniform(layers_.back().operands->output_grad, -1, 1);
  for (std::size_t i = 0; i < layers_.size(); ++i) add_forward(i);
  for (std::size_t i = layers_.size(); i-- > 0;) add_backward(i);
}

void EncoderRun::add_step(const State& state, const Direction& direction, HostTensor& result,
                          HostTensor* next) {
  const Operands* const operands = state.operands.get();
  const auto run = [&direction, operands, &result, memory = workspace_](mluOpHandle_t handle) {
    std::size_t bytes = 0;
    testing::expect_success(direction.workspace_size(handle, *operands, result, &bytes),
                            direction.function);
    if (memory->size() < bytes) memory->resize(bytes);
    testing::expect_success(direction.run(handle, *operands, memory->data(), bytes, result),
                            direction.function);
  };
  const auto finish = [&result, next] {
    if (next != nullptr) std::memcpy(next->data(), result.data(), result.bytes());
  };
  steps_.push_back({state.name, direction.op, run, finish, direction.cost(*operands, result),
                    operands->dtype()});
}

void EncoderRun::add_forward(std::size_t layer) {
  State& state = layers_[layer];
  const auto find = [call = state.pairs.get()](mluOpHandle_t handle) {
    testing::expect_success(call->run(handle), "mluOpGetIndicePairs");
  };
  steps_.push_back(
      {state.name, "get_indice_pairs", find, [] {}, state.pairs->cost(), MLUOP_DTYPE_INT32});
  HostTensor* const next =
      layer + 1 < layers_.size() ? &layers_[layer + 1].operands->features : nullptr;
  add_step(state, forward_direction, *state.features_out, next);
}

void EncoderRun::add_backward(std::size_t layer) {
  State& state = layers_[layer];
  add_step(state, backward_filter_direction, *state.filters_grad, nullptr);
  HostTensor* const next = layer > 0 ? &layers_[layer - 1].operands->output_grad : nullptr;
  add_step(state, backward_data_direction, *state.input_grad, next);
}

void EncoderRun::run(mluOpHandle_t handle) const {
  for (const Step& step : steps_) {
    step.run(handle);
    step.finish();
  }
}

}  // namespace mluop::sparse_conv
