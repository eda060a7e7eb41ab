// Path of a recorded case: <directory>/gen_case/<op>/<op>_<time>_tid<thread>_device<number>.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace mluop::recorder {

using Moment = std::chrono::time_point<std::chrono::system_clock, std::chrono::microseconds>;

/// "carafe_forward_20260131_23_59_59_000001_tid1234_device0": local time to the microsecond.
std::string case_name(std::string_view op, Moment moment);

/// Replaces {pid} and {deviceid}.
std::string expanded(std::string directory);

/// The folder of an operator's cases below the directory of the user.
std::filesystem::path case_folder(const std::string& directory, std::string_view op);

}  // namespace mluop::recorder
