// Invalid files: each has one error, and the message must name it.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "casefile/reader.hpp"
#include "casefile/test_files.hpp"

namespace mluop::casefile {
namespace {

namespace fs = std::filesystem;

/// The message after the path.
std::string complaint(const fs::path& path, const ReadOptions& options = {}) {
  try {
    read_call(path, options);
  } catch (const FileError& error) {
    const std::string text = error.what(), prefix = path.string() + ":";
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
    EXPECT_EQ(text.find(prefix), 0u) << text;
    return text.substr(prefix.size());
  }
  return "no complaint";
}

std::string complaint_about(const std::string& text) {
  return complaint(write_file("case.prototxt", text));
}

std::string good_text(const char* name) { return content_of(fs::path(MLUOPS_GOOD_CASES) / name); }

struct Row {
  const char *from, *to, *sentence;
};

void expect_complaints(const std::string& good, const std::vector<Row>& rows) {
  ASSERT_EQ(complaint_about(good), "no complaint");
  for (const auto& [from, to, sentence] : rows) {
    EXPECT_EQ(complaint_about(exchanged(good, from, to)), sentence);
  }
}

/// A file of an operator that this library does not have fails at a field that only that operator has: the
/// message names the operator nevertheless.
TEST(BadFiles, OfOtherOperatorsNameTheOperator) {
  const std::string lacks =
      " is an operator of MLU-OPS that this library does not have; mluop list shows those that it "
      "has";
  const auto file_of = [](const std::string& op) {
    return "input { id: 'boxes' shape { dims: [2, 5] } dtype: DTYPE_OTHER value_x: 3 }\n"
           "op_name: '" +
           op + "'\nop_type: OTHER\nother_param { iou_threshold: 0.1 }\n";
  };
  for (const char* op : {"poly_nms", "roi_pooling_forward", "roipooling_forward",
                         "sync_batchnorm_stats", "sync_batch_norm_stats"}) {
    EXPECT_EQ(complaint_about(file_of(op)), std::string("2: op_name: '") + op + "'" + lacks);
  }
  EXPECT_EQ(
      complaint_about(file_of("carafe_forwad")),
      "2: op_name: no operator of this library or of MLU-OPS 1.11.1 is called 'carafe_forwad'; "
      "did you mean 'carafe_forward'?");
  EXPECT_EQ(complaint_about(file_of("frobnicate")),
            "2: op_name: no operator of this library or of MLU-OPS 1.11.1 is called 'frobnicate'");
  EXPECT_EQ(complaint_about(file_of("carafe_forward")),
            "1:63: Unknown enumeration value of \"DTYPE_OTHER\" for field \"dtype\".")
      << "its own operators are not suspected";
  EXPECT_EQ(complaint_about("op_name: 'abs'\nother_param { iou_threshold: "),
            "1: op_name: 'abs'" + lacks)
      << "cut short";
  EXPECT_EQ(complaint_about("other_param { iou_threshold: 1 }"),
            "1:13: Message type \"mluoptest.Node\" has no field named \"other_param\".");
}

/// Lines: 1 op_name, 2 input, 3 mask, 4 output, 5 carafe_param, 6 test_param.
TEST(BadFiles, NameTheLineAndTheField) {
  expect_complaints(
      carafe_text(),
      {{"op_name: \"carafe_forward\"", "", " op_name: is missing"},
       {"op_name: \"carafe_forward\"", "op_name: \"abs\"",
        "1: op_name: 'abs' is an operator of MLU-OPS that this library does not have; mluop list "
        "shows those that it has"},
       {"id: \"mask\"", "", "3: input[1].id: is missing"},
       {"shape { dims: [1, 1, 2, 1] }", "", "3: input[1].shape: is missing"},
       {"[1, 1, 2, 1]", "[]", "3: input[1].shape.dims: has 0 entries, must have 1 to 8"},
       {"[1, 1, 2, 1]", "[1, 1, 2, 1, 1, 1, 1, 1, 1]",
        "3: input[1].shape.dims: has 9 entries, must have 1 to 8"},
       {"[1, 1, 2, 1]", "[1, 1, -2, 1]", "3: input[1].shape.dims[2]: -2 is negative"},
       {"[1, 1, 2, 1]", "[1, 1, 2, 1] dim_stride: [2, 2, -1, 1]",
        "3: input[1].shape.dim_stride[2]: -1 is negative"},
       {"[1, 1, 2, 1]", "[1, 1, 2, 1] dim_stride: [2, 2]",
        "3: input[1].shape.dim_stride: has 2 entries for 4 dims"},
       {"[1, 1, 2, 1]", "[1, 1, 3, 1]", "3: input[1].value_f: has 2 values, the shape needs 3"},
       {"[1, 1, 2, 1]", "[1, 1, 2, 1] dim_stride: [9, 9, 4, 1]", "no complaint"},
       {"[1, 1, 2, 1]", "[1, 1, 3, 1] dim_stride: [9, 9, 4, 1]",
        "3: input[1].value_f: has 2 values, the shape needs 3 or, with the gaps, 9"},
       {"value_f: [2, 3]", "",
        "3: input[1]: has no data: one of value_h, value_f, value_i, value_l, value_ui, value_ul, "
        "path, random_data is needed"},
       {"carafe_param {", "# {", " carafe_param: is missing, carafe_forward needs it"},
       {"kernel_size: 1", "", "5: carafe_param.kernel_size: is missing"},
       {"test_param {", "rotated_feature_align_forward_param {} test_param {",
        "6: rotated_feature_align_forward_param: is one too many, the file already has "
        "carafe_param"},
       {"error_func: DIFF1", "",
        "6: test_param.error_threshold: has 1 entries for the 0 of error_func"},
       {"error_func: DIFF1", "error_func: [DIFF1, DIFF2]",
        "6: test_param.error_threshold: has 1 entries for the 2 of error_func"}});
}

TEST(BadFiles, TextThatDoesNotParseNamesLineAndColumn) {
  expect_complaints(
      carafe_text(),
      {{"dimnb: 4", "dimension: 4",
        "5:25: Message type \"mluoptest.CarafeParam\" has no field named \"dimension\"."},
       {"error_func: DIFF1", "error_func: DIFF9",
        "6:32: Unknown enumeration value of \"DIFF9\" for field \"error_func\"."},
       {"kernel_size: 1", "kernel_size: 4294967296", "5:38: Integer out of range (4294967296)"},
       {"kernel_size: 1", "kernel_size: one", "5:38: Expected integer, got: one"},
       {"scale_factor: 1 }", "scale_factor: 1",
        "6:12: Message type \"mluoptest.CarafeParam\" has no field named \"test_param\"."}});
}

TEST(BadFiles, ParametersMustFitTheOperator) {
  expect_complaints(
      good_text("get_indice_pairs/sparse.prototxt"),
      {{"  dimnb: 5\n", "  dimnb: 9\n",
        "41: get_indice_pairs_param.dimnb: must be from 3 to 8, is 9"},
       {"  dimnb: 5\n", "  dimnb: 4\n", "43: get_indice_pairs_param.pad: needs 2 numbers, has 3"},
       {"  batch: 1\n", "", "40: get_indice_pairs_param.batch: is missing"}});
  expect_complaints(
      good_text("indice_convolution_forward/small.prototxt"),
      {{"  indice_num: 4\n", "",
        "55: indice_convolution_forward_param.indice_num: has 2 entries, indice_pairs has "
        "3 offsets"},
       {"  num_active_out: 3\n", "",
        "51: indice_convolution_forward_param.num_active_out: is missing"}});
}

TEST(BadFiles, TensorsMustBeThoseOfTheOperator) {
  const std::string text = carafe_text();
  EXPECT_EQ(complaint_about(text + "input { id: 'x NULL' }\n"),
            " input: carafe_forward takes 2 tensors (input, mask), the file has 3");
  EXPECT_EQ(complaint_about(text + "output { id: 'x NULL' }\n"),
            " output: carafe_forward takes 1 tensor (output), the file has 2");
  EXPECT_EQ(complaint_about("op_name: 'carafe_forward' rotated_feature_align_forward_param {}"),
            "1: carafe_param: is missing, carafe_forward needs it; the file has "
            "rotated_feature_align_forward_param instead");
  EXPECT_EQ(complaint_about("op_name: 'points_in_boxes' carafe_param {}"),
            "1: carafe_param: is not a message of points_in_boxes, which has no parameters");
  EXPECT_EQ(complaint_about("op_name: 'points_in_boxes_part'"),
            " op_name: 'points_in_boxes_part' is an extension of this library, which case files do "
            "not describe");
}

TEST(BadFiles, DtypesMustHoldTheirValues) {
  const auto input = [](const char* dtype, const char* data) {
    return complaint_about(carafe_text(dtype, data, "value_h: ['0', '0']"));
  };
  EXPECT_EQ(input("DTYPE_INT8", "value_i: [0, 0, 128, 0]"),
            "2: input[0].value_i[2]: 128 is out of the range of DTYPE_INT8");
  EXPECT_EQ(input("DTYPE_UINT16", "value_l: [0, -1, 0, 0]"),
            "2: input[0].value_l[1]: -1 is out of the range of DTYPE_UINT16");
  EXPECT_EQ(input("DTYPE_INT64", "value_ul: [0, 9223372036854775808, 0, 0]"),
            "2: input[0].value_ul[1]: 9223372036854775808 is out of the range of DTYPE_INT64");
  EXPECT_EQ(input("DTYPE_BOOL", "value_i: [0, 1, 2, 0]"),
            "2: input[0].value_i[2]: 2 is out of the range of DTYPE_BOOL");
  EXPECT_EQ(input("DTYPE_HALF", "value_i: [0, 1, 65536, 0]"),
            "2: input[0].value_i[2]: 65536 is out of the range of DTYPE_HALF");
  EXPECT_EQ(input("DTYPE_HALF", "value_f: [0, 1, 65520, 0]"),
            "2: input[0].value_f[2]: 65520 is out of the range of DTYPE_HALF");
  EXPECT_EQ(input("DTYPE_INT32", "value_f: [0, 1.5, 0, 0]"),
            "2: input[0].value_f[1]: 1.5 is out of the range of DTYPE_INT32");
  EXPECT_EQ(input("DTYPE_INT32", "value_f: [0, nan, 0, 0]"),
            "2: input[0].value_f[1]: nan is out of the range of DTYPE_INT32");
  EXPECT_EQ(input("DTYPE_UINT8", "random_data { lower_bound: -9 upper_bound: -8 }"),
            "2: input[0].random_data: -8 is out of the range of DTYPE_UINT8");
  EXPECT_EQ(input("DTYPE_DOUBLE", "value_i: [0, 0, 0, 0]"),
            "2: input[0].value_i: cannot hold the bit patterns of DTYPE_DOUBLE");
  EXPECT_EQ(input("DTYPE_HALF", "value_h: ['0', '0', '10000', '0']"),
            "2: input[0].value_h[2]: '10000' is not a pattern of up to 4 hexadecimal digits");
  EXPECT_EQ(input("DTYPE_HALF", "value_h: ['0', '-1', '0', '0']"),
            "2: input[0].value_h[1]: '-1' is not a pattern of up to 4 hexadecimal digits");
  EXPECT_EQ(input("DTYPE_HALF", "value_h: ['', '0', '0', '0']"),
            "2: input[0].value_h[0]: '' is not a pattern of up to 4 hexadecimal digits");
  EXPECT_EQ(input("DTYPE_INT31", "value_i: [0, 0, 0, 0]"),
            "2: input[0].dtype: DTYPE_INT31 is not supported");
}

TEST(BadFiles, RandomDataMustSayHow) {
  const auto random = [](const std::string& fields) {
    return complaint_about(
        carafe_text("DTYPE_FLOAT", "random_data { " + fields + " }", "value_f: [2, 3]"));
  };
  EXPECT_EQ(random("seed: 1 upper_bound: 1"), "2: input[0].random_data.lower_bound: is missing");
  EXPECT_EQ(random("lower_bound: 1"), "2: input[0].random_data.upper_bound: is missing");
  EXPECT_EQ(random("lower_bound: 1 upper_bound: inf"),
            "2: input[0].random_data.upper_bound: must be finite");
  EXPECT_EQ(random("distribution: GAUSSIAN mu: 1"), "2: input[0].random_data.sigma: is missing");
  EXPECT_EQ(random("distribution: GAUSSIAN sigma: 1"), "2: input[0].random_data.mu: is missing");
  EXPECT_EQ(random("distribution: GAUSSIAN mu: 1 sigma: -1"),
            "2: input[0].random_data.sigma: must be at least 0");
  EXPECT_EQ(random("distribution: BINOMIAL"),
            "2: input[0].random_data.distribution: BINOMIAL is not one of UNIFORM, GAUSSIAN");
}

TEST(BadFiles, SideFilesMustBeThereAndFit) {
  const auto with_path = [](const char* name) {
    return complaint_about(carafe_text("DTYPE_FLOAT", "path: '" + std::string(name) + "'"));
  };
  const std::string directory = scratch_directory().string() + "/";
  EXPECT_EQ(with_path("none.bin"),
            "2: input[0].path: cannot read '" + directory + "none.bin': No such file or directory");
  write_file("short.bin", "123456789012345");
  EXPECT_EQ(with_path("short.bin"),
            "2: input[0].path: '" + directory + "short.bin' has 15 bytes, the shape needs 16");
  write_file("long.bin", "12345678901234567");
  EXPECT_EQ(with_path("long.bin"),
            "2: input[0].path: '" + directory + "long.bin' has 17 bytes, the shape needs 16");
}

TEST(BadFiles, ThresholdsMustMatchTheMeasures) {
  const auto with = [](const char* output_fields, const char* node_fields) {
    return complaint_about(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]", "value_f: [2, 3]",
                                       output_fields, node_fields));
  };
  EXPECT_EQ(with("", "evaluation_criterion: DIFF1 evaluation_threshold: [1, 2]"),
            "6: evaluation_threshold: has 2 entries for the 1 of evaluation_criterion");
  EXPECT_EQ(with("thresholds { evaluation_threshold: [1, 2] }", "evaluation_criterion: DIFF1"),
            "4: output[0].thresholds.evaluation_threshold: has 2 entries for the 1 of "
            "evaluation_criterion");
  EXPECT_EQ(with("", "evaluation_criterion: DIFF1"),
            "4: output[0].thresholds.evaluation_threshold: has 0 entries for the 1 of "
            "evaluation_criterion");
  EXPECT_EQ(with("thresholds { evaluation_threshold: 1 } threshold_use: 0",
                 "evaluation_criterion: [DIFF1, DIFF2]"),
            "no complaint");
  EXPECT_EQ(with("", "device: GPU"),
            "4: output[0]: has no values, though the baseline is that of another device");
}

TEST(BadFiles, HugeTensorsAreRefusedBeforeTheyAreMade) {
  const auto with_dims = [](const char* dims) {
    const fs::path path = write_file(
        "case.prototxt", exchanged(carafe_text("DTYPE_FLOAT", "value_f: [1, 2, 3, 4]",
                                               "random_data { lower_bound: 0 upper_bound: 1 }"),
                                   "[1, 1, 2, 1]", dims));
    return complaint(path, {.memory_limit = std::size_t{64} << 20});
  };
  const auto refusal = [](const char* needed) {
    return "3: input[1].shape: is the largest of the tensors, which together need " +
           std::string(needed) + " MiB of memory; 64 MiB are available";
  };
  const std::string uncountable = refusal("more than 17592186044416");
  EXPECT_EQ(with_dims("[2400000, 1, 1, 1]"), refusal("65"));
  EXPECT_EQ(with_dims("[1000000, 1000000, 1, 1]"), refusal("26702881"));
  EXPECT_EQ(with_dims("[4294967296, 4294967296, 4294967296, 4]"), uncountable);
  EXPECT_EQ(with_dims("[9223372036854775807, 1, 1, 1]"), uncountable);
  EXPECT_EQ(with_dims("[2, 2, 2, 2] dim_stride: [9223372036854775807, 1, 1, 1]"), uncountable);
  EXPECT_EQ(with_dims("[2, 2, 2, 2] dim_stride: [4611686018427387904, 4611686018427387904, 1, 1]"),
            uncountable);
  EXPECT_EQ(with_dims("[2000000, 1, 1, 1]"), "no complaint");
  EXPECT_EQ(with_dims("[0, 9223372036854775807, 9223372036854775807, 1]"), "no complaint");
}

/// 4 MiB for the input and 7 MiB for the mask, including doubles; 13 MiB for the output with six doubles.
TEST(BadFiles, TheLimitIsOnAllTensorsAndComesBeforeTheirData) {
  constexpr std::size_t MiB = std::size_t{1} << 20;
  std::string text = carafe_text("DTYPE_FLOAT", "value_i: 1", "value_f: [2, 3]");
  text = exchanged(text, "input { id: \"input\" shape { dims: [1, 1, 2, 2] }",
                   "input { id: \"input\" shape { dims: [149796, 1, 1, 1] }");
  text = exchanged(text, "[1, 1, 2, 1]", "[262144, 1, 1, 1]");
  text = exchanged(text, "output { id: \"output\" shape { dims: [1, 1, 2, 2] }",
                   "output { id: \"output\" shape { dims: [262144, 1, 1, 1] }");
  const fs::path path = write_file("case.prototxt", text);
  EXPECT_EQ(complaint(path, {.memory_limit = 23 * MiB}),
            "4: output[0].shape: is the largest of the tensors, which together need 24 MiB of "
            "memory; 23 MiB are available");
  EXPECT_EQ(complaint(path, {.memory_limit = 24 * MiB}),
            "2: input[0].value_i: has 1 values, the shape needs 149796");
}

TEST(BadFiles, MustBeFilesOfAKnownKind) {
  EXPECT_EQ(complaint(write_file("case.txt", carafe_text())), " is neither .prototxt nor .pb");
  EXPECT_EQ(complaint(scratch_directory() / "none.prototxt"),
            " cannot be read: No such file or directory");
  fs::create_directories(scratch_directory() / "folder.pb");
  EXPECT_EQ(complaint(scratch_directory() / "folder.pb"),
            " cannot be read: it is a directory, not a regular file");
  EXPECT_EQ(complaint(write_file("empty.prototxt", "")), " op_name: is missing");
  EXPECT_EQ(complaint(write_file("empty.pb", "")), " op_name: is missing");
  EXPECT_EQ(complaint(write_file("lines.prototxt", "op_name: 'a\\nb\\007'")),
            "1: op_name: no operator of this library or of MLU-OPS 1.11.1 is called 'a?b?'");
  EXPECT_EQ(complaint(write_file("text.pb", carafe_text())),
            " is not a binary case file, or is cut short");
}

/// Binary files have no lines, and numbers instead of names.
TEST(BadFiles, BinaryOnesNameTheField) {
  const auto binary = [](const std::string& text) {
    return complaint(write_file("case.pb", binary_of(text)));
  };
  EXPECT_EQ(binary(exchanged(carafe_text(), "kernel_size: 1", "")),
            " carafe_param.kernel_size: is missing");
  EXPECT_EQ(binary(exchanged(carafe_text(), "value_f: [2, 3]", "value_f: 2")),
            " input[1].value_f: has 1 values, the shape needs 2");
  std::string unknown = binary_of(carafe_text("DTYPE_UINT64", "value_ul: [1, 2, 3, 4]"));
  unknown = unknown.replace(unknown.find("\x20\x11"), 2, "\x20\x70");  // dtype 112
  EXPECT_EQ(complaint(write_file("case.pb", unknown)), " input[0].dtype: is missing or unknown");
}

}  // namespace
}  // namespace mluop::casefile
