// mluop encoder: times a whole network of sparse convolutions, call by call.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

#include "commands/commands.hpp"
#include "commands/encoder_training.hpp"
#include "ops/sparse_conv/kit/encoder_run.hpp"
#include "output/table.hpp"

namespace mluop::cli {

namespace {

using sparse_conv::EncoderRun;

constexpr const char* ops[] = {"get_indice_pairs", "indice_convolution_forward",
                               "indice_convolution_backward_data",
                               "indice_convolution_backward_filter"};

/// The best time of each step, in milliseconds, over several runs of the network.
std::vector<double> best_of_steps(const EncoderRun& encoder, mluOpHandle_t handle) {
  using Clock = std::chrono::steady_clock;
  constexpr int runs = 5;
  std::vector<double> best(encoder.steps().size(), std::numeric_limits<double>::infinity());
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < best.size(); ++i) {
      const auto start = Clock::now();
      encoder.steps()[i].run(handle);
      const std::chrono::duration<double, std::milli> passed = Clock::now() - start;
      best[i] = std::min(best[i], passed.count());
      encoder.steps()[i].finish();
    }
  }
  return best;
}

void print_times(const EncoderRun& encoder, const std::vector<double>& best) {
  Table table({{"layer", Align::left}, {"pairs ms"}, {"forward ms"}, {"data ms"}, {"filter ms"}});
  std::vector<std::string> order;
  std::map<std::pair<std::string, std::string>, double> times;
  std::map<std::string, double> sums;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const EncoderRun::Step& step = encoder.steps()[i];
    if (step.op == ops[0]) order.push_back(step.layer);
    times[{step.layer, step.op}] = best[i];
    sums[step.op] += best[i];
  }
  const auto row = [&](const std::string& name, auto&& time_of) {
    std::vector<std::string> cells{name};
    for (const char* op : ops) cells.push_back(fmt::format("{:.2f}", time_of(op)));
    table.add(cells);
  };
  for (const std::string& layer : order) {
    row(layer, [&](const char* op) { return times[{layer, op}]; });
  }
  row("all", [&](const char* op) { return sums[op]; });
  fmt::print("{}", table.text());
}

}  // namespace

bool encoder(const EncoderOptions& options) {
  const mluOpDataType_t dtype = options.dtype == "half"       ? MLUOP_DTYPE_HALF
                                : options.dtype == "bfloat16" ? MLUOP_DTYPE_BFLOAT16
                                                              : MLUOP_DTYPE_FLOAT;
  const EncoderRun run{options.family, dtype};
  testing::Handle handle;
  const std::vector<int> thread_counts =
      options.threads.empty() ? std::vector{handle.threads()} : options.threads;
  if (options.train) {
    train_encoder(run, options, handle, thread_counts);
    return true;
  }
  for (const int threads : thread_counts) {
    handle.threads(threads);
    const std::vector<double> best = best_of_steps(run, handle);
    double sum = 0;
    for (const double ms : best) sum += ms;
    fmt::print("{} encoder, {}, {} thread{}: {:.1f} ms, forward and all gradients\n\n",
               options.family, options.dtype, threads, threads == 1 ? "" : "s", sum);
    print_times(run, best);
    fmt::print("\n");
  }
  return true;
}

}  // namespace mluop::cli
