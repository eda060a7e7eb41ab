#include "ops/carafe/kit/loops.hpp"

#include "runtime/parallel.hpp"

namespace mluop::carafe {
namespace {

using reference::Shape;
using testing::LoopSettings;

/// Calls loop(image, row of it) for every row.
template <class Loop>
void for_each_row(const Shape& shape, std::int64_t rows, const LoopSettings& settings,
                  Loop&& loop) {
  parallel_for(settings.threads, shape.N * rows, 1, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) loop(i / rows, i % rows);
  });
}

/// Elements of an image, and of a row of it.
struct Pitch {
  std::int64_t image, row;
  Pitch(std::int64_t rows, std::int64_t elements) : image(rows * elements), row(elements) {}
};

struct Pitches {
  Pitch low, high, mask;
  explicit Pitches(const Shape& s)
      : low(s.H, s.W * s.C),
        high(s.s * s.H, s.s * s.W * s.C),
        mask(s.s * s.H, s.s * s.W * s.mask_channels()) {}
};

}  // namespace

void CarafeLoops::run(ForwardData& data, const LoopSettings& settings) {
  const Shape& shape = data.shape();
  const auto inputs = data.inputs();
  testing::HostTensor& output = data.outputs()[0];
  const Pitches pitches(shape);
  testing::in_loop_type(output.dtype(), [&]<class Real>(Real) {
    const Real* input = input_.read<Real>(*inputs[0], settings);
    const Real* mask = mask_.read<Real>(*inputs[1], settings);
    Real* result = first_.write<Real>(output);
    const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
    for_each_row(shape, shape.s * shape.H, settings, [&](std::int64_t n, std::int64_t y) {
      loops.forward(shape, input + n * pitches.low.image, mask + n * pitches.mask.image, y,
                    result + n * pitches.high.image + y * pitches.high.row);
    });
  });
  first_.store(output, settings);
}

void CarafeLoops::run(BackwardData& data, const LoopSettings& settings) {
  const Shape& shape = data.shape();
  const auto inputs = data.inputs();
  testing::HostTensor &grad_input = data.outputs()[0], &grad_mask = data.outputs()[1];
  const Pitches pitches(shape);
  testing::in_loop_type(grad_input.dtype(), [&]<class Real>(Real) {
    const Real* input = input_.read<Real>(*inputs[0], settings);
    const Real* mask = mask_.read<Real>(*inputs[1], settings);
    const Real* gradient = grad_output_.read<Real>(*inputs[2], settings);
    Real* of_input = first_.write<Real>(grad_input);
    Real* of_mask = second_.write<Real>(grad_mask);
    const RowLoops<Real>& loops = row_loops<Real>(settings.isa);
    for_each_row(shape, shape.H, settings, [&](std::int64_t n, std::int64_t i) {
      loops.grad_input(shape, mask + n * pitches.mask.image, gradient + n * pitches.high.image, i,
                       of_input + n * pitches.low.image + i * pitches.low.row);
    });
    for_each_row(shape, shape.s * shape.H, settings, [&](std::int64_t n, std::int64_t y) {
      loops.grad_mask(shape, input + n * pitches.low.image, gradient + n * pitches.high.image, y,
                      of_mask + n * pitches.mask.image + y * pitches.mask.row);
    });
  });
  first_.store(grad_input, settings);
  second_.store(grad_mask, settings);
}

}  // namespace mluop::carafe
