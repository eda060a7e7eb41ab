// Memory of tensors and workspaces: between zones that show stray writes, or between inaccessible pages.
#pragma once

#include <cstddef>
#include <memory>
#include <set>

namespace mluop::testing {

enum class Placement {
  ordinary,     // aligned to a cache line, 64 bytes of a pattern on both sides
  before_page,  // ends where an inaccessible page begins, so that it is aligned to its elements only
  behind_page  // begins where an inaccessible page ends; workspaces one byte later, at an odd address
};

/// "ordinary memory", "before a page", "behind a page"
const char* name_of(Placement placement);

/// What this thread allocates until the end of the scope is placed so.
class ScopedPlacement {
 public:
  explicit ScopedPlacement(Placement placement);
  ~ScopedPlacement();
  ScopedPlacement(const ScopedPlacement&) = delete;
  ScopedPlacement& operator=(const ScopedPlacement&) = delete;

  static Placement current();
  /// A write to anything that lies beside an inaccessible page faults from now on.
  static void make_read_only();

 private:
  Placement former_;
};

class PlacedMemory {
 public:
  PlacedMemory() = default;
  /// `bytes` bytes, a multiple of the element size, placed as the scope says. Throws std::bad_alloc.
  PlacedMemory(std::size_t bytes, std::size_t element_size);

  std::byte* data() const { return block_ == nullptr ? nullptr : block_->data; }
  std::size_t bytes() const { return block_ == nullptr ? 0 : block_->bytes; }
  /// The memory between data and page, or 64 bytes on each side, is unchanged.
  bool intact() const;
  /// Takes back ScopedPlacement::make_read_only.
  void make_writable();

 private:
  friend class ScopedPlacement;
  struct Block {
    std::byte* begin;  // accessible from here
    std::size_t size;  // to here
    std::byte* data;
    std::size_t bytes;
    Placement placement;
  };
  struct Free {
    void operator()(Block* block) const;
  };
  using OwnedBlock = std::unique_ptr<Block, Free>;

  static std::set<Block*>& mapped_blocks();
  static OwnedBlock allocate(std::size_t bytes);
  static OwnedBlock map(std::size_t bytes, std::size_t element_size, Placement placement);

  OwnedBlock block_;
};

}  // namespace mluop::testing
