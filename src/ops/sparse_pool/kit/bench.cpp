// The suites of pooling over index pairs: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/sparse_pool/kit/cases.hpp"
#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
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

  /// A comparison or an addition for each channel of a pair; the tensors once, and of the pairs the two
  /// rows of those that count.
  testing::Cost cost() const override {
    const auto pairs = static_cast<double>(operands_.table->total());
    double bytes_read = 2 * sizeof(std::int32_t) * pairs;
    for (const auto source : operation_.sources()) {
      bytes_read += static_cast<double>((operands_.*source).bytes());
    }
    return {.flops = pairs * static_cast<double>(operands_.C),
            .bytes_read = bytes_read,
            .bytes_written = static_cast<double>(outputs_.front().bytes())};
  }

  bool run_peer() override {
    if (operands_.dtype() != MLUOP_DTYPE_FLOAT || operands_.exact()) return false;
    serial_loop(operation_, operands_, peer_result_);
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
                  operation.maximum ? cases::draw_sizes_with_mode : cases::draw_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  std::vector<testing::Suite> all;
  for (const Operation* operation : operations()) all.push_back(suite(*operation));
  return all;
}

}  // namespace mluop::sparse_pool
