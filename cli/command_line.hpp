// The command line of mluop: commands, their options, and the help text of each.
#pragma once

#include <CLI/CLI.hpp>

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
};

/// Adds every command to the program.
void add_commands(CLI::App& app, Options& options);

}  // namespace mluop::cli
