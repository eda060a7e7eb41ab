// The calls that fault injection runs: of every operator some of random small sizes and one of the usual sizes,
// which has several loops and work for several threads.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/numbers/dtype.hpp"
#include "mlu_op.h"
#include "recorder/settings.hpp"
#include "testing/suite/suite.hpp"

namespace mluop::testing {

/// With recording on, calls leave case files in a directory of their own.
struct FaultCase {
  const Suite* suite;
  mluOpDataType_t dtype;
  bool recorded;
};

inline std::vector<FaultCase> fault_cases() {
  std::vector<FaultCase> all;
  for (const Suite& suite : suites()) {
    for (const bool recorded : {false, true}) {
      if (recorded && !suite.has_case_files()) continue;
      all.push_back({&suite, suite.dtypes.front(), recorded});
      if (suite.dtypes.size() > 1) all.push_back({&suite, MLUOP_DTYPE_HALF, recorded});
    }
  }
  return all;
}

inline std::string name_of_test(const ::testing::TestParamInfo<FaultCase>& info) {
  return info.param.suite->op + '_' + mluop::name_of(info.param.dtype) +
         (info.param.recorded ? "_recorded" : "");
}

class FaultInjection : public ::testing::TestWithParam<FaultCase> {
 protected:
  void SetUp() override {
    if (!GetParam().recorded) return;
    std::string pattern = (std::filesystem::temp_directory_path() / "faults_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory = pattern;
    recorder::set_directory(pattern);
    mluOpSetGenCaseMode(2);
  }
  void TearDown() override {
    if (!GetParam().recorded) return;
    mluOpSetGenCaseMode(0);
    recorder::set_directory(std::nullopt);
    std::filesystem::remove_all(directory);
  }

  const Suite& suite() const { return *GetParam().suite; }

  /// Recorded ones are small and few: every call writes a file.
  std::vector<Case> cases() const {
    Generator random("faults/" + suite().op);
    std::vector<Case> all{suite().sized.make(suite().sized.draw(random), random.next() >> 32)};
    if (GetParam().recorded) return all;
    all.push_back(suite().sized.make(suite().sized.draw(random), random.next() >> 32));
    all.push_back(suite().sized.make(Sizes(suite().sized.keys), 1));
    return all;
  }

  /// Removes the case files; returns whether one of them was empty.
  bool remove_files() const {
    bool empty = false;
    if (directory.empty()) return empty;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
      empty |= entry.is_regular_file() && entry.file_size() == 0;
    }
    for (const auto& entry : std::filesystem::directory_iterator(directory)) {
      std::filesystem::remove_all(entry);
    }
    return empty;
  }

 private:
  std::filesystem::path directory;
};

}  // namespace mluop::testing
