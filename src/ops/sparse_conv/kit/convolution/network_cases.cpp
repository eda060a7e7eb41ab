// The convolutions of CenterPoint's sparse encoder, at full size and, as edge cases, reduced.
#include <string>
#include <vector>

#include "ops/sparse_conv/kit/centerpoint.hpp"
#include "ops/sparse_conv/kit/convolution/cases.hpp"
#include "ops/sparse_conv/kit/convolution/tables.hpp"

namespace mluop::sparse_conv::cases {
namespace {

using Kind = testing::Case::Kind;

struct LayerCase {
  const char* name;
  const char* layer;
  std::vector<std::int64_t> kernel;
  std::int64_t Ci, Co;
};

Definition on_layer(const LayerCase& one, Kind kind) {
  Definition definition{.name = one.name,
                        .kind = kind,
                        .filters = {MLUOP_LAYOUT_ARRAY, one.kernel, one.Ci, one.Co},
                        .draw_table = [layer_name = one.layer](testing::Generator&) {
                          return tables::from_pairs(layer(layer_name).pairs());
                        }};
  definition.sub_m = std::string{one.layer}.find("subm") != std::string::npos;
  return definition;
}

}  // namespace

std::vector<Definition> network_definitions() {
  const LayerCase full[] = {{"centerpoint_subm4", "centerpoint_subm4", {3, 3, 3}, 128, 128},
                            {"centerpoint_down3", "centerpoint_down3", {3, 3, 3}, 64, 128},
                            {"centerpoint_extra", "centerpoint_extra", {3, 1, 1}, 128, 128},
                            {"centerpoint_input", "centerpoint_subm1", {3, 3, 3}, 5, 16},
                            {"centerpoint_down1", "centerpoint_down1", {3, 3, 3}, 16, 32},
                            {"centerpoint_down2", "centerpoint_down2", {3, 3, 3}, 32, 64}};
  // Fewer rows, and a quarter of the channels where there are many.
  const LayerCase reduced[] = {{"small_input", "small_subm1", {3, 3, 3}, 5, 16},
                               {"small_subm1", "small_subm1", {3, 3, 3}, 16, 16},
                               {"small_down1", "small_down1", {3, 3, 3}, 16, 32},
                               {"small_subm2", "small_subm2", {3, 3, 3}, 8, 8},
                               {"small_down2", "small_down2", {3, 3, 3}, 8, 16},
                               {"small_subm3", "small_subm3", {3, 3, 3}, 16, 16},
                               {"small_down3", "small_down3", {3, 3, 3}, 16, 32},
                               {"small_subm4", "small_subm4", {3, 3, 3}, 32, 32},
                               {"small_extra", "small_extra", {3, 1, 1}, 32, 32}};
  std::vector<Definition> all;
  for (const LayerCase& one : full) all.push_back(on_layer(one, Kind::network));
  for (const LayerCase& one : reduced) all.push_back(on_layer(one, Kind::edge));
  return all;
}

}  // namespace mluop::sparse_conv::cases
