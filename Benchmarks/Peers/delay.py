"""Delay between the two channels of a recording: what a chain was sent, and what came out of it.

jack_iodelay reads a delay from the phases of thirteen tones, which crossovers turn by more than a delay would: it then finds
anything up to 1.5 s. Here the cross-correlation of noise between 500 Hz and 4 kHz, where speech is understood, every frequency with one
weight (PHAT; Knapp & Carter 1976, IEEE Trans. ASSP 24:320-327): the delay with which most of it arrives.
"""

import os
import sys

import numpy as np

import signals

BAND = (500.0, 4000.0)  # Hz
LONGEST = 0.7  # s; the noise repeats after 1.5
CLEAR = 20.0  # times the root mean square of the correlation that its peak must reach; another noise reaches 6 to 9, what was sent 190


def delay(sent, heard):
    """Seconds; nothing where no part of what was heard was sent."""
    size = 1 << (2 * len(sent) - 1).bit_length()
    cross = np.conj(np.fft.fft(sent, size)) * np.fft.fft(heard, size)
    frequencies = np.fft.fftfreq(size, 1 / signals.RATE)
    # Positive frequencies alone: the size of the result is the envelope of the correlation.
    weights = (frequencies >= BAND[0]) & (frequencies <= BAND[1]) & (np.abs(cross) > 0)
    envelope = np.abs(np.fft.ifft(np.where(weights, cross / np.maximum(np.abs(cross), 1e-30), 0)))
    part = envelope[: int(LONGEST * signals.RATE)]
    peak = int(np.argmax(part))
    if part[peak] <= CLEAR * np.sqrt(np.mean(envelope**2)):
        return None
    below, top, above = envelope[peak - 1], envelope[peak], envelope[(peak + 1) % size]
    return (peak + (below - above) / (2 * (below - 2 * top + above))) / signals.RATE


def main():
    """`delay.py FILE SECONDS`: of the last seconds of two channels of 32-bit floating-point samples, ms."""
    path, seconds = sys.argv[1], float(sys.argv[2])
    frames = os.path.getsize(path) // 8
    count = min(frames, int(seconds * signals.RATE))
    samples = np.fromfile(path, dtype="<f4", offset=8 * (frames - count), count=2 * count).reshape(-1, 2).astype(float)
    if count == 0 or not np.isfinite(samples).all():
        return
    found = delay(samples[:, 0], samples[:, 1])
    if found is not None:
        print(f"{1000 * found:.3f}")


if __name__ == "__main__":
    main()
