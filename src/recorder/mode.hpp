// Whether calls are recorded, for the whole process.
#pragma once

#include <atomic>

namespace mluop::recorder {

enum class Mode {
  unread = -1,  // MLUOP_GEN_CASE has not been looked at yet
  off,
  shapes,   // random numbers for data
  data,     // real data where the operator asks for it
  screen,   // shapes to standard output, no files
  captures  // only what a Capture asks for
};

/// For the hook; everybody else asks mode().
extern std::atomic<Mode> current_mode;

/// The mode in force. The first call reads MLUOP_GEN_CASE; a value that is not understood is logged
/// and means off.
Mode mode() noexcept;

}  // namespace mluop::recorder
