// Index data first; then each point's gradient, or each voxel's, by one thread.
#include "ops/dynamic_point_to_voxel/backward/run.hpp"

#include <algorithm>
#include <atomic>

#include "ops/dynamic_point_to_voxel/backward/index_error.hpp"
#include "ops/dynamic_point_to_voxel/kernels/kernels.hpp"
#include "ops/dynamic_point_to_voxel/members.hpp"

namespace mluop::dynamic_point_to_voxel {
namespace {

/// How many of `count` entries name a voxel below M; -1 if one is neither -1 nor such a voxel.
std::int64_t survey_map(const std::int32_t* map, std::int64_t count, std::int64_t M) {
  // `voxel + 1` and `M - 1 - voxel` are both non-negative iff the entry is allowed.
  const auto last = static_cast<std::uint32_t>(M - 1);
  std::uint32_t signs = 0, invalid = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const auto voxel = static_cast<std::uint32_t>(map[i]);
    signs |= (voxel + 1) | (last - voxel);
    invalid += voxel >> 31;
  }
  return signs > INT32_MAX ? -1 : count - static_cast<std::int64_t>(invalid);
}

class BackwardCall {
 public:
  BackwardCall(const Backward& problem, Isa isa, mluOpContext& handle)
      : p_(problem),
        isa_(isa),
        handle_(handle),
        threads_(threads_of(problem.N, problem.C, handle.threads)),
        valid_(problem.N, layout_) {}

  template <class T>
  Status run() {
    const bool max = p_.reduce_type == MLUOP_REDUCE_DMAX;
    const sorting::PackedSort<Member> sort(max ? p_.N : 0, layout_);
    std::byte* const base = handle_.scratch.require(layout_.bytes());
    const Status status = check_indices(base);
    if (status != MLUOP_STATUS_SUCCESS) return status;
    if (max) {
      select<T>(sort, base);
    } else {
      spread<T>();
    }
    return MLUOP_STATUS_SUCCESS;
  }

 private:
  Status check_indices(std::byte* base);
  template <class T>
  void spread() const;
  template <class T>
  void select(const sorting::PackedSort<Member>& sort, std::byte* base) const;
  template <class T>
  void clear(std::int64_t begin, std::int64_t end) const {
    std::fill(static_cast<T*>(p_.grad_feats) + begin * p_.C,
              static_cast<T*>(p_.grad_feats) + end * p_.C, T{});
  }

  const Backward& p_;
  Isa isa_;
  mluOpContext& handle_;
  int threads_;
  WorkspaceLayout layout_;
  ValidPoints valid_;
  std::int64_t M_ = 0;
};

Status BackwardCall::check_indices(std::byte* base) {
  M_ = *p_.voxel_num;
  if (M_ < 0 || M_ > p_.R) return fail_for_voxel_num(p_);
  std::atomic<bool> bad{false};
  valid_.survey(threads_, base, [&](std::int64_t, std::int64_t begin, std::int64_t end) {
    const std::int64_t valid = survey_map(p_.point2voxel_map + begin, end - begin, M_);
    if (valid < 0) bad.store(true, std::memory_order_relaxed);
    return valid;
  });
  if (bad.load(std::memory_order_relaxed)) return fail_at_first_bad_voxel(p_, M_);
  if (p_.reduce_type != MLUOP_REDUCE_DMEAN || M_ == 0) return MLUOP_STATUS_SUCCESS;
  // A count that is not positive is an error only if a point names the voxel.
  if (*std::min_element(p_.voxel_points_count, p_.voxel_points_count + M_) > 0) {
    return MLUOP_STATUS_SUCCESS;
  }
  return fail_at_first_bad_count(p_);
}

template <class T>
void BackwardCall::spread() const {
  const Gradients<T>& kernels = gradients_for<T>(isa_);
  const Spread<T> kernel = p_.reduce_type == MLUOP_REDUCE_DMEAN ? kernels.mean : kernels.sum;
  const Spreading<T> of{p_.C,
                        static_cast<const T*>(p_.grad_voxel_feats),
                        p_.voxel_points_count,
                        p_.point2voxel_map,
                        p_.N,
                        static_cast<T*>(p_.grad_feats)};
  const std::int64_t grain = members_at_a_time(p_.C * static_cast<std::int64_t>(sizeof(T)));
  parallel_for(threads_, p_.N, grain, [&](std::int64_t begin, std::int64_t end, int) {
    M_ == 0 ? clear<T>(begin, end) : kernel(of, begin, end);
  });
}

/// Points sorted by voxel, each voxel's in their order; those without a voxel get zeros.
template <class T>
void BackwardCall::select(const sorting::PackedSort<Member>& sort, std::byte* base) const {
  Member* const unsorted = sort.input(base);
  valid_.for_each_chunk(threads_, [&](std::int64_t chunk, std::int64_t begin, std::int64_t end) {
    Member* to = unsorted + valid_.begin_of(chunk);
    for (std::int64_t i = begin; i < end; ++i) {
      if (p_.point2voxel_map[i] >= 0) {
        *to++ = member_of(p_.point2voxel_map[i], i);
      } else {
        clear<T>(i, i + 1);
      }
    }
  });
  const std::int64_t count = valid_.total();
  const int bits = sorting::bits_below(static_cast<sorting::Wide>(M_));
  const Member varying = ((Member{1} << bits) - 1) << voxel_shift;
  const Member* const members =
      sort.run(count, varying, threads_, base,
               [](std::int64_t, const Member*, const sorting::WordRange&) {})
          .sorted;
  const Selection<T> of{p_.C, static_cast<const T*>(p_.grad_voxel_feats),
                        static_cast<const T*>(p_.feats), static_cast<const T*>(p_.voxel_feats),
                        static_cast<T*>(p_.grad_feats)};
  const Select<T> kernel = gradients_for<T>(isa_).max;
  const std::int64_t grain = members_at_a_time(p_.C * static_cast<std::int64_t>(sizeof(T)));
  for_each_voxel_run(members, count, grain, threads_,
                     [&](std::int64_t begin, std::int64_t end, int) {
                       kernel(of, {members, begin, end, count});
                     });
}

}  // namespace

Status run_backward(const Backward& problem, Isa isa, mluOpContext& handle) {
  return with_floating(problem.dtype, [&](auto stored) {
    return BackwardCall(problem, isa, handle).run<decltype(stored)>();
  });
}

}  // namespace mluop::dynamic_point_to_voxel
