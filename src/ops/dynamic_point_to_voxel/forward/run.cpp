// Voxels first, then their features, each voxel by one thread.
#include "ops/dynamic_point_to_voxel/forward/run.hpp"

#include <limits>
#include <optional>
#include <string>

#include "core/status/text.hpp"
#include "ops/dynamic_point_to_voxel/forward/voxels.hpp"
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

constexpr std::int64_t fill_grain = 1 << 14;

template <class T>
T minus_infinity() {
  if constexpr (std::is_same_v<T, Half>) return {0xFC00};
  if constexpr (std::is_same_v<T, BFloat16>) return {0xFF80};
  if constexpr (std::is_floating_point_v<T>) return -std::numeric_limits<T>::infinity();
}

/// Elements [begin, end).
template <class T>
void fill(T* to, std::int64_t begin, std::int64_t end, T value, int threads) {
  parallel_for(threads, end - begin, fill_grain, [&](std::int64_t from, std::int64_t last, int) {
    std::fill(to + begin + from, to + begin + last, value);
  });
}

/// Rows [M, R), which no voxel has.
template <class T>
void fill_rest(const Forward& p, std::int64_t M, int threads) {
  const T value = p.reduce_type == MLUOP_REDUCE_DMAX ? minus_infinity<T>() : T{};
  fill(static_cast<T*>(p.voxel_feats), M * p.C, p.R * p.C, value, threads);
  fill(p.voxel_coors, M * p.D, p.R * p.D, -1, threads);
  fill(p.voxel_points_count, M, p.R, 0, threads);
}

/// Everything that is written once the voxels are known.
template <class T, class Packed>
void write(const Forward& p, const Voxels<Packed>& voxels, Isa isa, int threads, std::byte* base,
           const Slot<Compute<T>>& sums) {
  const Member* const members = voxels.write(threads, base);
  const Reduces<T>& kernels = reduces_for<T>(isa);
  const Reduce<T> reduce = p.reduce_type == MLUOP_REDUCE_DMAX   ? kernels.max
                           : p.reduce_type == MLUOP_REDUCE_DSUM ? kernels.sum
                                                                : kernels.mean;
  const Reduction<T> of{p.C, static_cast<const T*>(p.feats), p.voxel_points_count,
                        static_cast<T*>(p.voxel_feats)};
  constexpr auto worker_sums = static_cast<std::int64_t>(sums_bytes / sizeof(Compute<T>));
  Compute<T>* const of_workers = sums.in(base);
  const std::int64_t count = voxels.valid_points();
  const std::int64_t grain = members_at_a_time(p.C * static_cast<std::int64_t>(sizeof(T)));
  for_each_voxel_run(members, count, grain, threads,
                     [&](std::int64_t begin, std::int64_t end, int worker) {
                       reduce(of, {members, begin, end, count}, of_workers + worker * worker_sums);
                     });
  fill_rest<T>(p, voxels.count(), threads);
  *p.voxel_num = static_cast<std::int32_t>(voxels.count());
}

Status too_many(const Forward& p, std::int64_t M) {
  return fail(MLUOP_STATUS_BAD_PARAM, std::string(forward_function) +
                                          ": voxel_feats dim 0 must be at least " + text_of(M) +
                                          ", the number of voxels, got " + text_of(p.R));
}

/// Nothing if the rows do not fit Packed.
template <class T, class Packed>
std::optional<Status> attempt(const Forward& p, Isa isa, mluOpContext& handle) {
  const int threads = threads_of(p.N, p.C, handle.threads);
  WorkspaceLayout layout;
  Voxels<Packed> voxels(p, layout);
  constexpr auto worker_sums = static_cast<std::int64_t>(sums_bytes / sizeof(Compute<T>));
  const auto sums = layout.add<Compute<T>>(threads * worker_sums);
  std::byte* const base = handle.scratch.require(layout.bytes());
  if (!voxels.sort(isa, threads, base)) return std::nullopt;
  note_plan("voxels", voxels.count());
  if (voxels.count() > p.R) return too_many(p, voxels.count());
  write<T>(p, voxels, isa, threads, base, sums);
  return MLUOP_STATUS_SUCCESS;
}

}  // namespace

Status run_forward(const Forward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    if (const auto status = attempt<T, sorting::Narrow>(problem, isa, handle)) return *status;
    return attempt<T, sorting::Wide>(problem, isa, handle).value_or(MLUOP_STATUS_INTERNAL_ERROR);
  });
}

}  // namespace mluop::dynamic_point_to_voxel
