// The C calls behind Handle.
#include "testing/data/handle.hpp"

#include <cstddef>
#include <stdexcept>

#include "core/design/design.hpp"

namespace mluop::testing {

void expect_success(mluOpStatus_t status, const char* function) {
  if (status == MLUOP_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string{function} + " returned " + mluOpGetErrorString(status) +
                           ": " + mluOpCpuGetLastError());
}

Handle::Handle() {
  mluOpHandle_t created = nullptr;
  expect_success(mluOpCreate(&created), "mluOpCreate");
  handle_.reset(created);
}

void Handle::Destroy::operator()(mluOpHandle_t handle) const { mluOpDestroy(handle); }

Handle& Handle::threads(int count) {
  expect_success(mluOpCpuSetThreads(get(), count), "mluOpCpuSetThreads");
  return *this;
}

Handle& Handle::limits(mluOpCpuLimits_t limits) {
  expect_success(mluOpCpuSetLimits(get(), limits), "mluOpCpuSetLimits");
  return *this;
}

Handle& Handle::isa(const std::string& name) {
  expect_success(mluOpCpuSetIsa(get(), name.c_str()), "mluOpCpuSetIsa");
  return *this;
}

Handle& Handle::implementation(const std::string& op, const std::string& name) {
  expect_success(
      mluOpCpuForceImplementation(get(), op.c_str(), name.empty() ? nullptr : name.c_str()),
      "mluOpCpuForceImplementation");
  return *this;
}

int Handle::threads() const {
  int count = 0;
  expect_success(mluOpCpuGetThreads(get(), &count), "mluOpCpuGetThreads");
  return count;
}

std::string Handle::isa() const {
  const char* name = nullptr;
  expect_success(mluOpCpuGetIsa(get(), &name), "mluOpCpuGetIsa");
  return name;
}

std::vector<std::string> Handle::levels() const {
  std::vector<std::string> names;
  for (const Isa isa :
       {Isa::neon, Isa::amx, Isa::avx512_bf16, Isa::avx512, Isa::avx2, Isa::sse4, Isa::generic}) {
    if (isa_allows(get()->isa, isa) && is_built(isa)) names.emplace_back(name_of(isa));
  }
  return names;
}

std::string Handle::used_isa() const {
  const auto& used = get()->used;
  const bool unit = used.design != nullptr && used.design->isa == Isa::avx512_bf16;
  return name_of(used.isa == Isa::avx512_bf16 && !unit ? Isa::avx512 : used.isa);
}

std::string Handle::used() const {
  const DesignInfo* const design = get()->used.design;
  return design != nullptr ? design->name : "";
}

std::vector<mluOpCpuImplementation_t> Handle::implementations(const std::string& op) const {
  std::size_t count = 0;
  expect_success(mluOpCpuGetImplementationCount(op.c_str(), &count),
                 "mluOpCpuGetImplementationCount");
  std::vector<mluOpCpuImplementation_t> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i].struct_size = sizeof(all[i]);
    expect_success(mluOpCpuGetImplementation(get(), op.c_str(), i, &all[i]),
                   "mluOpCpuGetImplementation");
  }
  return all;
}

std::vector<mluOpCpuImplementation_t> Handle::available_implementations(
    const std::string& op) const {
  auto all = implementations(op);
  std::erase_if(all, [](const mluOpCpuImplementation_t& one) { return one.available == 0; });
  return all;
}

}  // namespace mluop::testing
