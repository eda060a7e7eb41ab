// From spoilt arguments to the C API.
#include "ops/sparse_pool/kit/spoilable_call.hpp"

namespace mluop::sparse_pool::checks {
namespace {

struct Descriptors {
  explicit Descriptors(const Args& args)
      : features(args.features.make_descriptor()),
        features_out(args.features_out.make_descriptor()),
        output_grad(args.output_grad.make_descriptor()),
        pairs(args.pairs.make_descriptor()),
        input_grad(args.input_grad.make_descriptor()) {}
  testing::Descriptor features, features_out, output_grad, pairs, input_grad;
};

}  // namespace

mluOpStatus_t call(const Operation& operation, Args& args) {
  testing::Handle own;
  own.limits(args.limits).threads(args.threads);
  const Descriptors desc(args);
  mluOpHandle_t handle = args.has_handle ? own.get() : nullptr;
  const auto* num = static_cast<const std::int64_t*>(args.indice_num_place);
  if (num == nullptr) num = args.indice_num.data();
  if (!args.has_indice_num) num = nullptr;
  void* const features = args.features.data(args.features_data);
  void* const features_out = args.features_out.data(args.features_out_data);
  void* const output_grad = args.output_grad.data(args.output_grad_data);
  void* const pairs = args.pairs.data(args.pairs_data);
  void* const input_grad = args.input_grad.data(args.input_grad_data);
  const auto mode = static_cast<mluOpCpuMaxPoolMode_t>(args.mode);
  if (operation.maximum && operation.backward) {
    return mluOpCpuIndiceMaxPoolBackward(handle, desc.features.get(), features,
                                         desc.features_out.get(), features_out,
                                         desc.output_grad.get(), output_grad, desc.pairs.get(),
                                         pairs, num, mode, desc.input_grad.get(), input_grad);
  }
  if (operation.maximum) {
    return mluOpCpuIndiceMaxPoolForward(handle, desc.features.get(), features, desc.pairs.get(),
                                        pairs, num, args.num_act_out, mode, desc.features_out.get(),
                                        features_out);
  }
  if (operation.backward) {
    return mluOpCpuIndiceAvgPoolBackward(handle, desc.output_grad.get(), output_grad,
                                         desc.pairs.get(), pairs, num, desc.input_grad.get(),
                                         input_grad);
  }
  return mluOpCpuIndiceAvgPoolForward(handle, desc.features.get(), features, desc.pairs.get(),
                                      pairs, num, args.num_act_out, desc.features_out.get(),
                                      features_out);
}

std::vector<Named> tensors_of(const Operation& operation) {
  if (!operation.backward) {
    return {{"features", &Args::features},
            {"indice_pairs", &Args::pairs},
            {"features_out", &Args::features_out}};
  }
  std::vector<Named> all;
  if (operation.maximum) {
    all = {{"features", &Args::features}, {"features_out", &Args::features_out}};
  }
  all.push_back({"output_grad", &Args::output_grad});
  all.push_back({"indice_pairs", &Args::pairs});
  all.push_back({"input_grad", &Args::input_grad});
  return all;
}

std::vector<Named> floats_of(const Operation& operation) {
  std::vector<Named> all = tensors_of(operation);
  std::erase_if(all, [](const Named& one) { return one.tensor == &Args::pairs; });
  return all;
}

void BadCalls::expect_refused(mluOpCpuLimits_t limits) const {
  const auto make_valid = [limits] {
    Args args;
    args.limits = limits;
    return args;
  };
  table.expect_refused(operation_.function, testing::mode_of(limits), make_valid,
                       [this](Args& args) { return call(operation_, args); });
}

}  // namespace mluop::sparse_pool::checks
