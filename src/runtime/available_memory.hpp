// How much memory this process can still take.
#pragma once

#include <cstddef>
#include <filesystem>

namespace mluop {

/// The least of what the kernel calls available, what memory cgroups (v1 and v2) leave and what
/// RLIMIT_AS leaves; SIZE_MAX where the system tells none of them. Other processes take their share
/// of it, too, so that an allocation within it may still fail.
std::size_t available_memory();

/// The same with the files of /proc and /sys below `root` and with `address_space` as RLIMIT_AS.
std::size_t available_memory(const std::filesystem::path& root, std::size_t address_space);

/// The memory of the machine; 0 where the system does not tell.
std::size_t physical_memory() noexcept;

/// The address space in use by this process; 0 where the system does not tell.
std::size_t virtual_bytes(const std::filesystem::path& root = "/");

}  // namespace mluop
