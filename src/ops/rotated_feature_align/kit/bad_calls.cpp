// What rotated feature align refuses, with which status and sentence.
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>

#include "ops/rotated_feature_align/kit/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::rotated_feature_align::checks {
namespace {

class RotatedFeatureAlignBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void rank();
  void dtype();
  void layout();
  void strides();
  void shapes();
  void parameters();
  void empty();
  void negative_and_immense_sizes();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void card_may_limit_each_dim_instead();
  void overlaps();
};

void RotatedFeatureAlignBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add_missing(tensors());
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::rank() {
  for (const auto& [name, tensor] : tensors()) table.add_wrong_ranks(name, tensor, 4);
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::dtype() {
  table.add("INT32", BAD_PARAM, from() + " dtype must be HALF",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("INT32, value", BAD_PARAM, "got INT32",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("complex", BAD_PARAM, "got COMPLEX_FLOAT",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_COMPLEX_FLOAT); });
  table.add("no such dtype", BAD_PARAM, from() + " dtype must be",
            [](Args& args) { args.dtypes(static_cast<mluOpDataType_t>(200)); });
  const std::string that_of_first = " dtype must be that of " + from() + " (FLOAT), got HALF";
  table.add("bboxes of another dtype", BAD_PARAM, "bboxes" + that_of_first,
            [](Args& args) { args.bboxes.dtype = MLUOP_DTYPE_HALF; });
  table.add("result of another dtype", BAD_PARAM, to() + that_of_first,
            [](Args& args) { args.to.dtype = MLUOP_DTYPE_HALF; });
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::layout() {
  for (const auto& [name, tensor] : {tensors()[0], tensors()[2]}) {
    table.add(name + " NCHW", BAD_PARAM, name + " layout must be NHWC, got NCHW",
              [tensor = tensor](Args& args) { (args.*tensor).layout = MLUOP_LAYOUT_NCHW; });
    table.add(name + " ARRAY", BAD_PARAM, name + " layout must be NHWC, got ARRAY",
              [tensor = tensor](Args& args) { (args.*tensor).layout = MLUOP_LAYOUT_ARRAY; });
  }
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with padded images", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "with padded pixels", NOT_SUPPORTED,
                      [](auto& strides) { strides[2] += 1; });
    table.add_strided(name, tensor, "with spaced channels", NOT_SUPPORTED,
                      [](auto& strides) { strides[3] = 2; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::shapes() {
  const char letters[] = {'N', 'H', 'W', 'C'};
  const int sizes[] = {2, 3, 4, 8};
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const std::string at = " dim " + std::to_string(axis);
    const std::string rule = std::string(" must be ") + letters[axis] + " = " +
                             std::to_string(sizes[axis]) + " (" + from() + at + "), got 7";
    table.add("result" + at, BAD_PARAM, to() + at + rule,
              [axis](Args& args) { args.to.dims[axis] = 7; });
    if (axis == 3) continue;
    table.add("bboxes" + at, BAD_PARAM, "bboxes" + at + rule,
              [axis](Args& args) { args.bboxes.dims[axis] = 7; });
  }
  table.add("bboxes with an extra field", BAD_PARAM, "bboxes dim 3 must be 5, got 6",
            [](Args& args) { args.bboxes.dims[3] = 6; });
  table.add("bboxes without angle", BAD_PARAM, "bboxes dim 3 must be 5, got 4",
            [](Args& args) { args.bboxes.dims[3] = 4; });
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::parameters() {
  for (int points : {-1, 0, 2, 4, 6}) {
    table.add("points " + std::to_string(points), BAD_PARAM,
              "points must be one of 1, 5, got " + std::to_string(points),
              [points](Args& args) { args.points = points; });
  }
  table.add("scale 0", BAD_PARAM, "spatial_scale must be above 0, got 0",
            [](Args& args) { args.spatial_scale = 0; });
  table.add("scale -1", BAD_PARAM, "spatial_scale must be above 0, got -1",
            [](Args& args) { args.spatial_scale = -1; });
  table.add("scale NaN", BAD_PARAM, "spatial_scale must be above 0, got nan",
            [](Args& args) { args.spatial_scale = std::nanf(""); });
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::empty() {
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const std::string at = "dim " + std::to_string(axis);
    table.add(at + " is 0", BAD_PARAM, from() + " must not be empty: " + at + " is 0",
              [axis](Args& args) {
                args.from.dims[axis] = args.to.dims[axis] = 0;
                if (axis < 3) args.bboxes.dims[axis] = 0;
              });
  }
  expect_refused_in_both_modes();
}

void RotatedFeatureAlignBadCalls::negative_and_immense_sizes() {
  table.add("negative", BAD_PARAM, from() + " dim 3 must be at least 0, got -8", [](Args& args) {
    args.dims({2, 3, 4, -8});
  });
  table.add("no address space is this large", BAD_PARAM,
            from() + " must fit an address space, got dims", [](Args& args) {
              const std::int64_t side = std::int64_t{1} << 21;
              args.dims({side, side, side, 1});
              args.bboxes.dims = {side, side, side, 5};
            });
  table.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void RotatedFeatureAlignBadCalls::limits_of_the_card() {
  const std::string suffix = " (a limit of the card, in force on this handle)";
  table.add("2^31 elements", NOT_SUPPORTED,
            from() + " must have fewer than 2147483648 elements, got 2147483648" + suffix,
            large_features);
  table.add("5 * 2^30 box fields", NOT_SUPPORTED,
            "bboxes must have fewer than 2147483648 elements, got 5368709120" + suffix,
            large_boxes);
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, from() + " dtype must be HALF or FLOAT, got " + name + suffix,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void RotatedFeatureAlignBadCalls::without_limits_the_check_accepts_large_tensors() {
  const auto without_data = [](auto enlarge) {
    return [enlarge](Args& args) {
      enlarge(args);
      args.from.has_data = false;
    };
  };
  table.add("2^31 elements", BAD_PARAM, from() + " must not be null", without_data(large_features));
  table.add("5 * 2^30 box fields", BAD_PARAM, from() + " must not be null",
            without_data(large_boxes));
  table.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void RotatedFeatureAlignBadCalls::card_may_limit_each_dim_instead() {
  // Every row creates its own handle, and a handle reads the variable when it is created.
  const testing::ScopedEnvironment check_dim_size{"MLUOP_CHECK_DIM_SIZE", "1"};
  table.add("2^31 elements in small dims", BAD_PARAM, from() + " must not be null", [](Args& args) {
    large_features(args);
    args.from.has_data = false;
  });
  table.add("2^31 channels", NOT_SUPPORTED,
            from() + " dim 3 must be less than 2147483648, got 2147483648", [](Args& args) {
              args.dims({1, 1, 1, std::int64_t{1} << 31});
              args.bboxes.dims = {1, 1, 1, 5};
            });
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void RotatedFeatureAlignBadCalls::overlaps() {
  using Role = testing::PlaceableMemory::Role;
  const auto memory_of = [&](Args& args) {
    return std::vector{args.from.memory(from(), Role::input),
                       args.bboxes.memory("bboxes", Role::input),
                       args.to.memory(to(), Role::output)};
  };
  testing::expect_overlaps_refused(direction().function, "", Args{}, memory_of,
                                   [&](Args& args) { return call(direction(), args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Direction& direction) {
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&RotatedFeatureAlignBadCalls::null, &RotatedFeatureAlignBadCalls::rank,
          &RotatedFeatureAlignBadCalls::dtype, &RotatedFeatureAlignBadCalls::layout,
          &RotatedFeatureAlignBadCalls::strides, &RotatedFeatureAlignBadCalls::shapes,
          &RotatedFeatureAlignBadCalls::parameters, &RotatedFeatureAlignBadCalls::empty,
          &RotatedFeatureAlignBadCalls::negative_and_immense_sizes,
          &RotatedFeatureAlignBadCalls::limits_of_the_card,
          &RotatedFeatureAlignBadCalls::without_limits_the_check_accepts_large_tensors,
          &RotatedFeatureAlignBadCalls::card_may_limit_each_dim_instead,
          &RotatedFeatureAlignBadCalls::overlaps}) {
      RotatedFeatureAlignBadCalls calls(direction);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::rotated_feature_align::checks
