// Valid files: data of every source and dtype, thresholds.
#include "casefile/reader.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "casefile/test_files.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::casefile {
namespace {

using Values = std::vector<double>;

testing::FileCase read_text(const std::string& text) {
  return read_case(write_file("case.prototxt", text));
}

/// The four elements of the input, from this source.
Values input_values(const std::string& dtype, const std::string& data) {
  return read_text(carafe_text(dtype, data, "random_data { lower_bound: 0 upper_bound: 1 }"))
      .inputs[0]
      .tensor.values();
}

TEST(Reader, TakesFloatsRoundedOnceIntoTheDtype) {
  EXPECT_EQ(input_values("DTYPE_FLOAT", "value_f: [1, -0.5, 3e38, 1e-45]"),
            (Values{1, -0.5, 3e38f, 1e-45f}));
  EXPECT_EQ(input_values("DTYPE_DOUBLE", "value_f: [0.1, 0, 2, 3]"), (Values{0.1f, 0, 2, 3}));
  EXPECT_EQ(input_values("DTYPE_HALF", "value_f: [2049, 2051, 65504, -1]"),
            (Values{2048, 2052, 65504, -1}));
  EXPECT_EQ(input_values("DTYPE_BFLOAT16", "value_f: [257, 259, 1, 0]"), (Values{256, 260, 1, 0}));
  EXPECT_EQ(input_values("DTYPE_INT32", "value_f: [7, -8, 0, 1e9]"), (Values{7, -8, 0, 1e9}));
  const Values special = input_values("DTYPE_FLOAT", "value_f: [nan, inf, -inf, 0]");
  EXPECT_TRUE(std::isnan(special[0]));
  EXPECT_EQ(special[1], INFINITY);
  EXPECT_EQ(special[2], -INFINITY);
}

TEST(Reader, TakesBitPatternsInHexadecimal) {
  EXPECT_EQ(input_values("DTYPE_FLOAT", "value_h: ['3f800000', 'c0000000', '0', '3F000000']"),
            (Values{1, -2, 0, 0.5}));
  EXPECT_EQ(input_values("DTYPE_HALF", "value_h: ['3c00', 'c000', '1', '7bff']"),
            (Values{1, -2, std::ldexp(1, -24), 65504}));
  EXPECT_EQ(input_values("DTYPE_BFLOAT16", "value_h: ['3f80', 'c000', '0', '4049']"),
            (Values{1, -2, 0, 3.140625}));
  EXPECT_EQ(
      input_values("DTYPE_DOUBLE", "value_h: ['3ff0000000000000', 'c000000000000000', '0', '1']"),
      (Values{1, -2, 0, 5e-324}));
  EXPECT_EQ(input_values("DTYPE_INT16", "value_h: ['ffff', '7fff', '8000', '0']"),
            (Values{-1, 32767, -32768, 0}));
}

TEST(Reader, TakesIntegersAsValuesOrAsPatterns) {
  EXPECT_EQ(input_values("DTYPE_INT8", "value_i: [-128, 127, 0, 1]"), (Values{-128, 127, 0, 1}));
  EXPECT_EQ(input_values("DTYPE_UINT8", "value_i: [0, 255, 1, 2]"), (Values{0, 255, 1, 2}));
  EXPECT_EQ(input_values("DTYPE_INT16", "value_i: [-32768, 32767, 0, 1]"),
            (Values{-32768, 32767, 0, 1}));
  EXPECT_EQ(input_values("DTYPE_UINT16", "value_ui: [65535, 0, 1, 2]"), (Values{65535, 0, 1, 2}));
  EXPECT_EQ(input_values("DTYPE_INT32", "value_i: [-2147483648, 2147483647, 0, 1]"),
            (Values{-2147483648.0, 2147483647, 0, 1}));
  EXPECT_EQ(input_values("DTYPE_UINT32", "value_ui: [4294967295, 0, 1, 2]"),
            (Values{4294967295.0, 0, 1, 2}));
  EXPECT_EQ(input_values("DTYPE_INT64", "value_l: [-9007199254740992, 5, 0, 1]"),
            (Values{-9007199254740992.0, 5, 0, 1}));
  EXPECT_EQ(input_values("DTYPE_UINT64", "value_ul: [9007199254740992, 5, 0, 1]"),
            (Values{9007199254740992.0, 5, 0, 1}));
  EXPECT_EQ(input_values("DTYPE_BOOL", "value_i: [0, 1, 1, 0]"), (Values{0, 1, 1, 0}));
  EXPECT_EQ(input_values("DTYPE_FLOAT", "value_i: [1065353216, -1073741824, 0, 1056964608]"),
            (Values{1, -2, 0, 0.5}));
  EXPECT_EQ(input_values("DTYPE_HALF", "value_i: [15360, -16384, 49152, 0]"),
            (Values{1, -2, -2, 0}));
  EXPECT_EQ(input_values("DTYPE_BFLOAT16", "value_ui: [16256, 49152, 0, 0]"),
            (Values{1, -2, 0, 0}));
  EXPECT_EQ(input_values("DTYPE_DOUBLE", "value_l: [4607182418800017408, 0, 1, 0]"),
            (Values{1, 0, 5e-324, 0}));
}

TEST(Reader, TakesSideFilesNextToTheFile) {
  const float numbers[] = {1.5f, -2, 0.1f, 4};
  write_file("numbers.bin", {reinterpret_cast<const char*>(numbers), sizeof numbers});
  EXPECT_EQ(input_values("DTYPE_FLOAT", "path: 'numbers.bin'"), (Values{1.5, -2, 0.1f, 4}));
}

TEST(Reader, TheFirstSourceWins) {
  const std::string all[] = {"value_h: ['3f800000', '0', '0', '0']",
                             "value_f: [2, 0, 0, 0]",
                             "value_i: [1077936128, 0, 0, 0]",
                             "value_l: [1082130432, 0, 0, 0]",
                             "value_ui: [1084227584, 0, 0, 0]",
                             "value_ul: [1086324736, 0, 0, 0]",
                             "path: 'seven.bin'",
                             "random_data { lower_bound: 8 upper_bound: 8 }"};
  const float seven[] = {7, 0, 0, 0};
  write_file("seven.bin", {reinterpret_cast<const char*>(seven), sizeof seven});
  std::string sources;
  for (int i = 7; i >= 0; --i) {
    sources += all[i] + " ";  // the order in the file does not matter
    EXPECT_EQ(input_values("DTYPE_FLOAT", sources)[0], i + 1) << sources;
  }
}

TEST(Reader, StridedDataCoverTheElementsOrTheMemory) {
  const auto values = [](const std::string& data) {
    const std::string text =
        exchanged(carafe_text("DTYPE_FLOAT", "", data), "shape { dims: [1, 1, 2, 1] }",
                  "shape { dims: [1, 1, 2, 1] dim_stride: [9, 9, 3, 1] }");
    return read_text(exchanged(text, "LAYOUT_NHWC dtype: DTYPE_FLOAT  }\ninput { id: \"mask\"",
                               "LAYOUT_NHWC dtype: DTYPE_FLOAT value_f: [1, 2, 3, 4] }\n"
                               "input { id: \"mask\""))
        .inputs[1]
        .tensor.values();
  };
  EXPECT_EQ(values("value_f: [5, 6]"), (Values{5, 6}));
  EXPECT_EQ(values("value_f: [5, 0, 0, 6]"), (Values{5, 6}));
}

TEST(Reader, KeepsIdsLayoutsAndNullTensors) {
  const auto file =
      read_text(exchanged(carafe_text(), "id: \"mask\"", "id: \"NULL\" position: 3 scale: 2"));
  EXPECT_EQ(file.op, "carafe_forward");
  EXPECT_EQ(file.inputs[0].id, "input");
  EXPECT_EQ(file.inputs[0].tensor.layout(), MLUOP_LAYOUT_NHWC);
  EXPECT_EQ(file.inputs[0].tensor.dims(), (std::vector<std::int64_t>{1, 1, 2, 2}));
  EXPECT_FALSE(file.inputs[0].null());
  EXPECT_TRUE(file.inputs[1].null());
  EXPECT_EQ(file.inputs[1].tensor.data(), nullptr);
  EXPECT_EQ(file.params.message(), "carafe_param");
  EXPECT_EQ(file.params.number("dimnb"), 4);
}

TEST(Reader, MapsEveryLayoutAndTheOnchipDtype) {
  const std::pair<const char*, mluOpTensorLayout_t> layouts[] = {
      {"NCHW", MLUOP_LAYOUT_NCHW},   {"NHWC", MLUOP_LAYOUT_NHWC},   {"HWCN", MLUOP_LAYOUT_HWCN},
      {"NDHWC", MLUOP_LAYOUT_NDHWC}, {"ARRAY", MLUOP_LAYOUT_ARRAY}, {"TNC", MLUOP_LAYOUT_TNC},
      {"NTC", MLUOP_LAYOUT_NTC},     {"NCDHW", MLUOP_LAYOUT_NCDHW}, {"NC", MLUOP_LAYOUT_NC},
      {"NLC", MLUOP_LAYOUT_NLC},     {"NCL", MLUOP_LAYOUT_NCL}};
  for (const auto& [name, layout] : layouts) {
    const auto file =
        read_text(exchanged(carafe_text(), "LAYOUT_NHWC dtype: DTYPE_FLOAT value_f: [2, 3]",
                            "LAYOUT_" + std::string(name) +
                                " dtype: DTYPE_FLOAT onchip_dtype: DTYPE_HALF value_f: [2, 3]"));
    EXPECT_EQ(file.inputs[1].tensor.layout(), layout) << name;
    mluOpDataType_t onchip = MLUOP_DTYPE_INVALID;
    ASSERT_EQ(mluOpGetTensorDescriptorOnchipDataType(file.inputs[1].tensor.descriptor(), &onchip),
              MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(onchip, MLUOP_DTYPE_HALF);
  }
}

/// The criteria of the only output.
std::vector<testing::Criterion> criteria(const std::string& output_fields,
                                         const std::string& node_fields) {
  return read_text(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]",
                               output_fields, node_fields))
      .outputs[0]
      .criteria;
}

TEST(Reader, TestParamGoesBeforeTheNodeGoesBeforeTheOutput) {
  const std::string own = "thresholds { evaluation_threshold: 3 }";
  const std::string kind = "evaluation_criterion: DIFF2 ";
  const std::string node = kind + "evaluation_threshold: 2 ";
  const std::string param = "test_param { error_func: DIFF1 error_threshold: 1 }";
  const auto threshold = [&](const std::string& fields) {
    const auto list = criteria(own, fields);
    EXPECT_EQ(list.size(), 1u);
    return list.at(0).threshold;
  };
  EXPECT_EQ(threshold(node + param), 1);
  EXPECT_EQ(threshold(node), 2);
  EXPECT_EQ(threshold(kind), 3);
  // A test_param with a baseline only has no effect on thresholds.
  EXPECT_EQ(threshold(node + "test_param { baseline_device: CPU }"), 2);
  EXPECT_TRUE(criteria("", "").empty());
}

TEST(Reader, KnowsEveryMeasureAndItsOlderName) {
  const auto list =
      criteria("",
               "test_param { error_func: [MAPE, MAXAPE, DIFF1, DIFF2, DIFF3, DIFF3_2, DIFF4] "
               "error_threshold: [1, 2, 3, 4, 5, 6, -1] }");
  using testing::Measure;
  const Measure expected[] = {Measure::diff1, Measure::diff3,   Measure::diff1, Measure::diff2,
                              Measure::diff3, Measure::diff3_2, Measure::diff4};
  ASSERT_EQ(list.size(), 7u);
  for (std::size_t i = 0; i < list.size(); ++i) EXPECT_EQ(list[i].measure, expected[i]) << i;
  EXPECT_EQ(list[6].threshold, -1);
}

TEST(Reader, AcceptsWhatIsOfNoConsequence) {
  EXPECT_NO_THROW(read_text(carafe_text() +
                            "op_type: CARAFE_FORWARD valid: 'True' pattern: 'random' latency: 1 "
                            "theory_io_size: 5 theory_compute_ops: 6 workspace_size: 7 "
                            "threshold_rate: [10, 10, 1] supported_mlu_platform: MLU370 "
                            "handle_param { round_mode: ROUND_TO_EVEN } api_name: 'x' "
                            "runtime_env { dl_framework: 'torch' }\n# a comment\n"));
}

TEST(Reader, KnowsItsFilesByExtension) {
  EXPECT_TRUE(is_case_file("a/b.prototxt"));
  EXPECT_TRUE(is_case_file("b.pb"));
  EXPECT_FALSE(is_case_file("b.txt"));
}

}  // namespace
}  // namespace mluop::casefile
