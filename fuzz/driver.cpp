// libFuzzer's entry point: one program for all targets, selected by the variable FUZZ_TARGET.
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "targets.hpp"

namespace {

const mluop::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* const variable = std::getenv("FUZZ_TARGET");
  const std::string_view wanted = variable != nullptr ? variable : "";
  for (const mluop::fuzz::Target& target : mluop::fuzz::targets()) {
    if (wanted == "list") std::puts(target.name);
    if (wanted == target.name) chosen = &target;
  }
  if (wanted == "list") std::exit(0);
  if (chosen == nullptr) {
    std::fputs("FUZZ_TARGET must be the name of a target, or list\n", stderr);
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
