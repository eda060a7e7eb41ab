// Computes with two threads in a process that may have 24 MB of address space; run by scarce_memory.sh.
#include "call.h"
#include "created_threads.h"

int main(void) {
  AlignCall call = make_call(100, 50, 64, 1);
  const uint64_t bits = run_call(&call);
  EXPECT_SUCCESS(mluOpCpuSetThreads(call.handle, 2));
  for (int i = 0; i < 10; ++i) EXPECT(run_call(&call) == bits);
  EXPECT(created_threads > 0 ||
         call.cores == 1);  // or tried to: there may be no memory for its stack
  destroy_call(&call);
  return 0;
}
