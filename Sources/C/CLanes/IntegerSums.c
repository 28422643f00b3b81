#include "CLanes.h"
#include "Width.h"

#include <string.h>

// A pair of integers as every processor here has it in memory: the first one in the low half.
static inline int32_t pair_at(const int16_t *integers, int pair) {
  int32_t both;
  memcpy(&both, integers + 2 * pair, sizeof both);
  return both;
}

#if defined(__SSE2__)

#include <immintrin.h>

static inline __m128i rounded(const float *numbers, __m128 scale, __m128 least, __m128 greatest) {
  // The second operand is what a comparison with no number gives.
  __m128 scaled = _mm_mul_ps(_mm_loadu_ps(numbers), scale);
  return _mm_cvtps_epi32(_mm_max_ps(_mm_min_ps(scaled, greatest), least));
}

void clanes_round(const float *numbers, int count, float scale, int16_t least, int16_t *integers) {
  const __m128 scales = _mm_set1_ps(scale), lowest = _mm_set1_ps(least), highest = _mm_set1_ps(INT16_MAX);
  for (int k = 0; k < count; k += 8) {
    __m128i low = rounded(numbers + k, scales, lowest, highest), high = rounded(numbers + k + 4, scales, lowest, highest);
    _mm_storeu_si128((__m128i *)(integers + k), _mm_packs_epi32(low, high));
  }
}

static inline __m128 summed(__m128i total, const float *constant, __m128 factor) {
  return _mm_add_ps(_mm_loadu_ps(constant), _mm_mul_ps(factor, _mm_cvtepi32_ps(total)));
}

static void add_products(
    const int16_t *integers, int pairs, const int16_t *weights, int blocks, const float *constant, float factor, float *sums) {
  const __m128 factors = _mm_set1_ps(factor);
  for (int block = 0; block < blocks; block++) {
    __m128i total[4] = {_mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128()};
    for (int pair = 0; pair < pairs; pair++, weights += 2 * CLANES_BLOCK) {
      const __m128i both = _mm_set1_epi32(pair_at(integers, pair));
      for (int lane = 0; lane < 4; lane++) {
        const __m128i row = _mm_loadu_si128((const __m128i *)(weights + 8 * lane));
        total[lane] = _mm_add_epi32(total[lane], _mm_madd_epi16(both, row));
      }
    }
    for (int lane = 0; lane < 4; lane++, constant += 4, sums += 4) _mm_storeu_ps(sums, summed(total[lane], constant, factors));
  }
}

// The same in vectors of 256 bits, which most processors since 2013 have: integers, so the same to the bit.
__attribute__((target("avx2"))) static void add_products_wide(
    const int16_t *integers, int pairs, const int16_t *weights, int blocks, const float *constant, float factor, float *sums) {
  const __m256 factors = _mm256_set1_ps(factor);
  for (int block = 0; block < blocks; block++) {
    __m256i total[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int pair = 0; pair < pairs; pair++, weights += 2 * CLANES_BLOCK) {
      const __m256i both = _mm256_set1_epi32(pair_at(integers, pair));
      for (int lane = 0; lane < 2; lane++) {
        const __m256i row = _mm256_loadu_si256((const __m256i *)(weights + 16 * lane));
        total[lane] = _mm256_add_epi32(total[lane], _mm256_madd_epi16(both, row));
      }
    }
    for (int lane = 0; lane < 2; lane++, constant += 8, sums += 8) {
      const __m256 found = _mm256_mul_ps(factors, _mm256_cvtepi32_ps(total[lane]));
      _mm256_storeu_ps(sums, _mm256_add_ps(_mm256_loadu_ps(constant), found));
    }
  }
}

void clanes_add_products(
    const int16_t *integers, int pairs, const int16_t *weights, int blocks, const float *constant, float factor, float *sums) {
  (clanes_uses_wide() ? add_products_wide : add_products)(integers, pairs, weights, blocks, constant, factor, sums);
}

#elif defined(__aarch64__)

#include <arm_neon.h>

static inline int16x4_t rounded(const float *numbers, float scale, float32x4_t least, float32x4_t greatest) {
  float32x4_t scaled = vmulq_n_f32(vld1q_f32(numbers), scale);
  return vqmovn_s32(vcvtnq_s32_f32(vmaxnmq_f32(vminnmq_f32(scaled, greatest), least)));
}

void clanes_round(const float *numbers, int count, float scale, int16_t least, int16_t *integers) {
  const float32x4_t lowest = vdupq_n_f32(least), highest = vdupq_n_f32(INT16_MAX);
  for (int k = 0; k < count; k += 4) vst1_s16(integers + k, rounded(numbers + k, scale, lowest, highest));
}

void clanes_add_products(
    const int16_t *integers, int pairs, const int16_t *weights, int blocks, const float *constant, float factor, float *sums) {
  for (int block = 0; block < blocks; block++) {
    int32x4_t total[4] = {vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0), vdupq_n_s32(0)};
    for (int pair = 0; pair < pairs; pair++, weights += 2 * CLANES_BLOCK) {
      const int16x8_t both = vreinterpretq_s16_s32(vdupq_n_s32(pair_at(integers, pair)));
      for (int lane = 0; lane < 4; lane++) {
        const int16x8_t row = vld1q_s16(weights + 8 * lane);
        const int32x4_t low = vmull_s16(vget_low_s16(both), vget_low_s16(row)), high = vmull_high_s16(both, row);
        total[lane] = vaddq_s32(total[lane], vpaddq_s32(low, high));
      }
    }
    for (int lane = 0; lane < 4; lane++, constant += 4, sums += 4)
      // Two roundings, as on every processor: no fused multiplication and addition.
      vst1q_f32(sums, vaddq_f32(vld1q_f32(constant), vmulq_n_f32(vcvtq_f32_s32(total[lane]), factor)));
  }
}

#else
#error "CLanes has no vectors for this processor"
#endif
