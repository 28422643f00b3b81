/// Arithmetic in the widest vectors that the processor has, which Swift cannot choose while it runs: sums of products of 16-bit integers,
/// for which it has no operation either, and a Fourier transform.
///
/// The results are the same to the bit on every processor. Nothing here allocates or locks.
#ifndef AURICLE_CLANES_H
#define AURICLE_CLANES_H

#include <stdint.h>

/// Sums in each block of weights.
enum { CLANES_BLOCK = 16 };

/// Rounds numbers times a scale to the nearest integer, of two as near to the even one; beyond `least` and 32767 to those.
///
/// count: of numbers and integers, a multiple of 8. Of what is not a number (NaN) comes some integer all the same.
void clanes_round(const float *numbers, int count, float scale, int16_t least, int16_t *integers);

/// `sums[o] = constant[o] + factor · Σ integers[i] · weight of i for o`, CLANES_BLOCK sums at a time.
///
/// integers: two for each of `pairs`. weights: blocks × pairs × CLANES_BLOCK × 2. constant, sums: blocks × CLANES_BLOCK.
/// A sum of products that 32 bits do not hold wraps around: the caller has weights for which none occurs.
void clanes_add_products(
    const int16_t *integers, int pairs, const int16_t *weights, int blocks, const float *constant, float factor, float *sums);

/// Discrete Fourier transform of `length` complex numbers, the interleaved frames of a pair; not scaled.
///
/// frames: 2 · length, aligned to 32 bytes, as all arrays are; not changed. length: a power of two, at least 64. turns: of clanes_fill_turns.
/// work: 2 · length. re, im: length each, the result. No two of the arrays overlap.
void clanes_transform(const float *frames, int length, const float *turns, float *work, float *re, float *im);

/// Numbers that clanes_fill_turns writes for a length.
int clanes_count_turns(int length);

/// Writes the factors of a transform, turns by fractions of the whole circle; in double precision, rounded once. Not for the audio thread.
void clanes_fill_turns(int length, float *turns);

/// Has vectors of 256 bits used where the processor has them, as from the start, or not, to try the others. Returns 1 where they are.
int clanes_widen(int isWide);

#endif
