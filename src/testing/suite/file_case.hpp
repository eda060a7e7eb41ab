// A case as a file describes it: an operator, its numbers, its tensors, and how they are judged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mlu_op.h"
#include "testing/compare/compare.hpp"
#include "testing/data/host_tensor.hpp"

namespace mluop::testing {

/// What is wrong with a case: the field, and the line of the file where that is known.
class CaseError : public std::runtime_error {
 public:
  CaseError(const std::string& field, const std::string& sentence, int line = 0)
      : std::runtime_error(field.empty() ? sentence : field + ": " + sentence), line_(line) {}
  int line() const { return line_; }  // 0: not known

 private:
  int line_;
};

/// The numbers of an operator by the names of their fields, as "carafe_param" lists them.
class FileParams {
 public:
  struct Numbers {
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
    int line = 0;
  };

  FileParams() = default;
  explicit FileParams(std::string message, int line = 0)
      : message_(std::move(message)), line_(line) {}

  /// "" if the file has none.
  const std::string& message() const { return message_; }
  void add(const std::string& name, Numbers numbers) { fields_[name] = std::move(numbers); }

  /// All of these throw CaseError for a field that is missing; a list may be empty.
  std::int64_t integer(const std::string& name) const;
  int number(const std::string& name) const { return static_cast<int>(integer(name)); }
  float real(const std::string& name) const;
  const std::vector<std::int64_t>& integers(const std::string& name) const;
  /// A list that must have this many entries.
  std::vector<int> numbers(const std::string& name, std::size_t count) const;

  [[noreturn]] void fail(const std::string& name, const std::string& sentence) const;
  /// Throws CaseError unless this is the message `wanted`, which `op` takes.
  void expect_message(const std::string& wanted, const std::string& op) const;
  /// Throws CaseError unless there is none: `op` has no numbers.
  void expect_no_message(const std::string& op) const;

 private:
  const Numbers& at(const std::string& name) const;

  std::string message_;
  int line_ = 0;
  std::map<std::string, Numbers> fields_;
};

/// A null tensor has an empty HostTensor: neither a descriptor nor data.
struct FileTensor {
  std::string id;
  HostTensor tensor;  // inputs filled, outputs poisoned

  // Of outputs only.
  bool compared = true;
  std::vector<Criterion> criteria;  // none: the file names no thresholds
  std::vector<double> stored;       // the values in the file, if they are the baseline

  bool null() const { return tensor.descriptor() == nullptr; }
};

struct FileCase {
  std::string op;
  FileParams params;
  std::vector<FileTensor> inputs, outputs;
  /// Results are held to the values stored with the outputs, not to the reference.
  bool stored_baseline = false;

  /// The file names no threshold for any output that is compared.
  bool without_criteria() const;
  /// Throws CaseError unless there are as many tensors as names.
  void expect_tensors(std::initializer_list<const char*> input_names,
                      std::initializer_list<const char*> output_names) const;
};

/// The call that a file describes. The operator gets what the file says, right or wrong, so that its
/// own checks judge it.
class FileCall {
 public:
  explicit FileCall(FileCase file) : file_(std::move(file)) {}
  virtual ~FileCall() = default;

  /// Calls the operator through the C API.
  virtual mluOpStatus_t run(mluOpHandle_t handle) = 0;
  /// One vector per output, as in testing::Call. Only after a run that succeeded, on tensors that are
  /// not empty: then shapes and indices are those that the operator demands.
  virtual std::vector<std::vector<double>> reference() const = 0;
  virtual std::vector<std::vector<double>> plain() const = 0;
  /// Stored values in the order in which the operator writes them.
  virtual std::vector<double> ordered(std::size_t output, std::vector<double> values) const {
    static_cast<void>(output);
    return values;
  }

  FileCase& file() { return file_; }
  const FileCase& file() const { return file_; }

 protected:
  const FileParams& params() const { return file_.params; }
  const HostTensor& input(std::size_t i) const { return file_.inputs[i].tensor; }
  const HostTensor& output(std::size_t i) const { return file_.outputs[i].tensor; }
  HostTensor& output(std::size_t i) { return file_.outputs[i].tensor; }

 private:
  FileCase file_;
};

}  // namespace mluop::testing
