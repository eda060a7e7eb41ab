// The suites of pooling over index pairs: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/sparse_pool/kit/cases.hpp"
#include "ops/sparse_pool/kit/loops.hpp"
#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/cache_lines.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_pool {
namespace {

using testing::HostTensor;

class PoolCall final : public testing::Call {
 public:
  PoolCall(const Operation& operation, const cases::Definition& definition, mluOpDataType_t dtype,
           mluOpCpuMaxPoolMode_t mode)
      : operation_(operation), operands_(cases::make_operands(definition, dtype, mode)) {
    outputs_.push_back(operation_.make_result(operands_));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    return operation_.run(handle, operands_, outputs_.front());
  }
  std::span<HostTensor> outputs() override { return outputs_; }
  std::vector<std::vector<double>> reference() const override {
    return {operation_.reference(operands_)};
  }
  std::vector<std::vector<double>> plain() const override { return {operation_.plain(operands_)}; }

  /// A comparison or an addition for each channel of a pair. The cache lines of the pairs and of the rows that
  /// they name are read once; the result is written once.
  testing::Cost cost() const override {
    const PairTable& table = *operands_.table;
    std::vector<std::int64_t> lists;
    testing::UsedRows inputs(table.L), outputs(table.Y);
    for (const std::int64_t count : table.num) {
      for (int side = 0; side < 2; ++side) lists.push_back(4 * count);
    }
    operands_.layer().each_pair([&](std::int64_t x, std::int64_t y) {
      inputs.use(x);
      outputs.use(y);
    });
    double bytes_read = testing::bytes_in_lines(lists, 4 * table.L);
    for (const auto source : operation_.sources()) {
      const HostTensor& tensor = operands_.*source;
      if (tensor.count() == 0) continue;
      const auto row_bytes = static_cast<std::int64_t>(tensor.bytes()) / tensor.dims()[0];
      bytes_read += (source == &Operands::features ? inputs : outputs).bytes_in_lines(row_bytes);
    }
    return {.flops = static_cast<double>(table.total() * operands_.C),
            .bytes_read = bytes_read,
            .bytes_written = static_cast<double>(outputs_.front().bytes())};
  }

  bool run_peer() override {
    if (operands_.dtype() != MLUOP_DTYPE_FLOAT || operands_.exact()) return false;
    serial_loop(operation_, operands_, peer_result_);
    return true;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(operation_, operands_, testing::LoopSettings(handle), outputs_.front());
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  const Operation& operation_;
  Operands operands_;
  std::vector<HostTensor> outputs_;
  std::vector<float> peer_result_;
  PoolLoops loops_;
};

/// A maximum is one of its inputs.
std::vector<testing::Criterion> exact_criteria(mluOpDataType_t) {
  return {{testing::Measure::diff3, 0}};
}
std::vector<testing::Criterion> sum_criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(1e-5, 1e-3, dtype);
}

testing::Case case_of(const Operation& operation, const cases::Definition& definition,
                      mluOpCpuMaxPoolMode_t mode) {
  const bool exact = mode == MLUOP_CPU_MAXPOOL_EXACT;
  return {definition.name + (exact ? "_exact" : ""),
          std::to_string(definition.C) + " channels" + (exact ? ", true maximum" : ""),
          definition.kind,
          [&operation, definition, mode](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<PoolCall>(operation, definition, dtype, mode);
          },
          definition.dtypes};
}

testing::Suite suite(const Operation& operation) {
  testing::Suite result{operation.op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        operation.maximum && !operation.backward ? exact_criteria : sum_criteria};
  result.bad_calls = [&] { return checks::bad_calls(operation); };
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of(operation, definition, MLUOP_CPU_MAXPOOL_ZERO_FLOOR));
    if (!operation.maximum) continue;
    result.cases.push_back(case_of(operation, definition, MLUOP_CPU_MAXPOOL_EXACT));
  }
  result.sized = {cases::size_keys(operation.maximum),
                  [&operation](const testing::Sizes& sizes, std::uint64_t seed) {
                    const bool exact = operation.maximum && sizes["exact"] == 1;
                    return case_of(operation, cases::sized(sizes, seed),
                                   exact ? MLUOP_CPU_MAXPOOL_EXACT : MLUOP_CPU_MAXPOOL_ZERO_FLOOR);
                  },
                  operation.maximum ? cases::draw_sizes_with_mode : cases::draw_sizes,
                  operation.maximum ? cases::sweep_sizes_with_mode : cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  std::vector<testing::Suite> all;
  for (const Operation* operation : operations()) all.push_back(suite(*operation));
  return all;
}

}  // namespace mluop::sparse_pool
