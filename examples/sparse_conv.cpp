// Sparse convolution from C++, in double: index pairs, forward compared with a dense convolution, and the
// gradients of features and filters compared with finite differences.
#include <cstdint>

#include "support.hpp"

namespace {

const int space = 5, side = 3, stride = 2, pad = 1;  // a cube, and the window on it
const int out_space = (space + 2 * pad - side) / stride + 1;
const int K = side * side * side, Ci = 2, Co = 3;  // offsets of the window, channels

struct Site {
  int32_t batch, z, y, x;
};

// The pairs of input and output sites for every offset of the window.
struct Pairs {
  std::vector<int32_t> list;   // [K, 2, sites]
  std::vector<int64_t> count;  // [K]
  std::vector<Site> outputs;
};

std::vector<Site> diagonal_sites() {  // every third cell
  std::vector<Site> sites;
  for (int cell = 0; cell < space * space * space; cell += 3) {
    sites.push_back({0, cell / (space * space), cell / space % space, cell % space});
  }
  return sites;
}

Pairs find_pairs(mluOpHandle_t handle, const std::vector<Site>& sites) {
  const auto desc = create(mluOpCreateSparseConvolutionDescriptor);
  const std::vector<int> pads(3, pad), strides(3, stride), dilations(3, 1), from(3, space),
      window(3, side), to(3, out_space);
  check(mluOpSetSparseConvolutionDescriptor(desc.get(), 5, 1, pads.data(), strides.data(),
                                            dilations.data(), from.data(), window.data(), to.data(),
                                            0, 0, 0));
  const int L = static_cast<int>(sites.size()), most = out_space * out_space * out_space;
  const auto int32 = [](const std::vector<int>& dims) {
    return describe(dims, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32);
  };
  const auto sites_desc = int32({L, 4}), list_desc = int32({K, 2, L}),
             outputs_desc = int32({most, 4}), count_desc = int32({K});

  size_t bytes = 0;
  check(mluOpGetIndicePairsWorkspaceSize(handle, desc.get(), sites_desc.get(), list_desc.get(),
                                         outputs_desc.get(), count_desc.get(), &bytes));
  std::vector<char> workspace(bytes);
  Pairs pairs{std::vector<int32_t>(K * 2 * sites.size()), {}, std::vector<Site>(most)};
  std::vector<int32_t> count(K);
  check(mluOpGetIndicePairs(handle, desc.get(), sites_desc.get(), sites.data(), workspace.data(),
                            bytes, list_desc.get(), pairs.list.data(), outputs_desc.get(),
                            pairs.outputs.data(), count_desc.get(), count.data()));
  int found = 0;
  check(mluOpGetSparseConvolutionNumActOut(desc.get(), &found));
  pairs.outputs.resize(found);
  pairs.count.assign(count.begin(), count.end());  // the convolutions take them as int64_t
  return pairs;
}

// The three operators for one list of pairs. Filters are [side, side, side, Ci, Co], one matrix per offset.
class Convolution {
 public:
  Convolution(mluOpHandle_t handle, const Pairs& pairs, size_t sites)
      : handle_{handle}, pairs_{pairs}, sites_{sites} {}

  Numbers forward(const Numbers& features, const Numbers& filters) const {
    size_t bytes = 0;
    check(mluOpGetIndiceConvolutionForwardWorkspaceSize(handle_, features_.get(), filters_.get(),
                                                        list_.get(), out_.get(),
                                                        pairs_.count.data(), rows_, 0, 0, &bytes));
    std::vector<char> workspace(bytes);
    Numbers result(rows_ * Co);
    check(mluOpIndiceConvolutionForward(handle_, features_.get(), features.data(), filters_.get(),
                                        filters.data(), list_.get(), pairs_.list.data(),
                                        pairs_.count.data(), rows_, 0, 0, workspace.data(), bytes,
                                        out_.get(), result.data()));
    return result;
  }

  Numbers grad_features(const Numbers& grad_out, const Numbers& filters) const {
    size_t bytes = 0;
    check(mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(handle_, out_.get(), filters_.get(),
                                                             list_.get(), features_.get(),
                                                             pairs_.count.data(), 0, &bytes));
    std::vector<char> workspace(bytes);
    Numbers result(sites_ * Ci);
    check(mluOpIndiceConvolutionBackwardData(handle_, out_.get(), grad_out.data(), filters_.get(),
                                             filters.data(), list_.get(), pairs_.list.data(),
                                             pairs_.count.data(), 0, 0, workspace.data(), bytes,
                                             features_.get(), result.data()));
    return result;
  }

  Numbers grad_filters(const Numbers& features, const Numbers& grad_out) const {
    size_t bytes = 0;
    check(mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize(handle_, features_.get(), out_.get(),
                                                               list_.get(), filters_.get(),
                                                               pairs_.count.data(), 0, 0, &bytes));
    std::vector<char> workspace(bytes);
    Numbers result(K * Ci * Co);
    check(mluOpIndiceConvolutionBackwardFilter(
        handle_, features_.get(), features.data(), out_.get(), grad_out.data(), list_.get(),
        pairs_.list.data(), pairs_.count.data(), 0, 0, workspace.data(), bytes, filters_.get(),
        result.data()));
    return result;
  }

 private:
  using Descriptor = Owned<mluOpTensorDescriptor_t>;
  mluOpHandle_t handle_;
  const Pairs& pairs_;
  size_t sites_;
  int rows_ = static_cast<int>(pairs_.outputs.size());
  Descriptor features_ = describe({static_cast<int>(sites_), Ci});
  Descriptor filters_ = describe({side, side, side, Ci, Co});
  Descriptor list_ =
      describe({K, 2, static_cast<int>(sites_)}, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT32);
  Descriptor out_ = describe({rows_, Co});
};

// The convolution without pairs: looks for an input site under each cell of the window.
Numbers dense(const std::vector<Site>& sites, const Numbers& features, const Numbers& filters,
              const std::vector<Site>& outputs) {
  Numbers result;
  for (const Site& out : outputs) {
    double sum[Co] = {0};
    for (size_t i = 0; i < sites.size(); ++i) {
      const int z = sites[i].z + pad - out.z * stride, y = sites[i].y + pad - out.y * stride,
                x = sites[i].x + pad - out.x * stride;
      if (z < 0 || z >= side || y < 0 || y >= side || x < 0 || x >= side) continue;
      const double* filter = &filters[((z * side + y) * side + x) * Ci * Co];
      for (int c = 0; c < Ci * Co; ++c) sum[c % Co] += features[i * Ci + c / Co] * filter[c];
    }
    result.insert(result.end(), sum, sum + Co);
  }
  return result;
}

bool sparse_convolution() {
  const auto handle = create(mluOpCreate);
  const std::vector<Site> sites = diagonal_sites();
  const Pairs pairs = find_pairs(handle.get(), sites);
  std::printf("%zu input sites, %zu output sites\n", sites.size(), pairs.outputs.size());

  const Convolution convolution{handle.get(), pairs, sites.size()};
  const Numbers features = random_numbers(sites.size() * Ci), filters = random_numbers(K * Ci * Co);
  const Numbers grad_out = random_numbers(pairs.outputs.size() * Co);

  // The loss <output, grad_out> is linear in the features, and in the filters.
  const auto of_features = [&](const Numbers& x) {
    return dot(convolution.forward(x, filters), grad_out);
  };
  const auto of_filters = [&](const Numbers& x) {
    return dot(convolution.forward(features, x), grad_out);
  };
  bool right = report("forward", difference(convolution.forward(features, filters),
                                            dense(sites, features, filters, pairs.outputs)));
  right &=
      report("gradient of the features", difference(convolution.grad_features(grad_out, filters),
                                                    finite_differences(of_features, features)));
  right &=
      report("gradient of the filters", difference(convolution.grad_filters(features, grad_out),
                                                   finite_differences(of_filters, filters)));
  return right && pairs.outputs.size() == static_cast<size_t>(out_space * out_space * out_space);
}

}  // namespace

int main() { return run_example(sparse_convolution); }
