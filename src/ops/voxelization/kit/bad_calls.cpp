// What voxelization refuses, with which status and sentence.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/voxelization/kit/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::voxelization::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";

class VoxelizationBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void rank();
  void shapes();
  void shapes_of_voxels();
  void numbers();
  void strides();
  void dtypes();
  void empty_points();
  void negative_and_immense_sizes();
  void workspace();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void card_may_limit_each_dim_instead();
  void overlaps();

 private:
  bool has_data() const { return !variant.query; }
};

void VoxelizationBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  if (has_data()) {
    table.add_missing(tensors());
  } else {
    for (const auto& [name, tensor] : tensors()) {
      table.add(name + " descriptor", BAD_PARAM, name + "_desc must not be null",
                [tensor = tensor](Args& args) { (args.*tensor).has_desc = false; });
    }
    table.add("size", BAD_PARAM, "size must not be null",
              [](Args& args) { args.has_size = false; });
  }
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::rank() {
  for (const auto& [name, tensor] : tensors()) {
    const std::size_t rank = (Args(variant).*tensor).dims.size();
    if (rank > 1) {
      table.add_wrong_ranks(name, tensor, rank);
    } else {
      table.add(name + " with a dim more", BAD_PARAM, name + " must have 1 dims, got 2",
                [tensor = tensor](Args& args) { (args.*tensor).dims.push_back(1); });
    }
  }
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::shapes() {
  table.add("two sizes", BAD_PARAM, "voxel_size dim 0 must be 3, got 2",
            [](Args& args) { args.voxel_size.dims[0] = 2; });
  table.add("four sizes", BAD_PARAM, "voxel_size dim 0 must be 3, got 4",
            [](Args& args) { args.voxel_size.dims[0] = 4; });
  table.add("half a range", BAD_PARAM, "coors_range dim 0 must be 6, got 3",
            [](Args& args) { args.coors_range.dims[0] = 3; });
  table.add("coors with batch", BAD_PARAM, "coors dim 1 must be 3, got 4",
            [](Args& args) { args.coors.dims[1] = 4; });
  if (variant.dynamic) {
    table.add("coors of more points", BAD_PARAM, "coors dim 0 must be N = 5 (points dim 0), got 6",
              [](Args& args) { args.coors.dims[0] = 6; });
  }
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::shapes_of_voxels() {
  if (variant.dynamic) return;
  table.add("other max_voxels", BAD_PARAM, "voxels dim 0 must be max_voxels = 7, got 6",
            [](Args& args) { args.max_voxels = 7; });
  table.add("other max_points", BAD_PARAM, "voxels dim 1 must be max_points = 2, got 3",
            [](Args& args) { args.max_points = 2; });
  table.add("voxels of fewer features", BAD_PARAM,
            "voxels dim 2 must be F = 4 (points dim 1), got 3",
            [](Args& args) { args.voxels.dims[2] = 3; });
  table.add("coors of fewer voxels", BAD_PARAM, "coors dim 0 must be max_voxels = 6, got 5",
            [](Args& args) { args.coors.dims[0] = 5; });
  table.add("counts of more voxels", BAD_PARAM,
            "num_points_per_voxel dim 0 must be max_voxels = 6, got 7",
            [](Args& args) { args.num_points_per_voxel.dims[0] = 7; });
  table.add("two numbers of voxels", BAD_PARAM, "voxel_num dim 0 must be 1, got 2",
            [](Args& args) { args.voxel_num.dims[0] = 2; });
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::numbers() {
  for (const int ndim : {-3, 0, 2, 4}) {
    table.add("NDim " + std::to_string(ndim), BAD_PARAM,
              "NDim must be 3, got " + std::to_string(ndim),
              [ndim](Args& args) { args.NDim = ndim; });
  }
  if (has_data()) {
    table.add("two numbers of a point", BAD_PARAM, "points dim 1 must be at least 3, got 2",
              [](Args& args) { args.cloud(5, 2); });
  }
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    if (name == "voxel_num") continue;  // strides of dims of size 1 do not matter
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    if ((Args(variant).*tensor).dims.size() == 1) continue;
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::dtypes() {
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_INT32, "INT32"}, std::pair{MLUOP_DTYPE_COMPLEX_FLOAT, "COMPLEX_FLOAT"},
        std::pair{MLUOP_DTYPE_INT64, "INT64"}}) {
    const std::string got = std::string(", got ") + name;
    table.add(std::string("points ") + name, BAD_PARAM, got,
              [dtype = dtype](Args& args) { args.points.dtype = dtype; });
    if (variant.dynamic) continue;
    table.add(std::string("voxels ") + name, BAD_PARAM, got,
              [dtype = dtype](Args& args) { args.voxels.dtype = dtype; });
  }
  for (const auto dtype : {MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE, MLUOP_DTYPE_BFLOAT16}) {
    table.add("voxel_size of another dtype", BAD_PARAM, "voxel_size dtype must be FLOAT, got ",
              [dtype](Args& args) { args.voxel_size.dtype = dtype; });
    table.add("coors_range of another dtype", BAD_PARAM, "coors_range dtype must be FLOAT, got ",
              [dtype](Args& args) { args.coors_range.dtype = dtype; });
  }
  for (const auto& [name, tensor] : tensors()) {
    if ((Args(variant).*tensor).dtype != MLUOP_DTYPE_INT32) continue;
    for (const auto dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_INT64}) {
      table.add(name + " of another dtype", BAD_PARAM, name + " dtype must be INT32, got ",
                [tensor = tensor, dtype](Args& args) { (args.*tensor).dtype = dtype; });
    }
  }
  expect_refused_in_both_modes();
  if (variant.dynamic) return;
  table = {};
  table.add("voxels of another dtype than points", BAD_PARAM,
            "voxels dtype must be that of points (FLOAT), got HALF",
            [](Args& args) { args.voxels.dtype = MLUOP_DTYPE_HALF; });
  table.add("points of another dtype than voxels", BAD_PARAM,
            "voxels dtype must be that of points (DOUBLE), got FLOAT",
            [](Args& args) { args.points.dtype = MLUOP_DTYPE_DOUBLE; });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void VoxelizationBadCalls::empty_points() {
  if (variant.dynamic) return;
  table.add("no points", BAD_PARAM, "points must not be empty: dim 0 is 0",
            [](Args& args) { args.cloud(0, 4); });
  table.add("no features", BAD_PARAM, "points must not be empty: dim 1 is 0",
            [](Args& args) { args.cloud(5, 0); });
  table.add("no points and no voxels", BAD_PARAM, "points must not be empty: dim 0 is 0",
            [](Args& args) {
              args.cloud(0, 4);
              args.caps(3, 0);
            });
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::negative_and_immense_sizes() {
  if (!has_data()) return;
  table.add("negative", BAD_PARAM, "points dim 0 must be at least 0, got -5",
            [](Args& args) { args.cloud(-5, 4); });
  if (variant.dynamic) {
    table.add("no address space is this large", BAD_PARAM,
              "points must fit an address space, got dims",
              [](Args& args) { args.cloud(std::int64_t{1} << 40, 1 << 20); });
  } else {
    table.add("negative max_points", BAD_PARAM, "max_points must be at least 0, got -3",
              [](Args& args) { args.caps(-3, 6); });
    table.add("negative max_voxels", BAD_PARAM, "max_voxels must be at least 0, got -6",
              [](Args& args) { args.caps(3, -6); });
    table.add("no address space is this large", BAD_PARAM,
              "voxels must fit an address space, got dims",
              [](Args& args) { args.caps(INT32_MAX, INT32_MAX); });
    table.add("more points than 32 bits can count", NOT_SUPPORTED,
              "points dim 0 must be at most 2147483647, got 2147483648",
              [](Args& args) { args.cloud(std::int64_t{1} << 31, 4); });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void VoxelizationBadCalls::workspace() {
  if (variant.query || variant.dynamic) return;
  table.add("a size without a workspace", BAD_PARAM, "workspace must not be null",
            [](Args& args) { args.workspace_size = 120; });
  expect_refused_in_both_modes();
}

void VoxelizationBadCalls::limits_of_the_card() {
  if (!variant.dynamic) {
    table.add("not deterministic", BAD_PARAM, "deterministic must be 1, got 0" + card,
              [](Args& args) { args.deterministic = false; });
    table.add("3 * 2^30 coordinates", NOT_SUPPORTED,
              "coors must have fewer than 2147483648 elements, got 3221225472" + card,
              [](Args& args) { args.caps(1, 1 << 30); });
  }
  table.add("2^31 numbers", NOT_SUPPORTED,
            "points must have fewer than 2147483648 elements, got 2147483648" + card,
            [](Args& args) { args.cloud(1 << 29, 4); });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_HALF, "HALF"}, std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"},
        std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, "points dtype must be FLOAT, got " + std::string(name) + card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
    if (variant.dynamic) continue;
    table.add(std::string("voxels ") + name, BAD_PARAM,
              "voxels dtype must be FLOAT, got " + std::string(name) + card,
              [dtype = dtype](Args& args) { args.voxels.dtype = dtype; });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void VoxelizationBadCalls::without_limits_the_check_accepts_large_tensors() {
  if (!has_data()) return;
  table.add("2^31 numbers", BAD_PARAM, "points must not be null", [](Args& args) {
    args.cloud(1 << 29, 4);
    args.points.has_data = false;
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
  if (variant.dynamic) return;
  table = {};
  table.add("voxels beyond 2^31 elements", BAD_PARAM, "voxels must not be null", [](Args& args) {
    args.caps(1 << 15, 1 << 15);
    args.voxels.has_data = false;
  });
  expect_refused_in_both_modes();  // the card does not count them either
}

void VoxelizationBadCalls::card_may_limit_each_dim_instead() {
  if (!has_data()) return;
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("2^31 numbers in small dims", BAD_PARAM, "points must not be null", [](Args& args) {
    args.cloud(1 << 29, 4);
    args.points.has_data = false;
  });
  table.add("2^31 points", NOT_SUPPORTED,
            "points dim 0 must be less than 2147483648, got 2147483648",
            [](Args& args) { args.cloud(std::int64_t{1} << 31, 4); });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void VoxelizationBadCalls::overlaps() {
  if (!has_data()) return;
  using Role = testing::PlaceableMemory::Role;
  const auto memory_of = [this](Args& args) {
    std::vector<testing::PlaceableMemory> all;
    for (const auto& [name, tensor] : tensors()) {
      const bool input = name == "points" || name == "voxel_size" || name == "coors_range";
      all.push_back((args.*tensor).memory(name, input ? Role::input : Role::output));
    }
    if (!variant.dynamic) {
      args.workspace_size = 120;
      all.push_back({"workspace", Role::workspace, args.workspace_size, &args.workspace});
    }
    return all;
  };
  testing::expect_overlaps_refused(variant.function, "", Args{variant}, memory_of,
                                   [](Args& args) { return call(args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Variant& variant) {
  using Table = VoxelizationBadCalls;
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&Table::null, &Table::rank, &Table::shapes, &Table::shapes_of_voxels, &Table::numbers,
          &Table::strides, &Table::dtypes, &Table::empty_points,
          &Table::negative_and_immense_sizes, &Table::workspace, &Table::limits_of_the_card,
          &Table::without_limits_the_check_accepts_large_tensors,
          &Table::card_may_limit_each_dim_instead, &Table::overlaps}) {
      VoxelizationBadCalls calls(variant);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::voxelization::checks
