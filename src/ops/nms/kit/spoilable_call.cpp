#include "ops/nms/kit/spoilable_call.hpp"

namespace mluop::nms::checks {

Args::Args(const Operation& of) : operation(&of) {
  const bool seven = of.function == Function::nms3d || of.function == Function::overlap;
  boxes.dims = {5, seven ? 7 : 4};
  second.dims = of.suppresses() ? std::vector<std::int64_t>{5} : std::vector<std::int64_t>{4, 7};
  output.dims = of.suppresses() ? std::vector<std::int64_t>{5} : std::vector<std::int64_t>{5, 4};
  if (of.suppresses()) {
    output.dtype = MLUOP_DTYPE_INT32;
  } else {
    number_data = {-7};
  }
  boxes_data.assign(35, 1.0);
  second_data.assign(28, 1.0);
  output_data.assign(25, -7.0);
}

void Args::dtypes(mluOpDataType_t dtype) {
  boxes.dtype = second.dtype = dtype;
  if (!operation->suppresses()) output.dtype = dtype;
}

void Args::count(std::int64_t N) {
  boxes.dims[0] = N;
  if (!operation->suppresses()) {
    output.dims[0] = N;
    return;
  }
  second.dims = output.dims = {N};
}

namespace {

struct DestroyNms {
  void operator()(mluOpNmsDescriptor_t desc) const { mluOpDestroyNmsDescriptor(desc); }
};

std::unique_ptr<cnnlNmsStruct, DestroyNms> nms_descriptor(const Args& args) {
  mluOpNmsDescriptor_t desc = nullptr;
  testing::expect_success(mluOpCreateNmsDescriptor(&desc), "mluOpCreateNmsDescriptor");
  std::unique_ptr<cnnlNmsStruct, DestroyNms> owned(desc);
  if (args.is_set) {
    testing::expect_success(
        mluOpSetNmsDescriptor(desc, MLUOP_NMS_BOX_DIAGONAL, args.output_mode,
                              MLUOP_NMS_ALGO_EXCLUDE_BOUNDARY, args.method_mode, 0.5f, 0,
                              args.max_output_size, args.confidence_threshold, 0, args.input_layout,
                              false),
        "mluOpSetNmsDescriptor");
  }
  return owned;
}

}  // namespace

mluOpStatus_t call(Args& args) {
  testing::Handle handle;
  handle.limits(args.limits);
  const mluOpHandle_t given = args.has_handle ? handle.get() : nullptr;
  const auto boxes = args.boxes.make_descriptor(), second = args.second.make_descriptor();
  const auto output = args.output.make_descriptor();
  void* const boxes_data = args.boxes.data(args.boxes_data);
  void* const second_data = args.second.data(args.second_data);
  void* const output_data = args.output.data(args.output_data);
  void* number = args.number_place != nullptr ? args.number_place : args.number_data.data();
  if (!args.has_number) number = nullptr;
  switch (args.operation->function) {
    case Function::cpu_nms:
      return mluOpCpuNms(given, 0.5f, args.offset, boxes.get(), boxes_data, second.get(),
                         second_data, output.get(), output_data, number);
    case Function::nms3d:
      return mluOpCpuNms3d(given, 0.5f, args.ignore_heading, boxes.get(), boxes_data, output.get(),
                           output_data, number);
    case Function::overlap:
      return mluOpCpuBoxesOverlapBev(given, boxes.get(), boxes_data, second.get(), second_data,
                                     output.get(), output_data);
    case Function::nms:
      break;
  }
  const auto desc = nms_descriptor(args);
  std::vector<double> workspace(8);
  void* const place = args.workspace_place != nullptr ? args.workspace_place : workspace.data();
  return mluOpNms(given, args.has_nms_desc ? desc.get() : nullptr, boxes.get(), boxes_data,
                  second.get(), second_data, args.has_workspace ? place : nullptr,
                  args.workspace_size, output.get(), output_data, number);
}

std::string BadCalls::second() const {
  if (operation.function == Function::nms) return "confidence";
  return operation.suppresses() ? "scores" : "boxes_b";
}

std::vector<Named> BadCalls::tensors() const {
  std::vector<Named> all{{first(), &Args::boxes}};
  if (has_second()) all.push_back({second(), &Args::second});
  all.push_back({result(), &Args::output});
  return all;
}

void BadCalls::expect_refused(mluOpCpuLimits_t limits) const {
  const auto make_valid = [this, limits] {
    Args args(operation);
    args.limits = limits;
    return args;
  };
  table.expect_refused(operation.name, testing::mode_of(limits), make_valid,
                       [](Args& args) { return call(args); });
}

}  // namespace mluop::nms::checks
