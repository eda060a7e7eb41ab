// The suites of all families, in the order of the header.
#include "testing/suite/suite.hpp"

#include <iterator>

// Each family defines its suites beside its cases.
namespace mluop::sparse_conv {
std::vector<mluop::testing::Suite> pairs_suites();
std::vector<mluop::testing::Suite> convolution_suites();
}  // namespace mluop::sparse_conv
namespace mluop::carafe {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::dynamic_point_to_voxel {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::nms {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::points_in_boxes {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::roi_align {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::roiaware_pool3d {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::rotated_boxes {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::rotated_feature_align {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::sparse_pool {
std::vector<mluop::testing::Suite> suites();
}
namespace mluop::voxelization {
std::vector<mluop::testing::Suite> suites();
}

namespace mluop::testing {
namespace {

std::vector<Suite> collected() {
  std::vector<Suite> all;
  for (auto* family : {&sparse_conv::pairs_suites, &sparse_conv::convolution_suites,
                       &carafe::suites, &roiaware_pool3d::suites, &rotated_feature_align::suites,
                       &points_in_boxes::suites, &voxelization::suites,
                       &dynamic_point_to_voxel::suites, &rotated_boxes::suites, &nms::suites,
                       &roi_align::suites, &sparse_pool::suites}) {
    std::vector<Suite> more = family();
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  return all;
}

}  // namespace

std::span<const Suite> suites() {
  static const std::vector<Suite> all = collected();
  return all;
}

}  // namespace mluop::testing
