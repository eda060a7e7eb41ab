// The commands of mluop. Each prints to stdout and returns whether everything was in order.
#pragma once

#include <string>
#include <vector>

#include "selection.hpp"

namespace mluop::cli {

struct ListOptions {
  bool cases = false;
};
bool list(const ListOptions& options);

bool info();

struct AcceptOptions {
  Selection selection;
  bool quick = false;
  std::string out = "mluop-report";  // folder of the report
  std::string json;
};
bool accept(const AcceptOptions& options);

struct BenchOptions {
  Selection selection{.ops = {}, .cases = {"network"}, .dtypes = {}};  // no dtype: the usual ones
  std::vector<int> threads;  // empty: as many as a handle has by itself
  std::vector<std::string> impls;
  std::string json;
  std::string compare;  // rows of an earlier run
};
bool bench(const BenchOptions& options);

struct EncoderOptions {
  std::string family = "centerpoint";
  std::string dtype = "float";
  std::vector<int> threads;  // as in BenchOptions
};
bool encoder(const EncoderOptions& options);

}  // namespace mluop::cli
