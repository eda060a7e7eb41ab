// What RoI-aware pooling refuses, with which status and sentence: the rules of both directions.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "ops/roiaware_pool3d/bad_calls.hpp"

namespace mluop::roiaware_pool3d::checks {
namespace {

template <class Args>
class RoiAwareBadCalls : public ::testing::Test {
 protected:
  Table<Args> table;
};
using Directions = ::testing::Types<ForwardArgs, BackwardArgs>;
TYPED_TEST_SUITE(RoiAwareBadCalls, Directions);

TYPED_TEST(RoiAwareBadCalls, Null) {
  this->table.add("handle", BAD_PARAM, "handle must not be null",
                  [](TypeParam& args) { args.has_handle = false; });
  for (const auto& [name, tensor] : tensors<TypeParam>()) {
    this->table.add(name + " descriptor", BAD_PARAM, name + "_desc must not be null",
                    [tensor = tensor](TypeParam& args) { (args.*tensor).has_desc = false; });
    this->table.add(name + " data", BAD_PARAM, name + " must not be null",
                    [tensor = tensor](TypeParam& args) { (args.*tensor).has_data = false; });
  }
  this->table.expect_refused_always();
}

TYPED_TEST(RoiAwareBadCalls, Rank) {
  for (const auto& [name, tensor] : tensors<TypeParam>()) {
    const TypeParam valid;
    const std::size_t rank = (valid.*tensor).dims.size();
    const std::string rule = name + " must have " + std::to_string(rank) + " dims, got ";
    this->table.add(name + " without a dim", BAD_PARAM, rule + std::to_string(rank - 1),
                    [tensor = tensor](TypeParam& args) { (args.*tensor).dims.pop_back(); });
    this->table.add(name + " with one more", BAD_PARAM, rule + std::to_string(rank + 1),
                    [tensor = tensor](TypeParam& args) { (args.*tensor).dims.push_back(1); });
  }
  this->table.expect_refused_always();
}

TYPED_TEST(RoiAwareBadCalls, Shapes) {
  const std::string sizes[] = {"boxes_num = 2", "out_x = 2", "out_y = 3", "out_z = 4"};
  for (const auto& [name, tensor] : tensors<TypeParam>()) {
    const TypeParam valid;
    if ((valid.*tensor).dims.size() != 5) continue;
    for (std::size_t axis = 0; axis < 5; ++axis) {
      const std::string last =
          name == "pts_idx_of_voxels" ? "max_pts_each_voxel = 6" : "channels = 5";
      this->table.add(name + " dim " + std::to_string(axis), BAD_PARAM,
                      name + " dim " + std::to_string(axis) + " must be " +
                          (axis < 4 ? sizes[axis] : last) + ", got 9",
                      [tensor = tensor, axis](TypeParam& args) { (args.*tensor).dims[axis] = 9; });
    }
  }
  this->table.expect_refused_always();
}

TYPED_TEST(RoiAwareBadCalls, Strides) {
  for (const auto& [name, tensor] : tensors<TypeParam>()) {
    this->table.add(name, NOT_SUPPORTED, name + " must be contiguous",
                    [tensor = tensor](TypeParam& args) {
                      auto& dims = (args.*tensor).dims;
                      auto& strides = (args.*tensor).strides;
                      strides.assign(dims.size(), 1);
                      for (std::size_t i = dims.size() - 1; i > 0; --i) {
                        strides[i - 1] = strides[i] * dims[i];
                      }
                      strides[0] += 1;
                    });
  }
  this->table.expect_refused_always();
}

TYPED_TEST(RoiAwareBadCalls, PoolMethod) {
  for (int method : {-1, 2, 100}) {
    this->table.add("pool_method " + std::to_string(method), BAD_PARAM,
                    "pool_method must be one of 0, 1, got " + std::to_string(method),
                    [method](TypeParam& args) { args.pool_method = method; });
  }
  this->table.expect_refused_always();
}

/// One size of the call and of every tensor that has it.
template <class Args>
void resize(Args& args, int CommonArgs::*size, int from, int to) {
  args.*size = to;
  for (const auto& [name, tensor] : tensors<Args>()) {
    for (std::int64_t& dim : (args.*tensor).dims) dim = dim == from ? to : dim;
  }
  for (std::int64_t& dim : args.argmax.dims) dim = dim == from ? to : dim;
}

TYPED_TEST(RoiAwareBadCalls, EmptyAndNegativeSizes) {
  const std::tuple<const char*, int CommonArgs::*, int> sizes[] = {
      {"channels", &CommonArgs::channels, 5},
      {"max_pts_each_voxel", &CommonArgs::max_pts_each_voxel, 6},
      {"out_y", &CommonArgs::out_y, 3},
      {"out_z", &CommonArgs::out_z, 4}};
  for (const auto& [name, size, value] : sizes) {
    for (const int wrong : {0, -1}) {
      this->table.add(name, BAD_PARAM,
                      std::string(name) + " must be at least 1, got " + std::to_string(wrong),
                      [size = size, value = value, wrong](TypeParam& args) {
                        // A size of pts happens to be the same; it stays.
                        resize(args, size, value, wrong);
                        if constexpr (std::is_same_v<TypeParam, ForwardArgs>)
                          args.pts.dims = {7, 3};
                      });
    }
  }
  // Both are 2 here: a table that tells them apart sets them by hand.
  this->table.add("boxes_num", BAD_PARAM, "boxes_num must be at least 1, got 0",
                  [](TypeParam& args) {
                    args.boxes_num = 0;
                    for (const auto& [name, tensor] : tensors<TypeParam>()) {
                      auto& dims = (args.*tensor).dims;
                      if (dims.size() == 5 || name == "rois") dims[0] = 0;
                    }
                    args.argmax.dims[0] = 0;
                  });
  this->table.add("out_x", BAD_PARAM, "out_x must be at least 1, got 0", [](TypeParam& args) {
    args.out_x = 0;
    for (const auto& [name, tensor] : tensors<TypeParam>()) {
      auto& dims = (args.*tensor).dims;
      if (dims.size() == 5) dims[1] = 0;
    }
    args.argmax.dims[1] = 0;
  });
  this->table.expect_refused_always();
}

TYPED_TEST(RoiAwareBadCalls, CardLimits) {
  const auto add = [&](const char* name, int CommonArgs::*size, int from, int to) {
    this->table.add(name, NOT_SUPPORTED, std::string(name) + " must be at most ",
                    [=](TypeParam& args) { resize(args, size, from, to); });
    this->table.add(name, NOT_SUPPORTED, ", got " + std::to_string(to) + on_card,
                    [=](TypeParam& args) { resize(args, size, from, to); });
  };
  constexpr bool forward = std::is_same_v<TypeParam, ForwardArgs>;
  add("channels", &CommonArgs::channels, 5, 65536);
  add("max_pts_each_voxel", &CommonArgs::max_pts_each_voxel, 6, forward ? 2977 : 98241);
  this->table.add("boxes_num", NOT_SUPPORTED,
                  "boxes_num must be at most 65535, got 65536" + on_card, [](TypeParam& args) {
                    args.out_x = 3;
                    for (const auto& [name, tensor] : tensors<TypeParam>()) {
                      auto& dims = (args.*tensor).dims;
                      if (dims.size() == 5) dims[1] = 3;
                    }
                    args.argmax.dims[1] = 3;
                    resize(args, &CommonArgs::boxes_num, 2, 65536);
                  });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    this->table.add(name, BAD_PARAM,
                    std::string(" dtype must be HALF or FLOAT, got ") + name + on_card,
                    [dtype = dtype](TypeParam& args) { args.dtypes(dtype); });
  }
  this->table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

TYPED_TEST(RoiAwareBadCalls, LargeTensorsOnTheCardOnly) {
  // 2^31 elements of argmax or grad_out, if the check gets so far.
  const auto enlarge = [](TypeParam& args) {
    resize(args, &CommonArgs::channels, 5, 60000);
    resize(args, &CommonArgs::out_z, 4, 4000);
  };
  Table<TypeParam> without;
  const std::string first = std::is_same_v<TypeParam, ForwardArgs> ? "pooled_features" : "argmax";
  this->table.add("large", NOT_SUPPORTED,
                  first + " must have fewer than 2147483648 elements, got 2880000000" + on_card,
                  enlarge);
  this->table.expect_refused(MLUOP_CPU_LIMITS_MLU);
  without.add("large, without data", BAD_PARAM, "pts_idx_of_voxels must not be null",
              [=](TypeParam& args) {
                enlarge(args);
                args.voxels.has_data = false;
              });
  without.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

}  // namespace
}  // namespace mluop::roiaware_pool3d::checks
