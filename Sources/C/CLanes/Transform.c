#include "CLanes.h"
#include "Width.h"

#include <math.h>

#if defined(__FAST_MATH__)
#error "-ffast-math allows other roundings on each processor"
#endif

// Sums and products are rounded as they stand here: a fused multiplication and addition, which some processors have, would round once less.
#pragma STDC FP_CONTRACT OFF

// One vector of 256 bits, or two of 128.
typedef float Eight __attribute__((vector_size(32), may_alias));

typedef struct {
  Eight re, im;
} Complex;

#define INLINE static inline __attribute__((always_inline))

INLINE Complex plus(Complex a, Complex b) { return (Complex){a.re + b.re, a.im + b.im}; }
INLINE Complex minus(Complex a, Complex b) { return (Complex){a.re - b.re, a.im - b.im}; }
INLINE Complex times(Complex a, Complex b) { return (Complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
INLINE Complex turned(Complex a, float cosine, float sine) {
  return (Complex){a.re * cosine - a.im * sine, a.re * sine + a.im * cosine};
}
INLINE Complex quarter(Complex a) { return (Complex){a.im, -a.re}; }

INLINE Complex load(const float *re, const float *im) { return (Complex){*(const Eight *)re, *(const Eight *)im}; }
INLINE void store(Complex a, float *re, float *im) {
  *(Eight *)re = a.re;
  *(Eight *)im = a.im;
}

INLINE void transform_four(Complex *x) {
  const Complex a = plus(x[0], x[2]), b = minus(x[0], x[2]), c = plus(x[1], x[3]), d = quarter(minus(x[1], x[3]));
  x[0] = plus(a, c), x[1] = plus(b, d), x[2] = minus(a, c), x[3] = minus(b, d);
}

INLINE void transform_eight(Complex *x) {
  const float half = 0.70710678118654752440f;  // √½
  Complex even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_four(even);
  transform_four(odd);
  const Complex turns[4] = {
      odd[0],
      {half * (odd[1].re + odd[1].im), half * (odd[1].im - odd[1].re)},
      quarter(odd[2]),
      {half * (odd[3].im - odd[3].re), -half * (odd[3].re + odd[3].im)},
  };
  for (int k = 0; k < 4; k++) x[k] = plus(even[k], turns[k]), x[k + 4] = minus(even[k], turns[k]);
}

// Place of a lane's frame among eight: real and imaginary parts come apart with the least work so.
static const int place[8] = {0, 1, 4, 5, 2, 3, 6, 7};

// Writes column l of eight rows as row place[l].
INLINE void store_transposed(const Eight *rows, float *into) {
  Eight pairs[8], fours[8];
  for (int k = 0; k < 8; k += 2) {
    pairs[k] = __builtin_shufflevector(rows[k], rows[k + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[k + 1] = __builtin_shufflevector(rows[k], rows[k + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int k = 0; k < 8; k += 4)
    for (int l = 0; l < 2; l++) {
      fours[k + 2 * l] = __builtin_shufflevector(pairs[k + l], pairs[k + l + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[k + 2 * l + 1] = __builtin_shufflevector(pairs[k + l], pairs[k + l + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (int k = 0; k < 4; k++) {
    *(Eight *)(into + 8 * place[k]) = __builtin_shufflevector(fours[k], fours[k + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    *(Eight *)(into + 8 * place[k + 4]) = __builtin_shufflevector(fours[k], fours[k + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

// The scheme, N = 8 · points: eight frames N/8 apart are transformed (eight such transforms at once, one in each lane) and turned, lanes and frames
// change places, and each lane has a transform of `points` left to do, of every eighth bin. That one goes by fourths, its results in order
// (Stockham's form: Swarztrauber 1984, FFT algorithms for vector computers, Parallel Computing 1:45; from memory), until four or eight
// points are left. `turns`: for each eight frames seven vectors of cosines and seven of sines in turn; then three pairs of numbers for each point of
// each division.

// First step.
INLINE void begin(const float *frames, int points, const float *turns, float *re, float *im) {
  for (int frame = 0; frame < points; frame += 8) {
    Complex x[8];
    for (int k = 0; k < 8; k++) {
      const Eight *pairs = (const Eight *)(frames + 2 * (points * k + frame));
      x[k].re = __builtin_shufflevector(pairs[0], pairs[1], 0, 2, 8, 10, 4, 6, 12, 14);
      x[k].im = __builtin_shufflevector(pairs[0], pairs[1], 1, 3, 9, 11, 5, 7, 13, 15);
    }
    transform_eight(x);
    for (int k = 1; k < 8; k++, turns += 16) x[k] = times(x[k], load(turns, turns + 8));
    Eight rows[8];
    for (int k = 0; k < 8; k++) rows[k] = x[k].re;
    store_transposed(rows, re + 8 * frame);
    for (int k = 0; k < 8; k++) rows[k] = x[k].im;
    store_transposed(rows, im + 8 * frame);
  }
}

// Leaves four times as many transforms of a fourth of the points.
INLINE void divide(const float *re, const float *im, int points, int count, const float *turns, float *into_re, float *into_im) {
  const int step = points / 4;
  for (int point = 0; point < step; point++, turns += 6)
    for (int n = 0; n < count; n++) {
      Complex x[4];
      for (int k = 0; k < 4; k++) x[k] = load(re + 8 * (n + count * (point + k * step)), im + 8 * (n + count * (point + k * step)));
      transform_four(x);
      const int at = 8 * (n + 4 * count * point);
      store(x[0], into_re + at, into_im + at);
      for (int k = 1; k < 4; k++)
        store(turned(x[k], turns[2 * k - 2], turns[2 * k - 1]), into_re + at + 8 * k * count, into_im + at + 8 * k * count);
    }
}

// Transforms of four or eight points, in place.
INLINE void end(float *re, float *im, int points, int count) {
  for (int n = 0; n < count; n++) {
    Complex x[8];
    for (int k = 0; k < points; k++) x[k] = load(re + 8 * (n + count * k), im + 8 * (n + count * k));
    if (points == 8) transform_eight(x);
    else transform_four(x);
    for (int k = 0; k < points; k++) store(x[k], re + 8 * (n + count * k), im + 8 * (n + count * k));
  }
}

INLINE void transform(const float *frames, int length, const float *turns, float *work, float *re, float *im) {
  int points = length / 8, count = 1, divisions = 0;
  for (int left = points; left > 8; left /= 4) divisions++;
  // The arrays written last are the result: source and destination change places at each division.
  float *own[2] = {work, work + length}, *result[2] = {re, im};
  float **from = divisions % 2 == 0 ? result : own, **into = divisions % 2 == 0 ? own : result;
  begin(frames, points, turns, from[0], from[1]);
  turns += 14 * points;
  for (; points > 8; points /= 4, count *= 4) {
    divide(from[0], from[1], points, count, turns, into[0], into[1]);
    turns += 6 * (points / 4);
    float **former = from;
    from = into, into = former;
  }
  if (points == 8) end(re, im, 8, count);
  else end(re, im, 4, count);
}

static void transform_narrow(const float *frames, int length, const float *turns, float *work, float *re, float *im) {
  transform(frames, length, turns, work, re, im);
}

#if defined(__SSE2__)
__attribute__((target("avx2"))) static void transform_wide(
    const float *frames, int length, const float *turns, float *work, float *re, float *im) {
  transform(frames, length, turns, work, re, im);
}
#else
#define transform_wide transform_narrow
#endif

void clanes_transform(const float *frames, int length, const float *turns, float *work, float *re, float *im) {
  (clanes_uses_wide() ? transform_wide : transform_narrow)(frames, length, turns, work, re, im);
}

int clanes_count_turns(int length) {
  int points = length / 8, count = 14 * points;
  for (; points > 8; points /= 4) count += 6 * (points / 4);
  return count;
}

void clanes_fill_turns(int length, float *turns) {
  int points = length / 8;
  for (int frame = 0; frame < points; frame += 8)
    for (int k = 1; k < 8; k++, turns += 16)
      for (int lane = 0; lane < 8; lane++) {
        const double angle = -2 * M_PI * k * (frame + place[lane]) / length;
        turns[lane] = (float)cos(angle);
        turns[8 + lane] = (float)sin(angle);
      }
  for (; points > 8; points /= 4)
    for (int point = 0; point < points / 4; point++)
      for (int k = 1; k < 4; k++) {
        const double angle = -2 * M_PI * k * point / points;
        *turns++ = (float)cos(angle);
        *turns++ = (float)sin(angle);
      }
}
