// mluop threads: the cost of parallel loops, of waking workers and of oversubscription on this machine now.
// Run it under scripts/busy to see the same on a loaded machine.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <thread>

#include "commands/commands.hpp"
#include "measure/timing.hpp"
#include "output/table.hpp"
#include "runtime/parallel.hpp"

namespace mluop::cli {

namespace {

using namespace std::chrono_literals;  // NOLINT(google-build-using-namespace)

/// Work in registers; its time is proportional to `steps`.
void spend(int steps) {
  volatile double sink = 0;
  double value = 1;
  for (int i = 0; i < steps; ++i) value = value * 0.999999 + 0.1;
  sink = value;
  (void)sink;
}

double microseconds_of_loop(int threads, int steps) {
  constexpr int chunks = 8;
  const auto start = std::chrono::steady_clock::now();
  parallel_for(threads, chunks, 1, [&](std::int64_t, std::int64_t, int) { spend(steps / chunks); });
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

/// The median over `runs`, each after `rest`.
template <class Run>
double median_after(std::chrono::microseconds rest, int runs, Run&& run) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    if (rest > 0us) std::this_thread::sleep_for(rest);
    times.push_back(run());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

/// Duration on one thread, in microseconds, of the shortest loop that was faster on two; 0 if there was
/// none.
double least_loop_for_two(std::chrono::microseconds rest) {
  const int runs = rest > 0us ? 100 : 2000;
  for (int steps = 64; steps < 1'000'000; steps += steps / 4) {
    const auto loop = [&](int threads) {
      return median_after(rest, runs, [&] { return microseconds_of_loop(threads, steps); });
    };
    const double alone = loop(1);
    if (loop(2) < alone) return alone;
  }
  return 0;
}

void print_loops() {
  microseconds_of_loop(2, 100'000);
  const auto shown = [](double microseconds) {
    return microseconds > 0 ? fmt::format("{:.1f}", microseconds) : "none";
  };
  Table table({{"loop", Align::left}, {"us"}});
  table.add({"smallest worth two threads, workers awake", shown(least_loop_for_two(0us))});
  table.add({"smallest worth two threads, workers asleep", shown(least_loop_for_two(2ms))});
  fmt::print("{}\n", table.text());
}

/// The call of a named case.
class NamedCall {
 public:
  NamedCall(const char* op, const char* name, const char* sizes = nullptr)
      : name_(fmt::format("{} {}", op, name)) {
    const testing::Suite& suite = *testing::find_suite(op);
    const mluOpDataType_t dtype = principal_dtype(suite);
    if (sizes != nullptr) {
      call_ = suite.sized.make(testing::Sizes(suite.sized.keys, sizes), 1).make(dtype);
      return;
    }
    for (const testing::Case& one : suite.cases) {
      if (one.name == name) call_ = one.make(dtype);
    }
    if (call_ == nullptr) throw UsageError(name_ + ": there is no such case");
  }

  const std::string& name() const { return name_; }

  /// The median milliseconds of calls during `seconds`, at least `runs` of them.
  double median(int threads, double seconds, std::size_t runs) {
    testing::Handle handle;
    handle.threads(threads);
    const Effort effort{.warm_up = 0.05, .enough = seconds, .enough_runs = runs};
    return 1e3 * time_repeated([&] { run(handle); }, effort).median;
  }

  /// The same for calls after a pause.
  double median_rested(int threads, std::chrono::microseconds rest, int runs) {
    testing::Handle handle;
    handle.threads(threads);
    run(handle);
    return median_after(rest, runs, [&] { return 1e3 * best_of(1, [&] { run(handle); }); });
  }

 private:
  void run(const testing::Handle& handle) {
    testing::expect_success(call_->run(handle), name_.c_str());
  }

  std::string name_;
  std::unique_ptr<testing::Call> call_;
};

void print_calls(const ThreadsOptions& options) {
  Table table({{"call, float", Align::left}, {"1 thread ms"}, {"2 threads ms"}, {"worst ratio"}});
  constexpr const char* calls[][2] = {{"rotated_feature_align_forward", "p1_100x50x200"},
                                      {"indice_convolution_forward", "centerpoint_extra"},
                                      {"carafe_forward", "fpn_p4"}};
  for (const auto& [op, name] : calls) {
    NamedCall call{op, name};
    double one = 0, two = 0, worst = 0;
    for (int i = 0; i < options.repeat; ++i) {
      const double alone = call.median(1, options.seconds, 15);
      const double both = call.median(2, options.seconds, 15);
      if (both / alone <= worst) continue;
      one = alone;
      two = both;
      worst = both / alone;
    }
    table.add({call.name(), fmt::format("{:.3f}", one), fmt::format("{:.3f}", two),
               fmt::format("{:.2f}", worst)});
  }
  fmt::print("{}\n", table.text());
}

void print_rest_and_crowd() {
  Table table({{"call, float", Align::left},
               {"", Align::left},
               {"ms"},
               {"", Align::left},
               {"ms"},
               {"ratio"}});
  const auto row = [&](const std::string& name, const char* usual, double usual_ms,
                       const char* other, double other_ms) {
    table.add({name, usual, fmt::format("{:.3f}", usual_ms), other, fmt::format("{:.3f}", other_ms),
               fmt::format("{:.2f}", other_ms / usual_ms)});
  };
  NamedCall rested{"carafe_forward", "fpn_p3"};
  row(rested.name(), "back to back", rested.median(2, 1, 50), "after 50 ms of rest",
      rested.median_rested(2, 50ms, 50));
  NamedCall crowded{"get_indice_pairs", "of 10000 sites", "sites=10000,sub_m=1"};
  row(crowded.name(), "2 threads", crowded.median(2, 0.1, 200), "8 threads",
      crowded.median(8, 0.1, 200));
  fmt::print("{}", table.text());
}

}  // namespace

bool threads(const ThreadsOptions& options) {
  print_loops();
  print_calls(options);
  print_rest_and_crowd();
  return true;
}

}  // namespace mluop::cli
