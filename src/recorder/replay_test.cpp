// Recorded calls can be replayed: with data they give the same bits, without data they are valid.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>

#include "casefile/reader.hpp"
#include "casefile/run.hpp"
#include "ops/carafe/kit/calls.hpp"
#include "recorder/capture.hpp"
#include "recorder/recorder_fixture.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::recorder {
namespace {

using testing::Case;
using testing::HostTensor;
using testing::Suite;

bool same_bits(const HostTensor& one, const HostTensor& other) {
  return one.bytes() == other.bytes() && std::memcmp(one.data(), other.data(), one.bytes()) == 0;
}

class Replay : public RecorderTest, public ::testing::WithParamInterface<const char*> {
 protected:
  const Suite& suite() const { return *testing::find_suite(GetParam()); }

  template <class Use>
  void each_dtype(const Case& one, Use use) {
    for (const mluOpDataType_t dtype : suite().dtypes_of(one)) {
      SCOPED_TRACE(suite().op + ' ' + one.name + ' ' + std::to_string(dtype));
      use(*one.make(dtype));
    }
  }

  /// Random sizes in every dtype: use(call).
  template <class Use>
  void each_call(int count, Use use) {
    for (int i = 0; i < count; ++i) {
      testing::Generator random(suite().op + "/replay/" + std::to_string(i));
      const testing::Sizes sizes = suite().sized.draw(random);
      SCOPED_TRACE(random.describe() + ": " + sizes.text());
      each_dtype(suite().sized.make(sizes, static_cast<std::uint64_t>(i)), use);
    }
  }

  /// Null if the call has nothing to do: such calls are not recorded.
  std::unique_ptr<testing::FileCall> replayed(testing::Call& call, const Order& order) {
    {
      const Capture capture(file, order);
      EXPECT_EQ(call.run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
      if (std::string_view{capture.problem()} == "no call was recorded") return nullptr;
      EXPECT_STREQ(capture.problem(), "");
    }
    auto read = casefile::read_call(file);
    EXPECT_EQ(read->run(handle), MLUOP_STATUS_SUCCESS) << mluOpCpuGetLastError();
    return read;
  }

  void expect_same_results(testing::Call& call, const Order& order) {
    const auto read = replayed(call, order);
    if (read == nullptr) return;
    ASSERT_EQ(read->file().outputs.size(), call.outputs().size());
    for (std::size_t i = 0; i < call.outputs().size(); ++i) {
      EXPECT_TRUE(same_bits(call.outputs()[i], read->file().outputs[i].tensor))
          << call.outputs()[i].name();
    }
  }

  std::filesystem::path file;
  testing::Handle handle;

  void SetUp() override {
    RecorderTest::SetUp();
    file = root / "case.prototxt";
    handle.threads(1);  // the calls are tiny
  }
};

TEST_P(Replay, OfBitsHasTheSameBits) {
  each_call(4, [&](testing::Call& call) {
    expect_same_results(call, {.kept = Need::nothing, .outputs = Notation::bits});
  });
}

TEST_P(Replay, OfDecimalsHasTheSameBits) {
  each_call(2, [&](testing::Call& call) {
    expect_same_results(call, {.kept = Need::nothing, .notation = Notation::text});
  });
}

TEST_P(Replay, OfFilesBesideHasTheSameBits) {
  each_call(2, [&](testing::Call& call) {
    expect_same_results(call, {.kept = Need::nothing, .inline_bytes = 0});
  });
}

/// Features that the card does not have are recorded, too.
TEST_P(Replay, BeyondTheCardHasTheSameBits) {
  int cases = 0;
  for (const Case& one : suite().cases) {
    const bool beyond = one.name.find("transpose") != std::string::npos ||
                        one.name.find("inverse") != std::string::npos;
    if (!beyond || one.kind != Case::Kind::edge || ++cases > 3) continue;
    expect_same_results(*one.make(suite().dtypes.front()), {.kept = Need::nothing});
  }
  const bool sparse = suite().op.find("indice") != std::string::npos;
  EXPECT_EQ(cases > 0, sparse);
}

class FloatingReplay : public Replay {};

/// NaN and infinities, also as decimals.
TEST_P(FloatingReplay, OfSpecialValuesHasTheSameBits) {
  int cases = 0;
  for (const Case& one : suite().cases) {
    if (one.name.find("nan") == std::string::npos) continue;
    each_dtype(one, [&](testing::Call& call) {
      expect_same_results(call, {.kept = Need::nothing, .notation = Notation::text});
    });
    ++cases;
  }
  EXPECT_GT(cases, 0);
}

TEST_P(Replay, OfShapesIsAccepted) {
  each_call(8, [&](testing::Call& call) { replayed(call, {}); });
}

/// The file has a null output instead, which the replay omits as well.
TEST_F(RecorderTest, ReplayOfOneCarafeGradientHasItsBits) {
  const carafe::cases::Definition definition{
      "one_gradient", Case::Kind::edge, {1, 3, 9, 6, 3, 2, 2}};
  const std::filesystem::path file = root / "case.prototxt";
  const testing::Handle handle;
  for (const std::size_t given : {0u, 1u}) {
    carafe::BackwardData call(definition, MLUOP_DTYPE_HALF);
    {
      const Capture capture(file, {.kept = Need::nothing, .outputs = Notation::bits});
      ASSERT_EQ(call.run(handle, given == 0, given == 1), MLUOP_STATUS_SUCCESS)
          << mluOpCpuGetLastError();
      ASSERT_STREQ(capture.problem(), "");
    }
    const auto read = casefile::read_call(file);
    const auto& outputs = read->file().outputs;
    EXPECT_EQ(outputs[1 - given].id, given == 0 ? "grad_mask_NULL" : "grad_input_NULL");
    EXPECT_TRUE(outputs[1 - given].null());
    const casefile::CaseVerdict verdict = casefile::run_case(*read, handle);
    EXPECT_TRUE(verdict.pass()) << verdict.problem;
    EXPECT_TRUE(verdict.outputs[given].compared);
    EXPECT_FALSE(verdict.outputs[1 - given].compared);
    EXPECT_TRUE(same_bits(call.outputs()[given], outputs[given].tensor));
  }
}

const auto floating_ops = ::testing::Values(
    "indice_convolution_forward", "indice_convolution_backward_data",
    "indice_convolution_backward_filter", "carafe_forward", "carafe_backward",
    "roiaware_pool3d_forward", "roiaware_pool3d_backward", "rotated_feature_align_forward",
    "rotated_feature_align_backward", "points_in_boxes", "voxelization",
    "dynamic_point_to_voxel_forward", "dynamic_point_to_voxel_backward", "box_iou_rotated",
    "nms_rotated");
const auto name_of_op = [](const auto& op) { return std::string{op.param}; };

INSTANTIATE_TEST_SUITE_P(Indices, Replay, ::testing::Values("get_indice_pairs"), name_of_op);
INSTANTIATE_TEST_SUITE_P(Floating, Replay, floating_ops, name_of_op);
INSTANTIATE_TEST_SUITE_P(Floating, FloatingReplay, floating_ops, name_of_op);

}  // namespace
}  // namespace mluop::recorder
