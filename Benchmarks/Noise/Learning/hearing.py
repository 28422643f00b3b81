"""What an impaired ear makes of a sound before the reduction, read by hops."""
from typing import NamedTuple
import numba, numpy as np
from .chain import HOP, RATE
from .cochlea import CHANNEL_CENTRES, CHANNELS, MODEL_RATE, adapted, channels, compressed, group_delay, losses
from .prescription import prescribed

FINE = 2  # samples of an envelope per hop: the fastest rate of modulation reaches to 470 Hz
# Gains, dB, at which the ear is computed; between them its output is interpolated. At the first and last also what the ear clips
# behind adaptation.
KNOTS = np.array([0, -16 / 3, -32 / 3, -16])
REACH = 599  # of the search for a delay, samples of a quarter of the model's rate


def lowpass():
    """HASPI's filter of envelopes, 320 Hz."""
    half = round(.0007 / .320 * MODEL_RATE) // 2
    window = .5 * (1 - np.cos(2 * np.pi * np.arange(1, half + 1) / (2 * half + 1)))
    taps = np.concatenate([window, window[::-1]])
    return taps / taps.sum()


TAPS = lowpass()


@numba.njit
def by_hops(values, count, delay, taps):
    """Values at 24 kHz, smoothed, FINE times in each hop and `delay` samples later."""
    result, half = np.zeros(count), len(taps) // 2
    for index in range(count):
        exact = (index + .5) * HOP / FINE * MODEL_RATE / RATE + delay
        at = int(np.floor(exact))
        for side, weight in ((0, 1 - (exact - at)), (1, exact - at)):
            begin = at + side - half + 1
            total = 0.
            for k in range(len(taps)):
                if 0 <= begin + k < len(values):
                    total += taps[k] * values[begin + k]
            result[index] += weight * total
    return result


def power_by_hops(level, hops, delay):
    """Power of an envelope (dB, 24 kHz) around the middle of each hop, `delay` samples later, dB."""
    at = ((np.arange(hops) + .5) * HOP * MODEL_RATE / RATE).astype(int)
    power = np.concatenate([[0], np.cumsum(10 ** (level / 10))])
    low, high = (np.clip(at + int(delay) + d, 0, len(level)) for d in (-17, 17))
    return 10 * np.log10((power[high] - power[low]) / np.maximum(high - low, 1) + 1e-12)


def rough(db):
    """Sound pressure at a quarter of the rate, its transform."""
    pressure = 10 ** (db[:len(db) // 4 * 4].reshape(-1, 4).mean(1) / 20)
    return np.fft.rfft(pressure, 1 << int(np.ceil(np.log2(len(pressure) + REACH + 1))))


def lag(mark, envelope):
    """How much later an envelope is than the one whose transform is `mark`, samples."""
    cross = np.fft.irfft(np.conj(mark) * rough(envelope))
    cross = np.concatenate([cross[-REACH:], cross[:REACH + 1]])
    return 4 * (np.argmax(cross) - REACH)


class Heard(NamedTuple):
    found: np.ndarray    # before adaptation, dB; knots × FINE·hops × channels
    clipped: np.ndarray  # what is clipped behind it at the first and the last knot, dB; 2 × FINE·hops × channels
    powers: np.ndarray   # of envelope and control, dB; 2 × hops × channels
    widths: np.ndarray   # of the filters
    delays: np.ndarray   # samples at 24 kHz
    later: np.ndarray    # how much later that is than the gain in force, in parts of hops


def impaired(x, ear, delays, marks=None, knots=KNOTS):
    """What an impaired ear makes of a sound behind NAL-R, with each of `knots` as further gain; delays are those given, aligned with
    `marks` as HASPI does it."""
    parameters, hops = losses(ear), len(x) // HOP
    count = FINE * hops
    found, clipped = np.zeros((len(knots), count, CHANNELS), np.float32), np.zeros((2, count, CHANNELS), np.float32)
    powers, widths = np.zeros((2, hops, CHANNELS), np.float32), np.zeros(CHANNELS)
    delays, later = delays.copy(), np.zeros(CHANNELS)
    for n, width, envelope, control, behind in channels(prescribed(x, ear), parameters):
        ohc, _, knee, ratio, ihc = (p[n] for p in parameters)
        own = group_delay(width, CHANNEL_CENTRES[n])
        if marks is not None:
            delays[n] += lag(marks[n], behind)
        widths[n], later[n] = width, (delays[n] - own) * RATE / MODEL_RATE / HOP * FINE
        for row, level in zip(powers, (envelope, control)):
            row[:, n] = power_by_hops(level, hops, own)
        for k, gain in enumerate(knots):
            out = behind if gain == 0 else compressed(envelope + gain, control + gain, ohc, knee, ratio)
            out = np.maximum(out - ihc, 0)
            found[k, :, n] = by_hops(out, count, delays[n], TAPS)
            if k in (0, len(knots) - 1):
                clipped[int(k > 0), :, n] = by_hops(np.maximum(-adapted(out, MODEL_RATE), 0), count, delays[n], TAPS)
    return Heard(found, clipped, powers, widths, delays, later)


def adaptation(length):
    """Its response at the frequencies of a transform of `length` samples."""
    impulse = np.zeros(MODEL_RATE)
    impulse[0] = 1
    return np.fft.rfft(adapted(impulse, MODEL_RATE))[np.rint(np.fft.rfftfreq(length, HOP / FINE / RATE)).astype(int)].astype(np.complex64)
