// parallel_for, the only interface to threads.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace mluop {

/// The maximum number of workers of a loop, including the caller. Worker numbers are below it; allocate
/// per-worker scratch this many times.
int team_size(int threads, std::int64_t count, std::int64_t grain) noexcept;

/// The threads worth waking for a loop: each gets at least `least_work` of the work, whatever its unit, and
/// there are 1 to `threads`.
int threads_for(double work, double least_work, int threads) noexcept;

namespace detail {
using ChunkFunction = void (*)(void* body, std::int64_t begin, std::int64_t end, int worker);
void parallel_chunks(int threads, std::int64_t count, std::int64_t grain, ChunkFunction run,
                     void* body);
}  // namespace detail

/// Calls body(begin, end, worker) once for each chunk [k·grain, min((k+1)·grain, count)).
/// The partition depends only on count and grain; which worker (0 ≤ worker < team_size) runs a chunk, and
/// when, is unspecified. The first exception of a chunk is rethrown to the caller.
template <class Body>
void parallel_for(int threads, std::int64_t count, std::int64_t grain, Body&& body) {
  using Plain = std::remove_reference_t<Body>;
  detail::parallel_chunks(
      threads, count, grain,
      [](void* erased, std::int64_t begin, std::int64_t end, int worker) {
        (*static_cast<Plain*>(erased))(begin, end, worker);
      },
      const_cast<void*>(static_cast<const void*>(&body)));
}

}  // namespace mluop
