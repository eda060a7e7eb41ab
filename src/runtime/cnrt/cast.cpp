// Conversion of elements between types, with and without quantisation.
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/at_fork.hpp"
#include "runtime/cnrt/call.hpp"
#include "runtime/cnrt/exact.hpp"
#include "runtime/cnrt/registry.hpp"

using mluop::cnrt::Exact;

/// One entry per channel; one channel if the parameters are for all elements.
struct cnrtQuantizedParam {
  struct Channel {
    int position;
    Exact scale, offset;
  };
  std::vector<Channel> channels;
  std::size_t elements = 0;  // of the tensor with these channels; 0: any number
  std::size_t stride = 1;    // from a channel to the next, in elements

  const Channel& of(std::size_t element) const {
    return channels[element / stride % channels.size()];
  }
};

namespace {

using namespace mluop::cnrt;  // NOLINT(google-build-using-namespace): of this file alone
using mluop::HeldDuringFork;
using mluop::Registry;

using Param = cnrtQuantizedParam;
constinit Registry<std::shared_ptr<Param>> params;
const HeldDuringFork<params> params_at_fork;

using enum ElementType::Kind;

struct TypeInfo {
  cnrtDataType_V2_t type;
  ElementType element;
};

constexpr ElementType float_type{floating, 4, true, 24, -149};
constexpr TypeInfo types[]{
    {cnrtDouble, {floating, 8, true, 53, -1074}},
    {cnrtFloat, float_type},
    {cnrtHalf, {floating, 2, true, 11, -24}},
    {cnrtBfloat, {floating, 2, true, 8, -133}},
    {cnrtUlonglong, {integer, 8, false}},
    {cnrtUint, {integer, 4, false}},
    {cnrtUshort, {integer, 2, false}},
    {cnrtUchar, {integer, 1, false}},
    {cnrtLonglong, {integer, 8}},
    {cnrtInt, {integer, 4}},
    {cnrtShort, {integer, 2}},
    {cnrtChar, {integer, 1}},
    {cnrtBoolean, {boolean, 1}},
};

const ElementType* element_of(cnrtDataType_V2_t type) {
  for (const TypeInfo& info : types) {
    if (info.type == type) return &info.element;
  }
  return nullptr;
}

struct TypePair {
  cnrtDataType_V2_t from, to;
  bool operator==(const TypePair&) const = default;
};

/// What a quantisation converts, and back.
constexpr TypePair quantised[]{{cnrtFloat, cnrtHalf}, {cnrtFloat, cnrtShort}, {cnrtFloat, cnrtChar},
                               {cnrtFloat, cnrtInt},  {cnrtHalf, cnrtShort},  {cnrtHalf, cnrtChar}};
constexpr TypePair dequantised[]{{cnrtInt, cnrtFloat},
                                 {cnrtShort, cnrtFloat},
                                 {cnrtShort, cnrtHalf},
                                 {cnrtChar, cnrtFloat},
                                 {cnrtChar, cnrtHalf}};

template <std::size_t count>
bool contains(const TypePair (&list)[count], TypePair pair) {
  for (const TypePair& one : list) {
    if (one == pair) return true;
  }
  return false;
}

Exact exactly(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return decode(float_type, bits);
}

Exact exactly(int value) { return decode({integer, 4}, static_cast<std::uint32_t>(value)); }

/// x · scale / 2^position + offset.
Exact quantise(const Exact& x, const Param::Channel& channel) {
  Exact scaled = product(x, channel.scale);
  scaled.exponent -= channel.position;
  return sum(scaled, channel.offset);
}

/// (x - offset) · 2^position / scale.
Exact dequantise(const Exact& x, const Param::Channel& channel) {
  Exact negated = channel.offset;
  negated.negative = !negated.negative;
  Exact result = quotient(sum(x, negated), channel.scale);
  result.exponent += channel.position;
  return result;
}

/// Converts element by element; convert(x, index) comes between decoding and rounding.
template <class Convert>
void cast_each(const void* src, const ElementType& from, void* dst, const ElementType& to,
               std::size_t count, cnrtRoundingMode_t mode, Convert&& convert) {
  const auto* in = static_cast<const std::byte*>(src);
  auto* out = static_cast<std::byte*>(dst);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;  // little-endian, as the element's bytes come first
    std::memcpy(&bits, in + i * from.bytes, from.bytes);
    bits = encode(to, convert(decode(from, bits), i), mode);
    std::memcpy(out + i * to.bytes, &bits, to.bytes);
  }
}

/// The parameters behind a pointer; null if they are not live. They stay while they are used.
std::shared_ptr<const Param> shared_param(cnrtQuantizedParam_t param) {
  std::shared_ptr<const Param> found;
  params.with(param, [&](const auto& owner) { found = owner; });
  return found;
}

cnrtRet_t cast_quantised(const void* src, const ElementType& from, void* dst, const ElementType& to,
                         std::size_t count, TypePair pair, cnrtQuantizedParam_t param,
                         cnrtRoundingMode_t mode) {
  const auto used = shared_param(param);
  if (used == nullptr || (used->elements != 0 && used->elements != count)) {
    return cnrtErrorArgsInvalid;
  }
  if (contains(quantised, pair)) {
    cast_each(src, from, dst, to, count, mode,
              [&](const Exact& x, std::size_t i) { return quantise(x, used->of(i)); });
  } else if (contains(dequantised, pair)) {
    cast_each(src, from, dst, to, count, mode,
              [&](const Exact& x, std::size_t i) { return dequantise(x, used->of(i)); });
  } else {
    return cnrtErrorNotSupport;
  }
  return cnrtSuccess;
}

cnrtRet_t cast(const void* src, TypePair pair, void* dst, int count, cnrtQuantizedParam_t param,
               cnrtRoundingMode_t mode) {
  const ElementType* const from = element_of(pair.from);
  const ElementType* const to = element_of(pair.to);
  if (from == nullptr || to == nullptr || count < 0 || mode < cnrtRounding_rn ||
      mode >= cnrtRounding_max || (count > 0 && (src == nullptr || dst == nullptr))) {
    return cnrtErrorArgsInvalid;
  }
  const auto elements = static_cast<std::size_t>(count);
  if (param != nullptr) return cast_quantised(src, *from, dst, *to, elements, pair, param, mode);
  if (from->kind != floating && to->kind != floating) return cnrtErrorNotSupport;
  cast_each(src, *from, dst, *to, elements, mode, [](const Exact& x, std::size_t) { return x; });
  return cnrtSuccess;
}

/// The type of cnrtCastDataType_V2; cnrtUnknown if it has none, nothing for a number that is no type.
std::optional<cnrtDataType_V2_t> newer(cnrtDataType_t type) {
  switch (type) {
    case cnrtFloat16:
      return cnrtHalf;
    case cnrtFloat32:
      return cnrtFloat;
    case cnrtFloat64:
      return cnrtDouble;
    case cnrtInt8:
      return cnrtChar;
    case cnrtInt16:
      return cnrtShort;
    case cnrtInt32:
      return cnrtInt;
    case cnrtInt64:
      return cnrtLonglong;
    case cnrtUInt8:
      return cnrtUchar;
    case cnrtUInt16:
      return cnrtUshort;
    case cnrtUInt32:
      return cnrtUint;
    case cnrtBool:
      return cnrtBoolean;
    case cnrtInt4:
    case cnrtAuto:
    case cnrtFix8:
    case cnrtQuant8:
      return cnrtUnknown;
    default:
      return std::nullopt;
  }
}

bool is_finite(float value) { return exactly(value).kind == Exact::Kind::finite; }
bool is_scale(float scale) { return is_finite(scale) && exactly(scale).magnitude != 0; }

/// The elements of a tensor; nothing if a size is below 1 or the product overflows.
std::optional<std::size_t> elements_of(const int* sizes, int count) {
  std::size_t product = 1;
  for (int i = 0; i < count; ++i) {
    if (sizes[i] < 1 ||
        __builtin_mul_overflow(product, static_cast<std::size_t>(sizes[i]), &product))
      return std::nullopt;
  }
  return product;
}

cnrtRet_t create_by_channel(cnrtQuantizedParam_t* param, const int* poses, const float* scales,
                            const float* offsets, int dimNum, const int* dimValues,
                            int channelDim) {
  if (param == nullptr || poses == nullptr || scales == nullptr || offsets == nullptr ||
      dimValues == nullptr || channelDim < 0 || channelDim >= dimNum) {
    return cnrtErrorArgsInvalid;
  }
  const auto elements = elements_of(dimValues, dimNum);
  if (!elements) return cnrtErrorArgsInvalid;
  auto created = std::make_shared<Param>();
  created->elements = *elements;
  created->stride = *elements_of(dimValues + channelDim + 1, dimNum - channelDim - 1);
  for (int i = 0; i < dimValues[channelDim]; ++i) {
    if (!is_scale(scales[i]) || !is_finite(offsets[i])) return cnrtErrorArgsInvalid;
    created->channels.push_back({poses[i], exactly(scales[i]), exactly(offsets[i])});
  }
  return report(param, params.add(std::move(created)));
}

}  // namespace

cnrtRet_t cnrtCreateQuantizedParam(cnrtQuantizedParam_t* param, int pos, float scale, int offset) {
  return runtime_call([&] {
    if (param == nullptr || !is_scale(scale)) return cnrtErrorArgsInvalid;
    auto created = std::make_shared<Param>();
    created->channels.push_back({pos, exactly(scale), exactly(offset)});
    return report(param, params.add(std::move(created)));
  });
}

cnrtRet_t cnrtCreateQuantizedParamByChannel(cnrtQuantizedParam_t* param, int* poses, float* scales,
                                            float* offsets, int dimNum, int* dimValues,
                                            int channelDim) {
  return runtime_call([&] {
    return create_by_channel(param, poses, scales, offsets, dimNum, dimValues, channelDim);
  });
}

cnrtRet_t cnrtDestroyQuantizedParam(cnrtQuantizedParam_t param) {
  return runtime_call([&] { return valid_if(params.remove(param)); });
}

cnrtRet_t cnrtCastDataType_V2(const void* src, cnrtDataType_V2_t srcDataType, void* dst,
                              cnrtDataType_V2_t dstDataType, int count, cnrtQuantizedParam_t param,
                              cnrtRoundingMode_t roundingMode) {
  return runtime_call([&] {
    return cast(src, {srcDataType, dstDataType}, dst, count, param, roundingMode);
  });
}

cnrtRet_t cnrtCastDataType(void* src, cnrtDataType_t srcDataType, void* dst,
                           cnrtDataType_t dstDataType, int count, cnrtQuantizedParam_t param) {
  return runtime_call([&] {
    const auto from = newer(srcDataType), to = newer(dstDataType);
    if (!from || !to) return cnrtErrorArgsInvalid;
    if (*from == cnrtUnknown || *to == cnrtUnknown) return cnrtErrorNotSupport;
    return cast(src, {*from, *to}, dst, count, param, cnrtRounding_rm);
  });
}
