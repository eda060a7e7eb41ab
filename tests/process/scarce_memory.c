// Computes with two threads in a process that may have 24 MB of address space; run by scarce_memory.sh.
#include "call.h"

int main(void) {
  AlignCall one = make_call(40, 25, 32, 1), two = make_call(40, 25, 32, 2);
  const uint64_t bits = run_call(&one);
  for (int i = 0; i < 10; ++i) EXPECT(run_call(&two) == bits);
  destroy_call(&one);
  destroy_call(&two);
  return 0;
}
