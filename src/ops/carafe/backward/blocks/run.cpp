// Design `blocks`: grad_mask of this folder, grad_input of `general`.
#include <type_traits>

#include "ops/carafe/backward/blocks/grad_mask.hpp"
#include "ops/carafe/backward/driver.hpp"
#include "ops/carafe/backward/general/grad_input.hpp"
#include "ops/carafe/backward/run.hpp"

namespace mluop::carafe {

void run_blocks(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&](auto stored) {
    using T = decltype(stored);
    if constexpr (!std::is_same_v<T, double>) {  // which `accepts` refuses
      run_backward<BlocksGradMask, GeneralGradInput, T>(problem, isa, handle);
    }
  });
}

}  // namespace mluop::carafe
