// The suites of CARAFE: its cases as calls that test, acceptance and bench run.
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "core/handle/handle.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "ops/carafe/kit/file_cases.hpp"
#include "ops/carafe/kit/loops.hpp"
#include "ops/carafe/kit/sized_cases.hpp"
#include "ops/carafe/kit/spoilable_call.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::carafe {
namespace {

template <class Data>
class CarafeCall final : public testing::Call {
 public:
  CarafeCall(const cases::Definition& definition, mluOpDataType_t dtype)
      : data_(definition, dtype) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return data_.run(handle); }
  std::span<testing::HostTensor> outputs() override { return data_.outputs(); }
  std::vector<std::vector<double>> reference() const override { return data_.reference(); }
  std::vector<std::vector<double>> plain() const override { return data_.plain(); }

  std::vector<testing::Part> parts() override {
    const std::vector<Band> bands = bands_of(data_.shape());
    if (bands.empty()) return Call::parts();
    std::vector<testing::Part> parts;
    for (const Band& band : bands) {
      const Data small = data_.band(band);
      const Values reference = small.reference(), plain = small.plain();
      for (std::size_t i = 0; i < reference.size(); ++i) {
        const testing::HostTensor& output = data_.outputs()[i];
        const BandElements elements = elements_of(data_.shape(), output, band);
        const auto cut = [&](const std::vector<double>& values) {
          const auto first = values.begin() + elements.in_reached;
          return std::vector<double>(first, first + elements.count);
        };
        parts.push_back({output.name() + text_of(band), i, elements.in_whole, cut(reference[i]),
                         cut(plain[i])});
      }
    }
    return parts;
  }

  void visit_all(const Elements& visit) const override {
    if (bands_of(data_.shape()).empty()) return;
    for (const Band& band : all_bands(data_.shape())) {
      const Values rows = data_.rows(band);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        visit(i, elements_of(data_.shape(), data_.outputs()[i], band).in_whole, rows[i]);
      }
    }
  }

  testing::Cost cost() const override {
    const reference::Shape& shape = data_.shape();
    testing::Cost cost{.flops = 2 * Data::products *
                                static_cast<double>(reference::used_cells(shape) * shape.C)};
    for (const auto* input : data_.inputs()) cost.bytes_read += static_cast<double>(input->bytes());
    for (const auto& output : data_.outputs()) {
      cost.bytes_written += static_cast<double>(output.bytes());
    }
    return cost;
  }

  bool run_loop(mluOpHandle_t handle) override {
    loops_.run(data_, testing::LoopSettings(handle));
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t handle) const override {
    return handle->scratch.capacity();
  }

 private:
  Data data_;
  CarafeLoops loops_;
};

std::vector<testing::Criterion> criteria(mluOpDataType_t dtype) {
  return testing::static_criteria(testing::OpClass::accumulation, dtype);
}

template <class Data>
testing::Case case_of(const cases::Definition& definition) {
  return {definition.name, cases::text_of(definition.shape), definition.kind,
          [definition](mluOpDataType_t dtype) -> std::unique_ptr<testing::Call> {
            return std::make_unique<CarafeCall<Data>>(definition, dtype);
          }};
}

template <class Data>
testing::Suite suite(std::unique_ptr<testing::FileCall> (*from_file)(testing::FileCase)) {
  testing::Suite result{Data::op,
                        {testing::floating_dtypes.begin(), testing::floating_dtypes.end()},
                        {},
                        criteria,
                        from_file};
  result.bad_calls = [] { return checks::bad_calls(std::is_same_v<Data, BackwardData>); };
  for (const cases::Definition& definition : cases::definitions()) {
    result.cases.push_back(case_of<Data>(definition));
  }
  result.sized = {cases::size_keys(),
                  [](const testing::Sizes& sizes, std::uint64_t seed) {
                    return case_of<Data>(cases::sized(sizes, seed));
                  },
                  cases::draw_sizes, cases::sweep_sizes};
  return result;
}

}  // namespace

std::vector<testing::Suite> suites() {
  return {suite<ForwardData>(forward_from_file), suite<BackwardData>(backward_from_file)};
}

}  // namespace mluop::carafe
