// Part of every test program: loops employ as many threads as a test asks for, up to 8, also on a machine
// with fewer cores, where the library would not.
#include "runtime/cores.hpp"

namespace {
const mluop::PretendedCores cores{8};
}  // namespace
