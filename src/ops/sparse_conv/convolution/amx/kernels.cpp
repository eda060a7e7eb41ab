// The design `amx`: which pairs the tiles multiply, and which the vector kernels.
#include "ops/sparse_conv/convolution/amx/kernels.hpp"

#if defined(__x86_64__)

#include "core/memory/workspace.hpp"
#include "ops/sparse_conv/convolution/amx/filter.hpp"

HWY_PUSH_ATTRIBUTES("f16c,avx512f,avx512vl,avx512dq,avx512bw")
namespace mluop::sparse_conv {
namespace tiled {
namespace {

ConvolutionKernels vector_kernels(mluOpDataType_t dtype) {
  return general_kernels[static_cast<std::size_t>(Isa::avx512)](dtype);
}

/// A packed filter: a cache line with the flag `hard`, the tiles, then the filter of the vector kernels.
constexpr std::int64_t header_bytes = cache_line_bytes;

template <class T>
std::int64_t vector_filter_offset(const Convolution& problem) {
  return header_bytes + Slabs(problem).filter_bytes<T>();
}

template <class T>
std::size_t filter_bytes(const Convolution& problem) {
  return static_cast<std::size_t>(vector_filter_offset<T>(problem)) +
         vector_kernels(Terms<T>::dtype).filter_bytes(problem);
}

/// The tiles of each offset, then the parts of the vector kernels.
template <class T>
std::int64_t pack_parts(const Convolution& problem) {
  return problem.pairs.K + vector_kernels(Terms<T>::dtype).pack_parts(problem);
}

template <class T>
void pack_part(const Convolution& problem, std::int64_t part, std::byte* packed,
               std::int64_t pitch) {
  const std::int64_t K = problem.pairs.K;
  if (part >= K) {
    return vector_kernels(Terms<T>::dtype)
        .pack_part(problem, part - K, packed + vector_filter_offset<T>(problem), pitch);
  }
  if (problem.pairs.count[part] == 0) return;
  std::byte* const filter = packed + part * pitch;
  filter[0] = std::byte{pack_tiles<T>(problem, part, filter + header_bytes)};
}

/// A prepared row is a flag: whether AMX mishandles a number of it.
std::size_t prepared_row_bytes(const Convolution& /*problem*/) { return 1; }

template <class T>
void prepare_rows(const Convolution& problem, std::int64_t begin, std::int64_t end,
                  std::byte* prepared) {
  const std::int64_t channels = problem.source.channels;
  const auto* row = static_cast<const T*>(problem.source.data) + begin * channels;
  for (std::int64_t r = begin; r < end; ++r, row += channels) {
    __mmask16 hard = 0;
    for (std::int64_t i = 0; i < channels; i += 16) {
      hard |= is_hard(load_lanes(row + i, lane_mask(channels - i)));
    }
    prepared[r] = std::byte{hard != 0};
  }
}

/// The regions of a worker.
template <class T>
struct Scratch {
  /// Pairs that are looked at together, and rows that are widened together for the vector kernels.
  static constexpr std::int64_t piece = 1024, widened_rows = sizeof(T) == sizeof(float) ? 0 : 32;

  Scratch(const Convolution& problem, std::int64_t slice)
      : slab(layout.add<std::byte>(
            slab_scratch_bytes<T>(vector_kernels(Terms<T>::dtype).tile_pitch(slice)))),
        easy(layout.add<TilePair>(piece)),
        hard(layout.add<TilePair>(piece)),
        widened(layout.add<float>(widened_rows * problem.source.channels)),
        vectors(layout.add<std::byte>(static_cast<std::int64_t>(
            vector_kernels(Terms<T>::dtype).scratch_bytes(problem, slice)))) {}

  WorkspaceLayout layout;
  Slot<std::byte> slab;
  Slot<TilePair> easy, hard;
  Slot<float> widened;
  Slot<std::byte> vectors;
};

template <class T>
std::size_t scratch_bytes(const Convolution& problem, std::int64_t slice) {
  return Scratch<T>(problem, slice).layout.bytes();
}

template <class T>
void widen_row(const T* from, std::int64_t channels, float* to) {
  for (std::int64_t i = 0; i < channels; i += 16) {
    const __mmask16 mask = lane_mask(channels - i);
    _mm512_mask_storeu_ps(to + i, mask, load_lanes(from + i, mask));
  }
}

/// Pairs that the vector kernels multiply.
template <class T>
void multiply_in_vectors(const OffsetProduct& product, const Scratch<T>& scratch,
                         const TilePair* pairs, std::int64_t count) {
  const Convolution& problem = *product.problem;
  const ConvolutionKernels vectors = vector_kernels(Terms<T>::dtype);
  OffsetProduct ordinary = product;
  ordinary.filter += vector_filter_offset<T>(problem);
  ordinary.prepared = nullptr;
  ordinary.following = 0;
  ordinary.scratch = scratch.vectors.in(product.scratch);
  if constexpr (Scratch<T>::widened_rows == 0) {
    ordinary.pairs = pairs;
    ordinary.count = count;
    return vectors.multiply(ordinary);
  } else {
    const std::int64_t channels = problem.source.channels;
    const auto* const source = static_cast<const T*>(problem.source.data);
    float* const widened = scratch.widened.in(product.scratch);
    TilePair renamed[Scratch<T>::widened_rows];
    ordinary.prepared = reinterpret_cast<const std::byte*>(widened);
    ordinary.pairs = renamed;
    for (std::int64_t t = 0; t < count; t += ordinary.count) {
      ordinary.count = std::min(Scratch<T>::widened_rows, count - t);
      for (std::int32_t r = 0; r < ordinary.count; ++r) {
        widen_row(source + pairs[t + r].source * channels, channels, widened + r * channels);
        renamed[r] = {r, pairs[t + r].target};
      }
      vectors.multiply(ordinary);
    }
  }
}

/// Pairs that the tiles multiply, slab by slab.
template <class T>
void multiply_in_tiles(const OffsetProduct& product, const Scratch<T>& scratch,
                       const TilePair* pairs, std::int64_t count, std::int64_t following) {
  const Convolution& problem = *product.problem;
  const Slabs slabs(problem);
  Slab<T> slab{.source = static_cast<const T*>(problem.source.data),
               .row_channels = problem.source.channels,
               .channels = 0,
               .filter = nullptr,
               .pairs = pairs,
               .count = count,
               .following = following,
               .tile = static_cast<float*>(product.tile),
               .pitch = product.tile_pitch,
               .scratch = scratch.slab.in(product.scratch)};
  const std::int64_t step = slabs.slab_chunks * chunk_channels;
  const std::int64_t first_pass = product.slice.begin / pass_channels;
  const std::byte* filter = product.filter + header_bytes;
  for (std::int64_t left = problem.source.channels; left > 0; left -= step) {
    slab.channels = std::min(step, left);
    slab.filter = filter + first_pass * ceil_div(slab.channels, chunk_channels) * chunk_bytes<T>;
    multiply_slab(slab);
    slab.source += step;
    filter += slabs.slab_bytes<T>();
  }
}

bool any_hard(const std::byte* flags, const TilePair* pairs, std::int64_t count) {
  std::byte any{0};
  for (std::int64_t t = 0; t < count; ++t) any |= flags[pairs[t].source];
  return any != std::byte{0};
}

/// One piece of the list in which some rows are hard: those are added after the others.
template <class T>
void multiply_apart(const OffsetProduct& product, const Scratch<T>& scratch, const TilePair* pairs,
                    std::int64_t count) {
  TilePair* const easy = scratch.easy.in(product.scratch);
  TilePair* const hard = scratch.hard.in(product.scratch);
  std::int64_t easy_count = 0, hard_count = 0;
  for (std::int64_t t = 0; t < count; ++t) {
    const bool is_hard_row = product.prepared[pairs[t].source] != std::byte{0};
    (is_hard_row ? hard[hard_count++] : easy[easy_count++]) = pairs[t];
  }
  if (easy_count > 0) multiply_in_tiles<T>(product, scratch, easy, easy_count, 0);
  multiply_in_vectors<T>(product, scratch, hard, hard_count);
}

template <class T>
void multiply(const OffsetProduct& product) {
  const Scratch<T> scratch(*product.problem, product.slice.size);
  const bool hard_filter = product.filter[0] != std::byte{0};
  if (hard_filter) return multiply_in_vectors<T>(product, scratch, product.pairs, product.count);
  const Tiles tiles;
  for (std::int64_t t = 0; t < product.count; t += Scratch<T>::piece) {
    const TilePair* const pairs = product.pairs + t;
    const std::int64_t left = product.count - t;
    const std::int64_t count = std::min(Scratch<T>::piece, left);
    if (any_hard(product.prepared, pairs, count)) {
      multiply_apart<T>(product, scratch, pairs, count);
    } else {
      multiply_in_tiles<T>(product, scratch, pairs, count, left - count + product.following);
    }
  }
}

template <class T>
ConvolutionKernels kernels_of() {
  const ConvolutionKernels vectors = vector_kernels(Terms<T>::dtype);
  return {.tile_pitch = vectors.tile_pitch,
          .filter_bytes = filter_bytes<T>,
          .pack_parts = pack_parts<T>,
          .pack_part = pack_part<T>,
          .packs_as_used = false,
          .prepared_row_bytes = prepared_row_bytes,
          .prepare_rows = prepare_rows<T>,
          .scratch_bytes = scratch_bytes<T>,
          .multiply = multiply<T>,
          .store = vectors.store};
}

}  // namespace
}  // namespace tiled

ConvolutionKernels amx_kernels(mluOpDataType_t dtype) {
  switch (dtype) {
    case MLUOP_DTYPE_HALF:
      return tiled::kernels_of<Half>();
    case MLUOP_DTYPE_BFLOAT16:
      return tiled::kernels_of<BFloat16>();
    default:
      return tiled::kernels_of<float>();
  }
}

}  // namespace mluop::sparse_conv
HWY_POP_ATTRIBUTES

namespace mluop::sparse_conv {
namespace {

/// Tiles are faster than vectors. The time of vectors grows with channels × vectors of columns, that of
/// tiles with blocks of 32 × 32 and the products of terms; they break even at a tenth of a block per
/// product: at about 32 → 16 channels of float, 16 → 32 of half, 8 → 16 of bfloat16.
template <class T>
bool fills_tiles(const Convolution& problem) {
  const std::int64_t in = problem.source.channels, out = problem.target.channels;
  const std::int64_t in_vectors = in * round_up(out, 16);
  const std::int64_t in_tiles =
      round_up(in, tiled::chunk_channels) * round_up(out, tiled::pass_channels);
  return in_vectors * 10 >= in_tiles * std::int64_t{std::size(tiled::Terms<T>::products)};
}

}  // namespace

bool accepts_amx(const Convolution& problem) {
  switch (problem.dtype) {
    case MLUOP_DTYPE_FLOAT:
      return fills_tiles<float>(problem);
    case MLUOP_DTYPE_HALF:
      return fills_tiles<Half>(problem);
    case MLUOP_DTYPE_BFLOAT16:
      return fills_tiles<BFloat16>(problem);
    default:
      return false;  // tiles have no double
  }
}

}  // namespace mluop::sparse_conv

#endif
