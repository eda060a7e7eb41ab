// The suites of the operator families, in the order of the header.
#include "testing/suite.hpp"

#include <iterator>

// Each family defines its suites beside its cases.
namespace mluop::sparse_conv {
std::vector<mluop::testing::Suite> pairs_suites();
std::vector<mluop::testing::Suite> convolution_suites();
}  // namespace mluop::sparse_conv
namespace mluop::carafe {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::points_in_boxes {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::roiaware_pool3d {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::rotated_feature_align {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::sparse_pool {
std::vector<mluop::testing::Suite> suites();
}

namespace mluop::testing {
namespace {

std::vector<Suite> collected() {
  std::vector<Suite> all;
  for (auto* family : {&sparse_conv::pairs_suites, &sparse_conv::convolution_suites,
                       &carafe::suites, &roiaware_pool3d::suites, &rotated_feature_align::suites,
                       &points_in_boxes::suites, &sparse_pool::suites}) {
    std::vector<Suite> more = family();
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return all;
}

}  // namespace

std::vector<Part> Call::parts() {
  auto reference = this->reference(), plain = this->plain();
  std::vector<Part> whole;
  for (const HostTensor& output : outputs()) {
    const std::size_t i = whole.size();
    whole.push_back({output.name(), i, 0, std::move(reference[i]), std::move(plain[i])});
  }
  return whole;
}

std::span<const Suite> suites() {
  static const std::vector<Suite> all = collected();
  return all;
}

const Suite* find_suite(std::string_view op) {
  for (const Suite& suite : suites()) {
    if (suite.op == op) return &suite;
  }
  return nullptr;
}

}  // namespace mluop::testing
