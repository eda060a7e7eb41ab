// The eight C calls behind a Function, and the expectations about them.
#include "ops/sparse_conv/kit/convolution/spoilable_call.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace mluop::sparse_conv::checks {
namespace {

/// The arguments as the C API takes them.
struct Live {
  explicit Live(Args& args)
      : input(args.input.make_descriptor()),
        filters(args.filters.make_descriptor()),
        pairs(args.pairs.make_descriptor()),
        output(args.output.make_descriptor()),
        input_data(args.input.data(args.input_data)),
        filters_data(args.filters.data(args.filters_data)),
        pairs_data(args.pairs.data(args.pairs_data)),
        output_data(args.output.data(args.output_data)),
        counts(counts_of(args)),
        workspace(args.has_workspace ? workspace_of(args) : nullptr) {}

  static const std::int64_t* counts_of(const Args& args) {
    if (!args.has_indice_num) return nullptr;
    const void* const place = args.indice_num_place;
    return place != nullptr ? static_cast<const std::int64_t*>(place) : args.indice_num.data();
  }
  static void* workspace_of(Args& args) {
    if (args.workspace_place != nullptr) return args.workspace_place;
    return reinterpret_cast<std::byte*>(args.workspace.data()) + args.workspace_offset;
  }

  testing::Descriptor input, filters, pairs, output;
  void *input_data, *filters_data, *pairs_data, *output_data;
  const std::int64_t* counts;
  void* workspace;
};

mluOpStatus_t run(const Operator& op, mluOpHandle_t handle, const Args& args, const Live& live) {
  if (op.backward_data) {
    return mluOpIndiceConvolutionBackwardData(
        handle, live.output.get(), live.output_data, live.filters.get(), live.filters_data,
        live.pairs.get(), live.pairs_data, live.counts, args.inverse, args.sub_m, live.workspace,
        args.workspace_size, live.input.get(), live.input_data);
  }
  if (op.backward_filter) {
    const auto function = op.by_layout ? mluOpCpuIndiceConvolutionBackwardFilter
                                       : mluOpIndiceConvolutionBackwardFilter;
    return function(handle, live.input.get(), live.input_data, live.output.get(), live.output_data,
                    live.pairs.get(), live.pairs_data, live.counts, args.inverse, args.sub_m,
                    live.workspace, args.workspace_size, live.filters.get(), live.filters_data);
  }
  return mluOpIndiceConvolutionForward(
      handle, live.input.get(), live.input_data, live.filters.get(), live.filters_data,
      live.pairs.get(), live.pairs_data, live.counts, args.num_act_out, args.inverse, args.sub_m,
      live.workspace, args.workspace_size, live.output.get(), live.output_data);
}

mluOpStatus_t ask(const Operator& op, mluOpHandle_t handle, const Args& args, const Live& live,
                  std::size_t* size) {
  if (op.backward_data) {
    return mluOpGetIndiceConvolutionBackwardDataWorkspaceSize(
        handle, live.output.get(), live.filters.get(), live.pairs.get(), live.input.get(),
        live.counts, args.inverse, size);
  }
  if (op.backward_filter) {
    const auto query = op.by_layout ? mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize
                                    : mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize;
    return query(handle, live.input.get(), live.output.get(), live.pairs.get(), live.filters.get(),
                 live.counts, args.inverse, args.sub_m, size);
  }
  return mluOpGetIndiceConvolutionForwardWorkspaceSize(
      handle, live.input.get(), live.filters.get(), live.pairs.get(), live.output.get(),
      live.counts, args.num_act_out, args.inverse, args.sub_m, size);
}

}  // namespace

const Operator forward{"forward",
                       "mluOpIndiceConvolutionForward",
                       "mluOpGetIndiceConvolutionForwardWorkspaceSize",
                       "features",
                       "filters",
                       "features_out",
                       &Args::output_data};
const Operator backward_data{"backward_data",
                             "mluOpIndiceConvolutionBackwardData",
                             "mluOpGetIndiceConvolutionBackwardDataWorkspaceSize",
                             "input_grad",
                             "filters",
                             "output_grad",
                             &Args::input_data,
                             /*backward_data=*/true};
const Operator backward_filter{"backward_filter",
                               "mluOpIndiceConvolutionBackwardFilter",
                               "mluOpGetIndiceConvolutionBackwardFilterWorkspaceSize",
                               "features",
                               "filters_grad",
                               "output_grad",
                               &Args::filters_data,
                               /*backward_data=*/false,
                               /*backward_filter=*/true};
const Operator backward_filter_by_layout{"backward_filter_by_layout",
                                         "mluOpCpuIndiceConvolutionBackwardFilter",
                                         "mluOpCpuGetIndiceConvolutionBackwardFilterWorkspaceSize",
                                         "features",
                                         "filters_grad",
                                         "output_grad",
                                         &Args::filters_data,
                                         /*backward_data=*/false,
                                         /*backward_filter=*/true,
                                         /*by_layout=*/true};

/// Offset k joins row t with row (t + k) mod `second`; the padding after them is -1.
void Args::rows(std::int64_t first, std::int64_t second) {
  input.dims[0] = pairs.dims[2] = first;
  output.dims[0] = num_act_out = second;
  input_data.assign(static_cast<std::size_t>(2 * first), 0);
  output_data.assign(static_cast<std::size_t>(4 * second), 0);
  pairs_data.assign(static_cast<std::size_t>(15 * 2 * first), -1);
  for (std::int64_t k = 0; k < 15; ++k) {
    for (std::int64_t t = 0; t < indice_num[static_cast<std::size_t>(k)]; ++t) {
      pair(k, 0, t) = static_cast<std::int32_t>(t);
      pair(k, 1, t) = static_cast<std::int32_t>((t + k) % second);
    }
  }
}

void Args::invert() {
  inverse = 1;
  std::swap(input.dims[0], output.dims[0]);
  num_act_out = output.dims[0];
  input_data.assign(static_cast<std::size_t>(2 * input.dims[0]), 0);
  output_data.assign(static_cast<std::size_t>(4 * output.dims[0]), 0);
}

mluOpStatus_t Function::call(Args& args) const {
  args.result = &(args.*op.result);
  args.result->assign(args.result->size(), Args::sentinel);
  std::optional<testing::Handle> own;
  if (args.handle == nullptr) own.emplace().limits(args.limits).threads(args.threads);
  const mluOpHandle_t handle = args.handle != nullptr ? args.handle : own->get();
  const Live live{args};
  const mluOpHandle_t given = args.has_handle ? handle : nullptr;
  return query ? ask(op, given, args, live, args.has_size ? &args.size : nullptr)
               : run(op, given, args, live);
}

std::vector<testing::PlaceableMemory> Function::memory(Args& args) const {
  using Role = testing::PlaceableMemory::Role;
  const auto tensor = [&](TensorArgument Args::*member, const char* name) {
    const bool written = std::string_view(name) == op.target();
    return (args.*member).memory(name, written ? Role::output : Role::input);
  };
  args.workspace_size = 1024;
  std::vector<testing::PlaceableMemory> all{
      tensor(&Args::input, op.input),
      tensor(&Args::filters, op.filters),
      args.pairs.memory("indice_pairs", Role::input, args.pairs_data.data()),
      {"indice_num", Role::input, args.indice_num.size() * sizeof(std::int64_t),
       &args.indice_num_place, args.indice_num.data()},
      tensor(&Args::output, op.output),
      {"workspace", Role::workspace, args.workspace_size, &args.workspace_place}};
  std::ranges::stable_sort(all, {}, &testing::PlaceableMemory::role);
  return all;
}

void SpoilableConvolution::report(const char* what, mluOpCpuLimits_t limits,
                                  const std::string& problem) const {
  testing::detail::tell_listener(function().name(), testing::mode_of(limits), what, problem);
}

void SpoilableConvolution::expect_refused(mluOpCpuLimits_t limits) const {
  table.expect_refused(
      function().name(), testing::mode_of(limits),
      [limits] {
        Args args;
        args.limits = limits;
        return args;
      },
      [&](Args& args) { return function().call(args); });
}

void SpoilableConvolution::expect_refused_in_both_modes() const {
  expect_refused(MLUOP_CPU_LIMITS_NONE);
  expect_refused(MLUOP_CPU_LIMITS_MLU);
}

void SpoilableConvolution::expect_accepted(const char* what, mluOpCpuLimits_t limits,
                                           const Spoil& change) const {
  Args args;
  args.limits = limits;
  change(args);
  std::string problem = testing::detail::status_problem(function().call(args), SUCCESS);
  if (problem.empty() && args.outputs_untouched()) problem = "no output was written";
  report(what, limits, problem);
}

void SpoilableConvolution::expect_accepted_in_both_modes(const char* what,
                                                         const Spoil& change) const {
  expect_accepted(what, MLUOP_CPU_LIMITS_NONE, change);
  expect_accepted(what, MLUOP_CPU_LIMITS_MLU, change);
}

void SpoilableConvolution::expect_skipped_in_both_modes(const char* what,
                                                        const Spoil& change) const {
  for (mluOpCpuLimits_t limits : {MLUOP_CPU_LIMITS_NONE, MLUOP_CPU_LIMITS_MLU}) {
    Args args;
    args.limits = limits;
    change(args);
    std::string problem = testing::detail::status_problem(function().call(args), SUCCESS);
    if (function().query && args.has_size) {
      if (args.size != 0) problem += " the size is not 0";
      args.size = Args::size_sentinel;
    }
    if (!args.outputs_untouched()) problem += " an output was written";
    report(what, limits, problem);
  }
}

}  // namespace mluop::sparse_conv::checks
