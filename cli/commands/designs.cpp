// The tables of designs, as the library has them.
#include "commands/designs.hpp"

#include <fmt/format.h>

#include "core/design/design.hpp"
#include "output/table.hpp"

namespace mluop::cli {

std::string designs_text(const testing::Handle& handle) {
  Table table({{"operator", Align::left},
               {"design", Align::left},
               {"needs", Align::left},
               {"accepts", Align::left}});
  for (const OperatorInfo* op : operators()) {
    for (std::size_t i = 0; i < op->design_count; ++i) {
      const DesignInfo& design = op->design(i);
      const bool runs = isa_allows(handle.get()->isa, design.isa);
      table.add({i == 0 ? op->name : "", runs ? design.name : fmt::format("({})", design.name),
                 name_of(design.isa), design.description});
    }
  }
  return fmt::format(
      "{}\n  The first design that runs here and accepts the call computes it; () does not run "
      "here.\n"
      "  Instruction set: {}.\n",
      table.text(), handle.isa());
}

}  // namespace mluop::cli
