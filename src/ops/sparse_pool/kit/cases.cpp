// The table of cases and the data behind it.
#include "ops/sparse_pool/kit/cases.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "testing/data/lidar_scene.hpp"

namespace mluop::sparse_pool::cases {
namespace {

using testing::Generator;
using testing::HostTensor;
using Counts = std::vector<std::int64_t>;
using Kind = testing::Case::Kind;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

/// What pooling is given in networks: half of it is 0.
double rectified(Generator& random) { return std::max(0.0, random.uniform(-1, 1)); }
/// So few values that windows have ties.
double few_values(Generator& random) { return static_cast<double>(random.integer(-2, 2)) / 2; }
double negative(Generator& random) { return random.uniform(-2, -0.5); }
double zero(Generator&) { return 0; }
double zero_of_either_sign(Generator& random) { return random.chance(0.5) ? 0.0 : -0.0; }
double often_nan(Generator& random) { return random.chance(0.5) ? nan : random.uniform(-1, 1); }
double only_nan(Generator&) { return nan; }
double often_minus_infinity(Generator& random) {
  return random.chance(0.7) ? -inf : random.uniform(-1, 1);
}
double special(Generator& random) {
  const double values[] = {nan, inf, -inf, 0.0, -0.0, 1.0};
  return random.chance(0.5) ? values[random.integer(0, 5)] : random.uniform(-1, 1);
}
double subnormal_half(Generator& random) { return random.uniform(-6e-5, 6e-5); }

/// Sites anywhere in a small space, under windows of 3³ two apart.
DrawTable scattered(std::int64_t rows) {
  return [rows](Generator& random) {
    const tables::Window window{2, {9, 10, 11}, 3, 2, {1, 1, 1}};
    return tables::pooled(window, tables::scattered_sites(random, window, rows)).table();
  };
}

DrawTable at_random(std::int64_t L, std::int64_t Y, const Counts& counts) {
  return [=](Generator& random) { return tables::random(random, L, Y, counts); };
}

/// The head of PartA2 for 128 regions: windows of 2³ on 14³ cells, without overlap.
PairTable part_a2(Generator& random) {
  const tables::Window window{128, {14, 14, 14}, 2, 2, {0, 0, 0}};
  return tables::pooled(window, tables::roi_sites(random, window.batch, 14, 50'000)).table();
}

/// Scanned streets through three layers of CenterPoint's encoder, of which the last is pooled.
PairTable centerpoint_down3(Generator&) {
  std::vector<std::int32_t> sites = testing::lidar_rows({}, {}, "centerpoint", 4, 223'200);
  tables::Window window{4, testing::VoxelGrid{}.space, 3, 2, {1, 1, 1}};
  for (int layer = 1; layer < 3; ++layer) {
    tables::Pooled down = tables::pooled(window, sites);
    sites = std::move(down.sites);
    window.space = down.space;
  }
  window.pad[0] = 0;
  return tables::pooled(window, sites).table();
}

Definition edge(std::string name, std::int64_t C, DrawTable draw_table,
                DrawValue features = uniform, DrawValue output_grad = uniform) {
  return {std::move(name), Kind::edge, C, std::move(draw_table), features, output_grad};
}

std::vector<Definition> make_definitions() {
  std::vector<Definition> all = {
      {"part_a2_rois", Kind::network, 128, part_a2, rectified},
      {"centerpoint_down3", Kind::network, 64, centerpoint_down3, rectified}};
  // On both sides of every vector width and block.
  for (std::int64_t C : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 129, 300}) {
    all.push_back(edge("channels_" + std::to_string(C), C, scattered(90)));
  }
  const std::vector<Definition> others = {
      edge("rectified", 19, scattered(300), rectified),
      edge("ties", 19, scattered(300), few_values),
      edge("negative", 19, scattered(300), negative),
      edge("zeros", 19, scattered(200), zero),
      edge("zeros_of_both_signs", 19, scattered(200), zero_of_either_sign),
      edge("nan", 19, scattered(300), often_nan),
      edge("only_nan", 19, scattered(100), only_nan),
      edge("minus_infinity", 19, scattered(300), often_minus_infinity),
      edge("special_values", 35, scattered(300), special),
      edge("special_gradients", 35, scattered(300), few_values, special),
      edge("subnormal", 19, scattered(100), subnormal_half),
      edge("no_pairs", 17, at_random(11, 13, Counts(3, 0))),
      edge("one_row", 9, at_random(1, 1, Counts(8, 1))),
      edge("one_input_row", 33, at_random(1, 700, Counts(40, 1)), few_values),
      edge("one_output_row", 33, at_random(700, 1, Counts(8, 700)), few_values),
      edge("repeated_pairs", 21, at_random(12, 3, Counts(27, 12)), few_values),
      edge("one_offset_holds_all", 34, at_random(300, 310, {0, 0, 300, 0}), few_values),
      edge("uneven_offsets", 20, at_random(60, 70, {0, 1, 60, 0, 2, 59, 0, 0, 1, 30, 60, 0})),
      edge("rows_without_pairs", 37, at_random(3000, 4000, {40, 0, 3})),
      edge("several_tiles", 5, at_random(5000, 3000, Counts(6, 4500)), few_values),
      edge("many_offsets", 3, at_random(60, 50, Counts(4096, 1)), few_values)};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Each tensor has a stream of its own, so that it does not depend on the sizes of the others.
void draw(const Definition& definition, DrawValue value, HostTensor& tensor) {
  Generator random("sparse_pool/" + definition.name + "/" + tensor.name());
  testing::fill(tensor, [&] { return value(random); });
}

std::shared_ptr<const PairTable> make_table(const Definition& definition) {
  Generator random("sparse_pool/" + definition.name + "/pairs");
  return std::make_shared<const PairTable>(definition.draw_table(random));
}

}  // namespace

double uniform(Generator& random) { return random.uniform(-1, 1); }

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = make_definitions();
  return all;
}

const Definition& definition_named(const std::string& name) {
  const auto found = std::ranges::find(definitions(), name, &Definition::name);
  if (found == definitions().end()) throw std::out_of_range("no case is called " + name);
  return *found;
}

std::shared_ptr<const PairTable> table_of(const Definition& definition) {
  const bool ordinary = testing::ScopedPlacement::current() == testing::Placement::ordinary;
  if (!ordinary || !definition.keep_table) return make_table(definition);
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const PairTable>> made;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const PairTable>& table = made[definition.name];
  if (table == nullptr) table = make_table(definition);
  return table;
}

Operands make_operands(const Definition& definition, mluOpDataType_t dtype,
                       mluOpCpuMaxPoolMode_t mode) {
  Operands operands(table_of(definition), definition.C, dtype, mode);
  draw(definition, definition.features, operands.features);
  draw(definition, definition.output_grad, operands.output_grad);
  operands.pool_features();
  return operands;
}

}  // namespace mluop::sparse_pool::cases
