#include "ops/roi_align/kit/spoilable_call.hpp"

namespace mluop::roi_align::checks {

const char* Variant::name() const {
  switch (function) {
    case Function::forward:
      return "mluOpRoiAlignForward_v2";
    case Function::backward:
      return "mluOpRoiAlignBackward_v2";
    case Function::average_backward:
      return "mluOpRoiAlignBackward";
  }
  return "";
}

std::vector<testing::PlaceableMemory> Args::memory() {
  using Role = testing::PlaceableMemory::Role;
  const Role read = Role::input, written = Role::output;
  const bool backward = variant.backward();
  std::vector<testing::PlaceableMemory> all{
      backward ? bins.memory("grads", read) : images.memory("input", read),
      boxes.memory("boxes", read, box_data.data())};
  if (!backward) all.push_back(bins.memory("output", written));
  if (variant.maximum) {
    all.push_back(argmax_x.memory("argmax_x", backward ? read : written));
    all.push_back(argmax_y.memory("argmax_y", backward ? read : written));
  }
  if (backward) all.push_back(images.memory("grads_image", written));
  return all;
}

mluOpStatus_t call(Args& args) {
  testing::Handle own;
  own.limits(args.limits);
  const mluOpHandle_t handle = args.has_handle ? own.get() : nullptr;
  const testing::Descriptor images = args.images.make_descriptor();
  const testing::Descriptor boxes = args.boxes.make_descriptor();
  const testing::Descriptor bins = args.bins.make_descriptor();
  const testing::Descriptor x = args.argmax_x.make_descriptor();
  const testing::Descriptor y = args.argmax_y.make_descriptor();
  void* const image_data = args.images.data(args.image_data);
  const void* const box_data = args.boxes.data(args.box_data);
  void* const bin_data = args.bins.data(args.bin_data);
  void *const x_data = args.argmax_x.data(args.x_data), *const y_data =
                                                            args.argmax_y.data(args.y_data);
  const cnnlRoiAlignStruct& roialign = args.roialign;
  switch (args.variant.function) {
    case Function::forward:
      return mluOpRoiAlignForward_v2(handle, args.has_roialign ? &args.roialign : nullptr,
                                     images.get(), image_data, boxes.get(), box_data, bins.get(),
                                     bin_data, x.get(), x_data, y.get(), y_data);
    case Function::backward:
      return mluOpRoiAlignBackward_v2(handle, bins.get(), bin_data, boxes.get(), box_data, x.get(),
                                      x_data, y.get(), y_data, roialign.spatial_scale,
                                      roialign.sampling_ratio, roialign.aligned, roialign.pool_mode,
                                      images.get(), image_data);
    case Function::average_backward:
      return mluOpRoiAlignBackward(handle, roialign.spatial_scale, roialign.sampling_ratio,
                                   roialign.aligned, bins.get(), bin_data, boxes.get(), box_data,
                                   images.get(), image_data);
  }
  return MLUOP_STATUS_INTERNAL_ERROR;
}

std::vector<Named> tensors_of(const Variant& variant) {
  std::vector<Named> all;
  if (variant.backward()) {
    all = {{"grads", &Args::bins}, {"boxes", &Args::boxes}};
  } else {
    all = {{"input", &Args::images}, {"boxes", &Args::boxes}, {"output", &Args::bins}};
  }
  if (variant.maximum) {
    all.push_back({"argmax_x", &Args::argmax_x});
    all.push_back({"argmax_y", &Args::argmax_y});
  }
  if (variant.backward()) all.push_back({"grads_image", &Args::images});
  return all;
}

Args BadCalls::valid_call(mluOpCpuLimits_t limits) const {
  Args args;
  args.variant = variant;
  args.limits = limits;
  args.roialign.pool_mode = variant.maximum ? 0 : 1;
  if (!variant.maximum) args.without_argmax();
  std::ranges::fill(variant.backward() ? args.bin_data : args.image_data, 1.0f);
  return args;
}

void BadCalls::expect_refused(mluOpCpuLimits_t limits) const {
  const bool on_card = limits == MLUOP_CPU_LIMITS_MLU;
  if (on_card && variant.function == Function::average_backward) return;
  const std::string mode =
      std::string(testing::mode_of(limits)) + (variant.maximum ? ", maximum" : ", average");
  table.expect_refused(
      variant.name(), mode, [this, limits] { return valid_call(limits); },
      [](Args& args) { return call(args); });
}

}  // namespace mluop::roi_align::checks
