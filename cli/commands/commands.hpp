// The commands of mluop. Each prints to stdout and returns whether everything passed.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "selection.hpp"

namespace mluop::cli {

struct ListOptions {
  bool cases = false;
  std::vector<std::string> ops;  // of the cases; none: all, after the other tables
};
bool list(const ListOptions& options);

bool info();

struct AcceptOptions {
  Selection selection;
  bool quick = false;
  std::string speed = "if-quiet";    // or "always", "never"
  int sweep = 0;                     // random problems of each operator
  std::string out = "mluop-report";  // folder of the report
  std::string json;
};
bool accept(const AcceptOptions& options);

/// Random problems instead of cases.
struct SweepOptions {
  bool on = false;
  int count = 500;          // problems of an operator
  std::uint64_t seed = 1;   // of sizes and data
  std::optional<int> only;  // the problem of this number alone
  std::string shape;        // or of these sizes
  std::string picture;      // SVG file
  bool require = false;     // false from bench() unless every operator meets the bars
};

struct BenchOptions {
  Selection selection{.ops = {}, .cases = {"network"}, .dtypes = {}};  // no dtypes: float and half
  std::vector<int> threads;  // empty: the default of a handle
  WayNames ways;
  std::string json;
  std::string compare;  // rows of an earlier run
  SweepOptions sweep;
};
bool bench(const BenchOptions& options);
bool sweep(const BenchOptions& options);

struct BitsOptions {
  Selection selection;
  std::string compare;  // what an earlier run printed
};
/// With a file to compare with, false if a hash changed or is missing.
bool bits(const BitsOptions& options);

struct EncoderOptions {
  std::string family = "centerpoint";
  std::string dtype = "float";
  std::vector<int> threads;  // as in BenchOptions
  bool train = false;        // whole steps, with the limit of each layer
  int steps = 5;
  std::string json;
};
bool encoder(const EncoderOptions& options);

struct ThreadsOptions {
  int repeat = 5;      // each call, to show the worst
  double seconds = 1;  // of each repetition
};
bool threads(const ThreadsOptions& options);

struct RunOptions {
  std::vector<std::string> paths;  // case files, or directories of them
  bool allow_outside = false;      // side files outside the directory of their case file
  int timeout = 600;               // seconds for a case; 0: no limit
  std::string json;
};
/// Files that could not be read as cases: one line each on stderr, exit code 2.
struct UnreadableFiles : std::runtime_error {
  explicit UnreadableFiles(std::vector<std::string> list)
      : std::runtime_error("files that cannot be read"), lines(std::move(list)) {}
  std::vector<std::string> lines;
};
/// Throws UnreadableFiles after everything else has run.
bool run_files(const RunOptions& options);

struct GenOptions {
  std::string op, shape;  // one operator, of these sizes,
  std::string suite;      // or else "network", "edge" or "random",
  Selection selection;    // narrowed to some operators, cases, dtypes
  int count = 10;         // of random cases per operator
  std::uint64_t seed = 1;
  std::string data = "auto";  // or "all", "shapes"
  std::string out = ".";
};
bool gen(const GenOptions& options);
/// The sizes of every operator, for --help.
std::string sizes_help();

struct HelpOptions {
  std::string command;  // none: the program
  bool manual = false;  // the manual page
};

struct SceneOptions {
  int count = 1, sweeps = 1;  // scenes, and turns of the scanner in each
  std::uint64_t seed = 1;
  std::string out = ".";
};
bool scene(const SceneOptions& options);

}  // namespace mluop::cli
