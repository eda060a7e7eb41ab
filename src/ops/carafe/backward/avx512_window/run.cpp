// Design `avx512_window`: grad_mask of this folder, grad_input of this folder.
#include <type_traits>

#include "ops/carafe/backward/avx512_window/grad_input.hpp"
#include "ops/carafe/backward/avx512_window/grad_mask.hpp"
#include "ops/carafe/backward/driver.hpp"
#include "ops/carafe/backward/run.hpp"

namespace mluop::carafe {

void run_avx512_window(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    if constexpr (!std::is_same_v<T, double>) {  // which `accepts` refuses
      run_backward<WindowGradMask, WindowGradInput, T>(problem, isa, handle);
    }
  });
}

}  // namespace mluop::carafe
