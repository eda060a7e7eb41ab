// The functions of mlu_op_cpu.h: settings of a handle and the table of implementations.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/design/design.hpp"
#include "mlu_op_cpu.h"
#include "testing/data/handle.hpp"
#include "testing/faults/failing_calls.hpp"
#include "testing/faults/scoped_environment.hpp"

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
    ASSERT_EQ(all.size(), op->design_count);
    EXPECT_EQ(all.back().available, 1) << "the last implementation runs everywhere";
    bool found = false;
    for (const auto& one : all) {
      const bool first_available = one.available == 1 && !found;
      EXPECT_EQ(one.chosen, first_available ? 1 : 0) << op->name << ' ' << one.name;
      found = found || one.available == 1;
    }
    for (const auto& forced : handle.available_implementations(op->name)) {
      handle.implementation(op->name, forced.name);
      EXPECT_STREQ(detail::request_of(*op, *handle.get()).design->name, forced.name);
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
  const std::size_t count = find_operator(forward)->design_count;
  const std::string sentence = "mluOpCpuGetImplementation: index must be less than " +
                               std::to_string(count) + ", got " + std::to_string(count);
  expect_failures({{sentence.c_str(), [&] {
                      mluOpCpuImplementation_t one;
                      one.struct_size = sizeof(one);
                      return mluOpCpuGetImplementation(handle, forward, count, &one);
                    }}});
}

TEST(CpuApi, AnImplementationIsFilledAsFarAsTheCallerHasRoom) {
  const Handle handle;
  // A caller of a later version, which has more fields.
  struct {
    mluOpCpuImplementation_t known;
    int later = 77;
  } large;
  large.known.struct_size = sizeof(large);
  ASSERT_EQ(mluOpCpuGetImplementation(handle, forward, 0, &large.known), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(large.known.struct_size, sizeof(mluOpCpuImplementation_t)) << "what this library knows";
  EXPECT_EQ(large.later, 77);
  large.known.struct_size = SIZE_MAX;
  ASSERT_EQ(mluOpCpuGetImplementation(handle, forward, 0, &large.known), MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(large.known.struct_size, sizeof(mluOpCpuImplementation_t));
  EXPECT_EQ(large.later, 77);
  ASSERT_EQ(sizeof(mluOpCpuImplementation_t), 32u) << "also try the sizes of older versions";
}

TEST(CpuApi, AnImplementationWithoutItsSizeIsRefused) {
  const Handle handle;
  for (const std::size_t size : {std::size_t{0}, std::size_t{31}}) {
    mluOpCpuImplementation_t one{size, "untouched", "", 0, 0};
    const std::string sentence =
        "mluOpCpuGetImplementation: struct_size must be at least 32, got " + std::to_string(size);
    expect_failures(
        {{sentence.c_str(), [&] { return mluOpCpuGetImplementation(handle, forward, 0, &one); }}});
    EXPECT_STREQ(one.name, "untouched");
  }
}

TEST(CpuApi, UnknownImplementationsListTheKnownOnes) {
  const Handle handle;
  std::string known;
  const OperatorInfo& op = *find_operator(forward);
  for (std::size_t i = 0; i < op.design_count; ++i) known += std::string{op.design(i).name} + ", ";
  known += "generic, sse4, avx2, avx512, avx512_bf16, amx, neon";
  const std::string sentence =
      "mluOpCpuForceImplementation: name must be one of " + known + ", got \"fast\"";
  expect_failures(
      {{sentence.c_str(), [&] { return mluOpCpuForceImplementation(handle, forward, "fast"); }}});
}

TEST(CpuApi, ImplementationBeyondTheIsaIsNotSupported) {
  Handle handle;
  handle.isa("generic");
  for (const OperatorInfo* op : operators()) {
    std::vector<std::pair<const char*, Isa>> names{{"avx2", Isa::avx2}};
    for (std::size_t i = 0; i < op->design_count; ++i) {
      names.emplace_back(op->design(i).name, op->design(i).isa);
    }
    for (const auto& [name, isa] : names) {
      if (isa == Isa::generic) continue;
      const std::string sentence = std::string{"mluOpCpuForceImplementation: "} + name + " of " +
                                   op->name + " needs " + name_of(isa) +
                                   ", this handle has generic";
      expect_failures(
          {{sentence.c_str(), [&] { return mluOpCpuForceImplementation(handle, op->name, name); },
            MLUOP_STATUS_NOT_SUPPORTED}});
    }
    EXPECT_EQ(detail::request_of(*op, *handle.get()).design, nullptr)
        << "a refused choice must not be kept";
  }
}

TEST(CpuApi, NamesOfInstructionSetsForceALevel) {
  for (const std::string& level : Handle{}.levels()) {
    Handle handle;
    handle.implementation(forward, level);
    const Forced request = detail::request_of(*find_operator(forward), *handle.get());
    EXPECT_EQ(name_of(request.isa), level);
    EXPECT_EQ(request.design, nullptr);
    EXPECT_EQ(handle.isa(), Handle{}.isa());
  }
}

TEST(CpuApi, IsaIsSetByName) {
  Handle handle;
  for (const std::string& level : Handle{}.levels()) EXPECT_EQ(handle.isa(level).isa(), level);
  expect_failures({
      {"mluOpCpuSetIsa: handle must not be null", [] { return mluOpCpuSetIsa(nullptr, "avx2"); }},
      {"mluOpCpuSetIsa: name must not be null", [&] { return mluOpCpuSetIsa(handle, nullptr); }},
      {"mluOpCpuSetIsa: name must be one of generic, sse4, avx2, avx512, avx512_bf16, amx, neon, "
       "got \"mmx\"",
       [&] { return mluOpCpuSetIsa(handle, "mmx"); }},
  });
#if defined(__x86_64__)
  const std::string sentence =
      std::string{"mluOpCpuSetIsa: name neon is not available: this machine has "} +
      name_of(detected_isa());
  expect_failures({{sentence.c_str(), [&] { return mluOpCpuSetIsa(handle, "neon"); },
                    MLUOP_STATUS_NOT_SUPPORTED}});
#endif
}

TEST(CpuApi, EveryTableEndsWithADesignForEverything) {
  for (const OperatorInfo* op : operators()) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < op->design_count; ++i) {
      EXPECT_TRUE(names.insert(op->design(i).name).second) << op->name << ": twice";
      EXPECT_GT(std::string_view{op->design(i).description}.size(), 0u);
    }
    EXPECT_EQ(op->design(op->design_count - 1).isa, Isa::generic) << op->name;
    EXPECT_STREQ(op->design(op->design_count - 1).description, "everything") << op->name;
  }
}

}  // namespace
}  // namespace mluop
