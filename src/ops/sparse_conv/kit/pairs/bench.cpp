// The suite of get_indice_pairs: its cases as calls that test, acceptance and bench run.
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "ops/sparse_conv/kit/pairs/cases.hpp"
#include "ops/sparse_conv/kit/pairs/file_cases.hpp"
#include "ops/sparse_conv/kit/pairs/loops.hpp"
#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"
#include "ops/sparse_conv/kit/sized_cases.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::sparse_conv {
namespace {

class IndicePairsCall final : public testing::Call {
 public:
  explicit IndicePairsCall(const pairs_cases::Definition& definition)
      : layer_(definition.layer()),
        spare_rows_(definition.spare_rows),
        call_(layer_.geometry(), layer_.indices(), layer_.pairs().Y + spare_rows_) {}

  mluOpStatus_t run(mluOpHandle_t handle) override { return call_.run(handle); }
  std::span<testing::HostTensor> outputs() override { return call_.outputs(); }

  std::vector<std::vector<double>> reference() const override {
    const reference::IndexPairs& pairs = layer_.pairs();
    std::vector<double> rows(pairs.out_indices.begin(), pairs.out_indices.end());
    rows.resize(rows.size() + static_cast<std::size_t>(spare_rows_ * layer_.geometry().columns()),
                -1);
    return {rows, {pairs.pairs.begin(), pairs.pairs.end()}, {pairs.num.begin(), pairs.num.end()}};
  }

  /// Integers have one answer.
  std::vector<std::vector<double>> plain() const override { return reference(); }

  testing::Cost cost() const override { return call_.cost(); }

  bool run_peer() override {
    if (layer_.geometry().sub_m == 0) return false;
    const reference::IndexPairs& pairs = layer_.pairs();
    peer_pairs_.resize(pairs.pairs.size());
    peer_rows_.resize(pairs.out_indices.size());
    peer_num_.resize(pairs.num.size());
    reference::hash_map_pairs(layer_.geometry(), layer_.indices(), peer_pairs_.data(),
                              peer_rows_.data(), peer_num_.data());
    return true;
  }

  bool run_loop(mluOpHandle_t) override {
    if (layer_.geometry().transpose != 0) return false;
    std::int32_t* out[3];
    for (std::size_t i = 0; i < 3; ++i) {
      out[i] = static_cast<std::int32_t*>(call_.outputs()[i].data());
    }
    const auto& [rows, pairs, num] = out;
    if (layer_.geometry().sub_m != 0) {
      reference::hash_map_pairs(layer_.geometry(), layer_.indices(), pairs, rows, num);
      return true;
    }
    const std::int64_t sites =
        hash_map_strided_pairs(layer_.geometry(), layer_.indices(), pairs, rows, num);
    std::fill_n(rows + sites * layer_.geometry().columns(),
                spare_rows_ * layer_.geometry().columns(), -1);
    return true;
  }

  std::size_t workspace_bytes(mluOpHandle_t) const override { return call_.workspace_bytes(); }

 private:
  const Layer& layer_;
  std::int64_t spare_rows_;
  PairsCall call_;
  std::vector<std::int32_t> peer_pairs_, peer_rows_, peer_num_;
};

std::vector<testing::Criterion> criteria(mluOpDataType_t) { return {{testing::Measure::diff3, 0}}; }

testing::Case case_of(const pairs_cases::Definition& definition) {
  return {definition.name, definition.shape, definition.kind,
          [definition](mluOpDataType_t) -> std::unique_ptr<testing::Call> {
            return std::make_unique<IndicePairsCall>(definition);
          }};
}

}  // namespace

std::vector<testing::Suite> pairs_suites() {
  testing::Suite suite{"get_indice_pairs", {MLUOP_DTYPE_INT32}, {}, criteria, pairs_from_file};
  suite.bad_calls = pairs_checks::bad_calls;
  for (const pairs_cases::Definition& definition : pairs_cases::definitions()) {
    suite.cases.push_back(case_of(definition));
  }
  suite.sized = {pairs_cases::size_keys(),
                 [](const testing::Sizes& sizes, std::uint64_t seed) {
                   return case_of(pairs_cases::sized(sizes, seed));
                 },
                 pairs_cases::draw_sizes, pairs_cases::sweep_sizes};
  return {suite};
}

}  // namespace mluop::sparse_conv
