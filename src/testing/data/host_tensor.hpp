// A tensor that owns its memory, filled and read as doubles; shared by tests, bench and CLI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "mlu_op.h"
#include "testing/compare/rounding.hpp"
#include "testing/data/placed_memory.hpp"

namespace mluop::testing {

class HostTensor {
 public:
  HostTensor() = default;
  /// Contents start as NaN for floating dtypes and as the pattern 0xA5 otherwise. Strides, of
  /// elements and not negative, are dense when there are none.
  HostTensor(std::string name, mluOpDataType_t dtype, mluOpTensorLayout_t layout,
             std::vector<std::int64_t> dims, std::vector<std::int64_t> strides = {});

  const std::string& name() const { return name_; }
  mluOpDataType_t dtype() const { return dtype_; }
  mluOpTensorLayout_t layout() const { return layout_; }
  const std::vector<std::int64_t>& dims() const { return dims_; }
  std::int64_t count() const { return count_; }
  /// Elements in memory: with strides, those between the first and the last, used or not.
  std::int64_t stored_count() const { return stored_count_; }
  std::size_t bytes() const { return bytes_; }
  void* data() { return memory_.data(); }
  const void* data() const { return memory_.data(); }
  std::span<const std::byte> raw() const { return {memory_.data(), bytes_}; }

  /// Element access by flat index into the dims, wherever strides put it; a value is rounded once, to nearest even, into the dtype.
  double get(std::int64_t index) const;
  void set(std::int64_t index, double value);
  std::vector<double> values() const { return values(0, count_); }
  /// `count` elements from flat index `first` on.
  std::vector<double> values(std::int64_t first, std::int64_t count) const;
  /// One value per element; throws std::invalid_argument for any other number of values.
  void assign(std::span<const double> values);
  /// Sets the elements from flat index `first` on.
  void assign_from(std::int64_t first, std::span<const double> values);
  /// Elements as the dtype stores them: all of memory for stored_count() of them, else one after the
  /// other for count() of them; throws std::invalid_argument for any other number.
  void load(std::span<const std::byte> elements);
  /// Back to the state after construction.
  void poison();
  /// Still in the state after construction: nothing was written.
  bool poisoned() const;
  /// The memory around the data is unchanged: 64 bytes on each side, or as ScopedPlacement says.
  bool intact() const { return memory_.intact(); }
  /// Takes back ScopedPlacement::make_read_only for this tensor.
  void make_writable() { memory_.make_writable(); }

  /// A descriptor for this tensor; lives as long as the tensor.
  mluOpTensorDescriptor_t descriptor() const { return descriptor_.get(); }

 private:
  struct DestroyDescriptor {
    void operator()(mluOpTensorDescriptor_t desc) const;
  };
  void allocate();
  void describe();
  /// Where the element of a flat index stands.
  std::size_t place(std::int64_t index) const;

  std::string name_;
  mluOpDataType_t dtype_ = MLUOP_DTYPE_INVALID;
  mluOpTensorLayout_t layout_ = MLUOP_LAYOUT_ARRAY;
  std::vector<std::int64_t> dims_;
  std::vector<std::int64_t> strides_;
  std::int64_t count_ = 0;
  std::int64_t stored_count_ = 0;
  std::size_t element_size_ = 0;
  std::size_t bytes_ = 0;
  PlacedMemory memory_;
  std::unique_ptr<mluOpTensorStruct, DestroyDescriptor> descriptor_;
};

}  // namespace mluop::testing
