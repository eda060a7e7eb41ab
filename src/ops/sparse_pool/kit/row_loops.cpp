// Plain loops; Highway only chooses the instruction set the compiler may use for them.
#include "ops/sparse_pool/kit/row_loops.hpp"

#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ops/sparse_pool/kit/row_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mluop::sparse_pool {
namespace HWY_NAMESPACE {
namespace {

template <class Real>
void keep_larger(const Real* HWY_RESTRICT values, std::int64_t channels,
                 Real* HWY_RESTRICT largest) {
  for (std::int64_t c = 0; c < channels; ++c) {
    largest[c] = values[c] > largest[c] ? values[c] : largest[c];
  }
}

template <class Real>
void add(const Real* HWY_RESTRICT values, Real factor, std::int64_t channels,
         Real* HWY_RESTRICT sums) {
  for (std::int64_t c = 0; c < channels; ++c) sums[c] += factor * values[c];
}

template <class Real>
void add_where_equal(const Real* HWY_RESTRICT values, const Real* HWY_RESTRICT largest,
                     const Real* HWY_RESTRICT gradient, std::int64_t channels,
                     std::uint8_t* HWY_RESTRICT given, Real* HWY_RESTRICT sums) {
  if (given == nullptr) {
    for (std::int64_t c = 0; c < channels; ++c) {
      sums[c] += values[c] == largest[c] ? gradient[c] : Real(0);
    }
    return;
  }
  for (std::int64_t c = 0; c < channels; ++c) {
    if (values[c] != largest[c] || given[c] != 0) continue;
    given[c] = 1;
    sums[c] += gradient[c];
  }
}

template <class Real>
const RowLoops<Real>* loops() {
  static constexpr RowLoops<Real> all{&keep_larger<Real>, &add<Real>, &add_where_equal<Real>};
  return &all;
}
const RowLoops<float>* float_loops() { return loops<float>(); }
const RowLoops<double>* double_loops() { return loops<double>(); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace mluop::sparse_pool
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mluop::sparse_pool {

template <>
const RowLoops<float>& row_loops(Isa isa) {
  static constexpr PerIsa<const RowLoops<float>* (*)()> all{MLUOP_PER_ISA(float_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

template <>
const RowLoops<double>& row_loops(Isa isa) {
  static constexpr PerIsa<const RowLoops<double>* (*)()> all{MLUOP_PER_ISA(double_loops)};
  return *all[static_cast<std::size_t>(isa)]();
}

}  // namespace mluop::sparse_pool
#endif
