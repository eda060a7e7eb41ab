// Allocations, copies and fills on host memory.
#include "runtime/cnrt/memory.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <type_traits>

#include "core/memory/memory.hpp"
#include "runtime/at_fork.hpp"
#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/queues.hpp"
#include "runtime/cnrt/registry.hpp"

namespace mluop::cnrt {
namespace {

/// A block that knows its size; the owner of a Registry.
struct SizedBlock {
  using element_type = std::byte;
  std::byte* get() const noexcept { return block.get(); }

  MemoryBlock block;
  std::size_t bytes;
};

constinit Registry<SizedBlock> device_memory, host_memory;
static_assert(std::is_trivially_destructible_v<Registry<SizedBlock>>);

const HeldDuringFork<device_memory> device_memory_at_fork;
const HeldDuringFork<host_memory> host_memory_at_fork;

Registry<SizedBlock>& memory_of(cnrtMemType_t type) {
  return type == cnrtMemTypeHost ? host_memory : device_memory;
}

bool is_direction(cnrtMemTransDir_t direction) {
  return direction >= cnrtMemcpyHostToDev && direction <= cnrtMemcpyNoDirection;
}

cnrtRet_t copy_towards(cnrtMemTransDir_t direction, void* destination, const void* source,
                       std::size_t bytes) {
  if (!is_direction(direction)) return cnrtErrorMemcpyDirectionInvalid;
  return copy(destination, source, bytes);
}

cnrtRet_t copy_rows(void* destination, std::size_t destination_pitch, const void* source,
                    std::size_t source_pitch, std::size_t width, std::size_t height,
                    cnrtMemTransDir_t direction) {
  if (!is_direction(direction)) return cnrtErrorMemcpyDirectionInvalid;
  if (destination == nullptr || source == nullptr || width == 0 || height == 0 ||
      destination_pitch < width || source_pitch < width) {
    return cnrtErrorArgsInvalid;
  }
  auto* to = static_cast<std::byte*>(destination);
  const auto* from = static_cast<const std::byte*>(source);
  for (std::size_t row = 0; row < height; ++row) {
    std::memmove(to + row * destination_pitch, from + row * source_pitch, width);
  }
  return cnrtSuccess;
}

cnrtRet_t describe(cnrtPointerAttributes_t* attr, const void* pointer) {
  if (attr == nullptr || pointer == nullptr) return cnrtErrorArgsInvalid;
  void* const same = const_cast<void*>(pointer);
  const auto found = allocation_of(pointer);
  if (!found) {
    *attr = {cnrtMemTypeUnregistered, -1, 0, nullptr, same, cnrtUvaUnknown, nullptr};
  } else {
    *attr = {found->type, 0, found->bytes, same, same, cnrtUvaCached, found->begin};
  }
  return cnrtSuccess;
}

}  // namespace

cnrtRet_t allocate(cnrtMemType_t type, void** pointer, std::size_t bytes) {
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  *pointer = memory_of(type).add({allocate_memory(bytes), bytes});
  return cnrtSuccess;
}

cnrtRet_t release(cnrtMemType_t type, void* pointer) {
  return valid_if(pointer == nullptr || memory_of(type).remove(pointer));
}

void release_all_memory() {
  device_memory.clear();
  host_memory.clear();
}

std::optional<Allocation> allocation_of(const void* address) {
  std::optional<Allocation> found;
  for (const cnrtMemType_t type : {cnrtMemTypeDevice, cnrtMemTypeHost}) {
    memory_of(type).with_last_before(address, [&](const SizedBlock& block) {
      const auto offset =
          reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(block.get());
      // An allocation of 0 bytes has an address of its own.
      if (offset < block.bytes || offset == 0) found = {type, block.get(), block.bytes};
    });
  }
  return found;
}

cnrtRet_t copy(void* destination, const void* source, std::size_t bytes) {
  if (bytes == 0) return cnrtSuccess;
  if (destination == nullptr || source == nullptr) return cnrtErrorArgsInvalid;
  std::memmove(destination, source, bytes);
  return cnrtSuccess;
}

template <class Element>
cnrtRet_t fill(void* pointer, Element value, std::size_t count) {
  if (count == 0) return cnrtSuccess;
  if (pointer == nullptr) return cnrtErrorArgsInvalid;
  auto* bytes = static_cast<std::byte*>(pointer);
  if constexpr (sizeof(Element) == 1) {
    std::memset(bytes, value, count);
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(bytes + i * sizeof(Element), &value, sizeof(Element));
    }
  }
  return cnrtSuccess;
}

template cnrtRet_t fill(void*, std::uint8_t, std::size_t);
template cnrtRet_t fill(void*, std::uint16_t, std::size_t);
template cnrtRet_t fill(void*, std::uint32_t, std::size_t);

}  // namespace mluop::cnrt

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): the C entry points are global

cnrtRet_t cnrtMalloc(void** pointer, size_t bytes) {
  return runtime_call([&] { return allocate(cnrtMemTypeDevice, pointer, bytes); });
}

cnrtRet_t cnrtMallocConstant(void** pointer, size_t bytes) { return cnrtMalloc(pointer, bytes); }

cnrtRet_t cnrtMemAllocAsync(void** pointer, size_t bytes, cnrtQueue_t queue) {
  return runtime_call(
      [&] { return in_queue(queue, [&] { return allocate(cnrtMemTypeDevice, pointer, bytes); }); });
}

cnrtRet_t cnrtFree(void* pointer) {
  return runtime_call([&] { return release(cnrtMemTypeDevice, pointer); });
}

cnrtRet_t cnrtMemFreeAsync(void* pointer, cnrtQueue_t queue) {
  return runtime_call(
      [&] { return in_queue(queue, [&] { return release(cnrtMemTypeDevice, pointer); }); });
}

cnrtRet_t cnrtHostMalloc(void** pointer, size_t bytes) {
  return runtime_call([&] { return allocate(cnrtMemTypeHost, pointer, bytes); });
}

cnrtRet_t cnrtFreeHost(void* pointer) {
  return runtime_call([&] { return release(cnrtMemTypeHost, pointer); });
}

cnrtRet_t cnrtPointerGetAttributes(cnrtPointerAttributes_t* attr, const void* pointer) {
  return runtime_call([&] { return describe(attr, pointer); });
}

cnrtRet_t cnrtMemcpy(void* destination, void* source, size_t bytes, cnrtMemTransDir_t direction) {
  return runtime_call([&] { return copy_towards(direction, destination, source, bytes); });
}

cnrtRet_t cnrtMemcpyAsync(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                          cnrtMemTransDir_t direction) {
  return runtime_call([&] {
    return in_queue(queue, [&] { return copy_towards(direction, destination, source, bytes); });
  });
}

cnrtRet_t cnrtMemcpyAsync_V2(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t direction) {
  return cnrtMemcpyAsync(destination, source, bytes, queue, direction);
}

cnrtRet_t cnrtMemcpyAsync_V3(void* destination, void* source, size_t bytes, cnrtQueue_t queue,
                             cnrtMemTransDir_t direction) {
  return cnrtMemcpyAsync(destination, source, bytes, queue, direction);
}

cnrtRet_t cnrtMemcpy2D(void* destination, size_t destination_pitch, const void* source,
                       size_t source_pitch, size_t width, size_t height,
                       cnrtMemTransDir_t direction) {
  return runtime_call([&] {
    return copy_rows(destination, destination_pitch, source, source_pitch, width, height,
                     direction);
  });
}

cnrtRet_t cnrtMemcpy2DAsync(void* destination, size_t destination_pitch, const void* source,
                            size_t source_pitch, size_t width, size_t height,
                            cnrtMemTransDir_t direction, cnrtQueue_t queue) {
  return runtime_call([&] {
    return in_queue(queue, [&] {
      return copy_rows(destination, destination_pitch, source, source_pitch, width, height,
                       direction);
    });
  });
}

cnrtRet_t cnrtMemset(void* pointer, int value, size_t bytes) {
  return runtime_call([&] { return fill(pointer, static_cast<std::uint8_t>(value), bytes); });
}

cnrtRet_t cnrtMemsetAsync(void* pointer, int value, size_t bytes, cnrtQueue_t queue) {
  return runtime_call([&] {
    return in_queue(queue, [&] { return fill(pointer, static_cast<std::uint8_t>(value), bytes); });
  });
}
