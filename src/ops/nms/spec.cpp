// The checks of mluOpNms, in the order the contract gives.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>

#include "ops/nms/spec_rules.hpp"

namespace mluop::nms {
namespace {

/// B = classes = 1 without a batch.
struct Dims {
  Dim B{"B"}, classes{"classes"}, N{"N"};
  bool standing = false;  // boxes have seven numbers

  std::int64_t batch() const { return B.bound() ? B.value() : 1; }
  std::int64_t class_count() const { return classes.bound() ? classes.value() : 1; }
};

/// A product, or the greatest number if it does not fit: no tensor has as many elements.
std::int64_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t result = 1;
  for (const std::int64_t factor : factors) {
    if (__builtin_mul_overflow(result, factor, &result)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

/// Data pointers come first, even if there are no boxes.
void check_present(Check& check, const Arguments& call) {
  check.tensors(call.boxes).present();
  check.present("nms_desc", call.nms);
  check.tensors(call.output).present();
  check.tensors(call.boxes, call.output).data_present();
  check.present("output_size", call.output_size);
}

/// A descriptor that was never set has no max_output_size.
void check_descriptor(Check& check, const cnnlNmsStruct& nms) {
  check.require("max_output_size", nms.max_output_size, at_least(0));
  check.support("method_mode", static_cast<int>(nms.method_mode), equal_to(MLUOP_NMS_HARD_NMS));
  check.on_card("confidence_threshold", nms.confidence_threshold, at_least(0),
                MLUOP_STATUS_BAD_PARAM);
  check.on_card("confidence_threshold", nms.confidence_threshold, at_most(1),
                MLUOP_STATUS_BAD_PARAM);
}

/// Boxes [N,4], [B,N,4] or [N,7], or by field; confidence [N] or [B,classes,N], and none of boxes [N,7].
void check_shapes(Check& check, const Arguments& call, Dims& dims) {
  check.tensors(call.boxes).rank(RankSet{bits_of(2, 3)});
  if (!check.running()) return;
  const int rank = call.boxes.desc->rank();
  const bool by_field = call.nms->input_layout == 1;
  const int axis = by_field ? rank - 2 : rank - 1;
  const std::int64_t numbers = call.boxes.desc->dim(axis);
  const std::string name = "boxes dim " + std::to_string(axis);
  check.require(name.c_str(), numbers, rank == 2 ? one_of(4, 7) : one_of(4));
  dims.standing = numbers == 7;
  const Size first = by_field ? Size(numbers) : Size(dims.N);
  const Size second = by_field ? Size(dims.N) : Size(numbers);
  if (rank == 2) {
    check.shape(call.boxes, {first, second});
  } else {
    check.shape(call.boxes, {dims.B, first, second});
  }
  if (dims.standing) return;
  check.tensors(call.confidence).present().rank(rank == 2 ? 1 : 3);
  if (rank == 2) {
    check.shape(call.confidence, {dims.N});
  } else {
    check.shape(call.confidence, {dims.B, dims.classes, dims.N});
  }
}

Record record_of(const cnnlNmsStruct& nms, bool standing) {
  if (standing) return Record::index;
  switch (nms.output_mode) {
    case MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1:
      return Record::row;
    case MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2:
      return Record::plane;
    case MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS:
      return Record::triplet;
    default:
      return Record::index;
  }
}

void check_tensors(Check& check, const Arguments& call, Record record, bool standing) {
  const bool indices = record == Record::index || record == Record::triplet;
  check.tensors(call.boxes).dtype(floating);
  if (!standing) check.tensors(call.boxes, call.confidence).same_dtype();
  if (indices) {
    constexpr DtypeSet index_dtypes{bits_of(MLUOP_DTYPE_INT32, MLUOP_DTYPE_UINT32)};
    check.tensors(call.output).dtype(index_dtypes);
  } else {
    check.tensors(call.boxes, call.output).same_dtype();
  }
  if (!standing) {
    check.tensors(call.boxes, call.confidence, call.output).contiguous().addressable();
  } else {
    check.tensors(call.boxes, call.output).contiguous().addressable();
  }
}

/// Everything that may be kept must fit the output.
void check_room(Check& check, const Arguments& call, Problem& problem) {
  if (!check.running()) return;
  const std::int64_t problems = product({problem.B, problem.classes});
  const std::int64_t kept = product({problems, problem.most});
  std::int64_t needed = kept;
  if (problem.record == Record::row) needed = product({5, kept});
  if (problem.record == Record::triplet) needed = product({3, kept});
  if (problem.record == Record::plane) {
    problem.plane_stride = product({problems, call.nms->max_output_size});
    const std::int64_t planes = product({4, problem.plane_stride});
    needed = __builtin_add_overflow(planes, kept, &needed)
                 ? std::numeric_limits<std::int64_t>::max()
                 : planes + kept;
  }
  check.require("output elements", static_cast<std::int64_t>(call.output.desc->element_count),
                at_least(needed));
}

}  // namespace

void check_nms(Check& check, const Arguments& call, Problem& problem) {
  Dims dims;
  check_present(check, call);
  if (!check.running()) return;
  const cnnlNmsStruct& nms = *call.nms;
  check_descriptor(check, nms);
  check_shapes(check, call, dims);
  if (!check.running()) return;
  const Record record = record_of(nms, dims.standing);
  check_tensors(check, call, record, dims.standing);
  if (!check.running()) return;
  const std::int64_t N = dims.N.value();
  const Shape shape = dims.standing                          ? Shape::turned
                      : nms.box_mode == MLUOP_NMS_BOX_CENTER ? Shape::centred
                                                             : Shape::exchanged_corners;
  Problem filled{.B = dims.batch(),
                 .classes = dims.class_count(),
                 .N = N,
                 .shape = shape,
                 .by_field = nms.input_layout == 1,
                 .dtype = call.boxes.desc->dtype,
                 .boxes = call.boxes.data,
                 .scores = dims.standing ? nullptr : call.confidence.data,
                 .above_confidence = !dims.standing,
                 .confidence_threshold = nms.confidence_threshold,
                 .iou_threshold = nms.iou_threshold,
                 .offset = nms.offset,
                 .most = dims.standing ? N : std::min<std::int64_t>(N, nms.max_output_size),
                 .record = record,
                 .output = const_cast<void*>(call.output.data),
                 .output_bytes = Region(call.output).bytes,
                 .result_num = const_cast<void*>(call.output_size)};
  check_room(check, call, filled);
  check.workspace(call.workspace, call.workspace_size, 0);
  if (check.running() && filled.B * filled.classes * N == 0) {
    write_number(filled.result_num, filled.index_dtype, 0);
    check.done_if_empty(call.boxes);
    if (!dims.standing) check.done_if_empty(call.confidence);
  }
  check.support("number of boxes", N, at_most(most_boxes));
  if (!dims.standing) check.tensors(call.confidence).data_present();
  const Region number{"output_size", call.output_size, sizeof(std::int32_t)};
  const Region workspace{"workspace", call.workspace, call.workspace_size};
  if (dims.standing) {
    check.no_overlap({call.boxes}, {call.output, number}, workspace);
  } else {
    check.no_overlap({call.boxes, call.confidence}, {call.output, number}, workspace);
  }
  if (check.running()) problem = filled;
}

}  // namespace mluop::nms
