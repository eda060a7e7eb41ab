// The calls of get_indice_pairs that case files describe, whatever they say.
#include "ops/sparse_conv/kit/pairs/file_cases.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ops/sparse_conv/kit/pairs/reference.hpp"
#include "testing/data/handle.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using testing::FileCall;
using testing::FileCase;
using testing::HostTensor;
using Values = std::vector<std::vector<double>>;

struct DestroyDescriptor {
  void operator()(mluOpSparseConvolutionDescriptor_t desc) const {
    mluOpDestroySparseConvolutionDescriptor(desc);
  }
};
using GeometryDescriptor = std::unique_ptr<mluOpSparseConvolutionStruct, DestroyDescriptor>;

class PairsFile final : public FileCall {
 public:
  explicit PairsFile(FileCase file)
      : FileCall(std::move(file)),
        dimnb_(params().number("dimnb")),
        batch_(params().number("batch")),
        sub_m_(params().number("sub_m")),
        transpose_(params().number("transpose")),
        inverse_(params().number("inverse")) {
    if (dimnb_ < 3 || dimnb_ > MLUOP_DIM_MAX) {
      params().fail("dimnb", "must be from 3 to " + std::to_string(MLUOP_DIM_MAX) + ", is " +
                                 std::to_string(dimnb_));
    }
    for (std::size_t i = 0; i < lists_.size(); ++i) {
      lists_[i] = params().numbers(list_names[i], static_cast<std::size_t>(dimnb_ - 2));
    }
  }

  /// The runner of MLU-OPS passes on neither transpose nor inverse, which the card does not have;
  /// calls that have them were recorded here.
  mluOpStatus_t run(mluOpHandle_t handle) override {
    mluOpSparseConvolutionDescriptor_t created = nullptr;
    testing::expect_success(mluOpCreateSparseConvolutionDescriptor(&created),
                            "mluOpCreateSparseConvolutionDescriptor");
    const GeometryDescriptor desc{created};
    const auto& [pad, stride, dilation, in, filter, out] = lists_;
    const mluOpStatus_t set = mluOpSetSparseConvolutionDescriptor(
        created, dimnb_, batch_, pad.data(), stride.data(), dilation.data(), in.data(),
        filter.data(), out.data(), sub_m_, transpose_, inverse_);
    return set == MLUOP_STATUS_SUCCESS ? run(handle, created) : set;
  }

  Values reference() const override {
    const HostTensor& rows = input(0);
    const reference::IndexPairs pairs = reference::make_pairs(
        geometry(),
        {static_cast<const std::int32_t*>(rows.data()), static_cast<std::size_t>(rows.count())});
    // Behind the last site there is -1.
    std::vector<double> sites(static_cast<std::size_t>(output(0).count()), -1);
    std::ranges::copy(pairs.out_indices, sites.begin());
    return {std::move(sites),
            {pairs.pairs.begin(), pairs.pairs.end()},
            {pairs.num.begin(), pairs.num.end()}};
  }
  /// Integers have one answer.
  Values plain() const override { return reference(); }

  /// The pairs of each offset by input row, which is how the operator writes them.
  std::vector<double> ordered(std::size_t which, std::vector<double> values) const override {
    const std::vector<std::int64_t>& dims = output(which).dims();
    if (which != 1 || dims.size() != 3) return values;
    const auto L = static_cast<std::size_t>(dims[2]);
    for (std::size_t k = 0; k < values.size() / (2 * L); ++k) {
      double* const rows = values.data() + 2 * k * L;
      std::vector<std::pair<double, double>> pairs;
      for (std::size_t t = 0; t < L && rows[t] >= 0; ++t) pairs.emplace_back(rows[t], rows[L + t]);
      std::ranges::sort(pairs);
      for (std::size_t t = 0; t < pairs.size(); ++t) {
        std::tie(rows[t], rows[L + t]) = pairs[t];
      }
    }
    return values;
  }

 private:
  mluOpStatus_t run(mluOpHandle_t handle, mluOpSparseConvolutionDescriptor_t desc) {
    HostTensor &sites = output(0), &pairs = output(1), &num = output(2);
    std::size_t bytes = 0;
    const mluOpStatus_t status =
        mluOpGetIndicePairsWorkspaceSize(handle, desc, input(0).descriptor(), pairs.descriptor(),
                                         sites.descriptor(), num.descriptor(), &bytes);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    HostTensor workspace("workspace", MLUOP_DTYPE_UINT8, MLUOP_LAYOUT_ARRAY,
                         {static_cast<std::int64_t>(bytes)});
    return mluOpGetIndicePairs(handle, desc, input(0).descriptor(), input(0).data(),
                               workspace.data(), bytes, pairs.descriptor(), pairs.data(),
                               sites.descriptor(), sites.data(), num.descriptor(), num.data());
  }

  /// Of a call that the operator has accepted: two or three axes.
  Geometry geometry() const {
    Geometry geometry{
        .axes = dimnb_ - 2, .batch = batch_, .sub_m = sub_m_, .transpose = transpose_};
    const std::array fields{&geometry.pad,         &geometry.stride,       &geometry.dilation,
                            &geometry.input_space, &geometry.filter_space, &geometry.output_space};
    for (std::size_t i = 0; i < fields.size(); ++i) {
      std::ranges::copy(lists_[i], fields[i]->begin());
    }
    return geometry;
  }

  static constexpr std::array list_names{"pad",         "stride",       "dilation",
                                         "input_space", "filter_space", "output_space"};
  int dimnb_, batch_, sub_m_, transpose_, inverse_;
  std::array<std::vector<int>, 6> lists_;
};

}  // namespace

std::unique_ptr<FileCall> pairs_from_file(FileCase file) {
  file.params.expect_message("get_indice_pairs_param", file.op);
  file.expect_tensors({"indices"}, {"out_indices", "indice_pairs", "indice_num"});
  return std::make_unique<PairsFile>(std::move(file));
}

}  // namespace mluop::sparse_conv
