// report_sample DIR: writes the three forms of a report of full size with made-up results.
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "output/text_file.hpp"
#include "report/sample.hpp"
#include "report/writers.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: report_sample DIR\n";
    return EXIT_FAILURE;
  }
  namespace cli = mluop::cli;
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const cli::report::Report report = cli::report::full_size_sample();
  cli::TextFile(folder / "report.html").write(cli::report::html(report));
  cli::TextFile(folder / "report.md").write(cli::report::markdown(report));
  cli::TextFile(folder / "report.json").write(cli::report::json(report));
}
