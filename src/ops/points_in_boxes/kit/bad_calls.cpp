// What points in boxes refuses, with which status and sentence.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/points_in_boxes/kit/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::points_in_boxes::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";

class PointsInBoxesBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void rank();
  void dtype();
  void layout();
  void order_of_flags();
  void shapes();
  void strides();
  void negative_and_immense_sizes();
  void without_boxes();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void card_may_limit_each_dim_instead();
  void overlaps();
};

void PointsInBoxesBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add_missing(tensors());
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::rank() {
  table.add_wrong_ranks("points", &Args::points, 3);
  table.add_wrong_ranks("boxes", &Args::boxes, 3);
  table.add_wrong_ranks(result(), &Args::result, variant.flags ? 3 : 2);
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::dtype() {
  table.add("INT32 points", BAD_PARAM, "got INT32",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("complex points", BAD_PARAM, "points dtype must be",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_COMPLEX_FLOAT); });
  table.add("no such dtype", BAD_PARAM, "points dtype must be",
            [](Args& args) { args.dtypes(static_cast<mluOpDataType_t>(200)); });
  table.add("INT32 boxes", BAD_PARAM, "boxes dtype must be",
            [](Args& args) { args.boxes.dtype = MLUOP_DTYPE_INT32; });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_FLOAT, "FLOAT"}, std::pair{MLUOP_DTYPE_INT64, "INT64"},
        std::pair{MLUOP_DTYPE_BOOL, "BOOL"}}) {
    table.add(std::string("result ") + name, BAD_PARAM,
              result() + " dtype must be INT32, got " + name,
              [dtype = dtype](Args& args) { args.result.dtype = dtype; });
  }
  expect_refused_in_both_modes();
  table = {};
  table.add("boxes of another dtype", BAD_PARAM,
            "boxes dtype must be that of points (FLOAT), got HALF",
            [](Args& args) { args.boxes.dtype = MLUOP_DTYPE_HALF; });
  table.add("points of another dtype", BAD_PARAM,
            "boxes dtype must be that of points (DOUBLE), got FLOAT",
            [](Args& args) { args.points.dtype = MLUOP_DTYPE_DOUBLE; });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void PointsInBoxesBadCalls::layout() {
  for (const auto& [name, tensor] : tensors()) {
    for (const auto& [layout, of_layout] :
         {std::pair{MLUOP_LAYOUT_NHWC, "NHWC"}, std::pair{MLUOP_LAYOUT_NLC, "NLC"}}) {
      table.add(name + ' ' + of_layout, BAD_PARAM, name + " layout must be ARRAY, got " + of_layout,
                [tensor = tensor, layout = layout](Args& args) { (args.*tensor).layout = layout; });
    }
  }
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::order_of_flags() {
  if (!variant.flags) return;
  for (const int box_major : {-1, 2, 7}) {
    table.add("box_major " + std::to_string(box_major), BAD_PARAM,
              "box_major must be one of 0, 1, got " + std::to_string(box_major),
              [box_major](Args& args) { args.box_major = box_major; });
  }
  table.add("the other order", BAD_PARAM, "flags dim 1 must be",
            [](Args& args) { args.box_major = 1 - args.box_major; });
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::shapes() {
  table.add("two coordinates", BAD_PARAM, "points dim 2 must be 3, got 2",
            [](Args& args) { args.points.dims[2] = 2; });
  table.add("four coordinates", BAD_PARAM, "points dim 2 must be 3, got 4",
            [](Args& args) { args.points.dims[2] = 4; });
  table.add("boxes without heading", BAD_PARAM, "boxes dim 2 must be 7, got 6",
            [](Args& args) { args.boxes.dims[2] = 6; });
  table.add("boxes with velocity", BAD_PARAM, "boxes dim 2 must be 7, got 9",
            [](Args& args) { args.boxes.dims[2] = 9; });
  table.add("boxes of another batch", BAD_PARAM, "boxes dim 0 must be B = 2 (points dim 0), got 1",
            [](Args& args) { args.boxes.dims[0] = 1; });
  table.add("result of another batch", BAD_PARAM,
            result() + " dim 0 must be B = 2 (points dim 0), got 3",
            [](Args& args) { args.result.dims[0] = 3; });
  const std::size_t of_points = variant.box_major ? 2 : 1, of_boxes = variant.box_major ? 1 : 2;
  table.add("result of more points", BAD_PARAM,
            result() + " dim " + std::to_string(of_points) + " must be M = 5 (points dim 1), got 6",
            [of_points](Args& args) { args.result.dims[of_points] = 6; });
  if (variant.flags) {
    table.add("flags of fewer boxes", BAD_PARAM,
              "flags dim " + std::to_string(of_boxes) + " must be T = 4 (boxes dim 1), got 3",
              [of_boxes](Args& args) { args.result.dims[of_boxes] = 3; });
  }
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with padded batch elements", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
  }
  expect_refused_in_both_modes();
}

void PointsInBoxesBadCalls::negative_and_immense_sizes() {
  table.add("negative", BAD_PARAM, "points dim 1 must be at least 0, got -5",
            [](Args& args) { args.sizes(2, -5, 4); });
  table.add("negative boxes", BAD_PARAM, "boxes dim 1 must be at least 0, got -4",
            [](Args& args) { args.sizes(2, 5, -4); });
  table.add("no address space is this large", BAD_PARAM,
            "points must fit an address space, got dims",
            [](Args& args) { args.sizes(std::int64_t{1} << 40, std::int64_t{1} << 22, 4); });
  if (variant.flags) {
    table.add("nor for flags", BAD_PARAM, "flags must fit an address space, got dims",
              [](Args& args) { args.sizes(1, std::int64_t{1} << 30, std::int64_t{1} << 30); });
  } else {
    table.add("more boxes than an index can name", NOT_SUPPORTED,
              "boxes dim 1 must be at most 2147483647, got 2147483648",
              [](Args& args) { args.sizes(1, 5, std::int64_t{1} << 31); });
  }
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

/// Points without boxes: the indices are written, so there must be some place for them.
void PointsInBoxesBadCalls::without_boxes() {
  if (variant.flags) return;
  table.add("no place for -1", BAD_PARAM, "points_indices must not be null", [](Args& args) {
    args.sizes(2, 5, 0);
    args.result.has_data = false;
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void PointsInBoxesBadCalls::limits_of_the_card() {
  table.add("3 * 2^30 coordinates", NOT_SUPPORTED,
            "points must have fewer than 2147483648 elements, got 3221225472" + card,
            [](Args& args) { args.sizes(1, 1 << 30, 4); });
  table.add("7 * 2^29 fields", NOT_SUPPORTED,
            "boxes must have fewer than 2147483648 elements, got 3758096384" + card,
            [](Args& args) { args.sizes(1, 5, 1 << 29); });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_HALF, "HALF"}, std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"},
        std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, "points dtype must be FLOAT, got " + std::string(name) + card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
    table.add(std::string("boxes ") + name, BAD_PARAM,
              "boxes dtype must be FLOAT, got " + std::string(name) + card,
              [dtype = dtype](Args& args) { args.boxes.dtype = dtype; });
  }
  if (variant.formula == reference::Formula::points_in_boxes) {
    table.add("more boxes than on-chip memory holds", BAD_PARAM,
              "boxes dim 1 must be at most 23404, got 23405" + card,
              [](Args& args) { args.sizes(1, 5, 23405); });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void PointsInBoxesBadCalls::without_limits_the_check_accepts_large_tensors() {
  table.add("3 * 2^30 coordinates", BAD_PARAM, "points must not be null", [](Args& args) {
    args.sizes(1, 1 << 30, 4);
    args.points.has_data = false;
  });
  table.add("7 * 2^29 fields", BAD_PARAM, "boxes must not be null", [](Args& args) {
    args.sizes(1, 5, 1 << 29);
    args.boxes.has_data = false;
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void PointsInBoxesBadCalls::card_may_limit_each_dim_instead() {
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("3 * 2^30 coordinates in small dims", BAD_PARAM, "points must not be null",
            [](Args& args) {
              args.sizes(1, 1 << 30, 4);
              args.points.has_data = false;
            });
  table.add("2^31 points", NOT_SUPPORTED,
            "points dim 1 must be less than 2147483648, got 2147483648",
            [](Args& args) { args.sizes(1, std::int64_t{1} << 31, 4); });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void PointsInBoxesBadCalls::overlaps() {
  using Role = testing::PlaceableMemory::Role;
  const auto memory_of = [&](Args& args) {
    return std::vector{args.points.memory("points", Role::input),
                       args.boxes.memory("boxes", Role::input),
                       args.result.memory(result(), Role::output)};
  };
  testing::expect_overlaps_refused(variant.function, "", Args{variant}, memory_of,
                                   [](Args& args) { return call(args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Variant& variant) {
  using Table = PointsInBoxesBadCalls;
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&Table::null, &Table::rank, &Table::dtype, &Table::layout, &Table::order_of_flags,
          &Table::shapes, &Table::strides, &Table::negative_and_immense_sizes,
          &Table::without_boxes, &Table::limits_of_the_card,
          &Table::without_limits_the_check_accepts_large_tensors,
          &Table::card_may_limit_each_dim_instead, &Table::overlaps}) {
      PointsInBoxesBadCalls calls(variant);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::points_in_boxes::checks
