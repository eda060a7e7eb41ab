// The functions of mlu_op_cpu.h: settings of a handle and the table of implementations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/implementation.hpp"
#include "mlu_op_cpu.h"
#include "testing/failing_calls.hpp"
#include "testing/handle.hpp"
#include "testing/scoped_environment.hpp"

namespace mluop {
namespace {

using testing::expect_failures;
using testing::Handle;
using testing::ScopedEnvironment;

constexpr const char* forward = "rotated_feature_align_forward";

TEST(CpuApi, Version) {
  int major = -1, minor = -1, patch = -1;
  mluOpCpuGetVersion(&major, &minor, &patch);
  EXPECT_EQ(major, MLUOP_CPU_MAJOR);
  EXPECT_EQ(minor, MLUOP_CPU_MINOR);
  EXPECT_EQ(patch, MLUOP_CPU_PATCHLEVEL);
  mluOpCpuGetVersion(nullptr, nullptr, nullptr);
}

TEST(CpuApi, NullArgumentsAreNamed) {
  const Handle handle;
  expect_failures({
      {"mluOpCpuSetLimits: handle must not be null",
       [] { return mluOpCpuSetLimits(nullptr, MLUOP_CPU_LIMITS_MLU); }},
      {"mluOpCpuGetLimits: handle must not be null",
       [] { return mluOpCpuGetLimits(nullptr, nullptr); }},
      {"mluOpCpuGetLimits: limits must not be null",
       [&] { return mluOpCpuGetLimits(handle, nullptr); }},
      {"mluOpCpuSetThreads: handle must not be null",
       [] { return mluOpCpuSetThreads(nullptr, 1); }},
      {"mluOpCpuGetThreads: threads must not be null",
       [&] { return mluOpCpuGetThreads(handle, nullptr); }},
      {"mluOpCpuGetIsa: name must not be null", [&] { return mluOpCpuGetIsa(handle, nullptr); }},
      {"mluOpCpuGetOperatorCount: count must not be null",
       [] { return mluOpCpuGetOperatorCount(nullptr); }},
      {"mluOpCpuGetOperatorName: name must not be null",
       [] { return mluOpCpuGetOperatorName(0, nullptr); }},
      {"mluOpCpuGetImplementationCount: op must not be null",
       [] { return mluOpCpuGetImplementationCount(nullptr, nullptr); }},
      {"mluOpCpuGetImplementationCount: count must not be null",
       [] { return mluOpCpuGetImplementationCount(forward, nullptr); }},
      {"mluOpCpuGetImplementation: handle must not be null",
       [] { return mluOpCpuGetImplementation(nullptr, forward, 0, nullptr); }},
      {"mluOpCpuGetImplementation: op must not be null",
       [&] { return mluOpCpuGetImplementation(handle, nullptr, 0, nullptr); }},
      {"mluOpCpuGetImplementation: implementation must not be null",
       [&] { return mluOpCpuGetImplementation(handle, forward, 0, nullptr); }},
      {"mluOpCpuForceImplementation: handle must not be null",
       [] { return mluOpCpuForceImplementation(nullptr, forward, nullptr); }},
      {"mluOpCpuForceImplementation: op must not be null",
       [&] { return mluOpCpuForceImplementation(handle, nullptr, nullptr); }},
  });
}

TEST(CpuApi, LimitsAndThreads) {
  const Handle handle;
  mluOpCpuLimits_t limits = MLUOP_CPU_LIMITS_NONE;
  ASSERT_EQ(mluOpCpuSetLimits(handle, MLUOP_CPU_LIMITS_MLU), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(mluOpCpuGetLimits(handle, &limits), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(limits, MLUOP_CPU_LIMITS_MLU);
  ASSERT_EQ(mluOpCpuSetThreads(handle, 7), MLUOP_STATUS_SUCCESS);
  expect_failures({
      {"mluOpCpuSetLimits: limits must be one of 0, 1, got 2",
       [&] { return mluOpCpuSetLimits(handle, mluOpCpuLimits_t{2}); }},
      {"mluOpCpuSetThreads: threads must be at least 1, got 0",
       [&] { return mluOpCpuSetThreads(handle, 0); }},
      {"mluOpCpuSetThreads: threads must be at most 1024, got 1025",
       [&] { return mluOpCpuSetThreads(handle, 1025); }},
  });
  EXPECT_EQ(handle.threads(), 7) << "a refused number must not be kept";
}

TEST(CpuApi, OperatorsAreListed) {
  std::size_t count = 0;
  ASSERT_EQ(mluOpCpuGetOperatorCount(&count), MLUOP_STATUS_SUCCESS);
  ASSERT_EQ(count, operators().size());
  for (std::size_t i = 0; i < count; ++i) {
    const char* name = nullptr;
    ASSERT_EQ(mluOpCpuGetOperatorName(i, &name), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(find_operator(name), operators()[i]);
  }
  ASSERT_NE(find_operator(forward), nullptr);
  const std::string sentence = "mluOpCpuGetOperatorName: index must be less than " +
                               std::to_string(count) + ", got 18446744073709551615";
  expect_failures({{sentence.c_str(), [] {
                      const char* name = nullptr;
                      return mluOpCpuGetOperatorName(SIZE_MAX, &name);
                    }}});
}

TEST(CpuApi, UnknownOperatorsListTheKnownOnes) {
  const Handle handle;
  std::string known;
  for (const OperatorInfo* op : operators()) {
    if (!known.empty()) known += ", ";
    known += op->name;
  }
  const std::string sentence =
      "mluOpCpuForceImplementation: op must be one of " + known + ", got \"softmax\"";
  expect_failures({{sentence.c_str(),
                    [&] { return mluOpCpuForceImplementation(handle, "softmax", nullptr); }}});
}

TEST(CpuApi, ExactlyTheChosenImplementationIsMarked) {
  for (const OperatorInfo* op : operators()) {
    Handle handle;
    const auto all = handle.implementations(op->name);
    ASSERT_EQ(all.size(), op->implementations().size());
    EXPECT_EQ(all.back().available, 1) << "the last implementation runs everywhere";
    bool found = false;
    for (const auto& one : all) {
      const bool first_available = one.available == 1 && !found;
      EXPECT_EQ(one.chosen, first_available ? 1 : 0) << op->name << ' ' << one.name;
      found = found || one.available == 1;
    }
    for (const auto& forced : handle.available_implementations(op->name)) {
      handle.implementation(op->name, forced.name);
      EXPECT_STREQ(chosen(*op, *handle.get()).name, forced.name);
      for (const auto& one : handle.implementations(op->name)) {
        EXPECT_EQ(one.chosen, one.name == std::string{forced.name} ? 1 : 0);
      }
    }
    handle.implementation(op->name, "");
    EXPECT_EQ(handle.implementations(op->name)[0].chosen, all[0].chosen);
  }
}

TEST(CpuApi, ImplementationIndexIsChecked) {
  const Handle handle;
  const std::size_t count = find_operator(forward)->implementations().size();
  const std::string sentence = "mluOpCpuGetImplementation: index must be less than " +
                               std::to_string(count) + ", got " + std::to_string(count);
  expect_failures({{sentence.c_str(), [&] {
                      mluOpCpuImplementation_t one;
                      return mluOpCpuGetImplementation(handle, forward, count, &one);
                    }}});
}

TEST(CpuApi, UnknownImplementationsListTheKnownOnes) {
  const Handle handle;
  std::string known;
  for (const ImplementationInfo& one : find_operator(forward)->implementations()) {
    if (!known.empty()) known += ", ";
    known += one.name;
  }
  const std::string sentence =
      "mluOpCpuForceImplementation: name must be one of " + known + ", got \"fast\"";
  expect_failures(
      {{sentence.c_str(), [&] { return mluOpCpuForceImplementation(handle, forward, "fast"); }}});
}

TEST(CpuApi, ImplementationBeyondTheIsaIsNotSupported) {
  const OperatorInfo& op = *find_operator(forward);
  const ScopedEnvironment environment{"MLUOP_ISA", "generic"};
  const Handle handle;
  for (const ImplementationInfo& one : op.implementations()) {
    if (one.isa == Isa::generic) continue;
    const std::string sentence = std::string{"mluOpCpuForceImplementation: "} + one.name + " of " +
                                 forward + " needs " + name_of(one.isa) +
                                 ", this handle has generic";
    expect_failures(
        {{sentence.c_str(), [&] { return mluOpCpuForceImplementation(handle, forward, one.name); },
          MLUOP_STATUS_NOT_SUPPORTED}});
  }
  EXPECT_EQ(chosen(op, *handle.get()).isa, Isa::generic) << "a refused choice must not be kept";
}

}  // namespace
}  // namespace mluop
