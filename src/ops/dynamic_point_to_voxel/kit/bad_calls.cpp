// What dynamic point to voxel refuses, with which status and sentence.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/dynamic_point_to_voxel/kit/spoilable_call.hpp"

namespace mluop::dynamic_point_to_voxel::checks {
namespace {

const std::string on_card = " (a limit of the card, in force on this handle)";

class VoxelBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void rank();
  void strides();
  void dtype();
  void reduction();
  void shapes();
  void limits_of_the_card();
  void workspace();
  void numbers_and_immense_sizes();
  void data();
  void overlaps();

 private:
  std::vector<Named> floats() const {
    if (!backward()) return {{"feats", &Args::feats}, {"voxel_feats", &Args::voxel_feats}};
    return {{"grad_voxel_feats", &Args::grad_voxel_feats},
            {"feats", &Args::feats},
            {"voxel_feats", &Args::voxel_feats},
            {"grad_feats", &Args::grad_feats}};
  }
  std::vector<Named> integers() const {
    std::vector<Named> all{{"point2voxel_map", &Args::map},
                           {"voxel_points_count", &Args::counts},
                           {"voxel_num", &Args::voxel_num}};
    if (!backward()) {
      all.push_back({"coors", &Args::coors});
      all.push_back({"voxel_coors", &Args::voxel_coors});
    }
    return all;
  }
};

void VoxelBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add_missing(tensors_of(direction()));
  expect_refused_in_both_modes();
}

void VoxelBadCalls::rank() {
  for (const auto& [name, tensor] : tensors_of(direction())) {
    const std::size_t rank = (Args{}.*tensor).dims.size();
    if (rank > 1) {
      table.add_wrong_ranks(name, tensor, rank);
    } else {
      table.add(name + " with a dim more", BAD_PARAM, name + " must have 1 dims, got 2",
                [tensor = tensor](Args& args) { (args.*tensor).dims.push_back(1); });
    }
  }
  expect_refused_in_both_modes();
}

void VoxelBadCalls::strides() {
  for (const auto& [name, tensor] : tensors_of(direction())) {
    if (name == "voxel_num") continue;  // strides of dims of size 1 do not matter
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
    if ((Args{}.*tensor).dims.size() == 1) continue;
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
  }
  expect_refused_in_both_modes();
}

void VoxelBadCalls::dtype() {
  const std::string first = floats().front().name;
  for (const auto& [dtype, name] : {std::pair{MLUOP_DTYPE_INT32, "INT32"},
                                    std::pair{MLUOP_DTYPE_COMPLEX_FLOAT, "COMPLEX_FLOAT"},
                                    std::pair{static_cast<mluOpDataType_t>(200), ""}}) {
    table.add(std::string{"all "} + name, BAD_PARAM, first + " dtype must be",
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  for (const auto& [name, tensor] : floats()) {
    if (name == first) continue;
    table.add(name + " of another dtype", BAD_PARAM,
              name + " dtype must be that of " + first + " (FLOAT), got HALF",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_HALF; });
  }
  for (const auto& [name, tensor] : integers()) {
    table.add(name + " of INT64", BAD_PARAM, name + " dtype must be",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_INT64; });
  }
  expect_refused_in_both_modes();
}

void VoxelBadCalls::reduction() {
  for (int reduce_type : {-1, 3, 1 << 30}) {
    table.add("reduce_type " + std::to_string(reduce_type), BAD_PARAM,
              "reduce_type must be one of 0, 1, 2, got " + std::to_string(reduce_type),
              [reduce_type](Args& args) { args.reduce_type = reduce_type; });
  }
  expect_refused_in_both_modes();
}

void VoxelBadCalls::shapes() {
  const auto other = [&](const char* name, TensorArgument Args::*tensor, int axis,
                         const std::string& rule) {
    const std::string dim = std::string(name) + " dim " + std::to_string(axis);
    table.add(
        "another " + dim, BAD_PARAM, dim + " must be " + rule + ", got 7",
        [tensor, axis](Args& args) { (args.*tensor).dims[static_cast<std::size_t>(axis)] = 7; });
  };
  other("point2voxel_map", &Args::map, 0, "N = 6 (feats dim 0)");
  other("voxel_num", &Args::voxel_num, 0, "1");
  other("voxel_points_count", &Args::counts, 0, "R = 4 (voxel_feats dim 0)");
  if (backward()) {
    other("grad_voxel_feats", &Args::grad_voxel_feats, 1, "C = 5 (feats dim 1)");
    other("voxel_feats", &Args::voxel_feats, 1, "C = 5 (feats dim 1)");
    other("grad_voxel_feats", &Args::grad_voxel_feats, 0, "R = 4 (voxel_feats dim 0)");
    other("grad_feats", &Args::grad_feats, 0, "N = 6 (feats dim 0)");
    other("grad_feats", &Args::grad_feats, 1, "C = 5 (feats dim 1)");
  } else {
    other("coors", &Args::coors, 0, "N = 6 (feats dim 0)");
    other("voxel_coors", &Args::voxel_coors, 0, "R = 4 (voxel_feats dim 0)");
    other("voxel_feats", &Args::voxel_feats, 1, "C = 5 (feats dim 1)");
    other("voxel_coors", &Args::voxel_coors, 1, "D = 3 (coors dim 1)");
  }
  table.add("more rows of voxels than points", BAD_PARAM, "feats dim 0 must be at least 7, got 6",
            [](Args& args) { args.sizes(6, 5, 7); });
  expect_refused_in_both_modes();
}

void VoxelBadCalls::limits_of_the_card() {
  const std::string first = floats().front().name;
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_HALF, "HALF"}, std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"},
        std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, first + " dtype must be FLOAT, got " + name + on_card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  table.add("the sum", BAD_PARAM,
            std::string("reduce_type must be one of ") + (backward() ? "2" : "1, 2") + ", got 0" +
                on_card,
            [](Args& args) { args.reduce_type = MLUOP_REDUCE_DSUM; });
  table.add("2^31 elements", NOT_SUPPORTED,
            std::string(backward() ? "grad_voxel_feats" : "feats") +
                " must have fewer than 2147483648 elements, got 2147483648" + on_card,
            [](Args& args) { args.sizes(2, std::int64_t{1} << 30, 2); });
  if (backward()) {
    table.add("the mean", BAD_PARAM, "reduce_type must be one of 2, got 1" + on_card,
              [](Args& args) { args.reduce_type = MLUOP_REDUCE_DMEAN; });
    table.add("more than fits on the chip", BAD_PARAM,
              "5 * N + 20 * C + 4 must be at most 389120, got 389124" + on_card,
              [](Args& args) { args.sizes(77568, 64, 4); });
  } else {
    table.add("two columns", BAD_PARAM, "coors dim 1 must be 3, got 2" + on_card,
              [](Args& args) { args.coors.dims[1] = args.voxel_coors.dims[1] = 2; });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void VoxelBadCalls::workspace() {
  table.add("no workspace of some size", BAD_PARAM, "workspace must not be null",
            [](Args& args) { args.workspace_size = 1; });
  expect_refused_in_both_modes();
}

void VoxelBadCalls::numbers_and_immense_sizes() {
  table.add(
      "negative", BAD_PARAM,
      std::string(backward() ? "grad_voxel_feats" : "feats") + " dim 1 must be at least 0, got -5",
      [](Args& args) { args.sizes(6, -5, 4); });
  table.add("no address space is this large", BAD_PARAM, " must fit an address space, got dims",
            [](Args& args) {
              const std::int64_t side = std::int64_t{1} << 40;
              args.sizes(side, side, side);
            });
  table.add("points that no int32 numbers", NOT_SUPPORTED,
            "feats dim 0 must be at most 2147483647, got 2147483648",
            [](Args& args) { args.sizes(std::int64_t{1} << 31, 5, 4); });
  if (!backward()) {
    table.add("no columns", BAD_PARAM, "coors dim 1 must be at least 1, got 0",
              [](Args& args) { args.coors.dims[1] = args.voxel_coors.dims[1] = 0; });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void VoxelBadCalls::data() {
  if (!backward()) {
    table.add("more voxels than rows", BAD_PARAM,
              "voxel_feats dim 0 must be at least 3, the number of voxels, got 2",
              [](Args& args) { args.sizes(6, 5, 2); });
    return expect_refused_in_both_modes();
  }
  const std::string of_num =
      "voxel_num[0] must be at least 0 and at most 4 (rows of voxel_feats), got ";
  for (const std::int32_t num : {-1, 5, INT32_MIN, INT32_MAX}) {
    table.add("voxel_num " + std::to_string(num), BAD_PARAM, of_num + std::to_string(num),
              [num](Args& args) { args.voxel_num_data[0] = num; });
  }
  for (const std::int32_t voxel : {-2, 3, INT32_MIN, INT32_MAX}) {
    table.add("a point of voxel " + std::to_string(voxel), BAD_PARAM,
              "point2voxel_map[4] must be at least -1 and below 3 (voxel_num), got " +
                  std::to_string(voxel),
              [voxel](Args& args) { args.map_data[4] = voxel; });
  }
  table.add("the first of two points is named", BAD_PARAM, "point2voxel_map[1] must be",
            [](Args& args) { args.map_data[1] = args.map_data[5] = 8; });
  expect_refused_in_both_modes();
  for (const std::int32_t count : {0, -1}) {
    table.add("a voxel of " + std::to_string(count) + " points", BAD_PARAM,
              "voxel_points_count[2] must be at least 1, as point2voxel_map[5] names it, got " +
                  std::to_string(count),
              [count](Args& args) {
                args.reduce_type = MLUOP_REDUCE_DMEAN;
                args.counts_data[2] = count;
              });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void VoxelBadCalls::overlaps() {
  using Role = testing::PlaceableMemory::Role;
  static std::vector<std::byte> workspace(64);
  Args valid;
  valid.prepare(direction());
  valid.workspace = workspace.data();
  valid.workspace_size = workspace.size();
  const auto memory_of = [&](Args& args) {
    const auto contents = [&](const std::string& name) -> const void* {
      if (name == "coors") return args.coors_data.data();
      if (name == "point2voxel_map") return args.map_data.data();
      if (name == "voxel_points_count") return args.counts_data.data();
      return name == "voxel_num" ? args.voxel_num_data.data() : nullptr;
    };
    std::vector<testing::PlaceableMemory> memory;
    for (const auto& [name, tensor] : tensors_of(direction())) {
      const bool read = backward() ? name != "grad_feats" : name == "feats" || name == "coors";
      memory.push_back(
          (args.*tensor)
              .memory(name, read ? Role::input : Role::output, read ? contents(name) : nullptr));
    }
    memory.push_back({"workspace", Role::workspace, args.workspace_size, &args.workspace});
    return memory;
  };
  testing::expect_overlaps_refused(direction().function, "", valid, memory_of,
                                   [&](Args& args) { return call(direction(), args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Direction& direction) {
  return testing::outcomes_of([&] {
    for (const auto rows : {&VoxelBadCalls::null, &VoxelBadCalls::rank, &VoxelBadCalls::strides,
                            &VoxelBadCalls::dtype, &VoxelBadCalls::reduction,
                            &VoxelBadCalls::shapes, &VoxelBadCalls::limits_of_the_card,
                            &VoxelBadCalls::workspace, &VoxelBadCalls::numbers_and_immense_sizes,
                            &VoxelBadCalls::data, &VoxelBadCalls::overlaps}) {
      VoxelBadCalls calls(direction);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::dynamic_point_to_voxel::checks
