// Every bad call of the tables of rotated boxes is refused as stated, and which of two faults is reported.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "ops/rotated_boxes/kit/spoilable_call.hpp"
#include "testing/suite/expect_bad_calls.hpp"

namespace mluop::rotated_boxes::checks {
namespace {

TEST(BoxIouRotatedChecks, TablesAreRefusedAsStated) {
  const auto outcomes = iou_bad_calls();
  EXPECT_GT(outcomes.size(), 100u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

TEST(NmsRotatedChecks, TablesAreRefusedAsStated) {
  const auto outcomes = nms_bad_calls();
  EXPECT_GT(outcomes.size(), 60u);
  for (const auto& outcome : outcomes) testing::fail_on(outcome);
}

TEST(BoxIouRotatedChecks, OrderOfRules) {
  for (const bool aligned : {false, true}) {
    testing::BadCallTable<IouArgs> table;
    table.add("handle first", BAD_PARAM, "handle must not be null",
              [](IouArgs& args) { args.has_handle = args.bbox1.has_desc = false; });
    table.add("descriptors before dtypes", BAD_PARAM, "ious_desc must not be null",
              [](IouArgs& args) {
                args.ious.has_desc = false;
                args.bbox1.dtype = MLUOP_DTYPE_INT32;
              });
    table.add("dtypes before mode", BAD_PARAM, "bbox2 dtype must be", [](IouArgs& args) {
      args.bbox2.dtype = MLUOP_DTYPE_INT32;
      args.mode = 2;
    });
    table.add("mode before rank", BAD_PARAM, "mode must be one of 0, 1", [](IouArgs& args) {
      args.mode = 2;
      args.bbox1.dims = {4};
    });
    table.add("fields before rows of ious", BAD_PARAM, "bbox2 dim 1 must be 5", [](IouArgs& args) {
      args.bbox2.dims[1] = 4;
      args.ious.dims[0] = 9;
    });
    table.add("rows of ious before their rank", BAD_PARAM, "ious dim 0 must be N = 4",
              [](IouArgs& args) {
                args.ious.dims = {5, 5, 5};
              });
    table.add("shapes before strides", BAD_PARAM, "ious dim 0 must be N = 4", [](IouArgs& args) {
      args.bbox1.strides = {6, 1};
      args.ious.dims[0] = 3;
    });
    table.add("strides before data", NOT_SUPPORTED, "bbox1 must be contiguous", [](IouArgs& args) {
      args.bbox1.strides = {6, 1};
      args.bbox1.has_data = false;
    });
    table.add("data before overlap", BAD_PARAM, "bbox1 must not be null", [](IouArgs& args) {
      args.bbox1.has_data = false;
      args.ious.place = args.second.data();
    });
    expect_refused_in_both_modes(table, iou_function, "", [aligned] { return IouArgs(aligned); });
  }
}

TEST(NmsRotatedChecks, OrderOfRules) {
  testing::BadCallTable<NmsArgs> table;
  table.add("descriptors before dtypes", BAD_PARAM, "output_desc must not be null",
            [](NmsArgs& args) {
              args.output.has_desc = false;
              args.boxes.dtype = MLUOP_DTYPE_INT32;
            });
  table.add("dtypes before ranks", BAD_PARAM, "output dtype must be INT32", [](NmsArgs& args) {
    args.output.dtype = MLUOP_DTYPE_FLOAT;
    args.boxes.dims = {5};
  });
  table.add("ranks before strides", BAD_PARAM, "output must have 1 dims", [](NmsArgs& args) {
    args.output.dims = {5, 1};
    args.boxes.strides = {6, 1};
  });
  table.add("strides before shapes", NOT_SUPPORTED, "boxes must be contiguous", [](NmsArgs& args) {
    args.boxes.strides = {6, 1};
    args.scores.dims[0] = 4;
  });
  table.add("rows before fields", BAD_PARAM, "output dim 0 must be N = 5", [](NmsArgs& args) {
    args.output.dims[0] = 4;
    args.boxes.dims[1] = 4;
  });
  table.add("boxes before the number", BAD_PARAM, "output must not be null",
            [](NmsArgs& args) { args.output.has_data = args.has_count = false; });
  table.add("the number before the workspace", BAD_PARAM, "result_num must not be null",
            [](NmsArgs& args) {
              args.has_count = false;
              args.workspace_size = 4;
            });
  table.add("the workspace before overlap", BAD_PARAM, "workspace must not be null",
            [](NmsArgs& args) {
              args.workspace_size = 4;
              args.output.place = args.box_data.data();
            });
  expect_refused_in_both_modes(table, nms_function, "", [] { return NmsArgs(); });
  testing::BadCallTable<NmsArgs> of_card;
  of_card.add("fields before size", BAD_PARAM, "boxes dim 1 must be one of 5, 6",
              [](NmsArgs& args) { args.sizes(357913942, 7); });
  of_card.add("size before data", NOT_SUPPORTED, "boxes must have fewer than", [](NmsArgs& args) {
    args.sizes(357913942, 6);
    args.boxes.has_data = false;
  });
  expect_refused(of_card, nms_function, "", MLUOP_CPU_LIMITS_MLU, [] { return NmsArgs(); });
}

TEST(BoxIouRotatedChecks, WhatIsNoFault) {
  const auto expect_accepted = [](const char* what, bool aligned, bool written,
                                  const std::function<void(IouArgs&)>& change) {
    for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
      IouArgs args(aligned);
      args.limits = limits;
      change(args);
      EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << what << ": " << mluOpCpuGetLastError();
      EXPECT_EQ(args.outputs_untouched(), !written) << what;
    }
  };
  const auto without_data = [](IouArgs& args) {
    args.bbox1.has_data = args.bbox2.has_data = args.ious.has_data = false;
  };
  for (const bool aligned : {false, true}) {
    expect_accepted("no boxes at all", aligned, false, [&](IouArgs& args) {
      args.sizes(0, 0);
      without_data(args);
    });
    expect_accepted("no boxes of any width", aligned, false, [&](IouArgs& args) {
      args.sizes(0, 0);
      args.bbox1.dims[1] = 0;
      args.bbox2.dims[1] = 7;
      without_data(args);
    });
    expect_accepted("boxes in one memory", aligned, true,
                    [](IouArgs& args) { args.bbox2.place = args.first.data(); });
    expect_accepted("any layout", aligned, true, [](IouArgs& args) {
      args.bbox1.layout = MLUOP_LAYOUT_NHWC;
      args.ious.layout = MLUOP_LAYOUT_NCHW;
    });
  }
  expect_accepted("no second list", false, false, [&](IouArgs& args) {
    args.sizes(4, 0);
    without_data(args);
  });
}

/// Without boxes the number is written if there is a place for it, and nothing else is looked at.
TEST(NmsRotatedChecks, NoBoxes) {
  for (const mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    for (const bool has_count : {false, true}) {
      NmsArgs args;
      args.limits = limits;
      args.sizes(0, 5);
      args.boxes.has_data = args.scores.has_data = args.output.has_data = false;
      args.has_count = has_count;
      args.workspace_size = 9;
      EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      EXPECT_EQ(args.count.front(), has_count ? 0 : -7);
    }
  }
}

TEST(NmsRotatedChecks, NoWorkspaceIsNeeded) {
  testing::Handle handle;
  NmsArgs args;
  const testing::Descriptor boxes = args.boxes.make_descriptor();
  std::size_t size = 99;
  ASSERT_EQ(mluOpGetNmsRotatedWorkspaceSize(handle, boxes.get(), &size), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(size, 0u);
  args.has_workspace = true;  // whatever is given is accepted
  args.workspace_size = 7;
  EXPECT_EQ(call(args), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
}

}  // namespace
}  // namespace mluop::rotated_boxes::checks
