// Threads and mappings of this process, from /proc/self.
#ifndef TESTS_PROCESS_PROC_SELF_H_
#define TESTS_PROCESS_PROC_SELF_H_

#include <dirent.h>
#include <stdio.h>
#include <string.h>

static inline int threads_alive(void) {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == NULL) return 0;
  for (struct dirent* entry; (entry = readdir(tasks)) != NULL;) count += entry->d_name[0] != '.';
  closedir(tasks);
  return count;
}

static inline int mappings(void) {
  int count = 0;
  FILE* const maps = fopen("/proc/self/maps", "r");
  if (maps == NULL) return 0;
  for (int c; (c = fgetc(maps)) != EOF;) count += c == '\n';
  fclose(maps);
  return count;
}

static inline long resident_kilobytes(void) {
  long kilobytes = 0;
  char line[256];
  FILE* const status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  while (fgets(line, sizeof line, status) != NULL) {
    if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
  }
  fclose(status);
  return kilobytes;
}

#endif
