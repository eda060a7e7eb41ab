// What mluOpGetIndicePairs and its size query refuse, with which status and sentence. Sizes are in bad_sizes.cpp.
#include <limits>

#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

class GetIndicePairsBadCalls {
 public:
  void null();
  void descriptor_that_was_never_set();
  void rank_and_dtype();
  void shapes();
  void strides();
  void submanifold_geometry();
  void submanifold_with_fewer_rows_than_sites();
  void workspace_that_is_too_small();
  void rows_outside_the_space();
  void rows_outside_an_image();
  void fewer_rows_than_output_sites();
  void overlaps();

 private:
  Table table;
};

void GetIndicePairsBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add("sparse_conv_desc", BAD_PARAM, "sparse_conv_desc must not be null",
            [](Args& args) { args.has_geometry = false; });
  for (const auto& [name, tensor] : tensors) {
    table.add(name + " descriptor", BAD_PARAM, name + "_desc must not be null",
              [tensor = tensor](Args& args) { (args.*tensor).has_desc = false; });
  }
  table.expect_refused_in_both_modes();

  Table calls, queries;
  for (const auto& [name, tensor] : tensors) {
    calls.add(name + " data", BAD_PARAM, name + " must not be null",
              [tensor = tensor](Args& args) { (args.*tensor).has_data = false; });
  }
  calls.add("workspace", BAD_PARAM, "workspace must not be null",
            [](Args& args) { args.has_workspace = false; });
  queries.add("workspace_size", BAD_PARAM, "workspace_size must not be null",
              [](Args& args) { args.has_size = false; });
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    calls.expect_refused_call(limits);
    queries.expect_refused_query(limits);
  }
}

void GetIndicePairsBadCalls::descriptor_that_was_never_set() {
  table.add("new descriptor", BAD_PARAM, "sparse_conv_desc dimNb must be one of 4, 5, got 0",
            [](Args& args) { args.is_set = false; });
  table.expect_refused_in_both_modes();
}

void GetIndicePairsBadCalls::rank_and_dtype() {
  for (const auto& [name, tensor] : tensors) {
    const auto rank = static_cast<int>((Args{}.*tensor).dims.size());
    const std::string must = name + " must have " + std::to_string(rank) + " dims, got ";
    table.add(name + " with one dim more", BAD_PARAM, must + std::to_string(rank + 1),
              [tensor = tensor](Args& args) { (args.*tensor).dims.push_back(1); });
    for (mluOpDataType_t dtype : {MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_INT64, MLUOP_DTYPE_INT16}) {
      table.add(name + " of another dtype", BAD_PARAM, name + " dtype must be INT32, got ",
                [tensor = tensor, dtype](Args& args) { (args.*tensor).dtype = dtype; });
    }
  }
  table.expect_refused_in_both_modes();
}

void GetIndicePairsBadCalls::shapes() {
  table.add("columns of indices", BAD_PARAM, "indices dim 1 must be 4, got 3",
            [](Args& args) { args.indices.dims[1] = 3; });
  table.add("columns of out_indices", BAD_PARAM, "out_indices dim 1 must be 4, got 5",
            [](Args& args) { args.rows.dims[1] = 5; });
  table.add("sides of indice_pairs", BAD_PARAM, "indice_pairs dim 1 must be 2, got 1",
            [](Args& args) { args.pairs.dims[1] = 1; });
  table.add("sites of indice_pairs", BAD_PARAM,
            "indice_pairs dim 2 must be L = 1 (indices dim 0), got 2",
            [](Args& args) { args.pairs.dims[2] = 2; });
  table.add("offsets of indice_num", BAD_PARAM,
            "indice_num dim 0 must be K = 27 (indice_pairs dim 0), got 26",
            [](Args& args) { args.num.dims[0] = 26; });
  table.add("offsets of the kernel", BAD_PARAM, "indice_pairs dim 0 must be 3 * 3 * 3 = 27, got 26",
            [](Args& args) { args.offsets(26); });
  table.add("more output sites than cells", BAD_PARAM,
            "out_indices dim 0 must be at most 27, got 28",
            [](Args& args) { args.rows.dims[0] = 28; });
  table.add("more output sites than cells and rows", BAD_PARAM,
            "out_indices dim 0 must be at most 1, got 2", [](Args& args) {
              args.geometry.sub_m = 1;
              args.geometry.output_space = args.geometry.input_space;
              args.rows.dims[0] = 2;
            });
  table.expect_refused_in_both_modes();
}

void GetIndicePairsBadCalls::strides() {
  const std::vector<Dims> strides{{8, 2}, {4, 2, 1}, {8, 2}, {2}};
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    table.add(tensors[i].name, NOT_SUPPORTED, tensors[i].name + " must be contiguous",
              [tensor = tensors[i].tensor, own = strides[i]](Args& args) {
                (args.*tensor).strides = own;
              });
  }
  table.expect_refused_in_both_modes();
}

void GetIndicePairsBadCalls::submanifold_geometry() {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string at = std::string("[") + std::to_string(axis) + "] with sub_m must be ";
    const auto sub_m = [](Args& args) {
      args.geometry.sub_m = 1;
      args.geometry.output_space = args.geometry.input_space;
      args.rows.dims[0] = 1;
    };
    table.add("output space", BAD_PARAM, "output_space" + at + "1, got 2", [=](Args& args) {
      sub_m(args);
      args.geometry.output_space[axis] = 2;
    });
    table.add("stride", BAD_PARAM, "stride" + at + "1, got 2", [=](Args& args) {
      sub_m(args);
      args.geometry.stride[axis] = 2;
    });
  }
  table.expect_refused_in_both_modes();
}

void GetIndicePairsBadCalls::submanifold_with_fewer_rows_than_sites() {
  table.add("no room", BAD_PARAM, "out_indices dim 0 with sub_m must be at least 2, got 1",
            [](Args& args) {
              args.geometry.sub_m = 1;
              args.geometry.input_space = args.geometry.output_space;
              args.sites(2);
              args.rows.dims[0] = 1;
            });
  table.expect_refused_call(MLUOP_CPU_LIMITS_NONE);
  table.expect_refused_call(MLUOP_CPU_LIMITS_MLU);
}

void GetIndicePairsBadCalls::workspace_that_is_too_small() {
  table.add("a byte short", BAD_PARAM, "workspace_size must be at least ",
            [](Args& args) { args.missing_workspace = 1; });
  table.expect_refused_call(MLUOP_CPU_LIMITS_NONE);
  table.expect_refused_call(MLUOP_CPU_LIMITS_MLU);
}

void GetIndicePairsBadCalls::rows_outside_the_space() {
  const auto two_rows = [](Args& args) {
    args.geometry.batch = 2;
    args.geometry.input_space = {3, 4, 5};
    args.sites(2);
    args.indices_data = {1, 2, 3, 4, 0, 0, 0, 0};
  };
  const int bounds[] = {2, 3, 4, 5};
  for (std::size_t column = 0; column < 4; ++column) {
    const std::string at = "indices row 1, column " + std::to_string(column) + " must be ";
    for (int value : {-1, std::numeric_limits<int>::min()}) {
      table.add("negative", BAD_PARAM, at + "at least 0, got " + std::to_string(value),
                [=](Args& args) {
                  two_rows(args);
                  args.indices_data[4 + column] = value;
                });
    }
    for (int value : {bounds[column], std::numeric_limits<int>::max()}) {
      table.add(
          "beyond", BAD_PARAM,
          at + "at most " + std::to_string(bounds[column] - 1) + ", got " + std::to_string(value),
          [=](Args& args) {
            two_rows(args);
            args.indices_data[4 + column] = value;
          });
    }
  }
  table.add("the first of two", BAD_PARAM, "indices row 0, column 3 must be at most 4, got 5",
            [=](Args& args) {
              two_rows(args);
              args.indices_data = {1, 2, 3, 5, -1, 0, 0, 0};
            });
  table.add("sub_m", BAD_PARAM, "indices row 1, column 2 must be at most 3, got 4",
            [=](Args& args) {
              two_rows(args);
              args.geometry.sub_m = 1;
              args.geometry.output_space = args.geometry.input_space;
              args.indices_data[6] = 4;
            });
  table.expect_refused_call(MLUOP_CPU_LIMITS_NONE);
  table.expect_refused_call(MLUOP_CPU_LIMITS_MLU);
}

void GetIndicePairsBadCalls::rows_outside_an_image() {
  table.add("width", BAD_PARAM, "indices row 0, column 2 must be at most 6, got 7", [](Args& args) {
    args.geometry.axes = 2;
    args.geometry.input_space = {9, 7, 1};
    args.indices.dims[1] = args.rows.dims[1] = 3;
    args.offsets(9);
    args.rows.dims[0] = 9;
    args.indices_data = {0, 8, 7};
  });
  table.expect_refused_call(MLUOP_CPU_LIMITS_NONE);
}

void GetIndicePairsBadCalls::fewer_rows_than_output_sites() {
  table.add("7 rows for 8 sites", BAD_PARAM,
            "out_indices dim 0, the rows for num_act_out sites, must be at least 8, got 7",
            [](Args& args) { args.rows.dims[0] = 7; });
  table.expect_refused_call(MLUOP_CPU_LIMITS_NONE);
  table.expect_refused_call(MLUOP_CPU_LIMITS_MLU);
}

void GetIndicePairsBadCalls::overlaps() {
  testing::expect_overlaps_refused(
      call_name, "", Args{}, [](Args& args) { return args.memory(); }, call);
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls() {
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&GetIndicePairsBadCalls::null, &GetIndicePairsBadCalls::descriptor_that_was_never_set,
          &GetIndicePairsBadCalls::rank_and_dtype, &GetIndicePairsBadCalls::shapes,
          &GetIndicePairsBadCalls::strides, &GetIndicePairsBadCalls::submanifold_geometry,
          &GetIndicePairsBadCalls::submanifold_with_fewer_rows_than_sites,
          &GetIndicePairsBadCalls::workspace_that_is_too_small,
          &GetIndicePairsBadCalls::rows_outside_the_space,
          &GetIndicePairsBadCalls::rows_outside_an_image,
          &GetIndicePairsBadCalls::fewer_rows_than_output_sites,
          &GetIndicePairsBadCalls::overlaps}) {
      GetIndicePairsBadCalls calls;
      (calls.*rows)();
    }
    bad_sizes();
  });
}

}  // namespace mluop::sparse_conv::pairs_checks
