// Rules that only one direction of RoI-aware pooling has, and which of two faults is reported.
#include <gtest/gtest.h>

#include <string>

#include "ops/roiaware_pool3d/kit/spoilable_call.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::roiaware_pool3d::checks {
namespace {

TEST(RoiAwareForwardChecks, ShapesAndDtypes) {
  Table<ForwardArgs> table;
  table.add("rois rows", BAD_PARAM, "rois dim 0 must be boxes_num = 2, got 3",
            [](ForwardArgs& args) { args.rois.dims[0] = 3; });
  table.add("rois fields", BAD_PARAM, "rois dim 1 must be 7, got 6",
            [](ForwardArgs& args) { args.rois.dims[1] = 6; });
  table.add("pts rows", BAD_PARAM, "pts dim 0 must be pts_num = 7, got 8",
            [](ForwardArgs& args) { args.pts.dims[0] = 8; });
  table.add("pts fields", BAD_PARAM, "pts dim 1 must be 3, got 4",
            [](ForwardArgs& args) { args.pts.dims[1] = 4; });
  table.add("feature rows", BAD_PARAM, "pts_feature dim 0 must be pts_num = 7, got 8",
            [](ForwardArgs& args) { args.features.dims[0] = 8; });
  table.add("feature channels", BAD_PARAM, "pts_feature dim 1 must be channels = 5, got 4",
            [](ForwardArgs& args) { args.features.dims[1] = 4; });
  table.add("rois dtype", BAD_PARAM, "rois dtype must be HALF",
            [](ForwardArgs& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("pts dtype", BAD_PARAM, "pts dtype must be that of rois (FLOAT), got HALF",
            [](ForwardArgs& args) { args.pts.dtype = MLUOP_DTYPE_HALF; });
  table.add("feature dtype", BAD_PARAM, "pts_feature dtype must be that of rois (FLOAT), got HALF",
            [](ForwardArgs& args) { args.features.dtype = MLUOP_DTYPE_HALF; });
  table.add("list dtype", BAD_PARAM, "pts_idx_of_voxels dtype must be INT32, got INT64",
            [](ForwardArgs& args) { args.voxels.dtype = MLUOP_DTYPE_INT64; });
  table.add("pooled dtype", BAD_PARAM, "pooled_features dtype must be that of rois (FLOAT)",
            [](ForwardArgs& args) { args.pooled.dtype = MLUOP_DTYPE_HALF; });
  table.add("no points", BAD_PARAM, "pts_num must be at least 1, got 0", [](ForwardArgs& args) {
    args.pts_num = 0;
    args.pts.dims[0] = args.features.dims[0] = 0;
  });
  table.add("workspace", BAD_PARAM, "workspace must not be null",
            [](ForwardArgs& args) { args.workspace_size = 1; });
  table.add("strided argmax", NOT_SUPPORTED, "argmax must be contiguous", [](ForwardArgs& args) {
    args.argmax.strides = {61, 60, 20, 5, 1};
  });
  table.expect_refused_always();
}

TEST(RoiAwareForwardChecks, ArgmaxOfMaximumPooling) {
  Table<ForwardArgs> table;
  table.add("no descriptor", BAD_PARAM, "argmax_desc must not be null",
            [](ForwardArgs& args) { args.argmax.has_desc = false; });
  table.add("no data", BAD_PARAM, "argmax must not be null",
            [](ForwardArgs& args) { args.argmax.has_data = false; });
  table.add("rank", BAD_PARAM, "argmax must have 5 dims, got 4",
            [](ForwardArgs& args) { args.argmax.dims.pop_back(); });
  table.add("channels", BAD_PARAM, "argmax dim 4 must be channels = 5, got 6",
            [](ForwardArgs& args) { args.argmax.dims[4] = 6; });
  table.add("dtype", BAD_PARAM, "argmax dtype must be INT32, got FLOAT",
            [](ForwardArgs& args) { args.argmax.dtype = MLUOP_DTYPE_FLOAT; });
  table.add("after the other data", BAD_PARAM, "pooled_features must not be null",
            [](ForwardArgs& args) { args.argmax.has_desc = args.pooled.has_data = false; });
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    table.expect_refused(limits);
  }
}

TEST(RoiAwareForwardChecks, AveragePoolingNeedsNoArgmax) {
  for (const bool has_desc : {true, false}) {
    for (const bool has_data : {true, false}) {
      ForwardArgs args;
      args.pool_method = 1;
      args.argmax.has_desc = has_desc;
      args.argmax.has_data = has_data;
      ASSERT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      const int expected = has_desc && has_data ? 0 : -7;
      EXPECT_EQ(args.argmax_data.front(), expected);
      EXPECT_EQ(args.argmax_data[239], expected);
      EXPECT_EQ(args.argmax_data[240], -7);
      EXPECT_EQ(args.voxels_data.front(), 0);
    }
  }
}

/// What average pooling does not write may lie anywhere.
TEST(RoiAwareForwardChecks, AnArgmaxThatIsNotUsedOverlapsNothing) {
  for (const bool has_desc : {true, false}) {
    ForwardArgs args;
    args.pool_method = 1;
    args.argmax.place = args.pooled_data.data();
    args.argmax.has_desc = has_desc;
    EXPECT_EQ(call(args), has_desc ? BAD_PARAM : MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    EXPECT_EQ(args.outputs_untouched(), has_desc);
  }
}

TEST(RoiAwareForwardChecks, LimitsByDtypeAndProducts) {
  Table<ForwardArgs> on_the_card, ours;
  on_the_card.add("HALF", NOT_SUPPORTED,
                  "max_pts_each_voxel must be at most 2944, got 2945" + on_card,
                  [](ForwardArgs& args) {
                    args.dtypes(MLUOP_DTYPE_HALF);
                    args.max_pts_each_voxel = 2945;
                    args.voxels.dims[4] = 2945;
                  });
  on_the_card.add("boxes times points", NOT_SUPPORTED,
                  "boxes_num * pts_num must be at most 2147483647, got 2400000000" + on_card,
                  [](ForwardArgs& args) {
                    args.boxes_num = 60000;
                    args.pts_num = 40000;
                    args.channels = args.max_pts_each_voxel = 1;
                    args.rois.dims[0] = 60000;
                    args.pts.dims[0] = args.features.dims[0] = 40000;
                    args.features.dims[1] = 1;
                    args.voxels.dims = args.pooled.dims = {60000, 2, 3, 4, 1};
                  });
  on_the_card.expect_refused(MLUOP_CPU_LIMITS_MLU);
  ours.add("voxels of a box", NOT_SUPPORTED,
           "out_x * out_y * out_z must be at most 1073741824, got 2147483648",
           [](ForwardArgs& args) {
             args.out_x = 2048, args.out_y = 1024, args.out_z = 1024;
             args.voxels.dims = {2, 2048, 1024, 1024, 6};
             args.pooled.dims = args.argmax.dims = {2, 2048, 1024, 1024, 5};
             args.rois.place = args.pooled_data.data();  // an overlap is found later
           });
  ours.expect_refused(MLUOP_CPU_LIMITS_NONE);
}

TEST(RoiAwareForwardChecks, Order) {
  Table<ForwardArgs> table;
  table.add("null before rank", BAD_PARAM, "pooled_features_desc must not be null",
            [](ForwardArgs& args) { args.pooled.has_desc = false, args.rois.dims.pop_back(); });
  table.add("rank before shape", BAD_PARAM, "pooled_features must have 5 dims",
            [](ForwardArgs& args) { args.pooled.dims.pop_back(), args.rois.dims[1] = 6; });
  table.add("shape before dtype", BAD_PARAM, "pooled_features dim 4",
            [](ForwardArgs& args) { args.pooled.dims[4] = 6, args.pts.dtype = MLUOP_DTYPE_HALF; });
  table.add("dtype before pool_method", BAD_PARAM, "pts dtype",
            [](ForwardArgs& args) { args.pts.dtype = MLUOP_DTYPE_HALF, args.pool_method = 2; });
  table.add("pool_method before sizes", BAD_PARAM, "pool_method", [](ForwardArgs& args) {
    args.pool_method = 2;
    args.pts_num = 0;
    args.pts.dims[0] = args.features.dims[0] = 0;
  });
  table.add("sizes before strides", BAD_PARAM, "pts_num must be at least 1", [](ForwardArgs& args) {
    args.rois.strides = {8, 1};
    args.pts_num = 0;
    args.pts.dims[0] = args.features.dims[0] = 0;
  });
  table.add("strides before workspace", NOT_SUPPORTED, "rois must be contiguous",
            [](ForwardArgs& args) {
              args.rois.strides = {8, 1}, args.workspace_size = 1;
            });
  table.add("workspace before data", BAD_PARAM, "workspace must not be null",
            [](ForwardArgs& args) { args.rois.has_data = false, args.workspace_size = 1; });
  table.add("data before overlap", BAD_PARAM, "pooled_features must not be null",
            [](ForwardArgs& args) {
              args.pooled.has_data = false, args.rois.place = args.voxels_data.data();
            });
  table.expect_refused_always();
}

TEST(RoiAwareBackwardChecks, ShapesDtypesAndOrder) {
  Table<BackwardArgs> table;
  table.add("channels of grad_in", BAD_PARAM, "grad_in dim 1 must be channels = 5, got 6",
            [](BackwardArgs& args) { args.grad_in.dims[1] = 6; });
  table.add("list dtype", BAD_PARAM, "pts_idx_of_voxels dtype must be INT32",
            [](BackwardArgs& args) { args.voxels.dtype = MLUOP_DTYPE_FLOAT; });
  table.add("argmax dtype", BAD_PARAM, "argmax dtype must be INT32",
            [](BackwardArgs& args) { args.argmax.dtype = MLUOP_DTYPE_INT64; });
  table.add("grad_out dtype", BAD_PARAM, "grad_out dtype must be HALF",
            [](BackwardArgs& args) { args.dtypes(MLUOP_DTYPE_INT32); });
  table.add("grad_in dtype", BAD_PARAM, "grad_in dtype must be that of grad_out (FLOAT), got HALF",
            [](BackwardArgs& args) { args.grad_in.dtype = MLUOP_DTYPE_HALF; });
  table.add("no points", BAD_PARAM, "grad_in dim 0 must be at least 1, got 0",
            [](BackwardArgs& args) { args.grad_in.dims[0] = 0; });
  table.add("shape before dtype", BAD_PARAM, "grad_in dim 1", [](BackwardArgs& args) {
    args.grad_in.dims[1] = 6, args.voxels.dtype = MLUOP_DTYPE_FLOAT;
  });
  table.add("dtype before pool_method", BAD_PARAM, "grad_in dtype", [](BackwardArgs& args) {
    args.grad_in.dtype = MLUOP_DTYPE_HALF, args.pool_method = 2;
  });
  table.add("sizes before strides", BAD_PARAM, "grad_in dim 0", [](BackwardArgs& args) {
    args.grad_in.dims[0] = 0, args.argmax.strides = {61, 60, 20, 5, 1};
  });
  table.add("strides before data", NOT_SUPPORTED, "argmax must be contiguous",
            [](BackwardArgs& args) {
              args.voxels.has_data = false, args.argmax.strides = {121, 60, 20, 5, 1};
            });
  table.add("data before overlap", BAD_PARAM, "grad_out must not be null", [](BackwardArgs& args) {
    args.grad_out.has_data = false, args.argmax.place = args.grad_in_data.data();
  });
  table.add("overlap before indices", BAD_PARAM, "grad_in must not overlap grad_out in memory",
            [](BackwardArgs& args) {
              args.grad_out.place = args.grad_in_data.data();
              args.argmax_data[1] = args.voxels_data[0] = 99;
            });
  table.expect_refused_always();
}

TEST(RoiAwareWorkspaceQuery, NeedsThreeArguments) {
  testing::Handle handle;
  const TensorArgument features{{7, 5}};
  const auto desc = features.make_descriptor();
  std::size_t size = 99;
  for (auto* query :
       {&mluOpGetRoiAwarePool3dForwardWorkspaceSize, &mluOpGetRoiawarePool3dForwardWorkspaceSize}) {
    testing::expect_failures(
        {{"mluOpGetRoiAwarePool3dForwardWorkspaceSize: handle must not be null",
          [&] { return query(nullptr, desc.get(), desc.get(), desc.get(), &size); }},
         {"mluOpGetRoiAwarePool3dForwardWorkspaceSize: pts_feature_desc must not be null",
          [&] { return query(handle, desc.get(), desc.get(), nullptr, &size); }},
         {"mluOpGetRoiAwarePool3dForwardWorkspaceSize: workspace_size must not be null",
          [&] { return query(handle, desc.get(), desc.get(), desc.get(), nullptr); }}});
    EXPECT_EQ(size, 99u);
    EXPECT_EQ(query(handle, nullptr, nullptr, desc.get(), &size), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(size, 0u);
    size = 99;
  }
}

}  // namespace
}  // namespace mluop::roiaware_pool3d::checks
