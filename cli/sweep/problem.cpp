#include "sweep/problem.hpp"

#include <fmt/format.h>

#include "testing/data/handle.hpp"

namespace mluop::cli {

namespace {

template <class T>
T one_of(const std::vector<T>& values, testing::Generator& random) {
  return values[static_cast<std::size_t>(random.integer(0, std::ssize(values) - 1))];
}

}  // namespace

std::string SweepProblem::name() const {
  return fmt::format("{} {} {}, {} {}: {}", suite.op, number, name_of(dtype), threads,
                     threads == 1 ? "thread" : "threads", sizes.text());
}

std::vector<int> sweep_threads() {
  return testing::Handle().threads() > 1 ? std::vector{1, 2} : std::vector{1};
}

SweepProblem drawn_problem(const testing::Suite& suite, int number, const SweepChoice& choice) {
  testing::Generator random(fmt::format("sweep/{}/{}/{}", suite.op, choice.seed, number));
  const testing::Sizes sizes = suite.sized.sweep(random);
  const mluOpDataType_t dtype = one_of(choice.dtypes, random);
  return {suite, number, sizes, dtype, one_of(choice.threads, random)};
}

}  // namespace mluop::cli
