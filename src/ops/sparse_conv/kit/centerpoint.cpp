// CenterPoint's layers, and scans that are as long as a layer's number of rows asks for.
#include "ops/sparse_conv/kit/centerpoint.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "testing/data/lidar_scene.hpp"

namespace mluop::sparse_conv {
namespace {

using reference::Geometry;
using reference::Site;
using Rows = std::vector<std::int32_t>;

/// One layer of the encoder: what it does, and at which resolution, counted from 0, its input is.
struct Stage {
  std::string_view name;
  std::size_t level;
  std::array<int, 3> kernel, stride, pad;
  bool sub_m = false;
};

constexpr std::array<int, 3> ones{1, 1, 1}, twos{2, 2, 2}, threes{3, 3, 3};
constexpr std::array<Stage, 8> stages{{
    {"subm1", 0, threes, ones, ones, true},
    {"down1", 0, threes, twos, ones},
    {"subm2", 1, threes, ones, ones, true},
    {"down2", 1, threes, twos, ones},
    {"subm3", 2, threes, ones, ones, true},
    {"down3", 2, threes, twos, {0, 1, 1}},
    {"subm4", 3, threes, ones, ones, true},
    {"extra", 3, {3, 1, 1}, {2, 1, 1}, {0, 0, 0}},
}};
constexpr std::size_t levels = 4;

std::mutex making;  // of layers, encoders and the scans they share

struct Family {
  std::string_view name;
  int batch;
  testing::LidarScanner scanner;
  testing::VoxelGrid grid;
  std::array<std::int64_t, levels> rows;  // at each resolution
};

Family full_size() { return {"centerpoint", 4, {}, {}, {248636, 280511, 149100, 58838}}; }

/// A quarter of the directions on cells four times as wide, over less of the street.
Family small_size() {
  Family family{"small", 2, {}, {}, {5000, 5000, 3000, 1200}};
  family.scanner.steps = 270;
  family.grid.lower = {-5, -24, -24}, family.grid.upper = {3, 24, 24};
  family.grid.cell = {0.2, 0.3, 0.3};
  family.grid.space = {41, 160, 160};
  return family;
}

const std::array<Family, 2>& families() {
  static const std::array<Family, 2> both{full_size(), small_size()};
  return both;
}

Geometry geometry_of(const Stage& stage, int batch, const std::array<int, 3>& input_space) {
  Geometry geometry;
  geometry.batch = batch;
  geometry.filter_space = stage.kernel;
  geometry.stride = stage.stride;
  geometry.pad = stage.pad;
  geometry.input_space = input_space;
  geometry.output_space = convolved_space(geometry);
  geometry.sub_m = stage.sub_m ? 1 : 0;
  return geometry;
}

/// The geometries of all stages, by their place.
std::vector<Geometry> geometries_of(const Family& family) {
  std::vector<Geometry> all;
  std::array<int, 3> space = family.grid.space;
  for (const Stage& stage : stages) {
    all.push_back(geometry_of(stage, family.batch, space));
    space = all.back().output_space;
  }
  return all;
}

struct SiteHash {
  std::size_t operator()(const Site& site) const {
    std::size_t hash = 0;
    for (const std::int32_t value : site) hash = (hash + static_cast<std::size_t>(value)) * 10007;
    return hash;
  }
};

/// The sites that are active at each resolution up to `last` while voxels are seen one after another in
/// one scene; the last resolution takes no more than `most`.
class Cascade {
 public:
  Cascade(const Family& family, std::size_t last, std::int64_t most)
      : active_(last + 1), most_(static_cast<std::size_t>(most)) {
    const auto geometries = geometries_of(family);
    for (std::size_t i = 0; i < stages.size(); ++i) {
      if (!stages[i].sub_m) down_.push_back(geometries[i]);
    }
  }

  bool full() const { return active_.back().size() == most_; }
  /// The active sites of the last resolution, ascending.
  std::vector<Site> sites() const {
    std::vector<Site> sorted(active_.back().begin(), active_.back().end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }

  void see(const Site& site, std::size_t level = 0) {
    if (full() || !active_[level].insert(site).second || level + 1 == active_.size()) return;
    for (const Site& output : output_sites(down_[level], site)) see(output, level + 1);
  }

 private:
  std::vector<std::unordered_set<Site, SiteHash>> active_;
  std::size_t most_;
  std::vector<Geometry> down_;
};

/// The active sites at a resolution after strided layers, in the order in which those give them.
Rows cascaded_rows(const Family& family, std::size_t level) {
  Rows rows;
  for (int b = 0; b < family.batch; ++b) {
    Cascade cascade{family, level, testing::rows_of_scene(b, family.batch, family.rows[level])};
    testing::LidarScene scene{family.scanner, family.grid, family.name, b};
    while (!cascade.full()) {
      const auto [d, h, w] = scene.next();
      cascade.see({b, d, h, w});
    }
    for (const Site& site : cascade.sites()) rows.insert(rows.end(), site.begin(), site.end());
  }
  return rows;
}

/// The active sites at a resolution, scanned once. The caller holds `making`.
const Rows& scanned_rows(const Family& family, std::size_t level) {
  static std::map<std::pair<std::string_view, std::size_t>, Rows> scanned;
  auto& rows = scanned[{family.name, level}];
  if (rows.empty()) {
    rows = level > 0 ? cascaded_rows(family, level)
                     : testing::lidar_rows(family.scanner, family.grid, family.name, family.batch,
                                           family.rows[0]);
  }
  return rows;
}

std::string full_name(const Family& family, const Stage& stage) {
  return std::string{family.name} + '_' + std::string{stage.name};
}

std::deque<Layer> encoder_of(const Family& family) {
  std::deque<Layer> layers;
  const auto geometries = geometries_of(family);
  Rows rows = scanned_rows(family, 0);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Layer& made = layers.emplace_back(full_name(family, stages[i]), geometries[i], rows);
    if (!stages[i].sub_m) rows = made.pairs().out_indices;
  }
  return layers;
}

}  // namespace

Layer::Layer(std::string name, const Geometry& geometry, Rows indices)
    : name_(std::move(name)), geometry_(geometry), indices_(std::move(indices)) {}

std::int64_t Layer::rows() const {
  return static_cast<std::int64_t>(indices_.size()) / geometry_.columns();
}

const reference::IndexPairs& Layer::pairs() const {
  std::call_once(paired_, [this] { pairs_ = make_pairs(geometry_, indices_); });
  return pairs_;
}

const std::vector<std::string>& layer_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Family& family : families()) {
      for (const Stage& stage : stages) all.push_back(full_name(family, stage));
    }
    return all;
  }();
  return names;
}

const Layer& layer(std::string_view name) {
  static std::map<std::string, Layer, std::less<>> made;
  const std::lock_guard lock{making};
  if (const auto found = made.find(name); found != made.end()) return found->second;
  for (const Family& family : families()) {
    for (std::size_t i = 0; i < stages.size(); ++i) {
      const std::string full = full_name(family, stages[i]);
      if (full != name) continue;
      return made
          .try_emplace(full, full, geometries_of(family)[i], scanned_rows(family, stages[i].level))
          .first->second;
    }
  }
  throw std::out_of_range("there is no layer " + std::string{name});
}

const std::deque<Layer>& encoder(std::string_view family) {
  static std::map<std::string_view, std::deque<Layer>> made;
  const std::lock_guard lock{making};
  for (const Family& known : families()) {
    if (known.name != family) continue;
    const auto found = made.find(known.name);
    return found != made.end() ? found->second
                               : made.emplace(known.name, encoder_of(known)).first->second;
  }
  throw std::out_of_range("there is no family of layers " + std::string{family});
}

}  // namespace mluop::sparse_conv
