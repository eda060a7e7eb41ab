// Invalid calls of index generation and of the three sparse convolutions.
#include <algorithm>
#include <array>

#include "hostile_call.hpp"
#include "targets.hpp"

namespace mluop::fuzz {
namespace {

struct DestroyGeometry {
  void operator()(mluOpSparseConvolutionDescriptor_t desc) const {
    mluOpDestroySparseConvolutionDescriptor(desc);
  }
};

/// A small valid geometry, and its descriptor, which may be invalid.
struct Geometry {
  using Values = std::array<int, 3>;

  int axes, batch;
  bool sub_m;
  Values pad{}, stride{}, dilation{}, input{}, filter{}, output{};
  std::unique_ptr<mluOpSparseConvolutionStruct, DestroyGeometry> descriptor;

  explicit Geometry(Bytes& bytes)
      : axes(bytes.between(2, 3)), batch(bytes.between(1, 2)), sub_m(bytes.between(0, 1) == 1) {
    for (std::size_t i = 0; i < 3; ++i) choose_axis(bytes, i);
    if (bytes.oddly()) return;  // no descriptor
    mluOpSparseConvolutionDescriptor_t created = nullptr;
    testing::expect_success(mluOpCreateSparseConvolutionDescriptor(&created),
                            "mluOpCreateSparseConvolutionDescriptor");
    descriptor.reset(created);
    const Values p = spoiled(bytes, pad), s = spoiled(bytes, stride), d = spoiled(bytes, dilation),
                 i = spoiled(bytes, input), f = spoiled(bytes, filter), o = spoiled(bytes, output);
    // If this fails, the descriptor stays unset.
    mluOpSetSparseConvolutionDescriptor(created, bytes.mostly(axes + 2), bytes.mostly(batch),
                                        p.data(), s.data(), d.data(), i.data(), f.data(), o.data(),
                                        bytes.mostly(int{sub_m}), bytes.mostly(0), bytes.mostly(0));
  }

  std::int64_t volume() const {
    std::int64_t product = 1;
    for (int i = 0; i < axes; ++i) product *= filter[static_cast<std::size_t>(i)];
    return product;
  }
  std::int64_t sites() const {
    std::int64_t product = batch;
    for (int i = 0; i < axes; ++i) product *= input[static_cast<std::size_t>(i)];
    return product;
  }

 private:
  void choose_axis(Bytes& bytes, std::size_t i) {
    filter[i] = sub_m ? 2 * bytes.between(0, 1) + 1 : bytes.between(1, 4);
    stride[i] = sub_m ? 1 : bytes.between(1, 3);
    dilation[i] = stride[i] > 1 ? 1 : bytes.between(1, 2);
    pad[i] = sub_m ? filter[i] / 2 * dilation[i] : bytes.between(0, 2);
    const int reach = dilation[i] * (filter[i] - 1) + 1;
    input[i] = std::max(bytes.between(1, 9), reach - 2 * pad[i]);
    output[i] = (input[i] + 2 * pad[i] - reach) / stride[i] + 1;
  }

  static Values spoiled(Bytes& bytes, Values values) {
    for (int& value : values) value = bytes.mostly(value);
    return values;
  }
};

/// Sites of the space in random order, occasionally with an invalid one.
void fill_sites(Bytes& bytes, HostileTensor& indices, const Geometry& geometry) {
  indices.fill_indices(bytes, 1 << 20);
  const int columns = geometry.axes + 1;
  auto* const values = reinterpret_cast<std::int32_t*>(indices.data());
  const auto rows = static_cast<std::int64_t>(indices.bytes() / sizeof(std::int32_t)) / columns;
  for (std::int64_t row = 0; row < rows; ++row) {
    if (bytes.oddly()) continue;
    std::int64_t site = row * (1 + bytes.between(0, 1)) % geometry.sites();
    for (int axis = geometry.axes; axis-- > 0;) {
      const int size = geometry.input[static_cast<std::size_t>(axis)];
      values[row * columns + 1 + axis] = static_cast<std::int32_t>(site % size);
      site /= size;
    }
    values[row * columns] = static_cast<std::int32_t>(site % geometry.batch);
  }
}

/// What the three convolutions have in common: L inputs, Y outputs, K offsets.
struct Convolution {
  HostileCall call;
  mluOpDataType_t dtype;
  std::int64_t L, Y, Kh, Kw, Ci, Co, K;
  HostileTensor* pairs;
  std::vector<std::int64_t> counts;
  std::int64_t inverse, sub_m;

  explicit Convolution(Bytes& bytes)
      : call(bytes),
        dtype(call.floating()),
        L(bytes.between(1, 40)),
        Y(bytes.between(0, 1) == 0 ? L : bytes.between(1, 40)),
        Kh(bytes.between(1, 3)),
        Kw(bytes.between(1, 3)),
        Ci(bytes.between(1, 40)),
        Co(bytes.between(1, 40)),
        K(Kh * Kw),
        pairs(&call.input(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {K, 2, L})),
        counts(pairs->rows(K)) {
    pairs->fill_indices(bytes, std::min(L, Y));
    for (std::int64_t& count : counts) {
      count = bytes.mostly(static_cast<std::int64_t>(bytes.between(0, 40)) % (std::min(L, Y) + 1));
    }
    inverse = bytes.mostly<std::int64_t>(bytes.between(0, 3) == 0 ? 1 : 0);
    sub_m = bytes.mostly<std::int64_t>(bytes.between(0, 3) == 0 ? 1 : 0);
  }

  const std::int64_t* indice_num(bool missing) const { return missing ? nullptr : counts.data(); }
  /// Rows on the side of the inputs and of the outputs, which an inverse convolution exchanges.
  std::int64_t in_rows() const { return inverse == 1 ? Y : L; }
  std::int64_t out_rows() const { return inverse == 1 ? L : Y; }

  struct Filters {
    mluOpTensorLayout_t layout;
    std::vector<std::int64_t> dims;
  };
  Filters filters() {
    switch (call.bytes().between(0, 5)) {
      case 0:
        return {MLUOP_LAYOUT_NHWC, {Co, Kh, Kw, Ci}};
      case 1:
        return {MLUOP_LAYOUT_NCHW, {Co, Ci, Kh, Kw}};
      case 2:
        return {MLUOP_LAYOUT_HWCN, {Kh, Kw, Ci, Co}};
      case 3:
        return {MLUOP_LAYOUT_NDHWC, {Co, 1, Kh, Kw, Ci}};
      case 4:
        return {MLUOP_LAYOUT_NCDHW, {Co, Ci, 1, Kh, Kw}};
      default:
        return {MLUOP_LAYOUT_ARRAY, {1, Kh, Kw, Ci, Co}};
    }
  }
};

}  // namespace

bool get_indice_pairs(Bytes& bytes) {
  HostileCall call{bytes};
  const Geometry geometry{bytes};
  const std::int64_t L = bytes.between(1, 60);  // more than the cells of a small space
  const std::int64_t columns = geometry.axes + 1, K = geometry.volume();
  const std::int64_t rows = geometry.sub_m ? L : L * K;
  HostileTensor& indices = call.input(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {L, columns});
  fill_sites(bytes, indices, geometry);
  const HostileTensor& pairs = call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {K, 2, L});
  const HostileTensor& out = call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {rows, columns});
  const HostileTensor& num = call.output(MLUOP_DTYPE_INT32, MLUOP_LAYOUT_ARRAY, {K});
  const auto workspace = call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetIndicePairsWorkspaceSize(handle, geometry.descriptor.get(), indices.descriptor(),
                                            pairs.descriptor(), out.descriptor(), num.descriptor(),
                                            size);
  });
  return call.run([&](mluOpHandle_t handle) {
    return mluOpGetIndicePairs(handle, geometry.descriptor.get(), indices.descriptor(),
                               indices.data(), workspace.data, workspace.size, pairs.descriptor(),
                               pairs.data(), out.descriptor(), out.data(), num.descriptor(),
                               num.data());
  });
}

bool indice_convolution_forward(Bytes& bytes) {
  Convolution with{bytes};
  const HostileTensor& features =
      with.call.input(with.dtype, MLUOP_LAYOUT_ARRAY, {with.in_rows(), with.Ci});
  const auto [layout, dims] = with.filters();
  const HostileTensor& filters = with.call.input(with.dtype, layout, dims);
  const HostileTensor& out =
      with.call.output(with.dtype, MLUOP_LAYOUT_ARRAY, {with.out_rows(), with.Co});
  const std::int64_t rows = bytes.mostly(with.out_rows());
  const std::int64_t* const counts = with.indice_num(bytes.oddly());
  const auto workspace = with.call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetIndiceConvolutionForwardWorkspaceSize(
        handle, features.descriptor(), filters.descriptor(), with.pairs->descriptor(),
        out.descriptor(), counts, rows, with.inverse, with.sub_m, size);
  });
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpIndiceConvolutionForward(
        handle, features.descriptor(), features.data(), filters.descriptor(), filters.data(),
        with.pairs->descriptor(), with.pairs->data(), counts, rows, with.inverse, with.sub_m,
        workspace.data, workspace.size, out.descriptor(), out.data());
  });
}

bool indice_convolution_backward_data(Bytes& bytes) {
  Convolution with{bytes};
  const HostileTensor& output_grad =
      with.call.input(with.dtype, MLUOP_LAYOUT_ARRAY, {with.out_rows(), with.Co});
  const auto [layout, dims] = with.filters();
  const HostileTensor& filters = with.call.input(with.dtype, layout, dims);
  const HostileTensor& input_grad =
      with.call.output(with.dtype, MLUOP_LAYOUT_ARRAY, {with.in_rows(), with.Ci});
  const std::int64_t* const counts = with.indice_num(bytes.oddly());
  const auto workspace = with.call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    return mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
        handle, output_grad.descriptor(), filters.descriptor(), with.pairs->descriptor(),
        input_grad.descriptor(), counts, with.inverse, size);
  });
  return with.call.run([&](mluOpHandle_t handle) {
    return mluOpIndiceConvolutionBackwardData(
        handle, output_grad.descriptor(), output_grad.data(), filters.descriptor(), filters.data(),
        with.pairs->descriptor(), with.pairs->data(), counts, with.inverse, with.sub_m,
        workspace.data, workspace.size, input_grad.descriptor(), input_grad.data());
  });
}

bool indice_convolution_backward_filter(Bytes& bytes) {
  Convolution with{bytes};
  const HostileTensor& features =
      with.call.input(with.dtype, MLUOP_LAYOUT_ARRAY, {with.in_rows(), with.Ci});
  const HostileTensor& output_grad =
      with.call.input(with.dtype, MLUOP_LAYOUT_ARRAY, {with.out_rows(), with.Co});
  const bool by_layout = bytes.between(0, 1) == 0;
  const Convolution::Filters shape =
      by_layout ? with.filters()
                : Convolution::Filters{MLUOP_LAYOUT_ARRAY, {with.Kh, with.Kw, with.Ci, with.Co}};
  const HostileTensor& filters_grad = with.call.output(with.dtype, shape.layout, shape.dims);
  const std::int64_t* const counts = with.indice_num(bytes.oddly());
  const auto workspace = with.call.workspace([&](mluOpHandle_t handle, std::size_t* size) {
    const auto query = by_layout ? mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize
                                 : mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize;
    return query(handle, features.descriptor(), output_grad.descriptor(), with.pairs->descriptor(),
                 filters_grad.descriptor(), counts, with.inverse, with.sub_m, size);
  });
  return with.call.run([&](mluOpHandle_t handle) {
    const auto function =
        by_layout ? mluOpCpuIndiceConvolutionBackwardFilter : mluOpIndiceConvolutionBackwardFilter;
    return function(handle, features.descriptor(), features.data(), output_grad.descriptor(),
                    output_grad.data(), with.pairs->descriptor(), with.pairs->data(), counts,
                    with.inverse, with.sub_m, workspace.data, workspace.size,
                    filters_grad.descriptor(), filters_grad.data());
  });
}

}  // namespace mluop::fuzz
