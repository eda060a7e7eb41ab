// The calls of the C API behind spoilable arguments.
#include "ops/sparse_conv/kit/pairs/spoilable_call.hpp"

#include <algorithm>
#include <memory>

#include "mlu_op_cpu.h"
#include "ops/sparse_conv/descriptor.hpp"
#include "ops/sparse_conv/kit/pairs/call.hpp"
#include "testing/data/handle.hpp"
#include "testing/faults/read_environment.hpp"

namespace mluop::sparse_conv::pairs_checks {
namespace {

/// Everything a call needs beside its data.
struct Made {
  explicit Made(const Args& args)
      : geometry(geometry_of(args)),
        indices(args.indices.make_descriptor()),
        pairs(args.pairs.make_descriptor()),
        rows(args.rows.make_descriptor()),
        num(args.num.make_descriptor()) {
    handle.limits(args.limits);
    geometry->num_act_out = args.num_act_out;
  }

  static std::unique_ptr<mluOpSparseConvolutionStruct> geometry_of(const Args& args) {
    // Whatever the environment says: a descriptor may have been set when no limits applied.
    const testing::ReadEnvironment limits{"MLUOP_LIMITS", nullptr};
    return args.is_set ? std::make_unique<mluOpSparseConvolutionStruct>(
                             *GeometryDescriptor(args.geometry).get())
                       : std::make_unique<mluOpSparseConvolutionStruct>();
  }

  mluOpStatus_t query(const Args& args, std::size_t* size) const {
    return mluOpGetIndicePairsWorkspaceSize(
        args.has_handle ? handle.get() : nullptr, args.has_geometry ? geometry.get() : nullptr,
        indices.get(), pairs.get(), rows.get(), num.get(), size);
  }

  testing::Handle handle;
  std::unique_ptr<mluOpSparseConvolutionStruct> geometry;
  testing::Descriptor indices, pairs, rows, num;
};

bool all_sentinels(const std::vector<std::int32_t>& data) {
  return std::ranges::all_of(data, [](std::int32_t value) { return value == Args::sentinel; });
}

void expect_refused_as(const testing::BadCallTable<Args>& rows, mluOpCpuLimits_t limits,
                       const char* function, mluOpStatus_t (*invoke)(Args&)) {
  const auto make_valid = [limits] {
    Args args;
    args.limits = limits;
    return args;
  };
  rows.expect_refused(function, testing::mode_of(limits), make_valid, invoke);
}

}  // namespace

bool Args::outputs_untouched() const {
  return size == size_sentinel && all_sentinels(pairs_data) && all_sentinels(rows_data) &&
         all_sentinels(num_data);
}

std::vector<testing::PlaceableMemory> Args::memory() {
  using Role = testing::PlaceableMemory::Role;
  std::size_t needed = 0;
  testing::expect_success(Made(*this).query(*this, &needed), query_name);
  return {indices.memory("indices", Role::input, indices_data.data()),
          pairs.memory("indice_pairs", Role::output),
          rows.memory("out_indices", Role::output),
          num.memory("indice_num", Role::output),
          {"workspace", Role::workspace, needed, &workspace_place}};
}

mluOpStatus_t query(Args& args) {
  const Made made(args);
  const mluOpStatus_t status = made.query(args, args.has_size ? &args.size : nullptr);
  args.num_act_out = made.geometry->num_act_out;
  return status;
}

mluOpStatus_t call(Args& args) {
  const Made made(args);
  std::size_t needed = 0;
  if (made.query(args, &needed) != SUCCESS) needed = 4096;
  const std::size_t bytes = needed - std::min(needed, args.missing_workspace);
  std::vector<std::byte> workspace(bytes);
  void* const place = args.workspace_place != nullptr ? args.workspace_place : workspace.data();
  const mluOpStatus_t status = mluOpGetIndicePairs(
      args.has_handle ? made.handle.get() : nullptr,
      args.has_geometry ? made.geometry.get() : nullptr, made.indices.get(),
      args.indices.data(args.indices_data), args.has_workspace ? place : nullptr, bytes,
      made.pairs.get(), args.pairs.data(args.pairs_data), made.rows.get(),
      args.rows.data(args.rows_data), made.num.get(), args.num.data(args.num_data));
  args.num_act_out = made.geometry->num_act_out;
  return status;
}

void Table::expect_refused_call(mluOpCpuLimits_t limits) const {
  expect_refused_as(rows_, limits, call_name, call);
}

void Table::expect_refused_query(mluOpCpuLimits_t limits) const {
  expect_refused_as(rows_, limits, query_name, query);
}

}  // namespace mluop::sparse_conv::pairs_checks
