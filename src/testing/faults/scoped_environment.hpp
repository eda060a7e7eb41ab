// An environment variable that a test sets and that is put back at the end of the scope.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace mluop::testing {

class ScopedEnvironment {
 public:
  /// A null value unsets the variable.
  ScopedEnvironment(const char* name, const char* value) : name_(name) {
    if (const char* former = std::getenv(name)) former_ = former;
    assign(value);
  }
  ~ScopedEnvironment() { assign(former_ ? former_->c_str() : nullptr); }
  ScopedEnvironment(const ScopedEnvironment&) = delete;
  ScopedEnvironment& operator=(const ScopedEnvironment&) = delete;

 private:
  void assign(const char* value) {
    if (value != nullptr) {
      setenv(name_, value, 1);
    } else {
      unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> former_;
};

}  // namespace mluop::testing
