// A call of rotated feature align that rows of a table can spoil.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ops/rotated_feature_align/kit/direction.hpp"
#include "testing/data/handle.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::rotated_feature_align::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

using testing::TensorArgument;

/// A valid call until a row spoils it. Both directions take from, bboxes, to.
struct Args {
  TensorArgument from{{2, 3, 4, 8}, MLUOP_LAYOUT_NHWC};
  TensorArgument bboxes{{2, 3, 4, 5}};
  TensorArgument to{{2, 3, 4, 8}, MLUOP_LAYOUT_NHWC};
  float spatial_scale = 0.5f;
  int points = 5;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  // The data fit the valid call; a larger tensor must be refused before they are read.
  std::vector<double> from_data = std::vector<double>(192, 1.0);
  std::vector<double> bboxes_data = std::vector<double>(120);
  std::vector<double> to_data = std::vector<double>(192, -7.0);

  bool outputs_untouched() const { return to_data == std::vector<double>(192, -7.0); }

  void dims(std::initializer_list<std::int64_t> sizes) { from.dims = to.dims = sizes; }
  void dtypes(mluOpDataType_t dtype) { from.dtype = bboxes.dtype = to.dtype = dtype; }
};

inline mluOpStatus_t call(const Direction& direction, Args& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const testing::Descriptor from = args.from.make_descriptor();
  const testing::Descriptor bboxes = args.bboxes.make_descriptor();
  const testing::Descriptor to = args.to.make_descriptor();
  return direction.call(args.has_handle ? handle.get() : nullptr, from.get(),
                        args.from.data(args.from_data), bboxes.get(),
                        args.bboxes.data(args.bboxes_data), args.spatial_scale, args.points,
                        to.get(), args.to.data(args.to_data));
}

/// Rows under construction for one direction.
class Table : public testing::BadCallTable<Args> {
 public:
  explicit Table(const Direction& direction) : direction_(direction) {}

  void expect_refused(mluOpCpuLimits_t limits) const {
    const auto make_valid = [limits] {
      Args args;
      args.limits = limits;
      return args;
    };
    BadCallTable::expect_refused(direction_.function, testing::mode_of(limits), make_valid,
                                 [this](Args& args) { return call(direction_, args); });
  }

 private:
  const Direction& direction_;
};

/// Each argument by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

class BadCalls {
 public:
  explicit BadCalls(const Direction& direction) : direction_(direction), table(direction) {}

 protected:
  const Direction& direction() const { return direction_; }
  std::string from() const { return direction().from; }
  std::string to() const { return direction().to; }
  std::vector<Named> tensors() const {
    return {{from(), &Args::from}, {"bboxes", &Args::bboxes}, {to(), &Args::to}};
  }

  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    table.expect_refused(MLUOP_CPU_LIMITS_NONE);
    table.expect_refused(MLUOP_CPU_LIMITS_MLU);
  }

 private:
  const Direction& direction_;

 protected:
  Table table;
};

/// Sizes above the card's limits in the named tensors; the data are smaller.
inline void large_features(Args& args) {
  args.dims({1, 1, 2, std::int64_t{1} << 30});
  args.bboxes.dims = {1, 1, 2, 5};
}
inline void large_boxes(Args& args) {
  args.dims({1, 1024, 1024 * 1024, 1});
  args.bboxes.dims = {1, 1024, 1024 * 1024, 5};
}

/// Tries every row of the tables.
std::vector<testing::BadCallOutcome> bad_calls(const Direction& direction);

}  // namespace mluop::rotated_feature_align::checks
