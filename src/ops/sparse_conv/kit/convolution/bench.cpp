// The suites of the three convolutions: their cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/directions.hpp"
#include "ops/sparse_conv/kit/convolution/file_cases.hpp"
#include "ops/sparse_conv/kit/convolution/loops.hpp"
#include "ops/sparse_conv/kit/convolution/operand_parts.hpp"
#include "ops/sparse_conv/kit/convolution/spoilable_call.hpp"
#include "ops/sparse_conv/kit/sized_cases.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::HostTensor;

class ConvolutionCall final : public testing::Call {
 public:
  ConvolutionCall(const Direction& which, const cases::Definition& definition,
                  mluOpDataType_t dtype)
      : direction_(which), operands_(cases::make_operands(definition, dtype)) {
    outputs_.push_back(direction_.make_result(operands_));
  }

  mluOpStatus_t run(mluOpHandle_t handle) override {
    HostTensor& result = outputs_.front();
    std::size_t bytes = 0;
    const mluOpStatus_t status = direction_.workspace_size(handle, operands_, result, &bytes);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    if (workspace_.bytes() != bytes) {
      workspace_ = {
          "workspace", MLUOP_DTYPE_UINT8, MLUOP_LAYOUT_ARRAY, {static_cast<std::int64_t>(bytes)}};
    }
    const mluOpStatus_t outcome =
        direction_.run(handle, operands_, workspace_.data(), bytes, result);
    if (bytes != 0 && !workspace_.intact()) {
      throw std::runtime_error("the call wrote outside its workspace");
    }
    return outcome;
  }

  std::span<HostTensor> outputs() override { return outputs_; }

  std::vector<std::vector<double>> reference() const override {
    return {direction_.reference(operands_)};
  }
  std::vector<std::vector<double>> plain() const override { return {direction_.plain(operands_)}; }

  /// Of real networks the first dtype as a whole. Extended precision, which double takes, is a hundred
  /// times slower than double.
  std::vector<testing::Part> parts() override {
    return is_compared_as_a_whole() ? Call::parts() : parts_of(direction_, operands_);
  }
  void visit_all(const Elements& visit) const override {
    if (is_compared_as_a_whole()) return;
    const bool wide = operands_.dtype() == MLUOP_DTYPE_DOUBLE;
    visit(0, 0, wide ? direction_.in_double(operands_) : direction_.in_float(operands_));
  }

  testing::Cost cost() const override { return direction_.cost(operands_, outputs_.front()); }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(direction_, operands_, testing::LoopSettings(handle), outputs_.front());
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return workspace_.bytes() + handle->scratch.capacity();
  }

 private:
  bool is_compared_as_a_whole() const {
    constexpr double most_flops = 2e8;
    return operands_.dtype() == MLUOP_DTYPE_FLOAT || cost().flops <= most_flops;
  }

  const Direction& direction_;
  Operands operands_;
  HostTensor workspace_;
  std::vector<HostTensor> outputs_;
  ConvolutionLoops loops_;
};

std::vector<testing::Criterion> criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(testing::OpClass::convolution, dtype);
}

testing::Case case_of(const Direction& which, const cases::Definition& definition) {
  return {definition.name, cases::text_of(definition), definition.kind,
          [&which, definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<ConvolutionCall>(which, definition, dtype);
          },
          definition.dtypes};
}

testing::Suite suite(const Direction& which) {
  testing::Suite result{which.op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        criteria,
                        convolution_from_file};
  result.bad_calls = [&] { return checks::bad_calls(which.name()); };
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of(which, definition));
  }
  result.sized = {cases::size_keys(),
                  [&which](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of(which, cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> convolution_suites() {
  std::vector<testing::Suite> suites;
  for (const Direction* which : directions()) suites.push_back(suite(*which));
  return suites;
}

}  // namespace mluop::sparse_conv
