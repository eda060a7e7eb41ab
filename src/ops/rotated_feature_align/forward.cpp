// mluOpRotatedFeatureAlignForward: check, choose, run.
#include <algorithm>

#include "core/status.hpp"
#include "ops/rotated_feature_align/blocking.hpp"
#include "ops/rotated_feature_align/recording.hpp"
#include "ops/rotated_feature_align/samples.hpp"
#include "ops/rotated_feature_align/slices.hpp"

namespace mluop::rotated_feature_align {
namespace {

constexpr std::int64_t most_pixels = tile_side * tile_side;
static_assert(most_pixels <= SampledBoxes<float>::most);
constexpr std::int64_t most_taps = 20;

/// The lists of a tile.
template <class Real>
struct TileLists {
  Tap<Real> taps[most_pixels * most_taps];
  std::int64_t first[most_pixels], middle[most_pixels], last[most_pixels];
  Tap<Real>* end = taps;

  /// The next list has the taps of this box in order.
  void add(std::int64_t list, const SampledBoxes<Real>& boxes) noexcept {
    first[list] = end - taps;
    end = boxes.append(list, InOrder<Real>{end}).end;
    last[list] = end - taps;
  }

  /// The next list has the taps of even cells in order, then those of odd cells in reverse order.
  void add_odd_cells_last(std::int64_t list, const SampledBoxes<Real>& boxes) noexcept {
    first[list] = end - taps;
    Tap<Real>* const room_end = end + most_taps;
    const auto both = boxes.append(list, FromBothEnds<Real>{end, room_end});
    middle[list] = both.even_end - taps;
    end = both.even_end == both.odd_begin ? room_end
                                          : std::copy(both.odd_begin, room_end, both.even_end);
    last[list] = end - taps;
  }
};

/// All boxes of a tile at once.
template <class T>
void sample(const Problem& problem, const Sampler& sampler, const Tile& tile, bool odd_last,
            TileLists<Compute<T>>& lists) {
  SampledBoxes<Compute<T>> boxes;
  std::int64_t count = 0;
  for (std::int64_t y = 0; y < tile.height; ++y) {
    const std::int64_t pixel = tile.pixel(problem, y, 0);
    sampler.load(static_cast<const T*>(problem.boxes) + pixel * 5, count, tile.width, boxes);
    count += tile.width;
  }
  sampler.locate(boxes, count, problem, problem.W);
  for (std::int64_t list = 0; list < count; ++list) {
    if (odd_last) {
      lists.add_odd_cells_last(list, boxes);
    } else {
      lists.add(list, boxes);
    }
  }
}

/// Samples the boxes of a tile, just before it is gathered.
template <class T>
void align(const Problem& problem, const Sampler& sampler, GatherKernel<T> kernel,
           const Tile& tile) {
  TileLists<Compute<T>> lists;
  const bool odd_last = odd_cells_come_last(problem, sizeof(T));
  sample<T>(problem, sampler, tile, odd_last, lists);
  kernel(gather_of<T>(problem, tile,
                      {lists.taps, lists.first, odd_last ? lists.middle : nullptr, lists.last},
                      tile.width));
}

template <class T>
void run(const Problem& problem, mluOpContext& handle) {
  const int threads = useful_threads(problem, handle.threads);
  const auto isa = static_cast<std::size_t>(chosen(forward_operator, handle).isa);
  const Sampler& sampler = samplers[isa]();
  if (Slices<T>::worthwhile(problem)) {
    WorkspaceLayout layout;
    const Slices<T> slices{problem, threads, layout};
    return slices.run(sampler, slice_kernels[isa]().of<T>(),
                      handle.scratch.require(layout.bytes()));
  }
  const GatherKernel<T> kernel = gather_kernels[isa]().of<T>();
  for_each_tile(problem, sizeof(T), 0, problem.N, threads,
                [&](const Tile& tile) { align<T>(problem, sampler, kernel, tile); });
}

}  // namespace

constinit const OperatorInfo forward_operator =
    operator_per_isa<gather_kernels>("rotated_feature_align_forward");

}  // namespace mluop::rotated_feature_align

mluOpStatus_t MLUOP_WIN_API mluOpRotatedFeatureAlignForward(
    const mluOpHandle_t handle, const mluOpTensorDescriptor_t input_desc, const void* input,
    const mluOpTensorDescriptor_t bboxes_desc, const void* bboxes, const float spatial_scale,
    const int points, const mluOpTensorDescriptor_t output_desc, void* output) {
  using namespace mluop::rotated_feature_align;  // NOLINT(google-build-using-namespace)
  return mluop::guarded("mluOpRotatedFeatureAlignForward", [&] {
    Problem problem;
    const Arguments call{handle,
                         {"input", input_desc, input},
                         {"bboxes", bboxes_desc, bboxes},
                         {"output", output_desc, output},
                         spatial_scale,
                         points};
    const mluop::Status status = check_forward(call, problem);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    return mluop::recorder::recorded([&] { return forward_description(call); },
                                     [&] {
                                       mluop::with_floating(problem.dtype, [&](auto stored) {
                                         run<decltype(stored)>(problem, *handle);
                                       });
                                       return MLUOP_STATUS_SUCCESS;
                                     });
  });
}
