// What this family refuses, with which status and sentence.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/nms/kit/spoilable_call.hpp"

namespace mluop::nms::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";

class NmsBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void rank();
  void dtype();
  void shapes();
  void strides();
  void parameters();
  void descriptor();
  void room();
  void sizes();
  void limits_of_the_card();
  void overlaps();
};

void NmsBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add_missing(tensors());
  if (operation.suppresses()) {
    table.add("number", BAD_PARAM, number() + " must not be null",
              [](Args& args) { args.has_number = false; });
  }
  if (operation.function == Function::nms) {
    table.add("nms_desc", BAD_PARAM, "nms_desc must not be null",
              [](Args& args) { args.has_nms_desc = false; });
    table.add("output_size without boxes", BAD_PARAM, "output_size must not be null",
              [](Args& args) {
                args.count(0);
                args.has_number = false;
              });
    table.add("output without boxes", BAD_PARAM, "output must not be null", [](Args& args) {
      args.count(0);
      args.output.has_data = false;
    });
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::rank() {
  if (operation.function == Function::nms) {
    table.add("boxes with a dim", BAD_PARAM, "boxes must have 2 or 3 dims, got 1",
              [](Args& args) { args.boxes.dims = {5}; });
    table.add("boxes with four dims", BAD_PARAM, "boxes must have 2 or 3 dims, got 4",
              [](Args& args) {
                args.boxes.dims = {1, 1, 5, 4};
              });
    table.add("scores of a batch", BAD_PARAM, "confidence must have 1 dims, got 2", [](Args& args) {
      args.second.dims = {1, 5};
    });
    table.add("scores without a batch", BAD_PARAM, "confidence must have 3 dims, got 1",
              [](Args& args) {
                args.boxes.dims = {1, 5, 4};
              });
  } else {
    for (const auto& [name, tensor] : tensors()) {
      const std::size_t rank = (Args(operation).*tensor).dims.size();
      if (rank > 1) {
        table.add_wrong_ranks(name, tensor, rank);
      } else {  // a descriptor has a dim
        table.add(name + " with a dim more", BAD_PARAM, name + " must have 1 dims, got 2",
                  [tensor = tensor](Args& args) { (args.*tensor).dims.push_back(1); });
      }
    }
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::dtype() {
  const std::string given = first() + " dtype must be";
  table.add("INT32 boxes", BAD_PARAM, given, [](Args& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("complex boxes", BAD_PARAM, "got COMPLEX_FLOAT",
            [](Args& args) { args.dtypes(MLUOP_DTYPE_COMPLEX_FLOAT); });
  table.add("no such dtype", BAD_PARAM, given,
            [](Args& args) { args.dtypes(static_cast<mluOpDataType_t>(200)); });
  const std::string of_boxes = " dtype must be that of " + first() + " (FLOAT), got HALF";
  if (has_second()) {
    table.add("second of another dtype", BAD_PARAM, second() + of_boxes,
              [](Args& args) { args.second.dtype = MLUOP_DTYPE_HALF; });
  }
  if (operation.function == Function::overlap) {
    table.add("overlap of another dtype", BAD_PARAM, result() + of_boxes,
              [](Args& args) { args.output.dtype = MLUOP_DTYPE_HALF; });
  } else {
    const bool nms = operation.function == Function::nms;
    const std::string integers = nms ? "INT32 or UINT32" : "INT32 or INT64";
    for (const auto& [dtype, name] :
         {std::pair{MLUOP_DTYPE_FLOAT, "FLOAT"}, std::pair{MLUOP_DTYPE_INT16, "INT16"},
          nms ? std::pair{MLUOP_DTYPE_INT64, "INT64"} : std::pair{MLUOP_DTYPE_UINT32, "UINT32"}}) {
      table.add(std::string("output ") + name, BAD_PARAM,
                "output dtype must be " + integers + ", got " + name,
                [dtype = dtype](Args& args) { args.output.dtype = dtype; });
    }
    if (nms) {
      table.add("indices for boxes", BAD_PARAM,
                "output dtype must be that of boxes (FLOAT), got INT32", [](Args& args) {
                  args.output_mode = MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1;
                  args.output.dims = {5, 5};
                });
    }
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::shapes() {
  if (operation.function == Function::nms) {
    table.add("five numbers", BAD_PARAM, "boxes dim 1 must be one of 4, 7, got 5",
              [](Args& args) { args.boxes.dims[1] = 5; });
    table.add("rows as columns", BAD_PARAM, "boxes dim 0 must be one of 4, 7, got 5",
              [](Args& args) { args.input_layout = 1; });
    table.add("seven numbers in a batch", BAD_PARAM, "boxes dim 2 must be one of 4, got 7",
              [](Args& args) {
                args.boxes.dims = {1, 5, 7};
              });
    table.add("scores of another batch", BAD_PARAM, "confidence dim 0 must be B = 2",
              [](Args& args) {
                args.boxes.dims = {2, 5, 4};
                args.second.dims = {3, 1, 5};
              });
    table.add("fewer scores", BAD_PARAM, "confidence dim 0 must be N = 5 (boxes dim 0), got 4",
              [](Args& args) { args.second.dims = {4}; });
  } else {
    const std::string numbers = operation.function == Function::cpu_nms ? "4" : "7";
    table.add("three numbers", BAD_PARAM, first() + " dim 1 must be " + numbers + ", got 3",
              [](Args& args) { args.boxes.dims[1] = 3; });
    const std::string boxes = " dim 0 must be N = 5 (" + first() + " dim 0), got 6";
    table.add("another number of results", BAD_PARAM, result() + boxes,
              [](Args& args) { args.output.dims[0] = 6; });
    if (operation.function == Function::cpu_nms) {
      table.add("another number of scores", BAD_PARAM, "scores" + boxes,
                [](Args& args) { args.second.dims[0] = 6; });
    }
    if (operation.function == Function::overlap) {
      table.add("boxes_b without heading", BAD_PARAM, "boxes_b dim 1 must be 7, got 6",
                [](Args& args) { args.second.dims[1] = 6; });
      table.add("another number of columns", BAD_PARAM,
                "overlap dim 1 must be M = 4 (boxes_b dim 0), got 5",
                [](Args& args) { args.output.dims[1] = 5; });
    }
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::strides() {
  for (const auto& [name, tensor] : tensors()) {
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    if ((Args(operation).*tensor).dims.size() == 1) continue;
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::parameters() {
  for (const int value : {-1, 2}) {
    const std::string got = " must be one of 0, 1, got " + std::to_string(value);
    if (operation.function == Function::cpu_nms) {
      table.add("offset " + std::to_string(value), BAD_PARAM, "offset" + got,
                [value](Args& args) { args.offset = value; });
    }
    if (operation.function == Function::nms3d) {
      table.add("ignore_heading " + std::to_string(value), BAD_PARAM, "ignore_heading" + got,
                [value](Args& args) { args.ignore_heading = value; });
    }
  }
  expect_refused_in_both_modes();
}

void NmsBadCalls::descriptor() {
  if (operation.function != Function::nms) return;
  table.add("never set", BAD_PARAM, "max_output_size must be at least 0, got -1",
            [](Args& args) { args.is_set = false; });
  for (const auto& [method, text] :
       {std::pair{MLUOP_NMS_SOFT_NMS_LINEAR, "1"}, std::pair{MLUOP_NMS_SOFT_NMS_GAUSSIAN, "2"}}) {
    table.add(std::string("soft ") + text, NOT_SUPPORTED,
              std::string("method_mode must be 0, got ") + text,
              [method = method](Args& args) { args.method_mode = method; });
  }
  table.add("workspace without memory", BAD_PARAM, "workspace must not be null",
            [](Args& args) { args.workspace_size = 1; });
  table.add("the same without boxes", BAD_PARAM, "workspace must not be null", [](Args& args) {
    args.count(0);
    args.workspace_size = 1;
  });
  expect_refused_in_both_modes();
}

/// The output of mluOpNms must hold whatever may be kept.
void NmsBadCalls::room() {
  if (operation.function != Function::nms) return;
  const auto add = [&](const char* what, const char* text, mluOpNmsOutputMode_t mode,
                       std::int64_t elements, int most) {
    table.add(what, BAD_PARAM, std::string("output elements must be at least ") + text,
              [=](Args& args) {
                const bool boxes = mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1 ||
                                   mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2;
                args.output_mode = mode;
                if (boxes) args.output.dtype = MLUOP_DTYPE_FLOAT;
                args.output.dims = {elements};
                args.max_output_size = most;
              });
  };
  add("indices", "5, got 4", MLUOP_NMS_OUTPUT_TARGET_INDICES, 4, 100);
  add("three indices", "3, got 2", MLUOP_NMS_OUTPUT_TARGET_INDICES, 2, 3);
  add("rows", "15, got 14", MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1, 14, 3);
  add("planes", "405, got 404", MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2, 404, 100);
  add("triplets", "9, got 8", MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS, 8, 3);
  expect_refused_in_both_modes();
}

void NmsBadCalls::sizes() {
  table.add("negative", BAD_PARAM, first() + " dim 0 must be at least 0, got -5",
            [](Args& args) { args.count(-5); });
  table.add("no address space is this large", BAD_PARAM,
            first() + " must fit an address space, got dims",
            [](Args& args) { args.count(std::int64_t{1} << 60); });
  const std::string boxes = "number of " + first();
  table.add("more boxes than an index can name", NOT_SUPPORTED,
            boxes + " must be at most 2147483584, got 2147483585",
            [](Args& args) { args.count(std::int64_t{1} + INT32_MAX - 63); });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void NmsBadCalls::limits_of_the_card() {
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, first() + " dtype must be HALF or FLOAT, got " + name + card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  if (operation.function == Function::nms) {
    table.add("confidence below 0", BAD_PARAM,
              "confidence_threshold must be at least 0, got -0.5" + card,
              [](Args& args) { args.confidence_threshold = -0.5f; });
    table.add("confidence above 1", BAD_PARAM,
              "confidence_threshold must be at most 1, got 1.5" + card,
              [](Args& args) { args.confidence_threshold = 1.5f; });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void NmsBadCalls::overlaps() {
  using Role = testing::PlaceableMemory::Role;
  const bool nms = operation.function == Function::nms;
  const auto memory_of = [&](Args& args) {
    std::vector<testing::PlaceableMemory> all{args.boxes.memory(first(), Role::input)};
    if (has_second()) all.push_back(args.second.memory(second(), Role::input));
    all.push_back(args.output.memory(result(), Role::output));
    if (operation.suppresses()) {
      all.push_back({number(), Role::output, sizeof(std::int32_t), &args.number_place});
    }
    if (nms) {
      args.has_workspace = true;
      args.workspace_size = 64;
      all.push_back({"workspace", Role::workspace, 64, &args.workspace_place});
    }
    return all;
  };
  testing::expect_overlaps_refused(operation.name, "", Args{operation}, memory_of,
                                   [](Args& args) { return call(args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Operation& operation) {
  using Table = NmsBadCalls;
  return testing::outcomes_of([&] {
    for (const auto rows : {&Table::null, &Table::rank, &Table::dtype, &Table::shapes,
                            &Table::strides, &Table::parameters, &Table::descriptor, &Table::room,
                            &Table::sizes, &Table::limits_of_the_card, &Table::overlaps}) {
      NmsBadCalls calls(operation);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::nms::checks
