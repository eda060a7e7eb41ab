// An environment variable that the library has read, until the end of the scope.
#pragma once

#include <optional>

#include "testing/data/handle.hpp"
#include "testing/faults/scoped_environment.hpp"

namespace mluop::testing {

/// Sets the variable and has it read, and afterwards has the former one read: mluOpCreate is where the
/// library looks at its environment. A null value unsets the variable.
class ReadEnvironment {
 public:
  ReadEnvironment(const char* name, const char* value) {
    variable_.emplace(name, value);
    const Handle read;
  }
  ~ReadEnvironment() {
    variable_.reset();
    const Handle read;
  }
  ReadEnvironment(const ReadEnvironment&) = delete;
  ReadEnvironment& operator=(const ReadEnvironment&) = delete;

 private:
  std::optional<ScopedEnvironment> variable_;
};

}  // namespace mluop::testing
