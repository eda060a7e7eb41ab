// Each source of data in turn: hexadecimal patterns, floats, integers, side files, random numbers.
#include "casefile/elements.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "casefile/random_data.hpp"
#include "testing/compare/rounding.hpp"

namespace mluop::casefile {
namespace {

using mluoptest::Tensor;
using testing::HostTensor;
using Bytes = std::vector<std::byte>;

static_assert(std::endian::native == std::endian::little, "files hold little-endian elements");

std::string name_of(const Tensor& tensor) { return mluoptest::DataType_Name(tensor.dtype()); }

/// The memory of a strided tensor, or only its elements.
void expect_count(const Place& place, const char* field, std::int64_t got,
                  const HostTensor& target) {
  if (got == target.count() || got == target.stored_count()) return;
  const std::string gaps = target.count() == target.stored_count()
                               ? ""
                               : sentence(" or, with the gaps, ", target.stored_count());
  place.fail(field, sentence("has ", got, " values, the shape needs ", target.count(), gaps));
}

void append(Bytes& bytes, std::uint64_t pattern, std::size_t size) {
  std::array<std::byte, sizeof pattern> all;
  std::memcpy(all.data(), &pattern, sizeof pattern);
  bytes.insert(bytes.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size));
}

std::uint64_t parse_pattern(const std::string& text, std::size_t size, const Place& place,
                            int index) {
  std::uint64_t pattern = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, pattern, 16);
  if (error != std::errc{} || stop != end || text.size() > 2 * size) {
    place.fail("value_h",
               sentence("'", text, "' is not a pattern of up to ", 2 * size, " hexadecimal digits"),
               index);
  }
  return pattern;
}

/// The range of integers for an element; for floating dtypes that of the bit pattern, signed or unsigned.
struct Range {
  __int128 least, greatest;
};
Range range_of(mluOpDataType_t dtype, std::size_t size) {
  const __int128 signs = __int128{1} << (8 * size - 1);
  switch (dtype) {
    case MLUOP_DTYPE_BOOL:
      return {0, 1};
    case MLUOP_DTYPE_INT8:
    case MLUOP_DTYPE_INT16:
    case MLUOP_DTYPE_INT32:
    case MLUOP_DTYPE_INT64:
      return {-signs, signs - 1};
    case MLUOP_DTYPE_UINT8:
    case MLUOP_DTYPE_UINT16:
    case MLUOP_DTYPE_UINT32:
    case MLUOP_DTYPE_UINT64:
      return {0, 2 * signs - 1};
    default:
      return {-signs, 2 * signs - 1};
  }
}

template <class List>
Bytes from_integers(const Tensor& tensor, const Place& place, const char* field, const List& list,
                    const HostTensor& target) {
  const std::size_t size = testing::encoded_size(target.dtype());
  if (testing::is_floating(target.dtype()) && size > sizeof(*list.begin())) {
    place.fail(field, sentence("cannot hold the bit patterns of ", name_of(tensor)));
  }
  expect_count(place, field, list.size(), target);
  const auto [least, greatest] = range_of(target.dtype(), size);
  Bytes bytes;
  bytes.reserve(static_cast<std::size_t>(list.size()) * size);
  for (int i = 0; i < list.size(); ++i) {
    if (list[i] < least || list[i] > greatest) {
      place.fail(field, sentence(list[i], " is out of the range of ", name_of(tensor)), i);
    }
    append(bytes, static_cast<std::uint64_t>(list[i]), size);
  }
  return bytes;
}

/// Whether the dtype can represent the value: integers must be whole and in range, floating dtypes must
/// not overflow.
bool fits(double value, mluOpDataType_t dtype, std::size_t size) {
  if (testing::is_floating(dtype)) {
    return !std::isfinite(value) || std::isfinite(testing::rounded_to(dtype, value));
  }
  const auto [least, greatest] = range_of(dtype, size);
  return value == std::floor(value) && value >= static_cast<double>(least) &&
         value <= static_cast<double>(greatest) && value < std::ldexp(1.0, 64);
}

/// Values of `field`, each rounded once to the dtype. Errors name an index only for lists.
Bytes from_values(const Tensor& tensor, const Place& place, const char* field,
                  const std::vector<double>& values, mluOpDataType_t dtype, bool listed) {
  const std::size_t size = testing::encoded_size(dtype);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (fits(values[i], dtype, size)) continue;
    place.fail(field, sentence(values[i], " is out of the range of ", name_of(tensor)),
               listed ? static_cast<int>(i) : -1);
  }
  Bytes bytes(values.size() * size);
  try {
    testing::encode(dtype, values, bytes.data());
  } catch (const std::range_error& error) {
    place.fail(field, error.what());
  }
  return bytes;
}

Bytes from_hex(const Tensor& tensor, const Place& place, const HostTensor& target) {
  expect_count(place, "value_h", tensor.value_h_size(), target);
  const std::size_t size = testing::encoded_size(target.dtype());
  Bytes bytes;
  for (int i = 0; i < tensor.value_h_size(); ++i) {
    append(bytes, parse_pattern(tensor.value_h(i), size, place, i), size);
  }
  return bytes;
}

/// A bound given as float or double; the double has priority.
double bound(const Place& place, const char* field, bool has_float, double as_float,
             bool has_double, double as_double) {
  if (!has_float && !has_double) place.fail(field, "is missing");
  const double value = has_double ? as_double : as_float;
  if (!std::isfinite(value)) place.fail(field, "must be finite");
  return value;
}

RandomData random_of(const mluoptest::RandomData& random, const Place& place) {
  RandomData data{.seed = random.seed()};
  switch (random.distribution()) {
    case mluoptest::UNIFORM:
      data.first = bound(place, "lower_bound", random.has_lower_bound(), random.lower_bound(),
                         random.has_lower_bound_double(), random.lower_bound_double());
      data.second = bound(place, "upper_bound", random.has_upper_bound(), random.upper_bound(),
                          random.has_upper_bound_double(), random.upper_bound_double());
      break;
    case mluoptest::GAUSSIAN:
      data.distribution = RandomData::Distribution::gaussian;
      data.first = bound(place, "mu", random.has_mu(), random.mu(), random.has_mu_double(),
                         random.mu_double());
      data.second = bound(place, "sigma", random.has_sigma(), random.sigma(),
                          random.has_sigma_double(), random.sigma_double());
      if (data.second < 0) place.fail("sigma", "must be at least 0");
      break;
    default:
      place.fail("distribution", sentence(mluoptest::RandomDistribution_Name(random.distribution()),
                                          " is not one of UNIFORM, GAUSSIAN"));
  }
  return data;
}

Bytes elements_of(const Tensor& tensor, const Place& place, const SideFiles& side_files,
                  const HostTensor& target) {
  const auto integers = [&](const char* field, const auto& list) {
    return from_integers(tensor, place, field, list, target);
  };
  if (tensor.value_h_size() > 0) return from_hex(tensor, place, target);
  if (tensor.value_f_size() > 0) {
    expect_count(place, "value_f", tensor.value_f_size(), target);
    const std::vector<double> values(tensor.value_f().begin(), tensor.value_f().end());
    return from_values(tensor, place, "value_f", values, target.dtype(), true);
  }
  if (tensor.value_i_size() > 0) return integers("value_i", tensor.value_i());
  if (tensor.value_l_size() > 0) return integers("value_l", tensor.value_l());
  if (tensor.value_ui_size() > 0) return integers("value_ui", tensor.value_ui());
  if (tensor.value_ul_size() > 0) return integers("value_ul", tensor.value_ul());
  if (tensor.has_path()) return read_side_file(tensor.path(), side_files, place, target);
  const RandomData random =
      random_of(tensor.random_data(), place.nested("random_data", tensor.random_data()));
  return from_values(tensor, place, "random_data",
                     random_values(random, target.dtype(), target.stored_count()), target.dtype(),
                     false);
}

bool has_values(const Tensor& tensor) {
  return tensor.value_h_size() > 0 || tensor.value_f_size() > 0 || tensor.value_i_size() > 0 ||
         tensor.value_l_size() > 0 || tensor.value_ui_size() > 0 || tensor.value_ul_size() > 0 ||
         tensor.has_path();
}

}  // namespace

bool has_data(const Tensor& tensor) { return has_values(tensor) || tensor.has_random_data(); }

void load_data(const Tensor& tensor, const Place& place, const SideFiles& side_files,
               HostTensor& target) {
  if (target.count() == 0 && !has_values(tensor)) return;
  target.load(elements_of(tensor, place, side_files, target));
}

}  // namespace mluop::casefile
