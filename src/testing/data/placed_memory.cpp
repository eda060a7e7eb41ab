// Allocation by placement. Everything around the data that is accessible holds a pattern.
#include "testing/data/placed_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <system_error>

#include "core/numbers/integers.hpp"

namespace mluop::testing {
namespace {

constexpr std::size_t alignment = 64;
constexpr std::size_t zone_bytes = 64;
constexpr std::byte canary{0xC5};

thread_local Placement current_placement = Placement::ordinary;

std::size_t page_bytes() {
  static const auto bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

bool all_canary(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte b) { return b == canary; });
}

void protect(std::byte* begin, std::size_t size, int protection) {
  if (size != 0 && mprotect(begin, size, protection) != 0) {
    throw std::system_error(errno, std::generic_category(), "mprotect");
  }
}

}  // namespace

const char* name_of(Placement placement) {
  switch (placement) {
    case Placement::before_page:
      return "before a page";
    case Placement::behind_page:
      return "behind a page";
    default:
      return "ordinary memory";
  }
}

ScopedPlacement::ScopedPlacement(Placement placement) : former_(current_placement) {
  current_placement = placement;
}
ScopedPlacement::~ScopedPlacement() { current_placement = former_; }

Placement ScopedPlacement::current() { return current_placement; }

void ScopedPlacement::make_read_only() {
  for (PlacedMemory::Block* block : PlacedMemory::mapped_blocks()) {
    protect(block->begin, block->size, PROT_READ);
  }
}

/// Of this thread: only one thread of a test makes tensors.
std::set<PlacedMemory::Block*>& PlacedMemory::mapped_blocks() {
  thread_local std::set<Block*> blocks;
  return blocks;
}

PlacedMemory::PlacedMemory(std::size_t bytes, std::size_t element_size) {
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();
  block_ = current_placement == Placement::ordinary ? allocate(bytes)
                                                    : map(bytes, element_size, current_placement);
  std::fill(block_->begin, block_->data, canary);
  std::fill(block_->data + bytes, block_->begin + block_->size, canary);
}

PlacedMemory::OwnedBlock PlacedMemory::allocate(std::size_t bytes) {
  OwnedBlock block{new Block{nullptr, bytes + 2 * zone_bytes, nullptr, bytes, Placement::ordinary}};
  block->begin = static_cast<std::byte*>(::operator new (block->size, std::align_val_t{alignment}));
  block->data = block->begin + zone_bytes;
  return block;
}

PlacedMemory::OwnedBlock PlacedMemory::map(std::size_t bytes, std::size_t element_size,
                                           Placement placement) {
  const std::size_t page = page_bytes();
  // A page is aligned to more than any element; a workspace shall begin at an odd address.
  const std::size_t offset = placement == Placement::behind_page && element_size == 1 ? 1 : 0;
  const std::size_t size = round_up(bytes + offset, page);
  void* const mapped =
      mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  std::byte* const begin = static_cast<std::byte*>(mapped) + page;
  std::byte* const data =
      placement == Placement::behind_page ? begin + offset : begin + size - bytes;
  OwnedBlock block{new Block{begin, size, data, bytes, placement}};
  mapped_blocks().insert(block.get());
  protect(begin, size, PROT_READ | PROT_WRITE);
  return block;
}

void PlacedMemory::Free::operator()(Block* block) const {
  if (block->placement != Placement::ordinary) {
    mapped_blocks().erase(block);
    munmap(block->begin - page_bytes(), block->size + 2 * page_bytes());
  } else if (block->begin != nullptr) {
    ::operator delete (block->begin, std::align_val_t{alignment});
  }
  delete block;
}

bool PlacedMemory::intact() const {
  return block_ == nullptr ||
         (all_canary(block_->begin, block_->data) &&
          all_canary(block_->data + block_->bytes, block_->begin + block_->size));
}

void PlacedMemory::make_writable() {
  if (block_ != nullptr && block_->placement != Placement::ordinary) {
    protect(block_->begin, block_->size, PROT_READ | PROT_WRITE);
  }
}

}  // namespace mluop::testing
