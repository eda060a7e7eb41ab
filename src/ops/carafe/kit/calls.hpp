// Both directions as calls of the C API on host tensors, with their reference and their plain loops.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "mlu_op.h"
#include "ops/carafe/kit/bands.hpp"
#include "ops/carafe/kit/cases.hpp"
#include "ops/carafe/kit/plain.hpp"
#include "ops/carafe/kit/reference.hpp"
#include "ops/carafe/kit/row_loops.hpp"
#include "testing/data/handle.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::carafe {

struct DestroyCarafeDescriptor {
  void operator()(mluOpCarafeDescriptor_t desc) const { mluOpDestroyCarafeDescriptor(desc); }
};
using CarafeDescriptor = std::unique_ptr<mluOpCarafeStruct, DestroyCarafeDescriptor>;

inline CarafeDescriptor make_descriptor(const reference::Shape& shape) {
  mluOpCarafeDescriptor_t created = nullptr;
  testing::expect_success(mluOpCreateCarafeDescriptor(&created), "mluOpCreateCarafeDescriptor");
  CarafeDescriptor desc{created};
  testing::expect_success(
      mluOpSetCarafeDescriptor(created, 4, static_cast<int>(shape.k), static_cast<int>(shape.G),
                               static_cast<int>(shape.s)),
      "mluOpSetCarafeDescriptor");
  return desc;
}

/// Runs `compute` one precision above the dtype, so that its own error does not count.
template <class Compute>
auto above(mluOpDataType_t dtype, Compute&& compute) {
  return dtype == MLUOP_DTYPE_DOUBLE ? compute(0.0L) : compute(0.0);
}

/// Runs `compute` as kernels have to: in double for double, else in float.
template <class Compute>
auto alike(mluOpDataType_t dtype, Compute&& compute) {
  return dtype == MLUOP_DTYPE_DOUBLE ? compute(0.0) : compute(0.0f);
}

/// One vector per output of the operator: by the formula, and as a plain loop has it.
using Values = std::vector<std::vector<double>>;

inline Values forward_reference(const reference::Shape& shape, const testing::HostTensor& input,
                                const testing::HostTensor& mask) {
  return {above(input.dtype(), [&]<class Real>(Real) {
    return reference::forward<Real>(shape, input.values(), mask.values());
  })};
}

inline Values forward_plain(const reference::Shape& shape, const testing::HostTensor& input,
                            const testing::HostTensor& mask) {
  return {alike(input.dtype(), [&]<class Real>(Real) {
    return plain::forward<Real>(shape, input.values(), mask.values(), input.dtype());
  })};
}

inline Values backward_reference(const reference::Shape& shape, const testing::HostTensor& input,
                                 const testing::HostTensor& mask,
                                 const testing::HostTensor& grad_output) {
  const std::vector<double> gradient = grad_output.values();
  return above(input.dtype(), [&]<class Real>(Real) {
    return std::vector{reference::grad_input<Real>(shape, mask.values(), gradient),
                       reference::grad_mask<Real>(shape, input.values(), gradient)};
  });
}

inline Values backward_plain(const reference::Shape& shape, const testing::HostTensor& input,
                             const testing::HostTensor& mask,
                             const testing::HostTensor& grad_output) {
  const std::vector<double> gradient = grad_output.values();
  const mluOpDataType_t dtype = input.dtype();
  return alike(dtype, [&]<class Real>(Real) {
    return std::vector{plain::grad_input<Real>(shape, mask.values(), gradient, dtype),
                       plain::grad_mask<Real>(shape, input.values(), gradient, dtype)};
  });
}

/// The reached rows of a map as an image of floats or doubles.
template <class Real>
std::vector<Real> reached_values(const reference::Shape& whole, const testing::HostTensor& map,
                                 const Band& band) {
  const std::vector<double> values = reached_rows(whole, map, band).values();
  return {values.begin(), values.end()};
}

/// The rows of a band, `per_row` of them for each row of the low resolution: loop(row among the reached
/// ones, where it goes).
template <class Real, class Loop>
std::vector<double> rows_of_band(const Band& band, std::int64_t per_row, std::int64_t elements,
                                 Loop&& loop) {
  const std::int64_t count = (band.end - band.begin) * per_row;
  std::vector<Real> rows(static_cast<std::size_t>(count * elements));
  for (std::int64_t i = 0; i < count; ++i) {
    loop((band.begin - band.first) * per_row + i, rows.data() + i * elements);
  }
  return {rows.begin(), rows.end()};
}

/// One call of mluOpCarafeForward; outputs: output.
class ForwardData {
 public:
  static constexpr const char* op = "carafe_forward";

  ForwardData(const cases::Definition& definition, mluOpDataType_t dtype)
      : ForwardData(definition.shape, cases::make_input(definition, dtype),
                    cases::make_mask(definition, dtype)) {}
  ForwardData(const reference::Shape& shape, testing::HostTensor input, testing::HostTensor mask)
      : shape_(shape), input_(std::move(input)), mask_(std::move(mask)) {
    outputs_.push_back(cases::high_map(shape, input_.dtype(), "output"));
  }

  mluOpStatus_t run(mluOpHandle_t handle) {
    return mluOpCarafeForward(handle, desc_.get(), input_.descriptor(), input_.data(),
                              mask_.descriptor(), mask_.data(), outputs_[0].descriptor(),
                              outputs_[0].data());
  }

  /// The call on the rows that a band reaches.
  ForwardData band(const Band& band) const {
    return {shape_of(shape_, band), reached_rows(shape_, input_, band),
            reached_rows(shape_, mask_, band)};
  }

  /// The results of the band's rows by a second implementation.
  Values rows(const Band& band) const {
    return alike(input_.dtype(), [&]<class Real>(Real) -> Values {
      const auto input = reached_values<Real>(shape_, input_, band);
      const auto mask = reached_values<Real>(shape_, mask_, band);
      const reference::Shape reached = shape_of(shape_, band);
      return {rows_of_band<Real>(
          band, shape_.s, shape_.s * shape_.W * shape_.C, [&](std::int64_t y, Real* row) {
            row_loops<Real>().forward(reached, input.data(), mask.data(), y, row);
          })};
    });
  }

  Values reference() const { return forward_reference(shape_, input_, mask_); }
  Values plain() const { return forward_plain(shape_, input_, mask_); }

  const reference::Shape& shape() const { return shape_; }
  std::vector<const testing::HostTensor*> inputs() const { return {&input_, &mask_}; }
  std::span<testing::HostTensor> outputs() { return outputs_; }
  std::span<const testing::HostTensor> outputs() const { return outputs_; }
  /// Multiply-adds for each used cell and channel.
  static constexpr double products = 1;

 private:
  reference::Shape shape_;
  testing::HostTensor input_, mask_;
  std::vector<testing::HostTensor> outputs_;
  CarafeDescriptor desc_ = make_descriptor(shape_);
};

/// One call of mluOpCarafeBackward; outputs: grad_input, grad_mask.
class BackwardData {
 public:
  static constexpr const char* op = "carafe_backward";

  BackwardData(const cases::Definition& definition, mluOpDataType_t dtype)
      : BackwardData(definition.shape, cases::make_input(definition, dtype),
                     cases::make_mask(definition, dtype),
                     cases::make_grad_output(definition, dtype)) {}
  BackwardData(const reference::Shape& shape, testing::HostTensor input, testing::HostTensor mask,
               testing::HostTensor grad_output)
      : shape_(shape),
        input_(std::move(input)),
        mask_(std::move(mask)),
        grad_output_(std::move(grad_output)) {
    outputs_.push_back(cases::low_map(shape, input_.dtype(), "grad_input"));
    outputs_.push_back(cases::mask_map(shape, input_.dtype(), "grad_mask"));
  }

  mluOpStatus_t run(mluOpHandle_t handle) { return run(handle, true, true); }

  /// Leaves out the gradients that are not wanted.
  mluOpStatus_t run(mluOpHandle_t handle, bool grad_input, bool grad_mask) {
    testing::HostTensor none;
    testing::HostTensor& low = grad_input ? outputs_[0] : none;
    testing::HostTensor& high = grad_mask ? outputs_[1] : none;
    return mluOpCarafeBackward(handle, desc_.get(), input_.descriptor(), input_.data(),
                               mask_.descriptor(), mask_.data(), grad_output_.descriptor(),
                               grad_output_.data(), low.descriptor(), low.data(), high.descriptor(),
                               high.data());
  }

  BackwardData band(const Band& band) const {
    return {shape_of(shape_, band), reached_rows(shape_, input_, band),
            reached_rows(shape_, mask_, band), reached_rows(shape_, grad_output_, band)};
  }

  Values rows(const Band& band) const {
    return alike(input_.dtype(), [&]<class Real>(Real) -> Values {
      const auto input = reached_values<Real>(shape_, input_, band);
      const auto mask = reached_values<Real>(shape_, mask_, band);
      const auto gradient = reached_values<Real>(shape_, grad_output_, band);
      const reference::Shape reached = shape_of(shape_, band);
      const RowLoops<Real>& loops = row_loops<Real>();
      return {rows_of_band<Real>(band, 1, shape_.W * shape_.C,
                                 [&](std::int64_t i, Real* row) {
                                   loops.grad_input(reached, mask.data(), gradient.data(), i, row);
                                 }),
              rows_of_band<Real>(band, shape_.s, shape_.s * shape_.W * shape_.mask_channels(),
                                 [&](std::int64_t y, Real* row) {
                                   loops.grad_mask(reached, input.data(), gradient.data(), y, row);
                                 })};
    });
  }

  Values reference() const { return backward_reference(shape_, input_, mask_, grad_output_); }
  Values plain() const { return backward_plain(shape_, input_, mask_, grad_output_); }

  const reference::Shape& shape() const { return shape_; }
  std::vector<const testing::HostTensor*> inputs() const {
    return {&input_, &mask_, &grad_output_};
  }
  std::span<testing::HostTensor> outputs() { return outputs_; }
  std::span<const testing::HostTensor> outputs() const { return outputs_; }
  static constexpr double products = 2;

 private:
  reference::Shape shape_;
  testing::HostTensor input_, mask_, grad_output_;
  std::vector<testing::HostTensor> outputs_;
  CarafeDescriptor desc_ = make_descriptor(shape_);
};

}  // namespace mluop::carafe
