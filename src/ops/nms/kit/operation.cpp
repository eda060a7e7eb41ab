// Tensors, calls and expected results of the four operators.
#include "ops/nms/kit/operation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "testing/data/handle.hpp"

namespace mluop::nms {
namespace {

using testing::HostTensor;

std::int64_t count_of(const Operation& operation, const Setting& setting, const Scene& scene) {
  const std::int64_t batch = std::max<std::int64_t>(setting.batch, 1);
  return std::ssize(scene.boxes) / batch /
         static_cast<std::int64_t>(numbers_of(operation, setting));
}

/// Rows [B,N,n] as columns [B,n,N], or back.
std::vector<double> transposed(const std::vector<double>& from, std::size_t batch, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> to(from.size());
  for (std::size_t b = 0; b < batch; ++b) {
    const std::size_t base = b * rows * columns;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        to[base + j * rows + i] = from[base + i * columns + j];
      }
    }
  }
  return to;
}

std::vector<std::int64_t> box_dims(const Setting& setting, std::int64_t N, std::int64_t numbers) {
  std::vector<std::int64_t> dims =
      setting.input_layout == 1 ? std::vector{numbers, N} : std::vector{N, numbers};
  if (setting.batch != 0) dims.insert(dims.begin(), setting.batch);
  return dims;
}

std::int64_t most_of(const Setting& setting, std::int64_t N) {
  return setting.most < 0 || setting.standing ? N : setting.most;
}

/// [kept at most], with the length of a record; of planes the whole planes.
std::vector<std::int64_t> output_dims(const Setting& setting, std::int64_t N) {
  const std::int64_t most = most_of(setting, N), records = setting.problems() * std::min(N, most);
  if (setting.standing) return {records};
  switch (setting.output_mode) {
    case MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1:
      return {records, 5};
    case MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2:
      return {5, setting.problems() * most};
    case MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS:
      return {records, 3};
    default:
      return {records};
  }
}

bool gives_boxes(const Operation& operation, const Setting& setting) {
  return operation.function == Function::nms && !setting.standing &&
         (setting.output_mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1 ||
          setting.output_mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_2);
}

/// Boxes by rows whatever the layout, and scores: what a reference starts from.
struct Rows {
  std::size_t N, numbers;
  std::vector<double> boxes, scores;

  std::span<const double> boxes_of(std::size_t b) const {
    return std::span(boxes).subspan(b * N * numbers, N * numbers);
  }
};

Rows rows_of(const Operation& operation, const Setting& setting, const HostTensor& boxes,
             const HostTensor* scores) {
  Rows rows{0, numbers_of(operation, setting), boxes.values(), {}};
  const auto batch = static_cast<std::size_t>(std::max<std::int64_t>(setting.batch, 1));
  rows.N = rows.boxes.size() / batch / rows.numbers;
  if (setting.input_layout == 1) rows.boxes = transposed(rows.boxes, batch, rows.numbers, rows.N);
  if (scores != nullptr) rows.scores = scores->values();
  return rows;
}

/// The boxes of a problem that may be kept, in order.
std::vector<std::int64_t> candidates(const Operation& operation, const Setting& setting,
                                     const Rows& rows, std::size_t problem) {
  if (rows.scores.empty()) {
    std::vector<std::int64_t> order(rows.N);
    std::iota(order.begin(), order.end(), 0);
    return order;
  }
  const auto scores = std::span(rows.scores).subspan(problem * rows.N, rows.N);
  std::vector<std::int64_t> order = reference::by_score(scores);
  if (operation.function == Function::nms) {
    std::erase_if(order, [&](std::int64_t i) {
      return !(scores[static_cast<std::size_t>(i)] > double{setting.confidence_threshold});
    });
  }
  return order;
}

class Expected {
 public:
  Expected(const Operation& operation, const Setting& setting, const Rows& rows,
           std::int64_t output_count)
      : boxes_given_(gives_boxes(operation, setting)),
        setting_(setting),
        rows_(rows),
        output_(static_cast<std::size_t>(output_count)),
        plane_(static_cast<std::size_t>(setting.problems() *
                                        most_of(setting, static_cast<std::int64_t>(rows.N)))) {}

  void add(std::size_t problem, std::int64_t index) {
    const auto classes = static_cast<std::size_t>(setting_.batch == 0 ? 1 : setting_.classes);
    const auto i = static_cast<std::size_t>(index);
    if (boxes_given_) {
      put_of_record(0, rows_.scores[problem * rows_.N + i]);
      for (std::size_t f = 0; f < 4; ++f) {
        put_of_record(f + 1, rows_.boxes_of(problem / classes)[4 * i + f]);
      }
    } else if (setting_.output_mode == MLUOP_NMS_OUTPUT_TARGET_BATCH_AND_CLASS &&
               !setting_.standing) {
      output_[3 * found_] = static_cast<double>(problem / classes);
      output_[3 * found_ + 1] = static_cast<double>(problem % classes);
      output_[3 * found_ + 2] = static_cast<double>(index);
    } else {
      output_[found_] = static_cast<double>(index);
    }
    ++found_;
  }
  std::vector<std::vector<double>> result() const {
    return {output_, {static_cast<double>(found_)}};
  }

 private:
  void put_of_record(std::size_t field, double value) {
    const bool row = setting_.output_mode == MLUOP_NMS_OUTPUT_TARGET_CONFIDENCE_AND_POS_1;
    output_[row ? 5 * found_ + field : field * plane_ + found_] = value;
  }

  bool boxes_given_;
  const Setting& setting_;
  const Rows& rows_;
  std::vector<double> output_;
  std::size_t plane_;
  std::size_t found_ = 0;
};

template <class Real>
std::vector<double> overlaps(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<Real> of_a(a.begin(), a.end()), of_b(b.begin(), b.end());
  std::vector<double> result;
  for (std::size_t i = 0; i < of_a.size(); i += 7) {
    for (std::size_t j = 0; j < of_b.size(); j += 7) {
      result.push_back(reference::overlap(&of_a[i], &of_b[j]));
    }
  }
  return result;
}

}  // namespace

std::size_t numbers_of(const Operation& operation, const Setting& setting) {
  if (operation.function == Function::cpu_nms) return 4;
  if (operation.function == Function::nms) return setting.standing ? 7 : 4;
  return 7;
}

reference::Rule rule_of(const Operation& operation, const Setting& setting) {
  using Shape = reference::Rule::Shape;
  const auto offset = static_cast<float>(setting.offset);
  if (operation.function == Function::cpu_nms) {
    return {Shape::corners, setting.iou_threshold, offset};
  }
  if (operation.function == Function::nms3d) {
    return {setting.ignore_heading ? Shape::upright : Shape::turned, setting.iou_threshold, 0};
  }
  if (setting.standing) return {Shape::turned, setting.iou_threshold, 0};
  const bool centred = setting.box_mode == MLUOP_NMS_BOX_CENTER;
  return {centred ? Shape::centred : Shape::exchanged, setting.iou_threshold, offset};
}

Tensors make_tensors(const Operation& operation, const Setting& setting, const Scene& scene,
                     mluOpDataType_t dtype) {
  const std::int64_t N = count_of(operation, setting, scene);
  const auto numbers = static_cast<std::int64_t>(numbers_of(operation, setting));
  const auto tensor = [](const char* name, mluOpDataType_t of, std::vector<std::int64_t> dims) {
    return HostTensor(name, of, MLUOP_LAYOUT_ARRAY, std::move(dims));
  };
  if (operation.function == Function::overlap) {
    const std::int64_t M = std::ssize(scene.second) / 7;
    Tensors tensors{tensor("boxes_a", dtype, {N, 7}), tensor("boxes_b", dtype, {M, 7}),
                    tensor("overlap", dtype, {N, M}), HostTensor()};
    tensors.boxes.assign(scene.boxes);
    tensors.second.assign(scene.second);
    return tensors;
  }
  const mluOpDataType_t of_output = gives_boxes(operation, setting) ? dtype : setting.index_dtype;
  const mluOpDataType_t of_number =
      operation.function == Function::nms ? MLUOP_DTYPE_INT32 : setting.index_dtype;
  const bool simple = operation.function != Function::nms;
  Tensors tensors{tensor("boxes", dtype, box_dims(setting, N, numbers)), HostTensor(),
                  tensor("output", of_output, simple ? std::vector{N} : output_dims(setting, N)),
                  tensor("output_size", of_number, {1})};
  const auto batch = static_cast<std::size_t>(std::max<std::int64_t>(setting.batch, 1));
  tensors.boxes.assign(setting.input_layout == 1
                           ? transposed(scene.boxes, batch, static_cast<std::size_t>(N),
                                        static_cast<std::size_t>(numbers))
                           : scene.boxes);
  if (numbers == 4) {
    const bool batched = setting.batch != 0;
    tensors.second = tensor(
        "scores", dtype, batched ? std::vector{setting.batch, setting.classes, N} : std::vector{N});
    tensors.second.assign(scene.second);
  }
  return tensors;
}

std::int64_t boxes_of(const Setting& setting, const HostTensor& boxes) {
  return boxes.dims()[boxes.dims().size() - (setting.input_layout == 1 ? 1 : 2)];
}

mluOpStatus_t run(const Operation& operation, const Setting& setting, mluOpHandle_t handle,
                  const View& view) {
  if (operation.function != Function::nms) return run(operation, setting, nullptr, handle, view);
  const NmsDescriptor desc(setting, boxes_of(setting, view.boxes));
  return run(operation, setting, desc.get(), handle, view);
}

mluOpStatus_t run(const Operation& operation, const Setting& setting, mluOpNmsDescriptor_t desc,
                  mluOpHandle_t handle, const View& view) {
  const HostTensor &boxes = view.boxes, &second = view.second;
  HostTensor& output = view.output;
  switch (operation.function) {
    case Function::cpu_nms:
      return mluOpCpuNms(handle, setting.iou_threshold, setting.offset, boxes.descriptor(),
                         boxes.data(), second.descriptor(), second.data(), output.descriptor(),
                         output.data(), view.number->data());
    case Function::nms3d:
      return mluOpCpuNms3d(handle, setting.iou_threshold, setting.ignore_heading ? 1 : 0,
                           boxes.descriptor(), boxes.data(), output.descriptor(), output.data(),
                           view.number->data());
    case Function::overlap:
      return mluOpCpuBoxesOverlapBev(handle, boxes.descriptor(), boxes.data(), second.descriptor(),
                                     second.data(), output.descriptor(), output.data());
    case Function::nms:
      break;
  }
  return mluOpNms(handle, desc, boxes.descriptor(), boxes.data(), second.descriptor(),
                  second.data(), nullptr, 0, output.descriptor(), output.data(),
                  view.number->data());
}

std::vector<std::vector<double>> expected(const Operation& operation, const Setting& setting,
                                          const View& view) {
  if (!operation.suppresses()) return expected_overlaps(view.boxes, view.second);
  const bool scored = view.second.descriptor() != nullptr;
  return expected_kept(operation, setting, view.boxes, scored ? &view.second : nullptr,
                       view.output.count());
}

/// One operation after the other in float, or in double for DOUBLE, and rounded once: there is one answer.
std::vector<std::vector<double>> expected_overlaps(const HostTensor& a, const HostTensor& b) {
  const mluOpDataType_t dtype = a.dtype();
  const auto areas = dtype == MLUOP_DTYPE_DOUBLE ? overlaps<double>(a.values(), b.values())
                                                 : overlaps<float>(a.values(), b.values());
  return {testing::rounded_to(dtype, areas)};
}

std::vector<std::vector<double>> expected_kept(const Operation& operation, const Setting& setting,
                                               const HostTensor& boxes, const HostTensor* scores,
                                               std::int64_t output_count) {
  const Rows rows = rows_of(operation, setting, boxes, scores);
  const auto classes = static_cast<std::size_t>(setting.batch == 0 ? 1 : setting.classes);
  const auto N = static_cast<std::int64_t>(rows.N);
  const std::int64_t most = operation.function == Function::nms ? most_of(setting, N) : N;
  const reference::Rule rule = rule_of(operation, setting);
  Expected result(operation, setting, rows, output_count);
  for (std::size_t problem = 0; problem < static_cast<std::size_t>(setting.problems()); ++problem) {
    const auto order = candidates(operation, setting, rows, problem);
    const auto kept =
        reference::keep(rule, rows.boxes_of(problem / classes), order, most, boxes.dtype());
    for (const std::int64_t index : kept) result.add(problem, index);
  }
  return result.result();
}

NmsDescriptor::NmsDescriptor(const Setting& setting, std::int64_t boxes) {
  testing::expect_success(mluOpCreateNmsDescriptor(&desc_), "mluOpCreateNmsDescriptor");
  const int most = static_cast<int>(setting.most < 0 ? boxes : setting.most);
  testing::expect_success(
      mluOpSetNmsDescriptor(desc_, setting.box_mode, setting.output_mode,
                            MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY, MLUOP_NMS_HARD_NMS,
                            setting.iou_threshold, 0, most, setting.confidence_threshold,
                            static_cast<float>(setting.offset), setting.input_layout, setting.pad),
      "mluOpSetNmsDescriptor");
}

NmsDescriptor::~NmsDescriptor() { mluOpDestroyNmsDescriptor(desc_); }

}  // namespace mluop::nms
