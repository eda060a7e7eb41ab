// Counts the threads that the process creates, by wrapping pthread_create.
#define _GNU_SOURCE
#include "created_threads.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

atomic_int created_threads;

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  int (*create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  void* const found = dlsym(RTLD_NEXT, "pthread_create");
  memcpy(&create, &found, sizeof create);
  ++created_threads;
  return create(thread, attributes, start, argument);
}
