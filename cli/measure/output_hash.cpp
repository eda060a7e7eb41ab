#include "measure/output_hash.hpp"

#include <cstring>
#include <stdexcept>

namespace mluop::cli {

namespace {

/// Multiply, then shift: without the shift the upper bits of an element would never reach the lower
/// bits of the hash, and two changed signs would cancel. Invertible, so one changed element always
/// changes the hash.
constexpr std::uint64_t mixed(std::uint64_t hash, std::uint64_t element) {
  hash = (hash ^ element) * 0x9E3779B97F4A7C15U;
  return hash ^ (hash >> 32);
}

/// The bits of infinity without sign: greater magnitudes are NaN. For integer dtypes no value is greater.
std::uint64_t infinity_of(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return 0x7C00;
    case MLUOP_DTYPE_BFLOAT16:
      return 0x7F80;
    case MLUOP_DTYPE_FLOAT:
      return 0x7F800000;
    case MLUOP_DTYPE_DOUBLE:
      return 0x7FF0000000000000;
    default:
      return ~std::uint64_t{0};
  }
}

template <class Element>
std::uint64_t mix_all(std::uint64_t hash, const testing::HostTensor& tensor) {
  constexpr auto magnitude = static_cast<Element>(static_cast<Element>(~Element{0}) >> 1);
  const std::uint64_t infinity = infinity_of(tensor.dtype());
  const auto bytes = tensor.raw();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Element)) {
    Element element;
    std::memcpy(&element, bytes.data() + at, sizeof element);
    const bool nan = (element & magnitude) > infinity;
    hash = mixed(hash, nan ? magnitude : element);
  }
  return hash;
}

std::uint64_t mix_tensor(std::uint64_t hash, const testing::HostTensor& tensor) {
  switch (testing::encoded_size(tensor.dtype())) {
    case 1:
      return mix_all<std::uint8_t>(hash, tensor);
    case 2:
      return mix_all<std::uint16_t>(hash, tensor);
    case 4:
      return mix_all<std::uint32_t>(hash, tensor);
    case 8:
      return mix_all<std::uint64_t>(hash, tensor);
    default:
      throw std::logic_error("no hash for elements of this size");
  }
}

}  // namespace

std::uint64_t hash_of(std::span<const testing::HostTensor> outputs) {
  std::uint64_t hash = 0;
  for (const testing::HostTensor& output : outputs) {
    hash = mix_tensor(mixed(hash, output.bytes()), output);
  }
  return hash;
}

}  // namespace mluop::cli
