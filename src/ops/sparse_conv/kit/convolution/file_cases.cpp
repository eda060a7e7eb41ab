// The calls of the convolutions that case files describe, whatever they say.
#include "ops/sparse_conv/kit/convolution/file_cases.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ops/sparse_conv/kit/convolution/reference.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::sparse_conv {
namespace {

using testing::FileCall;
using testing::FileCase;
using testing::HostTensor;
using Values = std::vector<std::vector<double>>;

/// The first two inputs and the output differ between the three; the pairs are always the third.
class ConvolutionFile : public FileCall {
 public:
  explicit ConvolutionFile(FileCase file)
      : FileCall(std::move(file)),
        inverse_(params().integer("inverse")),
        sub_m_(params().integer("sub_m")),
        indice_num_(params().integers("indice_num")) {
    if (input(2).dims().empty()) return;  // null, which the operator refuses
    const std::int64_t K = input(2).dims()[0];
    if (std::ssize(indice_num_) != K) {
      params().fail("indice_num", "has " + std::to_string(indice_num_.size()) +
                                      " entries, indice_pairs has " + std::to_string(K) +
                                      " offsets");
    }
  }

  mluOpStatus_t run(mluOpHandle_t handle) final {
    std::size_t bytes = 0;
    const mluOpStatus_t status = query(handle, &bytes);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    HostTensor workspace("workspace", MLUOP_DTYPE_UINT8, MLUOP_LAYOUT_ARRAY,
                         {static_cast<std::int64_t>(bytes)});
    const mluOpStatus_t outcome = call(handle, workspace.data(), bytes);
    if (!workspace.intact()) throw std::runtime_error("the call wrote outside its workspace");
    return outcome;
  }

  Values reference() const final { return {is_double() ? in_long_double() : in_double()}; }
  Values plain() const final {
    return {testing::rounded_to(output(0).dtype(), is_double() ? in_double() : in_float())};
  }

 protected:
  virtual mluOpStatus_t query(mluOpHandle_t handle, std::size_t* bytes) = 0;
  virtual mluOpStatus_t call(mluOpHandle_t handle, void* workspace, std::size_t bytes) = 0;
  virtual std::vector<double> in_float() const = 0;
  virtual std::vector<double> in_double() const = 0;
  virtual std::vector<double> in_long_double() const = 0;

  reference::Convolution convolution(const HostTensor& filters, mluOpTensorLayout_t layout,
                                     const HostTensor& in, const HostTensor& out) const {
    const HostTensor& pairs = input(2);
    return {.filters = reference::FilterShape::of(layout, filters.dims()),
            .rows_in = in.dims()[0],
            .rows_out = out.dims()[0],
            .indice_pairs = {static_cast<const std::int32_t*>(pairs.data()),
                             static_cast<std::size_t>(pairs.count())},
            .indice_num = indice_num_,
            .inverse = inverse_ == 1};
  }

  std::int64_t inverse_, sub_m_;
  std::vector<std::int64_t> indice_num_;

 private:
  bool is_double() const { return output(0).dtype() == MLUOP_DTYPE_DOUBLE; }
};

class ForwardFile final : public ConvolutionFile {
 public:
  explicit ForwardFile(FileCase file)
      : ConvolutionFile(std::move(file)), num_act_out_(params().integer("num_active_out")) {}

 private:
  mluOpStatus_t query(mluOpHandle_t handle, std::size_t* bytes) override {
    return mluOpGetIndiceConvolutionForwardWorkspaceSize(
        handle, input(0).descriptor(), input(1).descriptor(), input(2).descriptor(),
        output(0).descriptor(), indice_num_.data(), num_act_out_, inverse_, sub_m_, bytes);
  }
  mluOpStatus_t call(mluOpHandle_t handle, void* workspace, std::size_t bytes) override {
    return mluOpIndiceConvolutionForward(
        handle, input(0).descriptor(), input(0).data(), input(1).descriptor(), input(1).data(),
        input(2).descriptor(), input(2).data(), indice_num_.data(), num_act_out_, inverse_, sub_m_,
        workspace, bytes, output(0).descriptor(), output(0).data());
  }
  template <class Real>
  std::vector<double> in() const {
    return reference::forward<Real>(convolution(input(1), input(1).layout(), input(0), output(0)),
                                    input(0).values(), input(1).values());
  }
  std::vector<double> in_float() const override { return in<float>(); }
  std::vector<double> in_double() const override { return in<double>(); }
  std::vector<double> in_long_double() const override { return in<long double>(); }

  std::int64_t num_act_out_;
};

class BackwardDataFile final : public ConvolutionFile {
 public:
  using ConvolutionFile::ConvolutionFile;

 private:
  mluOpStatus_t query(mluOpHandle_t handle, std::size_t* bytes) override {
    return mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
        handle, input(0).descriptor(), input(1).descriptor(), input(2).descriptor(),
        output(0).descriptor(), indice_num_.data(), inverse_, bytes);
  }
  mluOpStatus_t call(mluOpHandle_t handle, void* workspace, std::size_t bytes) override {
    return mluOpIndiceConvolutionBackwardData(
        handle, input(0).descriptor(), input(0).data(), input(1).descriptor(), input(1).data(),
        input(2).descriptor(), input(2).data(), indice_num_.data(), inverse_, sub_m_, workspace,
        bytes, output(0).descriptor(), output(0).data());
  }
  template <class Real>
  std::vector<double> in() const {
    return reference::backward_data<Real>(
        convolution(input(1), input(1).layout(), output(0), input(0)), input(0).values(),
        input(1).values());
  }
  std::vector<double> in_float() const override { return in<float>(); }
  std::vector<double> in_double() const override { return in<double>(); }
  std::vector<double> in_long_double() const override { return in<long double>(); }
};

class BackwardFilterFile final : public ConvolutionFile {
 public:
  using ConvolutionFile::ConvolutionFile;

 private:
  mluOpStatus_t query(mluOpHandle_t handle, std::size_t* bytes) override {
    return mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(
        handle, input(0).descriptor(), input(1).descriptor(), input(2).descriptor(),
        output(0).descriptor(), indice_num_.data(), inverse_, sub_m_, bytes);
  }
  mluOpStatus_t call(mluOpHandle_t handle, void* workspace, std::size_t bytes) override {
    return mluOpIndiceConvolutionBackwardFilter(
        handle, input(0).descriptor(), input(0).data(), input(1).descriptor(), input(1).data(),
        input(2).descriptor(), input(2).data(), indice_num_.data(), inverse_, sub_m_, workspace,
        bytes, output(0).descriptor(), output(0).data());
  }
  /// The gradient is dense as [K, Ci, Co] whatever its layout says.
  template <class Real>
  std::vector<double> in() const {
    return reference::backward_filter<Real>(
        convolution(output(0), MLUOP_LAYOUT_ARRAY, input(0), input(1)), input(0).values(),
        input(1).values());
  }
  std::vector<double> in_float() const override { return in<float>(); }
  std::vector<double> in_double() const override { return in<double>(); }
  std::vector<double> in_long_double() const override { return in<long double>(); }
};

}  // namespace

std::unique_ptr<FileCall> convolution_from_file(FileCase file) {
  if (file.op == "indice_convolution_forward") {
    file.params.expect_message("indice_convolution_forward_param", file.op);
    file.expect_tensors({"features", "filters", "indice_pairs"}, {"features_out"});
    return std::make_unique<ForwardFile>(std::move(file));
  }
  if (file.op == "indice_convolution_backward_data") {
    file.params.expect_message("indice_convolution_backward_data_param", file.op);
    file.expect_tensors({"output_grad", "filters", "indice_pairs"}, {"input_grad"});
    return std::make_unique<BackwardDataFile>(std::move(file));
  }
  // Files of the filter's gradient call their numbers just so.
  file.params.expect_message("indice_convolution_backward_param", file.op);
  file.expect_tensors({"features", "output_grad", "indice_pairs"}, {"filters_grad"});
  return std::make_unique<BackwardFilterFile>(std::move(file));
}

}  // namespace mluop::sparse_conv
