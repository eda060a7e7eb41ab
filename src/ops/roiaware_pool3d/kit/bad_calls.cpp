// What RoI-aware pooling refuses, with which status and sentence: the rules of both directions.
#include <cstdint>
#include <string>
#include <utility>

#include "ops/roiaware_pool3d/kit/spoilable_call.hpp"

namespace mluop::roiaware_pool3d::checks {
namespace {

template <class Args>
class RoiAwareBadCalls {
 public:
  void null();
  void rank();
  void shapes();
  void strides();
  void pool_method();
  void empty_and_negative_sizes();
  void card_limits();
  void large_tensors_on_the_card_only();
  void overlaps();

 private:
  Table<Args> table;
};

template <class Args>
void RoiAwareBadCalls<Args>::null() {
  table.add("handle", BAD_PARAM, "handle must not be null",
            [](Args& args) { args.has_handle = false; });
  table.add_missing(tensors<Args>());
  table.expect_refused_always();
}

template <class Args>
void RoiAwareBadCalls<Args>::rank() {
  for (const auto& [name, tensor] : tensors<Args>()) {
    const Args valid;
    table.add_wrong_ranks(name, tensor, (valid.*tensor).dims.size());
  }
  table.expect_refused_always();
}

template <class Args>
void RoiAwareBadCalls<Args>::shapes() {
  const std::string sizes[] = {"boxes_num = 2", "out_x = 2", "out_y = 3", "out_z = 4"};
  for (const auto& [name, tensor] : tensors<Args>()) {
    const Args valid;
    if ((valid.*tensor).dims.size() != 5) continue;
    for (std::size_t axis = 0; axis < 5; ++axis) {
      const std::string last =
          name == "pts_idx_of_voxels" ? "max_pts_each_voxel = 6" : "channels = 5";
      table.add(name + " dim " + std::to_string(axis), BAD_PARAM,
                name + " dim " + std::to_string(axis) + " must be " +
                    (axis < 4 ? sizes[axis] : last) + ", got 9",
                [tensor = tensor, axis](Args& args) { (args.*tensor).dims[axis] = 9; });
    }
  }
  table.expect_refused_always();
}

template <class Args>
void RoiAwareBadCalls<Args>::strides() {
  for (const auto& [name, tensor] : tensors<Args>()) {
    table.add(name, NOT_SUPPORTED, name + " must be contiguous", [tensor = tensor](Args& args) {
      auto& dims = (args.*tensor).dims;
      auto& strides = (args.*tensor).strides;
      strides.assign(dims.size(), 1);
      for (std::size_t i = dims.size() - 1; i > 0; --i) {
        strides[i - 1] = strides[i] * dims[i];
      }
      strides[0] += 1;
    });
  }
  table.expect_refused_always();
}

template <class Args>
void RoiAwareBadCalls<Args>::pool_method() {
  for (int method : {-1, 2, 100}) {
    table.add("pool_method " + std::to_string(method), BAD_PARAM,
              "pool_method must be one of 0, 1, got " + std::to_string(method),
              [method](Args& args) { args.pool_method = method; });
  }
  table.expect_refused_always();
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

template <class Args>
void RoiAwareBadCalls<Args>::empty_and_negative_sizes() {
  const std::tuple<const char*, int CommonArgs::*, int> sizes[] = {
      {"channels", &CommonArgs::channels, 5},
      {"max_pts_each_voxel", &CommonArgs::max_pts_each_voxel, 6},
      {"out_y", &CommonArgs::out_y, 3},
      {"out_z", &CommonArgs::out_z, 4}};
  for (const auto& [name, size, value] : sizes) {
    for (const int wrong : {0, -1}) {
      table.add(name, BAD_PARAM,
                std::string(name) + " must be at least 1, got " + std::to_string(wrong),
                [size = size, value = value, wrong](Args& args) {
                  // A size of pts happens to be the same; it stays.
                  resize(args, size, value, wrong);
                  if constexpr (std::is_same_v<Args, ForwardArgs>) args.pts.dims = {7, 3};
                });
    }
  }
  // Both are 2 here: a table that tells them apart sets them by hand.
  table.add("boxes_num", BAD_PARAM, "boxes_num must be at least 1, got 0", [](Args& args) {
    args.boxes_num = 0;
    for (const auto& [name, tensor] : tensors<Args>()) {
      auto& dims = (args.*tensor).dims;
      if (dims.size() == 5 || name == "rois") dims[0] = 0;
    }
    args.argmax.dims[0] = 0;
  });
  table.add("out_x", BAD_PARAM, "out_x must be at least 1, got 0", [](Args& args) {
    args.out_x = 0;
    for (const auto& [name, tensor] : tensors<Args>()) {
      auto& dims = (args.*tensor).dims;
      if (dims.size() == 5) dims[1] = 0;
    }
    args.argmax.dims[1] = 0;
  });
  table.expect_refused_always();
}

template <class Args>
void RoiAwareBadCalls<Args>::card_limits() {
  const auto add = [&](const char* name, int CommonArgs::*size, int from, int to) {
    table.add(name, NOT_SUPPORTED, std::string(name) + " must be at most ",
              [=](Args& args) { resize(args, size, from, to); });
    table.add(name, NOT_SUPPORTED, ", got " + std::to_string(to) + on_card,
              [=](Args& args) { resize(args, size, from, to); });
  };
  constexpr bool forward = std::is_same_v<Args, ForwardArgs>;
  add("channels", &CommonArgs::channels, 5, 65536);
  add("max_pts_each_voxel", &CommonArgs::max_pts_each_voxel, 6, forward ? 2977 : 98241);
  table.add("boxes_num", NOT_SUPPORTED, "boxes_num must be at most 65535, got 65536" + on_card,
            [](Args& args) {
              args.out_x = 3;
              for (const auto& [name, tensor] : tensors<Args>()) {
                auto& dims = (args.*tensor).dims;
                if (dims.size() == 5) dims[1] = 3;
              }
              args.argmax.dims[1] = 3;
              resize(args, &CommonArgs::boxes_num, 2, 65536);
            });
  for (const auto& [dtype, name] :
       {std::pair{MLUOP_DTYPE_DOUBLE, "DOUBLE"}, std::pair{MLUOP_DTYPE_BFLOAT16, "BFLOAT16"}}) {
    table.add(name, BAD_PARAM, std::string(" dtype must be HALF or FLOAT, got ") + name + on_card,
              [dtype = dtype](Args& args) { args.dtypes(dtype); });
  }
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
}

template <class Args>
void RoiAwareBadCalls<Args>::large_tensors_on_the_card_only() {
  // 2^31 elements of argmax or grad_out, if the check gets so far.
  const auto enlarge = [](Args& args) {
    resize(args, &CommonArgs::channels, 5, 60000);
    resize(args, &CommonArgs::out_z, 4, 4000);
  };
  Table<Args> without;
  const std::string first = std::is_same_v<Args, ForwardArgs> ? "pooled_features" : "argmax";
  table.add("large", NOT_SUPPORTED,
            first + " must have fewer than 2147483648 elements, got 2880000000" + on_card, enlarge);
  table.expect_refused(MLUOP_CPU_LIMITS_MLU);
  without.add("large, without data", BAD_PARAM, "pts_idx_of_voxels must not be null",
              [=](Args& args) {
                enlarge(args);
                args.voxels.has_data = false;
              });
  without.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

template <class Args>
void RoiAwareBadCalls<Args>::overlaps() {
  for (const int pool_method : {0, 1}) {
    Args valid;
    valid.pool_method = pool_method;
    testing::expect_overlaps_refused(
        function_of<Args>, ", pool_method " + std::to_string(pool_method), valid,
        [](Args& args) { return args.memory(); }, [](Args& args) { return call(args); });
  }
}

}  // namespace

template <class Args>
std::vector<testing::BadCallOutcome> bad_calls() {
  using Calls = RoiAwareBadCalls<Args>;
  return testing::outcomes_of([] {
    for (const auto rows :
         {&Calls::null, &Calls::rank, &Calls::shapes, &Calls::strides, &Calls::pool_method,
          &Calls::empty_and_negative_sizes, &Calls::card_limits,
          &Calls::large_tensors_on_the_card_only, &Calls::overlaps}) {
      Calls calls;
      (calls.*rows)();
    }
  });
}
template std::vector<testing::BadCallOutcome> bad_calls<ForwardArgs>();
template std::vector<testing::BadCallOutcome> bad_calls<BackwardArgs>();

}  // namespace mluop::roiaware_pool3d::checks
