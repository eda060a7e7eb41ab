// Points in chunks: each writes its own part of coors.
#include "ops/voxelization/dynamic/run.hpp"

#include "ops/voxelization/dynamic/kernel.hpp"
#include "runtime/parallel.hpp"

namespace mluop::voxelization {

void run_dynamic(const DynamicProblem& problem, Isa isa, mluOpContext& handle) {
  constexpr double least_points = 8192;  // a few microseconds of work for each thread
  constexpr std::int64_t grain = 4096;
  const Cloud& cloud = problem.cloud;
  const int threads = threads_for(static_cast<double>(cloud.N), least_points, handle.threads);
  const auto& kernels = locate_kernels[static_cast<std::size_t>(isa)]();
  with_floating(cloud.dtype, [&](auto stored) {
    using T = decltype(stored);
    const LocateKernel<T> locate = kernels.template of<T>();
    const Grid<Compute<T>> grid = grid_of<Compute<T>>(cloud);
    const T* const points = static_cast<const T*>(cloud.points);
    parallel_for(threads, cloud.N, grain, [&](std::int64_t begin, std::int64_t end, int) {
      locate({points + begin * cloud.F, end - begin, cloud.F, grid, problem.coors + 3 * begin});
    });
  });
}

}  // namespace mluop::voxelization
