// operator new and aligned_alloc of a program with fault injection.
#include "testing/faults/failing_allocations.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <new>

#include "core/numbers/integers.hpp"

namespace mluop::testing {
namespace {

thread_local FailingAllocations* of_this_thread = nullptr;

bool refused() noexcept { return of_this_thread != nullptr && of_this_thread->refuse(); }

/// That of the C library, or of a sanitizer before it.
void* real_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  using Function = void* (*)(std::size_t, std::size_t);
  static const auto real = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "aligned_alloc"));
  return real(alignment, bytes);
}

void* allocate(std::size_t bytes) noexcept {
  return refused() ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
}

void* allocate(std::size_t bytes, std::align_val_t align) noexcept {
  const auto alignment = static_cast<std::size_t>(align);
  return std::aligned_alloc(alignment, round_up(bytes, alignment));
}

void* or_throw(void* memory) {
  if (memory == nullptr) throw std::bad_alloc{};
  return memory;
}

}  // namespace

FailingAllocations::FailingAllocations(long after, Later later) noexcept
    : left_(after), later_(later) {
  of_this_thread = this;
}

FailingAllocations::~FailingAllocations() { of_this_thread = nullptr; }

bool FailingAllocations::refuse() noexcept {
  const long left = left_--;
  const bool fails = left == 0 || (left < 0 && later_ == Later::fail);
  if (fails) ++failures_;
  return fails;
}

}  // namespace mluop::testing

using mluop::testing::allocate, mluop::testing::or_throw;

extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
  return mluop::testing::refused() ? nullptr : mluop::testing::real_aligned_alloc(alignment, bytes);
}

// All of them: a sanitizer has its own of those that are left out, and would find a mismatch.
void* operator new(std::size_t bytes) { return or_throw(allocate(bytes)); }
void* operator new[](std::size_t bytes) { return or_throw(allocate(bytes)); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return allocate(bytes); }
void* operator new(std::size_t bytes, std::align_val_t align) {
  return or_throw(allocate(bytes, align));
}
void* operator new[](std::size_t bytes, std::align_val_t align) {
  return or_throw(allocate(bytes, align));
}
void* operator new(std::size_t bytes, std::align_val_t align, const std::nothrow_t&) noexcept {
  return allocate(bytes, align);
}
void* operator new[](std::size_t bytes, std::align_val_t align, const std::nothrow_t&) noexcept {
  return allocate(bytes, align);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  std::free(memory);
}
