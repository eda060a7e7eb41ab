// Calls with two threads, forks, and calls again in the child: same bits, no delay.
#include <sys/wait.h>

#include "call.h"
#include "created_threads.h"

int main(void) {
  AlignCall call = make_call(100, 50, 64, 2);
  const uint64_t bits = run_call(&call);
  EXPECT(created_threads > 0 || call.cores == 1);
  created_threads = 0;
  const pid_t child = fork();
  EXPECT(child >= 0);
  EXPECT(run_call(&call) == bits);
  if (child == 0) {
    EXPECT(created_threads > 0 || call.cores == 1);  // the child has none of the parent's workers
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  destroy_call(&call);
  return 0;
}
