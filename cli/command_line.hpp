// The command line of mluop: commands, their options, and the help text of each.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <vector>

#include "commands/commands.hpp"

namespace mluop::cli {

/// The options of all commands; parsing fills those of one.
struct Options {
  ListOptions list;
  AcceptOptions accept;
  BenchOptions bench;
  BitsOptions bits;
  EncoderOptions encoder;
  ThreadsOptions threads;
  RunOptions run;
  GenOptions gen;
  SceneOptions scene;
  HelpOptions help;
  std::string shell;  // of `completion`
};

inline constexpr std::array examples{
    "mluop list --cases carafe_forward",
    "mluop accept --quick",
    "mluop bench --op rotated_feature_align_backward --threads 1,2 --impl all",
    "mluop bench --case p5_50x50x600 --dtype float --json rows.json",
    "mluop encoder --threads 1,2",
    "mluop encoder --train --dtype bfloat16 --steps 3",
    "mluop run case.prototxt zoo/carafe_forward/test_case",
    "mluop gen carafe_forward --shape n=2,h=10,w=12,c=64 --dtype half --out cases",
};
inline constexpr const char* exit_codes =
    "Exit codes: 0 everything passed, 1 a case failed, 2 the command could not be carried out, 130 "
    "interrupted.";
inline constexpr const char* environment =
    "Environment: MLUOP_NUM_THREADS, MLUOP_ISA, MLUOP_LIMITS and MLUOP_LOG_LEVEL act as on any "
    "program.";

/// Gives the program its commands, their options, and the help of each. Parsing fills `options`.
void describe_program(CLI::App& app, Options& options);

/// Every command, in the order of the help.
std::vector<CLI::App*> commands_of(CLI::App& app);
std::vector<const CLI::App*> commands_of(const CLI::App& app);

/// "mluop 0.1.0, with the interface of MLU-OPS 1.11.1".
std::string version_text();

}  // namespace mluop::cli
