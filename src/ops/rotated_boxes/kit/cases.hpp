// The named cases of rotated boxes, the same in test and bench.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ops/rotated_boxes/kit/reference.hpp"
#include "ops/rotated_boxes/kit/scenes.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::rotated_boxes::cases {

using testing::HostTensor;

struct IouDefinition {
  std::string name;
  testing::Case::Kind kind;
  reference::Pairs pairs;
  std::function<reference::Boxes(testing::Generator&, const reference::Pairs&)> draw;
};

struct NmsDefinition {
  std::string name;
  testing::Case::Kind kind;
  std::int64_t count, fields;
  float threshold;
  std::function<scenes::Rows(testing::Generator&, std::int64_t count)> draw;
  enum class Scores { different, repeated, special } scores = Scores::different;
};

const std::vector<IouDefinition>& iou_definitions();
const std::vector<NmsDefinition>& nms_definitions();
const IouDefinition& iou_named(const std::string& name);
const NmsDefinition& nms_named(const std::string& name);

/// For people: "64 x 196416 boxes, over the union".
std::string text_of(const reference::Pairs& pairs);
std::string text_of(const NmsDefinition& definition);

/// Inputs filled, outputs poisoned.
struct IouTensors {
  HostTensor first, second, ious;
};
IouTensors make_tensors(const reference::Pairs& pairs, const reference::Boxes& boxes,
                        mluOpDataType_t dtype);
IouTensors make_tensors(const IouDefinition& definition, mluOpDataType_t dtype);

struct NmsTensors {
  HostTensor boxes, scores, output, count;
};
/// `boxes` has five numbers for each; a sixth field holds labels.
NmsTensors make_tensors(std::int64_t fields, std::span<const double> boxes,
                        std::span<const double> scores, mluOpDataType_t dtype);
NmsTensors make_tensors(const NmsDefinition& definition, mluOpDataType_t dtype);

mluOpStatus_t run(mluOpHandle_t handle, const reference::Pairs& pairs, const HostTensor& first,
                  const HostTensor& second, HostTensor& ious);
mluOpStatus_t run(mluOpHandle_t handle, float threshold, const HostTensor& boxes,
                  const HostTensor& scores, HostTensor& output, HostTensor& count);

// Sizes that users choose, or random ones.
const std::vector<testing::SizeKey>& iou_size_keys();
IouDefinition iou_sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_iou_sizes(testing::Generator& random);
testing::Sizes sweep_iou_sizes(testing::Generator& random);
const std::vector<testing::SizeKey>& nms_size_keys();
NmsDefinition nms_sized(const testing::Sizes& sizes, std::uint64_t seed);
testing::Sizes draw_nms_sizes(testing::Generator& random);
testing::Sizes sweep_nms_sizes(testing::Generator& random);

}  // namespace mluop::rotated_boxes::cases
