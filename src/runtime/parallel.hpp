// parallel_for: the only place where work meets threads.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

namespace mluop {

/// The workers that parallel_for employs for a loop at most, the caller included: their numbers are
/// below this, and what each of them needs is needed so many times.
int team_size(int threads, std::int64_t count, std::int64_t grain) noexcept;

namespace detail {
using ChunkFunction = void (*)(void* body, std::int64_t begin, std::int64_t end, int worker);
void parallel_chunks(int threads, std::int64_t count, std::int64_t grain, ChunkFunction run,
                     void* body);
}  // namespace detail

/// Calls body(begin, end, worker) once for each chunk [k·grain, min((k+1)·grain, count)).
/// The partition depends on count and grain alone; which worker (0 ≤ worker < team_size)
/// takes a chunk, and when, does not. The first exception a chunk throws is rethrown to the caller.
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
