// Calls in a process with little address space; with an argument, two threads are required. Run by
// scarce_memory.sh.
#include "call.h"
#include "created_threads.h"
#include "proc_self.h"

int main(int argc, char** argv) {
  (void)argv;
  AlignCall call = make_call(100, 50, 64, 1);
  const uint64_t bits = run_call(&call);
  EXPECT_SUCCESS(mluOpCpuSetThreads(call.handle, 2));
  for (int i = 0; i < 10; ++i) EXPECT(run_call(&call) == bits);
  EXPECT(created_threads > 0 || call.cores == 1);  // counts attempts, too
  EXPECT(argc == 1 || threads_alive() > 1 || call.cores == 1);
  destroy_call(&call);
  return 0;
}
