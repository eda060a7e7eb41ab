// Whether calls are recorded, for the whole process.
#pragma once

#include <atomic>

namespace mluop::recorder {

enum class Mode {
  off,
  shapes,   // random numbers for data
  data,     // real data where the operator needs it
  screen,   // shapes to standard output, no files
  captures  // only for a Capture
};

/// The current mode.
extern std::atomic<Mode> current_mode;

}  // namespace mluop::recorder
