// Named cases of an operator: one description serves test, acceptance and benchmark.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/cost.hpp"
#include "testing/compare/criteria.hpp"
#include "testing/data/generators.hpp"
#include "testing/data/host_tensor.hpp"
#include "testing/suite/bad_calls.hpp"
#include "testing/suite/file_case.hpp"
#include "testing/suite/sizes.hpp"

namespace mluop::testing {

/// What operators on floating tensors take.
inline constexpr std::array floating_dtypes{MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_DOUBLE,
                                            MLUOP_DTYPE_BFLOAT16};

using mluop::Cost;

/// Elements of an output that follow each other, and what they have to be.
struct Part {
  std::string name;    // "output", or "output, rows 4 to 9 of image 1"
  std::size_t output;  // number among the outputs
  std::int64_t first;  // element of the output
  std::vector<double> reference, plain;
};

/// One call with its data: inputs filled, outputs poisoned.
class Call {
 public:
  virtual ~Call() = default;

  /// Calls the operator through the C API.
  virtual mluOpStatus_t run(mluOpHandle_t handle) = 0;
  virtual std::span<HostTensor> outputs() = 0;
  /// One vector per output: the formula in double.
  virtual std::vector<std::vector<double>> reference() const = 0;
  /// The same from a plain loop in the case's own arithmetic (float for half and bfloat16), rounded
  /// to the dtype: its error sets the dynamic threshold.
  virtual std::vector<std::vector<double>> plain() const = 0;
  /// What acceptance compares: the outputs, or of very large ones parts that stand for the whole.
  virtual std::vector<Part> parts();
  /// Where parts() leaves elements out: visits all of them as a plain loop has them, in float (double for
  /// DOUBLE) and not rounded to the dtype, unless their bits are compared. Nothing to visit where parts() has everything.
  using Elements =
      std::function<void(std::size_t output, std::int64_t first, std::span<const double> values)>;
  virtual void visit_all(const Elements& /*visit*/) const {}
  virtual Cost cost() const = 0;
  /// Computes the same the way it is usually done elsewhere, to compare the time; false if there is
  /// no such way.
  virtual bool run_peer() { return false; }
  /// Computes outputs() with the loops that one writes first, parallel over what is independent, with the
  /// threads and the level of the handle. The operator must be faster on any problem. False if there are
  /// none.
  virtual bool run_loop(mluOpHandle_t /*handle*/) { return false; }
  /// Bytes of workspace or scratch the last run used.
  virtual std::size_t workspace_bytes(mluOpHandle_t handle) const = 0;
};

struct Case {
  enum class Kind { network, edge };
  std::string name;
  std::string shape;  // for people: "[2,50,50,600] scale 1/8, 5 points"
  Kind kind = Kind::edge;
  /// Deterministic: the same dtype gives the same data.
  std::function<std::unique_ptr<Call>(mluOpDataType_t dtype)> make;
  /// The only dtypes that make sense; empty for all of the suite.
  std::vector<mluOpDataType_t> dtypes = {};
};

/// Cases beyond the named ones: of sizes that users give, or of random ones.
struct SizedCases {
  std::vector<SizeKey> keys;
  /// The data depends on the sizes and the seed. Sizes that do not go together are thrown as
  /// std::invalid_argument, with a sentence for users; others the operator itself may refuse.
  std::function<Case(const Sizes& sizes, std::uint64_t seed)> make;
  /// Small sizes that go together.
  Sizes (*draw)(Generator& random);
  /// Sizes over the ranges that people use, for the speed of the operator; none: no sweep.
  Sizes (*sweep)(Generator& random) = nullptr;
};

struct Suite {
  std::string op;  // as in mluOpCpuForceImplementation
  std::vector<mluOpDataType_t> dtypes;
  std::vector<Case> cases;
  /// Acceptance of each output, besides the dynamic threshold.
  std::function<std::vector<Criterion>(mluOpDataType_t dtype)> criteria;
  /// The call that a case file of this operator describes; throws CaseError where the file cannot be
  /// one of this operator. Empty for the extensions of this library: MLU-OPS has no such files, calls
  /// are not recorded, and `mluop gen` writes none.
  std::function<std::unique_ptr<FileCall>(FileCase file)> from_file = {};
  SizedCases sized = {};
  /// Tries what the operator must refuse.
  std::function<std::vector<BadCallOutcome>()> bad_calls = {};
  /// The dtypes that the card's limits leave; empty for all but DOUBLE and BFLOAT16.
  std::vector<mluOpDataType_t> card_dtypes = {};
  /// What case files call the operator; empty if it is `op`.
  std::string file_op = {};

  bool has_case_files() const { return from_file != nullptr; }
  const std::string& name_in_files() const { return file_op.empty() ? op : file_op; }

  /// The dtypes that a case of this suite runs in.
  const std::vector<mluOpDataType_t>& dtypes_of(const Case& test_case) const {
    return test_case.dtypes.empty() ? dtypes : test_case.dtypes;
  }
};

/// The suites of every operator (ops/suites.cpp).
std::span<const Suite> suites();
/// By its name, or by that of its case files.
const Suite* find_suite(std::string_view op);

}  // namespace mluop::testing
