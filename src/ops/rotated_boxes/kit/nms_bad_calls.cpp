// What mluOpNmsRotated and its query refuse, with which status and sentence.
#include <utility>

#include "ops/rotated_boxes/kit/spoilable_call.hpp"

namespace mluop::rotated_boxes::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";
using Table = testing::BadCallTable<NmsArgs>;

struct Named {
  std::string name;
  TensorArgument NmsArgs::*tensor;
};
const Named named[] = {
    {"boxes", &NmsArgs::boxes}, {"scores", &NmsArgs::scores}, {"output", &NmsArgs::output}};

NmsArgs valid() { return {}; }
void in_both_modes(const Table& table) {
  expect_refused_in_both_modes(table, nms_function, "", valid);
}

void null() {
  Table table;
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](NmsArgs& args) { args.has_handle = false; });
  table.add_missing(named);
  table.add("no place for the number", BAD_PARAM, "result_num must not be null",
            [](NmsArgs& args) { args.has_count = false; });
  table.add("workspace", BAD_PARAM, "workspace must not be null",
            [](NmsArgs& args) { args.workspace_size = 8; });
  in_both_modes(table);
}

void dtypes() {
  Table table;
  table.add("INT32 boxes", BAD_PARAM, "boxes dtype must be",
            [](NmsArgs& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("scores of another dtype", BAD_PARAM,
            "scores dtype must be that of boxes (FLOAT), got HALF",
            [](NmsArgs& args) { args.scores.dtype = MLUOP_DTYPE_HALF; });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_FLOAT, "FLOAT"}, std::pair{MLUOP_DTYPE_INT64, "INT64"}}) {
    table.add(std::string("output ") + name, BAD_PARAM,
              std::string("output dtype must be INT32, got ") + name,
              [dtype = dtype](NmsArgs& args) { args.output.dtype = dtype; });
  }
  in_both_modes(table);
}

void shapes() {
  Table table;
  table.add_wrong_ranks("boxes", &NmsArgs::boxes, 2);
  table.add("scores of two dims", BAD_PARAM, "scores must have 1 dims, got 2", [](NmsArgs& args) {
    args.scores.dims = {5, 1};
  });
  table.add("output of two dims", BAD_PARAM, "output must have 1 dims, got 2", [](NmsArgs& args) {
    args.output.dims = {5, 1};
  });
  table.add("fewer scores", BAD_PARAM, "scores dim 0 must be N = 5 (boxes dim 0), got 4",
            [](NmsArgs& args) { args.scores.dims[0] = 4; });
  table.add("longer output", BAD_PARAM, "output dim 0 must be N = 5 (boxes dim 0), got 6",
            [](NmsArgs& args) { args.output.dims[0] = 6; });
  for (const std::int64_t fields : {4, 7}) {
    table.add(std::to_string(fields) + " fields", BAD_PARAM,
              "boxes dim 1 must be one of 5, 6, got " + std::to_string(fields),
              [fields](NmsArgs& args) { args.boxes.dims[1] = fields; });
  }
  in_both_modes(table);
}

void strides() {
  Table table;
  for (const auto& [name, tensor] : named) {
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
  }
  in_both_modes(table);
}

void sizes() {
  Table table;
  table.add("negative", BAD_PARAM, "boxes dim 0 must be at least 0, got -5",
            [](NmsArgs& args) { args.sizes(-5, 5); });
  table.add("no address space is this large", BAD_PARAM,
            "boxes must fit an address space, got dims",
            [](NmsArgs& args) { args.sizes(std::int64_t{1} << 60, 6); });
  table.add("more boxes than an index can name", NOT_SUPPORTED,
            "boxes dim 0 must be at most 2147483583, got 2147483584",
            [](NmsArgs& args) { args.sizes(2147483584, 5); });
  table.add("more than the card takes", BAD_PARAM, "boxes must not be null", [](NmsArgs& args) {
    args.sizes(357913942, 6);
    args.boxes.has_data = false;
  });
  expect_refused(table, nms_function, "", MLUOP_CPU_LIMITS_NONE, valid);
}

void limits_of_the_card() {
  Table table;
  table.add("2^31 fields", NOT_SUPPORTED,
            "boxes must have fewer than 2147483648 elements, got 2147483652" + card,
            [](NmsArgs& args) { args.sizes(357913942, 6); });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_HALF, "HALF"}, std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"},
        std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, "boxes dtype must be FLOAT, got " + std::string(name) + card,
              [dtype = dtype](NmsArgs& args) { args.dtypes(dtype); });
  }
  expect_refused(table, nms_function, "", MLUOP_CPU_LIMITS_MLU, valid);
}

void overlaps() {
  using Role = testing::PlaceableMemory::Role;
  NmsArgs args;
  args.has_workspace = true;
  args.workspace_size = 64;
  const auto memory_of = [](NmsArgs& one) {
    return std::vector{
        one.boxes.memory("boxes", Role::input), one.scores.memory("scores", Role::input),
        one.output.memory("output", Role::output),
        testing::PlaceableMemory{"result_num", Role::output, 4, &one.count_place},
        testing::PlaceableMemory{"workspace", Role::workspace, 64, &one.workspace_place}};
  };
  testing::expect_overlaps_refused(nms_function, "", args, memory_of,
                                   [](NmsArgs& one) { return call(one); });
}

/// The query, of which only pointers can be wrong.
struct QueryArgs {
  TensorArgument boxes{{5, 5}};
  bool has_handle = true, has_size = true;
  std::size_t size = 7;

  bool outputs_untouched() const { return size == 7; }
};

mluOpStatus_t query(QueryArgs& args) {
  testing::Handle handle;
  const testing::Descriptor boxes = args.boxes.make_descriptor();
  return mluOpGetNmsRotatedWorkspaceSize(args.has_handle ? handle.get() : nullptr, boxes.get(),
                                         args.has_size ? &args.size : nullptr);
}

void queries() {
  testing::BadCallTable<QueryArgs> table;
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](QueryArgs& args) { args.has_handle = args.boxes.has_desc = false; });
  table.add("descriptor", BAD_PARAM, "boxes_desc must not be null",
            [](QueryArgs& args) { args.has_size = args.boxes.has_desc = false; });
  table.add("size", BAD_PARAM, "workspace_size must not be null",
            [](QueryArgs& args) { args.has_size = false; });
  table.expect_refused(
      "mluOpGetNmsRotatedWorkspaceSize", "", [] { return QueryArgs(); }, query);
}

}  // namespace

std::vector<testing::BadCallOutcome> nms_bad_calls() {
  return testing::outcomes_of([] {
    for (const auto rows :
         {null, dtypes, shapes, strides, sizes, limits_of_the_card, overlaps, queries}) {
      rows();
    }
  });
}

}  // namespace mluop::rotated_boxes::checks
