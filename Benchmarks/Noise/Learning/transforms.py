"""Filters along time by transforms, alike in NumPy and JAX."""
import numpy as np


def through(x, transfer, fft=np.fft):
    """Each column of x behind a filter of that response; `fft`: of NumPy or of JAX."""
    length = 2 * (len(transfer) - 1)
    return fft.irfft(fft.rfft(x, length, axis=0) * transfer[:, None], length, axis=0)[:len(x)]


def quick_length(count, ring):
    """The shortest even length with small prime factors that has room for `count` samples and what a filter leaves ringing."""
    return next(n for n in range(2 * (count // 2), 10**6, 2) if not has_large_factor(n) and n >= count + ring)


def has_large_factor(n):
    """A prime above 7."""
    for p in (2, 3, 5, 7):
        while n % p == 0:
            n //= p
    return n > 1
