// mluop encoder --train: times steps call by call and compares them with the limits of the machine.
#include "commands/encoder_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <numeric>

#include "measure/machine.hpp"
#include "output/json_file.hpp"
#include "output/table.hpp"

namespace mluop::cli {

namespace {

using sparse_conv::EncoderRun;

constexpr const char* ops[] = {"get_indice_pairs", "indice_convolution_forward",
                               "indice_convolution_backward_data",
                               "indice_convolution_backward_filter"};

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// One call of a step over all steps, or the steps themselves: milliseconds.
struct Times {
  std::vector<double> ms;
  double limit_ms = 0;

  double best() const { return *std::min_element(ms.begin(), ms.end()); }
  double efficiency() const { return limit_ms / best(); }
};

struct Training {
  std::vector<Times> calls;  // as in EncoderRun::steps()
  std::vector<const char*> bounds;
  Times steps;
};

/// Times every call of `steps` steps. Handing results on is not part of a step: layers of a program share tensors.
Training run_steps(const EncoderRun& encoder, mluOpHandle_t handle, int steps) {
  using Clock = std::chrono::steady_clock;
  Training training;
  training.calls.resize(encoder.steps().size());
  for (int step = 0; step < steps; ++step) {
    double sum = 0;
    for (std::size_t i = 0; i < training.calls.size(); ++i) {
      const auto start = Clock::now();
      encoder.steps()[i].run(handle);
      const std::chrono::duration<double, std::milli> passed = Clock::now() - start;
      encoder.steps()[i].finish();
      training.calls[i].ms.push_back(passed.count());
      sum += passed.count();
    }
    training.steps.ms.push_back(sum);
  }
  return training;
}

/// The limits of all calls, measured over windows as long as each.
void add_limits(const EncoderRun& encoder, Limits& limits, int threads, Training& training) {
  for (std::size_t i = 0; i < training.calls.size(); ++i) {
    const EncoderRun::Step& step = encoder.steps()[i];
    Times& call = training.calls[i];
    limits.forget(1e-3 * call.best());
    const Limit limit = limits.limit_of(step.cost, step.dtype, threads);
    call.limit_ms = 1e3 * limit.seconds;
    training.bounds.push_back(limit.bound());
    training.steps.limit_ms += call.limit_ms;
  }
}

/// Of some calls: the best time and the limit of each, added up.
struct Sum {
  double ms = 0, limit_ms = 0;

  std::string efficiency() const { return fmt::format("{:.2f}", limit_ms / ms); }
};

/// The calls of a layer or of an operator; an empty name stands for any.
Sum sum_of(const EncoderRun& encoder, const Training& training, const std::string& layer,
           const std::string& op) {
  Sum sum;
  for (std::size_t i = 0; i < training.calls.size(); ++i) {
    const EncoderRun::Step& step = encoder.steps()[i];
    if (!layer.empty() && step.layer != layer) continue;
    if (!op.empty() && step.op != op) continue;
    sum.ms += training.calls[i].best();
    sum.limit_ms += training.calls[i].limit_ms;
  }
  return sum;
}

std::string table_text(const EncoderRun& encoder, const Training& training) {
  Table table({{"layer", Align::left},
               {"pairs ms"},
               {"forward ms"},
               {"data ms"},
               {"filter ms"},
               {"all ms"},
               {"limit ms"},
               {"efficiency"}});
  const auto ms = [](double value) { return fmt::format("{:.3f}", value); };
  const auto row = [&](const std::string& title, const std::string& layer) {
    std::vector<std::string> cells{title};
    for (const char* op : ops) cells.push_back(ms(sum_of(encoder, training, layer, op).ms));
    const Sum sum = sum_of(encoder, training, layer, "");
    cells.insert(cells.end(), {ms(sum.ms), ms(sum.limit_ms), sum.efficiency()});
    table.add(cells);
  };
  for (const EncoderRun::Step& step : encoder.steps()) {
    if (step.op == ops[0]) row(step.layer, step.layer);
  }
  row("all", "");
  std::vector<std::string> limits{"limit"}, efficiencies{"efficiency"};
  for (const char* op : ops) {
    const Sum sum = sum_of(encoder, training, "", op);
    limits.push_back(ms(sum.limit_ms));
    efficiencies.push_back(sum.efficiency());
  }
  table.add(limits);
  table.add(efficiencies);
  return table.text();
}

void write_rows(const EncoderRun& encoder, const EncoderOptions& options,
                const testing::Handle& handle, const Training& training, JsonFile& file) {
  const auto row = [&](const std::string& layer, const std::string& op, const Times& times) {
    return Json{{"scene", options.family},
                {"layer", layer},
                {"op", op},
                {"dtype", options.dtype},
                {"threads", handle.threads()},
                {"isa", handle.isa()},
                {"steps", times.ms.size()},
                {"ms_first", times.ms.front()},
                {"ms", median_of(times.ms)},
                {"ms_best", times.best()},
                {"limit_ms", times.limit_ms},
                {"efficiency", times.efficiency()}};
  };
  for (std::size_t i = 0; i < training.calls.size(); ++i) {
    Json object = row(encoder.steps()[i].layer, encoder.steps()[i].op, training.calls[i]);
    object["bound"] = training.bounds[i];
    file.add(object);
  }
  file.add(row("all", "step", training.steps));
}

constexpr const char* legend =
    R"(times: the best of all steps; limit: arithmetic or memory traffic of each call, whichever takes longer, at the
  best rate of this machine, summed; efficiency: limit / time
)";

}  // namespace

void train_encoder(const EncoderRun& encoder, const EncoderOptions& options,
                   testing::Handle& handle, const std::vector<int>& thread_counts) {
  JsonFile file(options.json);
  Limits limits = limits_for(handle);
  for (const int threads : thread_counts) {
    handle.threads(threads);
    Training training = run_steps(encoder, handle, options.steps);
    add_limits(encoder, limits, threads, training);
    fmt::print("{} encoder, {}, {} thread{}, {}: {} training step{}\n\n{}\n", options.family,
               options.dtype, threads, threads == 1 ? "" : "s", handle.isa(), options.steps,
               options.steps == 1 ? "" : "s", table_text(encoder, training));
    const Times& steps = training.steps;
    fmt::print(
        "first step {:.3f} ms, median {:.3f} ms, best {:.3f} ms; sum of limits {:.3f} ms, "
        "{:.2f} of the best step\n\n",
        steps.ms.front(), median_of(steps.ms), steps.best(), steps.limit_ms, steps.efficiency());
    write_rows(encoder, options, handle, training, file);
  }
  fmt::print("{}", legend);
  file.finish();
}

}  // namespace mluop::cli
