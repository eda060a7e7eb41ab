// What RoI align refuses, with which status and sentence.
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "ops/roi_align/kit/spoilable_call.hpp"

namespace mluop::roi_align::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";

class RoiAlignBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void parameters();
  void rank();
  void layout();
  void dtype();
  void shapes();
  void strides();
  void negative_and_immense_sizes();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void empty();
  void images_that_boxes_name();
  void order();
  void order_on_the_card();
  void overlaps();
};

void RoiAlignBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  if (!variant.backward()) {
    table.add("roialign_desc", BAD_PARAM, "roialign_desc must not be null",
              [](Args& args) { args.has_roialign = false; });
  }
  table.add_missing(tensors());
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::parameters() {
  if (!variant.backward()) {
    table.add("a descriptor that was never set", BAD_PARAM,
              "pooled_height must be at least 1, got 0", [maximum = variant.maximum](Args& args) {
                args.roialign = {};
                args.roialign.pool_mode = maximum ? 0 : 1;
              });
  } else if (variant.function == Function::backward) {
    for (const int mode : {-1, 2}) {
      table.add("pool_mode", BAD_PARAM,
                "pool_mode must be one of 0, 1, got " + std::to_string(mode),
                [mode](Args& args) { args.roialign.pool_mode = mode; });
    }
  }
  if (variant.backward() && !variant.maximum) {
    for (const auto& [scale, text] : {std::pair{std::nanf(""), "nan"},
                                      std::pair{std::numeric_limits<float>::infinity(), "inf"}}) {
      table.add("spatial_scale", BAD_PARAM,
                std::string("spatial_scale must be finite, got ") + text,
                [scale = scale](Args& args) { args.roialign.spatial_scale = scale; });
    }
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::rank() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_wrong_ranks(name, tensor, tensor == &Args::boxes ? 2 : 4);
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::layout() {
  for (const auto& [name, tensor] : tensors()) {
    if (tensor == &Args::boxes) continue;
    for (const auto& [layout, text] :
         {std::pair{MLUOP_LAYOUT_NCHW, "NCHW"}, std::pair{MLUOP_LAYOUT_ARRAY, "ARRAY"}}) {
      table.add(name, BAD_PARAM, name + " layout must be NHWC, got " + text,
                [tensor = tensor, layout = layout](Args& args) { (args.*tensor).layout = layout; });
    }
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::dtype() {
  const std::string first = variant.first();
  table.add("INT32", BAD_PARAM, first + " dtype must be HALF",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("no such dtype", BAD_PARAM, first + " dtype must be",
            [](Args& args) { args.dtypes(static_cast<mluOpDataType_t>(200)); });
  for (const auto& [name, tensor] : tensors()) {
    if (name == first) continue;
    table.add(name, BAD_PARAM, name + " dtype must be that of " + first + " (FLOAT), got HALF",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_HALF; });
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::shapes() {
  table.add("boxes of 4 fields", BAD_PARAM, "boxes dim 1 must be 5, got 4",
            [](Args& args) { args.boxes.dims[1] = 4; });
  table.add("another number of boxes", BAD_PARAM,
            variant.bins() + " dim 0 must be K = 4 (boxes dim 0), got 3",
            [](Args& args) { args.boxes.dims[0] = 4; });
  if (variant.backward()) {
    table.add("channels", BAD_PARAM, "grads_image dim 3 must be C = 8 (grads dim 3), got 7",
              [](Args& args) { args.images.dims[3] = 7; });
  } else {
    table.add("channels", BAD_PARAM, "output dim 3 must be C = 7 (input dim 3), got 8",
              [](Args& args) { args.images.dims[3] = 7; });
    table.add("height", BAD_PARAM, "output dim 1 must be pooled_height = 2, got 3",
              [](Args& args) { args.bin_dim(1, 3); });
    table.add("width", BAD_PARAM, "output dim 2 must be pooled_width = 4, got 3",
              [](Args& args) { args.bin_dim(2, 3); });
  }
  if (variant.maximum) {
    const char* const letters[] = {"K = 3", variant.backward() ? "PH = 2" : "pooled_height = 2",
                                   variant.backward() ? "PW = 4" : "pooled_width = 4", "C = 8"};
    for (const auto& [name, tensor] :
         {Named{"argmax_x", &Args::argmax_x}, Named{"argmax_y", &Args::argmax_y}}) {
      for (std::size_t axis = 0; axis < 4; ++axis) {
        table.add(name, BAD_PARAM,
                  name + " dim " + std::to_string(axis) + " must be " + letters[axis],
                  [tensor = tensor, axis](Args& args) { (args.*tensor).dims[axis] = 9; });
      }
    }
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::negative_and_immense_sizes() {
  table.add("negative", BAD_PARAM, variant.images() + " dim 1 must be at least 0, got -5",
            [](Args& args) { args.images.dims[1] = -5; });
  table.add("no address space is this large", BAD_PARAM,
            variant.images() + " must fit an address space, got dims", [](Args& args) {
              const std::int64_t side = std::int64_t{1} << 21;
              args.images.dims = {side, side, side, 8};
            });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void large_images(Args& args) { args.images.dims = {1, 1 << 14, 1 << 14, 8}; }

void RoiAlignBadCalls::limits_of_the_card() {
  table.add("2^31 elements", NOT_SUPPORTED,
            variant.images() + " must have fewer than 2147483648 elements, got 2147483648" + card,
            large_images);
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, variant.first() + " dtype must be HALF or FLOAT, got " + name + card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void RoiAlignBadCalls::without_limits_the_check_accepts_large_tensors() {
  // The next rule that fails shows that the size was accepted.
  table.add("2^31 elements", BAD_PARAM, "must not overlap", [](Args& args) {
    large_images(args);
    args.bins.place = args.image_data.data();
  });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void RoiAlignBadCalls::empty() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    table.add("no cells", BAD_PARAM,
              variant.images() + " must not be empty: dim " + std::to_string(axis) + " is 0",
              [axis](Args& args) { args.images.dims[axis] = 0; });
  }
  table.add("no data, even of empty tensors", BAD_PARAM, "boxes must not be null", [](Args& args) {
    args.boxes.dims[0] = 0;
    args.bin_dim(0, 0);
    args.boxes.has_data = false;
  });
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::images_that_boxes_name() {
  const auto with_image = [&](float image, const std::string& text) {
    table.add("image " + text, BAD_PARAM,
              "boxes[2,0] must be at least 0 and below 2 (images of " + variant.images() +
                  "), got " + text,
              [image](Args& args) { args.box_data[10] = image; });
  };
  with_image(2, "2");
  with_image(-1, "-1");
  with_image(1e9f, "1e+09");
  with_image(std::nanf(""), "nan");
  with_image(std::numeric_limits<float>::infinity(), "inf");
  expect_refused_in_both_modes();
}

/// Two faults each: the first in the order of the checks is reported.
void RoiAlignBadCalls::order() {
  const std::string images = variant.images(), bins = variant.bins();
  table.add("null before rank", BAD_PARAM, images + " must not be null", [](Args& args) {
    args.images.has_data = false;
    args.boxes.dims.push_back(1);
  });
  if (variant.maximum) {
    table.add("argmax before rank", BAD_PARAM, "argmax_x must not be null", [](Args& args) {
      args.argmax_x.has_data = false;
      args.boxes.dims.push_back(1);
    });
    table.add("images before argmax", BAD_PARAM, images + " must not be null", [](Args& args) {
      args.images.has_data = false;
      args.argmax_x.has_desc = false;
    });
  }
  table.add("rank before layout", BAD_PARAM, "boxes must have 2 dims", [](Args& args) {
    args.boxes.dims.push_back(1);
    args.images.layout = MLUOP_LAYOUT_NCHW;
  });
  table.add("layout before dtype", BAD_PARAM, "layout must be NHWC", [](Args& args) {
    args.images.layout = MLUOP_LAYOUT_NCHW;
    args.boxes.dtype = MLUOP_DTYPE_HALF;
  });
  table.add("dtype before shape", BAD_PARAM, "boxes dtype must be that of", [](Args& args) {
    args.boxes.dtype = MLUOP_DTYPE_HALF;
    args.boxes.dims[1] = 6;
  });
  table.add("shape before strides", BAD_PARAM, "boxes dim 1 must be 5", [](Args& args) {
    args.boxes.dims[1] = 6;
    args.images.strides = {999, 48, 8, 1};
  });
  table.add("strides before empty", NOT_SUPPORTED, bins + " must be contiguous", [](Args& args) {
    args.bins.strides = {999, 32, 8, 1};
    args.images.dims[0] = 0;
  });
  table.add("overlap before data", BAD_PARAM, "overlap", [](Args& args) {
    args.box_data[0] = 7;
    args.bins.place = args.image_data.data();
  });
  if (variant.backward() && !variant.maximum) {
    table.add("parameters before rank", BAD_PARAM, "spatial_scale must be finite", [](Args& args) {
      args.roialign.spatial_scale = std::nanf("");
      args.boxes.dims.push_back(1);
    });
  }
  expect_refused_in_both_modes();
}

void RoiAlignBadCalls::order_on_the_card() {
  table.add("size before empty", NOT_SUPPORTED, "must have fewer than 2147483648 elements",
            [](Args& args) {
              large_images(args);
              args.box_data[0] = 7;
            });
  table.add("strides before size", NOT_SUPPORTED, "boxes must be contiguous", [](Args& args) {
    large_images(args);
    args.boxes.strides = {6, 1};
  });
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void RoiAlignBadCalls::overlaps() {
  const Args valid = valid_call(MLUOP_CPU_LIMITS_NONE);
  const auto memory_of = [](Args& args) { return args.memory(); };
  if (variant.function == Function::average_backward) {
    // The card has no such function: one mode.
    return testing::expect_overlaps_refused(variant.name(), "without limits", [&] {
      const auto args = std::make_shared<Args>(valid);
      return testing::PlaceableCall{args->memory(), [args] { return call(*args); }};
    });
  }
  testing::expect_overlaps_refused(variant.name(), variant.maximum ? ", maximum" : ", average",
                                   valid, memory_of, [](Args& args) { return call(args); });
}

void try_all(const Variant& variant) {
  using Rows = RoiAlignBadCalls;
  for (const auto rows :
       {&Rows::null, &Rows::parameters, &Rows::rank, &Rows::layout, &Rows::dtype, &Rows::shapes,
        &Rows::strides, &Rows::negative_and_immense_sizes, &Rows::limits_of_the_card,
        &Rows::without_limits_the_check_accepts_large_tensors, &Rows::empty,
        &Rows::images_that_boxes_name, &Rows::order, &Rows::order_on_the_card, &Rows::overlaps}) {
    RoiAlignBadCalls calls(variant);
    (calls.*rows)();
  }
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(Function function) {
  return testing::outcomes_of([&] {
    for (const bool maximum : {false, true}) try_all({function, maximum});
    if (function == Function::backward) try_all({Function::average_backward, false});
  });
}

}  // namespace mluop::roi_align::checks
