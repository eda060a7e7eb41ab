// unload PLUGIN: 100 times loads a plug-in that links the library, calls with two threads and unloads it
// immediately; the number of threads and mappings does not grow.
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#include "created_threads.h"
#include "proc_self.h"

static void* not_null(void* pointer) {
  if (pointer != NULL) return pointer;
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

static int cores;

static uint64_t load_call_unload(const char* path) {
  uint64_t (*call)(int*);
  void* const plugin = not_null(dlopen(path, RTLD_NOW | RTLD_LOCAL));
  void* const found = not_null(dlsym(plugin, "call_with_two_threads"));
  memcpy(&call, &found, sizeof call);
  const uint64_t bits = call(&cores);
  dlclose(plugin);
  return bits;
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const uint64_t bits = load_call_unload(argv[1]);
  for (int i = 0; i < 10; ++i) load_call_unload(argv[1]);
  const int threads = threads_alive(), maps = mappings();
  for (int i = 0; i < 89; ++i) {
    if (load_call_unload(argv[1]) != bits) return 1;
  }
  // The heap may change by a few mappings.
  if (threads_alive() <= threads && mappings() <= maps + 4 && (created_threads > 0 || cores == 1)) {
    return 0;
  }
  fprintf(stderr, "threads %d -> %d, mappings %d -> %d, %d threads created\n", threads,
          threads_alive(), maps, mappings(), created_threads);
  return 1;
}
