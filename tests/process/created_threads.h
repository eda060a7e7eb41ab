// The number of threads that the process has created, to see whether a call used any.
#ifndef TESTS_PROCESS_CREATED_THREADS_H_
#define TESTS_PROCESS_CREATED_THREADS_H_

#include <stdatomic.h>

extern atomic_int created_threads;

#endif
