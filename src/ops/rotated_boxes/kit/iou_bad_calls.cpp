// What mluOpBoxIouRotated refuses, with which status and sentence.
#include <functional>
#include <utility>

#include "ops/rotated_boxes/kit/spoilable_call.hpp"

namespace mluop::rotated_boxes::checks {
namespace {

const std::string card = " (a limit of the card, in force on this handle)";
using Table = testing::BadCallTable<IouArgs>;

struct Named {
  std::string name;
  TensorArgument IouArgs::*tensor;
};
const Named named[] = {
    {"bbox1", &IouArgs::bbox1}, {"bbox2", &IouArgs::bbox2}, {"ious", &IouArgs::ious}};

/// Rows for a matrix, or for pairs.
class IouBadCalls {
 public:
  explicit IouBadCalls(bool aligned) : aligned_(aligned) {}

  void null() {
    table_.add("handle", BAD_PARAM, "handle must not be null",
               [](IouArgs& args) { args.has_handle = false; });
    table_.add_missing(named);
    in_both_modes();
  }

  void dtypes() {
    table_.add("INT32", BAD_PARAM, "bbox1 dtype must be",
               [](IouArgs& args) { args.dtypes(MLUOP_DTYPE_INT32); });
    table_.add("bbox2 INT32", BAD_PARAM, "bbox2 dtype must be that of bbox1 (FLOAT), got INT32",
               [](IouArgs& args) { args.bbox2.dtype = MLUOP_DTYPE_INT32; });
    table_.add("ious DOUBLE", BAD_PARAM, "ious dtype must be that of bbox1 (FLOAT), got DOUBLE",
               [](IouArgs& args) { args.ious.dtype = MLUOP_DTYPE_DOUBLE; });
    in_both_modes();
  }

  void mode() {
    for (const int mode : {-1, 2, 5}) {
      table_.add("mode " + std::to_string(mode), BAD_PARAM,
                 "mode must be one of 0, 1, got " + std::to_string(mode),
                 [mode](IouArgs& args) { args.mode = mode; });
    }
    in_both_modes();
  }

  void shapes() {
    table_.add_wrong_ranks("bbox1", &IouArgs::bbox1, 2);
    table_.add_wrong_ranks("bbox2", &IouArgs::bbox2, 2);
    table_.add("4 fields", BAD_PARAM, "bbox1 dim 1 must be 5, got 4",
               [](IouArgs& args) { args.bbox1.dims[1] = 4; });
    table_.add("6 fields of bbox2", BAD_PARAM, "bbox2 dim 1 must be 5, got 6",
               [](IouArgs& args) { args.bbox2.dims[1] = 6; });
    table_.add("more rows of ious", BAD_PARAM, "ious dim 0 must be N = 4 (bbox1 dim 0), got 5",
               [](IouArgs& args) { args.ious.dims[0] = 5; });
    if (aligned_) {
      table_.add("a matrix for pairs", BAD_PARAM, "ious must have 1 dims, got 2",
                 [](IouArgs& args) {
                   args.ious.dims = {4, 4};
                 });
      table_.add("other pairs", BAD_PARAM, "bbox2 dim 0 must be N = 4 (bbox1 dim 0), got 3",
                 [](IouArgs& args) { args.bbox2.dims[0] = 3; });
    } else {
      table_.add("pairs for a matrix", BAD_PARAM, "ious must have 2 dims, got 1",
                 [](IouArgs& args) { args.ious.dims = {4}; });
      table_.add("fewer columns", BAD_PARAM, "ious dim 1 must be M = 3 (bbox2 dim 0), got 2",
                 [](IouArgs& args) { args.ious.dims[1] = 2; });
    }
    in_both_modes();
  }

  void strides() {
    for (const auto& [name, tensor] : named) {
      table_.add_strided(name, tensor, "with spaced elements", NOT_SUPPORTED,
                         [](auto& strides) { strides.back() = 2; });
    }
    in_both_modes();
  }

  void sizes() {
    table_.add("negative", BAD_PARAM, "bbox1 dim 0 must be at least 0, got -4",
               [](IouArgs& args) { args.sizes(-4, -4); });
    table_.add("no address space is this large", BAD_PARAM,
               "bbox1 must fit an address space, got dims",
               [](IouArgs& args) { args.sizes(std::int64_t{1} << 60, std::int64_t{1} << 60); });
    in_default_mode();
  }

  void limits_of_the_card() {
    for (const auto& [dtype, name] :
         {std::pair{MLUOP_DTYPE_HALF, "HALF"}, std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"},
          std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
      table_.add(name, BAD_PARAM, "bbox1 dtype must be FLOAT, got " + std::string(name) + card,
                 [dtype = dtype](IouArgs& args) { args.dtypes(dtype); });
    }
    if (aligned_) {
      table_.add("too many pairs", NOT_SUPPORTED,
                 "bbox1 dim 0 must be at most 10000000, got 10000001" + card,
                 [](IouArgs& args) { args.sizes(10'000'001, 10'000'001); });
    } else {
      table_.add("5 * 2^29 fields", NOT_SUPPORTED,
                 "bbox1 must have fewer than 2147483648 elements, got 2684354560" + card,
                 [](IouArgs& args) { args.sizes(1 << 29, 1); });
      table_.add("2^32 results", NOT_SUPPORTED,
                 "ious must have fewer than 2147483648 elements, got 4294967296" + card,
                 [](IouArgs& args) { args.sizes(1 << 16, 1 << 16); });
    }
    expect_refused(table_, iou_function, suffix(), MLUOP_CPU_LIMITS_MLU, valid());
  }

  void large_tensors_by_default() {
    const std::int64_t many = aligned_ ? 10'000'001 : 1 << 29;
    table_.add("more than the card takes", BAD_PARAM, "bbox1 must not be null",
               [many](IouArgs& args) {
                 args.sizes(many, args.aligned ? many : 1);
                 args.bbox1.has_data = false;
               });
    in_default_mode();
  }

  void overlaps() {
    using Role = testing::PlaceableMemory::Role;
    const auto memory_of = [](IouArgs& args) {
      return std::vector{args.bbox1.memory("bbox1", Role::input),
                         args.bbox2.memory("bbox2", Role::input),
                         args.ious.memory("ious", Role::output)};
    };
    testing::expect_overlaps_refused(iou_function, suffix(), IouArgs(aligned_), memory_of,
                                     [](IouArgs& args) { return call(args); });
  }

 private:
  std::string suffix() const { return aligned_ ? ", aligned" : ""; }
  std::function<IouArgs()> valid() const {
    return [aligned = aligned_] { return IouArgs(aligned); };
  }
  void in_both_modes() { expect_refused_in_both_modes(table_, iou_function, suffix(), valid()); }
  void in_default_mode() {
    expect_refused(table_, iou_function, suffix(), MLUOP_CPU_LIMITS_NONE, valid());
  }

  bool aligned_;
  Table table_;
};

}  // namespace

std::vector<testing::BadCallOutcome> iou_bad_calls() {
  using Rows = IouBadCalls;
  return testing::outcomes_of([] {
    for (const bool aligned : {false, true}) {
      for (const auto rows :
           {&Rows::null, &Rows::dtypes, &Rows::mode, &Rows::shapes, &Rows::strides, &Rows::sizes,
            &Rows::limits_of_the_card, &Rows::large_tensors_by_default, &Rows::overlaps}) {
        IouBadCalls calls(aligned);
        (calls.*rows)();
      }
    }
  });
}

}  // namespace mluop::rotated_boxes::checks
