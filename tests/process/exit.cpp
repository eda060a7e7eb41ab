// Calls during exit: from a static destructor, an exit handler and a detached thread. Each must exit with 0,
// 50 times.
#include <pthread.h>
#include <sys/wait.h>

#include <string>

#include "call.h"

namespace {

AlignCall& shared_call() {
  static AlignCall* const call = new AlignCall(make_call(60, 50, 32, 2));  // never destroyed
  return *call;
}
uint64_t bits = 0;

void call_again() { EXPECT(run_call(&shared_call()) == bits); }

// Constructed before main, so destroyed after everything that the first call constructs.
struct CallsAtItsEnd {
  ~CallsAtItsEnd() {
    if (armed) call_again();
  }
  bool armed = false;
} calls_at_its_end;

void* keep_calling(void*) {
  AlignCall call = make_call(60, 50, 32, 2);
  for (;;) EXPECT(run_call(&call) == bits);
}

int end_by(const std::string& way) {
  if (way == "exit_handler")
    std::atexit(call_again);  // registered before the first call, so run after its handlers
  bits = run_call(&shared_call());
  if (way == "static_destructor") calls_at_its_end.armed = true;
  if (way == "detached_thread") {
    pthread_t thread;
    EXPECT(pthread_create(&thread, nullptr, keep_calling, nullptr) == 0);
    EXPECT(pthread_detach(thread) == 0);
    usleep(static_cast<useconds_t>(getpid() % 50) * 100);
  }
  return 0;
}

void expect_clean_end(const char* program, const char* way) {
  const pid_t child = fork();
  EXPECT(child >= 0);
  if (child == 0) {
    alarm(20);
    execl(program, program, way, nullptr);
    _exit(127);
  }
  int status = 0;
  EXPECT(waitpid(child, &status, 0) == child);
  if (status == 0) return;
  fprintf(stderr, "%s: ended with %s %d\n", way, WIFSIGNALED(status) ? "signal" : "code",
          WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return end_by(argv[1]);
  for (const char* way : {"static_destructor", "exit_handler", "detached_thread"}) {
    for (int i = 0; i < 50; ++i) expect_clean_end("/proc/self/exe", way);
  }
  return 0;
}
