// Design `transposed`: grad_mask of this folder, grad_input of `general`.
#include "ops/carafe/backward/run.hpp"
#include "ops/carafe/backward/driver.hpp"
#include "ops/carafe/backward/general/grad_input.hpp"
#include "ops/carafe/backward/transposed/grad_mask.hpp"

namespace mluop::carafe {

void run_transposed(const Problem& problem, Isa isa, mluOpContext& handle) {
  with_floating(problem.dtype, [&](auto stored) {
    run_backward<TransposedGradMask, GeneralGradInput, decltype(stored)>(problem, isa, handle);
  });
}

}  // namespace mluop::carafe
