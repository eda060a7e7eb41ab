// mluop info: the library, the machine, and its measured peak rates.
#include <fmt/format.h>

#include "commands/commands.hpp"
#include "commands/designs.hpp"
#include "measure/machine.hpp"
#include "output/table.hpp"

namespace mluop::cli {

namespace {

std::string giga(double per_second) { return fmt::format("{:.1f}", per_second * 1e-9); }

Table table_of(const std::vector<Peak>& peaks) {
  Table table({{"threads"}, {"float FMA GFLOP/s"}, {"double FMA GFLOP/s"}});
  for (const Peak& peak : peaks) {
    table.add({std::to_string(peak.threads), giga(peak.float_flops), giga(peak.double_flops)});
  }
  return table;
}

Table table_of(const std::vector<Rate>& rates) {
  Table table({{"threads"}, {"footprint"}, {"read GB/s"}, {"copy GB/s"}, {"fill GB/s"}});
  for (const Rate& rate : rates) {
    table.add({std::to_string(rate.threads), footprint_text(rate.footprint),
               giga(rate.bandwidth.read), giga(rate.bandwidth.copy), giga(rate.bandwidth.fill)});
  }
  return table;
}

}  // namespace

bool info() {
  const testing::Handle handle;
  const Machine machine = this_machine(handle);
  fmt::print("library          {}\n", machine.library);
  fmt::print("interface        {}\n", machine.interface);
  fmt::print("compiler         {}\n", machine.compiler);
  fmt::print("cpu              {}\n", machine.cpu);
  fmt::print("cores            {} available to this process\n", machine.cores);
  fmt::print("instruction set  {} detected, {} in use (MLUOP_ISA)\n", machine.isa_detected,
             machine.isa);
  fmt::print("threads          {} (MLUOP_NUM_THREADS)\n", machine.threads);
  fmt::print("card limits      {} (MLUOP_LIMITS)\n", machine.card_limits ? "in force" : "lifted");

  fmt::print("\n{}", designs_text(handle));

  const MachineLimits limits = measure_limits(handle, {1, machine.threads});
  fmt::print("\nmeasured now, best of several; a footprint is what all threads touch together\n\n");
  fmt::print("{}\n{}", table_of(limits.peaks).text(), table_of(limits.rates).text());
  return true;
}

}  // namespace mluop::cli
