// Invalid calls of pooling over index pairs.
#include <algorithm>

#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

/// The sizes of a small valid call, its pairs and their counts.
struct Pool {
  HostileCall call;
  mluOpDataType_t dtype;
  std::int64_t L, Y, K, C;
  HostileTensor& pairs;
  std::vector<std::int64_t> counts;
  mluOpCpuMaxPoolMode_t mode;

  explicit Pool(Bytes& bytes)
      : call(bytes),
        dtype(call.floating()),
        L(bytes.between(1, 40)),
        Y(bytes.between(1, 40)),
        K(bytes.between(1, 9)),
        C(bytes.between(1, 40)),
        pairs(call.input(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {K, 2, L})),
        counts(pairs.rows(K)) {
    pairs.fill_indices(bytes, std::min(L, Y));
    for (std::int64_t& count : counts) {
      count = bytes.mostly(static_cast<std::int64_t>(bytes.between(0, 40)) % (L + 1));
    }
    mode = static_cast<mluOpCpuMaxPoolMode_t>(bytes.mostly(bytes.between(0, 1)));
  }

  const HostileTensor& input(std::int64_t rows) {
    return call.input(dtype, MLUOP_LAYOUT_ARRAY, {rows, C});
  }
  const HostileTensor& output(std::int64_t rows) {
    return call.output(dtype, MLUOP_LAYOUT_ARRAY, {rows, C});
  }
  const std::int64_t* indice_num() { return call.bytes().oddly() ? nullptr : counts.data(); }
};

}  // namespace

bool indice_maxpool_forward(Bytes& bytes) {
  Pool with{bytes};
  const HostileTensor &features = with.input(with.L), &out = with.output(with.Y);
  const std::int64_t rows = bytes.mostly(with.Y);
  const std::int64_t* const counts = with.indice_num();
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuIndiceMaxPoolForward(handle, features.descriptor(), features.data(),
                                        with.pairs.descriptor(), with.pairs.data(), counts, rows,
                                        with.mode, out.descriptor(), out.data());
  });
}

bool indice_maxpool_backward(Bytes& bytes) {
  Pool with{bytes};
  const HostileTensor &features = with.input(with.L), &features_out = with.input(with.Y);
  const HostileTensor &output_grad = with.input(with.Y), &input_grad = with.output(with.L);
  const std::int64_t* const counts = with.indice_num();
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuIndiceMaxPoolBackward(
        handle, features.descriptor(), features.data(), features_out.descriptor(),
        features_out.data(), output_grad.descriptor(), output_grad.data(), with.pairs.descriptor(),
        with.pairs.data(), counts, with.mode, input_grad.descriptor(), input_grad.data());
  });
}

bool indice_avgpool_forward(Bytes& bytes) {
  Pool with{bytes};
  const HostileTensor &features = with.input(with.L), &out = with.output(with.Y);
  const std::int64_t rows = bytes.mostly(with.Y);
  const std::int64_t* const counts = with.indice_num();
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuIndiceAvgPoolForward(handle, features.descriptor(), features.data(),
                                        with.pairs.descriptor(), with.pairs.data(), counts, rows,
                                        out.descriptor(), out.data());
  });
}

bool indice_avgpool_backward(Bytes& bytes) {
  Pool with{bytes};
  const HostileTensor &output_grad = with.input(with.Y), &input_grad = with.output(with.L);
  const std::int64_t* const counts = with.indice_num();
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpCpuIndiceAvgPoolBackward(handle, output_grad.descriptor(), output_grad.data(),
                                         with.pairs.descriptor(), with.pairs.data(), counts,
                                         input_grad.descriptor(), input_grad.data());
  });
}

}  // namespace mluop::fuzz
