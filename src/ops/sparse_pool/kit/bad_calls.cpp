// What pooling over index pairs refuses, with which status and sentence.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/sparse_pool/kit/spoilable_call.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::sparse_pool::checks {
namespace {

class SparsePoolBadCalls : public BadCalls {
 public:
  using BadCalls::BadCalls;

  void null();
  void dtype();
  void mode();
  void rank();
  void strides();
  void shapes();
  void counts();
  void negative_and_immense_sizes();
  void limits_of_the_card();
  void without_limits_the_check_accepts_large_tensors();
  void pairs();
  void overlaps();
};

void SparsePoolBadCalls::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add("indice_num", BAD_PARAM, "indice_num must not be null",
            [](Args& args) { args.has_indice_num = false; });
  table.add_missing(tensors_of(operation()));
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::dtype() {
  for (const auto& [dtype, name] : {std::pair{MLUOP_DTYPE_INT32, "INT32"},
                                    std::pair{MLUOP_DTYPE_COMPLEX_FLOAT, "COMPLEX_FLOAT"},
                                    std::pair{static_cast<mluOpDataType_t>(200), ""}}) {
    table.add(std::string{"all "} + name, BAD_PARAM, first() + " dtype must be HALF",
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  for (const auto& [name, tensor] : floats_of(operation())) {
    if (name == first()) continue;
    table.add(name + " of another dtype", BAD_PARAM,
              name + " dtype must be that of " + first() + " (FLOAT), got HALF",
              [tensor = tensor](Args& args) { (args.*tensor).dtype = MLUOP_DTYPE_HALF; });
  }
  table.add("INT64 pairs", BAD_PARAM, "indice_pairs dtype must be INT32, got INT64",
            [](Args& args) { args.pairs.dtype = MLUOP_DTYPE_INT64; });
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::mode() {
  if (!operation().maximum) return;
  for (int mode : {-1, 2, 1 << 30}) {
    table.add("mode " + std::to_string(mode), BAD_PARAM,
              "mode must be one of 0, 1, got " + std::to_string(mode),
              [mode](Args& args) { args.mode = mode; });
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::rank() {
  for (const auto& [name, tensor] : tensors_of(operation())) {
    table.add_wrong_ranks(name, tensor, name == "indice_pairs" ? 3 : 2);
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::strides() {
  for (const auto& [name, tensor] : tensors_of(operation())) {
    table.add_strided(name, tensor, "with padded rows", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] += 1; });
    table.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                      [](auto& strides) { strides.back() = 2; });
    table.add_strided(name, tensor, "broadcast", NOT_SUPPORTED,
                      [](auto& strides) { strides[0] = 0; });
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::shapes() {
  const std::string of_L = " must be L = 4 (" + input() + " dim 0), got 7";
  const std::string of_C = " must be C = 5 (" + input() + " dim 1), got 7";
  table.add("pairs of other rows", BAD_PARAM, "indice_pairs dim 2" + of_L,
            [](Args& args) { args.pairs.dims[2] = 7; });
  for (std::int64_t sides : {1, 3}) {
    table.add("pairs of " + std::to_string(sides) + " sides", BAD_PARAM,
              "indice_pairs dim 1 must be 2, got " + std::to_string(sides),
              [sides](Args& args) { args.pairs.dims[1] = sides; });
  }
  for (const auto& [name, tensor] : floats_of(operation())) {
    if (name == input()) continue;
    table.add(name + " with other channels", BAD_PARAM, name + " dim 1" + of_C,
              [tensor = tensor](Args& args) { (args.*tensor).dims[1] = 7; });
  }
  if (!operation().backward) {
    table.add("other output rows", BAD_PARAM, "features_out dim 0 must be num_act_out = 6, got 7",
              [](Args& args) { args.features_out.dims[0] = 7; });
    table.add("another num_act_out", BAD_PARAM, "features_out dim 0 must be num_act_out = 7, got 6",
              [](Args& args) { args.num_act_out = 7; });
  } else if (operation().maximum) {
    table.add("input_grad of other rows", BAD_PARAM, "input_grad dim 0" + of_L,
              [](Args& args) { args.input_grad.dims[0] = 7; });
    table.add("output_grad of other rows", BAD_PARAM,
              "output_grad dim 0 must be Y = 6 (features_out dim 0), got 7",
              [](Args& args) { args.output_grad.dims[0] = 7; });
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::counts() {
  for (std::size_t k : {0, 2}) {
    const std::string name = "indice_num[" + std::to_string(k) + "]";
    table.add("below 0 at " + name, BAD_PARAM, name + " must be at least 0, got -1",
              [k](Args& args) { args.indice_num[k] = -1; });
    table.add("above L at " + name, BAD_PARAM, name + " must be at most 4, got 5",
              [k](Args& args) { args.indice_num[k] = 5; });
    table.add("immense at " + name, BAD_PARAM, name + " must be at most 4, got",
              [k](Args& args) { args.indice_num[k] = INT64_MAX; });
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::negative_and_immense_sizes() {
  table.add("negative", BAD_PARAM, first() + " dim 1 must be at least 0, got -5",
            [](Args& args) { args.sizes(4, 6, -5); });
  table.add("no address space is this large", BAD_PARAM,
            first() + " must fit an address space, got dims", [](Args& args) {
              const std::int64_t side = std::int64_t{1} << 31;
              args.sizes(side, side, side);
            });
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

const std::string on_card = " (a limit of the card, in force on this handle)";

void SparsePoolBadCalls::limits_of_the_card() {
  table.add("2^31 elements", NOT_SUPPORTED,
            first() + " must have fewer than 2147483648 elements, got 2147483648" + on_card,
            [](Args& args) { args.sizes(2, 2, std::int64_t{1} << 30); });
  table.add("2^31 entries of pairs", NOT_SUPPORTED,
            "indice_pairs must have fewer than 2147483648 elements, got",
            [](Args& args) { args.pairs.dims[0] = std::int64_t{1} << 30; });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, first() + " dtype must be HALF or FLOAT, got " + name + on_card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void SparsePoolBadCalls::without_limits_the_check_accepts_large_tensors() {
  const auto enlarge = [](Args& args) {
    args.sizes(4, 2, std::int64_t{1} << 30);
    args.features.has_data = args.output_grad.has_data = false;
  };
  table.add("2^31 elements", BAD_PARAM, first() + " must not be null", enlarge);
  expect_refused(MLUOP_CPU_LIMITS_NONE);
}

void SparsePoolBadCalls::pairs() {
  for (int side : {0, 1}) {
    const std::string rows =
        side == 0
            ? "4 (rows of " + std::string(operation().backward ? "input_grad" : "features")
            : "6 (rows of " + std::string(operation().backward ? "output_grad" : "features_out");
    for (const std::int32_t value : {-1, side == 0 ? 4 : 6, INT32_MIN, INT32_MAX}) {
      table.add("a pair that names row " + std::to_string(value), BAD_PARAM,
                "indice_pairs[2," + std::to_string(side) + ",3] must be at least 0 and below " +
                    rows + "), got " + std::to_string(value),
                [=](Args& args) { args.pair(2, side, 3) = value; });
      if (!operation().maximum) continue;
      table.add("the same with the true maximum", BAD_PARAM,
                "indice_pairs[0," + std::to_string(side) + ",1] must be at least 0",
                [=](Args& args) {
                  args.pair(0, side, 1) = value;
                  args.mode = MLUOP_CPU_MAXPOOL_EXACT;
                });
    }
  }
  expect_refused_in_both_modes();
}

void SparsePoolBadCalls::overlaps() {
  using Role = testing::PlaceableMemory::Role;
  const auto memory_of = [&](Args& args) {
    std::vector<testing::PlaceableMemory> memory;
    for (const auto& [name, tensor] : tensors_of(operation())) {
      const bool written = name == result();
      memory.push_back((args.*tensor)
                           .memory(name, written ? Role::output : Role::input,
                                   name == "indice_pairs" ? args.pairs_data.data() : nullptr));
    }
    memory.insert(memory.end() - 1,
                  {"indice_num", Role::input, args.indice_num.size() * sizeof(std::int64_t),
                   &args.indice_num_place, args.indice_num.data()});
    return memory;
  };
  testing::expect_overlaps_refused(operation().function, "", Args{}, memory_of,
                                   [&](Args& args) { return call(operation(), args); });
}

}  // namespace

std::vector<testing::BadCallOutcome> bad_calls(const Operation& operation) {
  return testing::outcomes_of([&] {
    for (const auto rows :
         {&SparsePoolBadCalls::null, &SparsePoolBadCalls::dtype, &SparsePoolBadCalls::mode,
          &SparsePoolBadCalls::rank, &SparsePoolBadCalls::strides, &SparsePoolBadCalls::shapes,
          &SparsePoolBadCalls::counts, &SparsePoolBadCalls::negative_and_immense_sizes,
          &SparsePoolBadCalls::limits_of_the_card,
          &SparsePoolBadCalls::without_limits_the_check_accepts_large_tensors,
          &SparsePoolBadCalls::pairs, &SparsePoolBadCalls::overlaps}) {
      SparsePoolBadCalls calls(operation);
      (calls.*rows)();
    }
  });
}

}  // namespace mluop::sparse_pool::checks
