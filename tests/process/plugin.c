// A plug-in that links the library; unload.c loads and unloads both.
#include "call.h"

uint64_t call_with_two_threads(int* cores) {
  AlignCall call = make_call(100, 50, 64, 2);
  const uint64_t bits = run_call(&call);
  *cores = call.cores;
  destroy_call(&call);
  return bits;
}
