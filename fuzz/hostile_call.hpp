// A call of an operator with arguments of a fuzzer, and the guarantees that must hold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "bytes.hpp"
#include "mlu_op.h"
#include "mlu_op_cpu.h"
#include "testing/suite/tensor_argument.hpp"

namespace mluop::fuzz {

/// The library violated a guarantee; libFuzzer reports the uncaught exception as a crash.
struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};

/// A tensor whose memory has exactly the size of its descriptor, or none if that is large: the library
/// cannot detect a descriptor that is larger than its memory.
class HostileTensor {
 public:
  enum class Role { input, output };

  HostileTensor(Bytes& bytes, Role role, mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                std::vector<std::int64_t> dims);

  mluOpTensorDescriptor_t descriptor() const { return descriptor_.get(); }
  std::byte* data() const { return data_.get(); }
  Role role() const { return role_; }
  std::size_t bytes() const { return bytes_; }
  /// One zero for each row of the descriptor, and at least `expected`.
  std::vector<std::int64_t> rows(std::int64_t expected) const;

  /// 32-bit integers for index tensors, mostly from 0 to below `bound`; nothing for other dtypes.
  void fill_indices(Bytes& bytes, std::int64_t bound);
  /// Coordinates: floats, mostly of the given range.
  void fill_coordinates(Bytes& bytes, float low, float high);

 private:
  void spoil(Bytes& bytes);
  void describe(Bytes& bytes);
  void allocate(Bytes& bytes);

  Role role_;
  mluOpDataType_t dtype_;
  mluOpTensorLayout_t layout_;
  std::vector<std::int64_t> dims_, strides_;
  testing::Descriptor descriptor_;
  std::size_t bytes_ = 0;
  std::int64_t count_ = 0;
  std::unique_ptr<std::byte[]> data_;
};

class HostileCall {
 public:
  explicit HostileCall(Bytes& bytes) : bytes_(bytes) {}

  Bytes& bytes() { return bytes_; }
  /// Float for half of the inputs, any floating dtype for the others.
  mluOpDataType_t floating();
  HostileTensor& input(mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                       std::vector<std::int64_t> dims);
  HostileTensor& output(mluOpDataType_t dtype, mluOpTensorLayout_t layout,
                        std::vector<std::int64_t> dims);

  struct Workspace {
    void* data;
    std::size_t size;
  };
  /// Workspace of the size of the query with the same arguments, rarely less.
  Workspace workspace(const std::function<mluOpStatus_t(mluOpHandle_t, std::size_t*)>& query);

  /// Calls with one thread and with three, on equal inputs. A failed call must set a message and not write
  /// its outputs; a successful one must give the same bits. Throws Violation; else returns whether it
  /// succeeded.
  bool run(const std::function<mluOpStatus_t(mluOpHandle_t)>& call);

 private:
  struct Outcome;
  Outcome attempt(int threads, const std::function<mluOpStatus_t(mluOpHandle_t)>& call);

  Bytes& bytes_;
  std::deque<HostileTensor> tensors_;  // a deque: addresses are stable
  std::unique_ptr<std::byte[]> workspace_;
};

}  // namespace mluop::fuzz
