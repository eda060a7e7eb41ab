// A call of rotated feature align that rows of a table can spoil; for the tests of its checks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "ops/rotated_feature_align/direction.hpp"
#include "testing/bad_calls.hpp"
#include "testing/handle.hpp"

namespace mluop::rotated_feature_align::checks {

inline constexpr mluOpStatus_t BAD_PARAM = MLUOP_STATUS_BAD_PARAM;
inline constexpr mluOpStatus_t NOT_SUPPORTED = MLUOP_STATUS_NOT_SUPPORTED;

struct TensorArgument {
  std::vector<std::int64_t> dims;
  mluOpTensorLayout_t layout = MLUOP_LAYOUT_NHWC;
  mluOpDataType_t dtype = MLUOP_DTYPE_FLOAT;
  std::vector<std::int64_t> strides = {};  // dense when empty
  bool has_desc = true;
  bool has_data = true;

  /// Null without a descriptor.
  mluOpTensorDescriptor_t make_descriptor() const {
    if (!has_desc) return nullptr;
    mluOpTensorDescriptor_t desc = nullptr;
    testing::expect_success(mluOpCreateTensorDescriptor(&desc), "mluOpCreateTensorDescriptor");
    const int rank = static_cast<int>(dims.size());
    const mluOpStatus_t status =
        strides.empty()
            ? mluOpSetTensorDescriptor_v2(desc, layout, dtype, rank, dims.data())
            : mluOpSetTensorDescriptorEx_v2(desc, layout, dtype, rank, dims.data(), strides.data());
    testing::expect_success(status, "mluOpSetTensorDescriptor");
    return desc;
  }
};

/// A valid call until a row spoils it. Both directions take from, bboxes, to.
struct Args {
  TensorArgument from{{2, 3, 4, 8}};
  TensorArgument bboxes{{2, 3, 4, 5}, MLUOP_LAYOUT_ARRAY};
  TensorArgument to{{2, 3, 4, 8}};
  float spatial_scale = 0.5f;
  int points = 5;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  bool has_handle = true;

  // The data fit the valid call; a larger tensor must be refused before they are looked at.
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
  const mluOpTensorDescriptor_t from = args.from.make_descriptor();
  const mluOpTensorDescriptor_t bboxes = args.bboxes.make_descriptor();
  const mluOpTensorDescriptor_t to = args.to.make_descriptor();
  const mluOpStatus_t status =
      direction.call(args.has_handle ? handle.get() : nullptr, from,
                     args.from.has_data ? args.from_data.data() : nullptr, bboxes,
                     args.bboxes.has_data ? args.bboxes_data.data() : nullptr, args.spatial_scale,
                     args.points, to, args.to.has_data ? args.to_data.data() : nullptr);
  const std::string sentence = mluOpCpuGetLastError();
  for (mluOpTensorDescriptor_t desc : {from, bboxes, to}) {
    if (desc != nullptr) mluOpDestroyTensorDescriptor(desc);
  }
  EXPECT_EQ(sentence, mluOpCpuGetLastError());
  return status;
}

/// Rows under construction, with the texts they point to.
class Table {
 public:
  explicit Table(const Direction& direction) : direction_(direction) {}

  void add(std::string what, mluOpStatus_t status, std::string text,
           std::function<void(Args&)> spoil) {
    texts_.push_back(std::move(what));
    const char* const kept_what = texts_.back().c_str();
    texts_.push_back(std::move(text));
    rows_.push_back({kept_what, std::move(spoil), status, texts_.back().c_str()});
  }

  void expect_refused(mluOpCpuLimits_t limits) const {
    const auto make_valid = [limits] {
      Args args;
      args.limits = limits;
      return args;
    };
    testing::expect_bad_calls<Args>(
        direction_.function, make_valid, [this](Args& args) { return call(direction_, args); },
        rows_);
  }

 private:
  const Direction& direction_;
  std::deque<std::string> texts_;
  std::vector<testing::BadCall<Args>> rows_;
};

/// Each argument by its name in messages.
struct Named {
  std::string name;
  TensorArgument Args::*tensor;
};

class BadCallsTest : public ::testing::TestWithParam<const Direction*> {
 protected:
  const Direction& direction() const { return *GetParam(); }
  std::string from() const { return direction().from; }
  std::string to() const { return direction().to; }
  std::vector<Named> tensors() const {
    return {{from(), &Args::from}, {"bboxes", &Args::bboxes}, {to(), &Args::to}};
  }

  /// The same rows must hold whether or not the card's limits apply.
  void expect_refused_in_both_modes() const {
    for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
      SCOPED_TRACE(limits == MLUOP_CPU_LIMITS_MLU ? "with the card's limits" : "without limits");
      table.expect_refused(limits);
    }
  }

  Table table{*GetParam()};
};

/// Sizes that exceed the card in the named tensors; the data are not that large.
inline void large_features(Args& args) {
  args.dims({1, 1, 2, std::int64_t{1} << 30});
  args.bboxes.dims = {1, 1, 2, 5};
}
inline void large_boxes(Args& args) {
  args.dims({1, 1024, 1024 * 1024, 1});
  args.bboxes.dims = {1, 1024, 1024 * 1024, 5};
}

}  // namespace mluop::rotated_feature_align::checks
