// The operators of this family as data: what differs between their tests, cases and bad calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "ops/nms/kit/reference.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::nms {

enum class Function { nms, cpu_nms, nms3d, overlap };

struct Operation {
  Function function;
  const char* op;
  const char* name;  // of the C function
  bool suppresses() const { return function != Function::overlap; }
};

inline constexpr Operation nms_operation{Function::nms, "nms", "mluOpNms"};
inline constexpr Operation cpu_nms_operation{Function::cpu_nms, "cpu_nms", "mluOpCpuNms"};
inline constexpr Operation nms3d_operation{Function::nms3d, "nms3d", "mluOpCpuNms3d"};
inline constexpr Operation overlap_operation{Function::overlap, "boxes_overlap_bev",
                                             "mluOpCpuBoxesOverlapBev"};
inline constexpr const Operation* operations[] = {&nms_operation, &cpu_nms_operation,
                                                  &nms3d_operation, &overlap_operation};

/// Everything a call has besides tensors and sizes.
struct Setting {
  std::int64_t batch = 0;    // 0: boxes and scores without batch and classes
  std::int64_t classes = 1;  // of a batch element
  bool standing = false;     // boxes of seven numbers; given for nms only
  mluOpNmsBoxPointMode_t box_mode = MLUOP_NMS_BOX_DIAGONAL;
  mluOpNmsOutputMode_t output_mode = MLUOP_NMS_OUTPUT_TARGET_INDICES;
  float iou_threshold = 0.5f;
  float confidence_threshold = 0;
  int offset = 0;
  int most = -1;  // -1: as many as there are boxes
  int input_layout = 0;
  bool pad = false;
  bool ignore_heading = false;
  mluOpDataType_t index_dtype = MLUOP_DTYPE_INT32;

  std::int64_t problems() const { return batch == 0 ? 1 : batch * classes; }
};

/// The tensors of a call, where they are. `second` is scores, boxes_b, or nothing; overlaps have no `number`.
struct View {
  const testing::HostTensor &boxes, &second;
  testing::HostTensor& output;
  testing::HostTensor* number;
};

/// Inputs filled, results poisoned.
struct Tensors {
  testing::HostTensor boxes, second, output, number;

  View view() { return {boxes, second, output, &number}; }
};

/// Rows of boxes, problem by problem for scores; of overlaps the boxes of both sides.
struct Scene {
  std::vector<double> boxes, second;
};

std::size_t numbers_of(const Operation& operation, const Setting& setting);
reference::Rule rule_of(const Operation& operation, const Setting& setting);

Tensors make_tensors(const Operation& operation, const Setting& setting, const Scene& scene,
                     mluOpDataType_t dtype);

mluOpStatus_t run(const Operation& operation, const Setting& setting, mluOpHandle_t handle,
                  const View& view);
/// The same with a descriptor of the setting, so that the call allocates nothing of its own.
mluOpStatus_t run(const Operation& operation, const Setting& setting, mluOpNmsDescriptor_t desc,
                  mluOpHandle_t handle, const View& view);

/// The boxes of each problem.
std::int64_t boxes_of(const Setting& setting, const testing::HostTensor& boxes);

/// What the formula gives of the three that suppress: the output, and the number kept. Without scores,
/// boxes are in order. `output_count` elements are compared.
std::vector<std::vector<double>> expected_kept(const Operation& operation, const Setting& setting,
                                               const testing::HostTensor& boxes,
                                               const testing::HostTensor* scores,
                                               std::int64_t output_count);
/// The same of overlaps.
std::vector<std::vector<double>> expected_overlaps(const testing::HostTensor& a,
                                                   const testing::HostTensor& b);
/// Either of the two.
std::vector<std::vector<double>> expected(const Operation& operation, const Setting& setting,
                                          const View& view);

/// A descriptor for mluOpNms with these numbers; throws if they are refused.
class NmsDescriptor {
 public:
  explicit NmsDescriptor(const Setting& setting, std::int64_t boxes);
  ~NmsDescriptor();
  NmsDescriptor(const NmsDescriptor&) = delete;
  NmsDescriptor& operator=(const NmsDescriptor&) = delete;
  mluOpNmsDescriptor_t get() const { return desc_; }

 private:
  mluOpNmsDescriptor_t desc_ = nullptr;
};

}  // namespace mluop::nms
