// The data of the cases.
#include "ops/sparse_conv/kit/convolution/cases.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <stdexcept>

#include "core/numbers/dtype.hpp"

namespace mluop::sparse_conv::cases {

using testing::Generator;
using testing::HostTensor;

// The groups of cases, each beside the pairs or values that it is about.
std::vector<Definition> network_definitions();
std::vector<Definition> shape_definitions();
std::vector<Definition> pair_definitions();
std::vector<Definition> geometry_definitions();
std::vector<Definition> value_definitions();

namespace {

std::vector<Definition> collected() {
  std::vector<Definition> all;
  for (auto* group : {&network_definitions, &shape_definitions, &pair_definitions,
                      &geometry_definitions, &value_definitions}) {
    std::vector<Definition> more = group();
    std::ranges::move(more, std::back_inserter(all));
  }
  return all;
}

/// Each tensor has a stream of its own, so that it does not depend on the sizes of the others.
void draw(const Definition& definition, DrawValue value, HostTensor& tensor) {
  Generator random("sparse_conv/" + definition.name + "/" + tensor.name());
  testing::fill(tensor, [&] { return value(random); });
}

std::shared_ptr<const PairTable> make_table(const Definition& definition) {
  Generator random("sparse_conv/" + definition.name + "/pairs");
  return std::make_shared<const PairTable>(definition.draw_table(random));
}

}  // namespace

double uniform(Generator& random) { return random.uniform(-1, 1); }

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = collected();
  return all;
}

const Definition& definition_named(const std::string& name) {
  const auto found = std::ranges::find(definitions(), name, &Definition::name);
  if (found == definitions().end()) throw std::out_of_range("no case is called " + name);
  return *found;
}

std::span<const mluOpDataType_t> dtypes_of(const Definition& definition) {
  if (definition.dtypes.empty()) return testing::floating_dtypes;
  return definition.dtypes;
}

std::string text_of(const Definition& definition) {
  std::string text;
  for (const std::int64_t size : definition.filters.kernel) {
    if (!text.empty()) text += 'x';
    text += std::to_string(size);
  }
  text += ' ';
  text += name_of(definition.filters.layout);
  text +=
      ", " + std::to_string(definition.filters.Ci) + " -> " + std::to_string(definition.filters.Co);
  if (definition.sub_m) text += ", sub_m";
  if (definition.inverse) text += ", inverse";
  return text;
}

std::shared_ptr<const PairTable> table_of(const Definition& definition) {
  const bool ordinary = testing::ScopedPlacement::current() == testing::Placement::ordinary;
  if (!ordinary || !definition.keep_table) return make_table(definition);
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const PairTable>> made;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const PairTable>& table = made[definition.name];
  if (table == nullptr) table = make_table(definition);
  return table;
}

Operands make_operands(const Definition& definition, mluOpDataType_t dtype) {
  Operands operands(table_of(definition), definition.filters, dtype, definition.inverse,
                    definition.sub_m);
  draw(definition, definition.features, operands.features);
  draw(definition, definition.weights, operands.filters);
  draw(definition, definition.output_grad, operands.output_grad);
  return operands;
}

}  // namespace mluop::sparse_conv::cases
