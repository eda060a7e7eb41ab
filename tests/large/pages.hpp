// Memory for tests with tensors beyond 2^31 elements.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace mluop::testing {

/// Zero-initialised memory whose pages are allocated when they are written.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : bytes_(bytes),
        data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() {
    if (mapped()) munmap(data_, bytes_);
  }
  bool mapped() const { return data_ != MAP_FAILED; }
  template <class T>
  T* as() {
    return static_cast<T*>(data_);
  }
  void poison() { std::memset(data_, 0xFF, bytes_); }

 private:
  std::size_t bytes_;
  void* data_;
};

inline double free_gibibytes() {
  return static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) *
         static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 30);
}

}  // namespace mluop::testing
