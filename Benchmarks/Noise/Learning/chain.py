"""What the chain makes of a sound: powers of bands, and their ratios to the noise, at the rate of hops."""
import functools
import numba, numpy as np
from voices import RATE
from .noise_power import SILENCE, NoiseBands, fluctuation

# The chain at 44.1 kHz: bands, windows, hop (BandLayout.standard, ChainGeometry).
HOP, LONG, SHORT, SPLIT = 64, 512, 256, 9
CENTRES = np.array([125, 250, 375, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000,
                    8000, 10000, 12500.])
EDGES = np.concatenate([[0], np.sqrt(CENTRES[:-1] * CENTRES[1:]), [RATE / 2]])
COUNT = len(CENTRES)
DECIBEL = 10 / np.log(10)  # dB per unit of a power's natural logarithm
# NoiseReduction: time constants of the three ratios, and of a band that closes, s.
RATIO_TIMES, CLOSING = (.003, .02, .1), .008

HOPS = 2048  # of a clip, which is what is learnt from at once: 3 s


def bin_shares(length):
    """Share of each bin in each band."""
    width, bins = RATE / length, np.arange(length // 2 + 1)
    rows = np.array([np.clip(np.minimum((bins + .5) * width, high) - np.maximum((bins - .5) * width, low), 0, None) / width
                     for low, high in zip(EDGES[:-1], EDGES[1:])])
    rows[:, -1] = 0
    return rows.T


def band_powers(x):
    """Mean square of each band in each hop: long windows below SPLIT, short ones above."""
    count = len(x) // HOP
    padded = np.concatenate([np.zeros(LONG - HOP), x[:count * HOP]])
    frames = np.lib.stride_tricks.sliding_window_view(padded, LONG)[::HOP][:count]
    result = np.zeros((count, COUNT))
    for start in range(0, count, 2000):
        part = frames[start:start + 2000]
        for length, bands in ((LONG, slice(0, SPLIT)), (SHORT, slice(SPLIT, COUNT))):
            window = .5 - .5 * np.cos(2 * np.pi * np.arange(length) / length)
            power = np.abs(np.fft.rfft(part[:, LONG - length:] * window, axis=1))**2 * 2 / (length * np.sum(window**2))
            result[start:start + 2000, bands] = (power @ bin_shares(length))[:, bands]
    return result


def share(time):
    """Of the way to a new value, in one hop."""
    return 1 - np.exp(-HOP / RATE / time)


def ratios(power, lead=0):
    """Of powers, `lead` hops of silence before them. - Shape: hops × 3 × bands."""
    power = np.concatenate([np.zeros((lead, COUNT)), power])
    return over(power, noise_bands().noise(power), np.array([share(t) for t in RATIO_TIMES]))[lead:]


@functools.cache
def noise_bands():
    fluctuations = np.concatenate([fluctuation(bin_shares(LONG))[:SPLIT], fluctuation(bin_shares(SHORT))[SPLIT:]])
    return NoiseBands(EDGES[1:] - EDGES[:-1], fluctuations, np.where(np.arange(COUNT) < SPLIT, LONG, SHORT), RATE, HOP)


@numba.njit
def over(power, noise, times):
    """The three ratios of NoiseReduction of powers over their noise."""
    count, bands = power.shape
    result = np.zeros((count, 3, bands), np.float32)
    for band in range(bands):
        quick, middle, long = power[0, band] + SILENCE, 0., 0.
        for t in range(count):
            quick += times[0] * (power[t, band] + SILENCE - quick)
            ratio = min(max(np.log2(quick / noise[t, band]), -2.), 8.) / 4
            middle += times[1] * (ratio - middle)
            long += times[2] * (ratio - long)
            result[t, 0, band], result[t, 1, band], result[t, 2, band] = ratio, middle, long
    return result
