// 200 forks in a row, and forks while another thread is in a call; the memory of the parent does not grow.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>

#include "call.h"
#include "created_threads.h"
#include "proc_self.h"

static AlignCall call;
static uint64_t bits;
static atomic_int ending;

// Uses the parent's handle and one that the child creates.
static void call_in_a_child(void) {
  created_threads = 0;
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    alarm(20);
    EXPECT(run_call(&call) == bits);
    AlignCall fresh = make_call(100, 50, 64, 2);
    EXPECT(run_call(&fresh) == bits);
    EXPECT(created_threads > 0 || call.cores == 1);
    _exit(0);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void fork_in_a_row(int forks) {
  for (int i = 0; i < forks; ++i) {
    call_in_a_child();
    EXPECT(run_call(&call) == bits);
  }
}

static void* keep_calling(void* unused) {
  AlignCall own = make_call(100, 50, 64, 2);
  while (!ending) EXPECT(run_call(&own) == bits);
  destroy_call(&own);
  return unused;
}

static void fork_beside_calls(int forks) {
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, keep_calling, NULL) == 0);
  for (int i = 0; i < forks; ++i) {
    call_in_a_child();
    usleep(i % 10 * 100);  // so that forks happen at every stage of a call
  }
  ending = 1;
  EXPECT(pthread_join(thread, NULL) == 0);
}

int main(void) {
  call = make_call(100, 50, 64, 2);
  bits = run_call(&call);
  fork_in_a_row(20);
  const int threads = threads_alive();
  const long resident = resident_kilobytes();
  EXPECT(threads > 0 && resident > 0);
  fork_in_a_row(180);
  EXPECT(threads_alive() <= threads);
  EXPECT(resident_kilobytes() < resident + 1024);
  fork_beside_calls(50);
  destroy_call(&call);
  return 0;
}
