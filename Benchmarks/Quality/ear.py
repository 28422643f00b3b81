"""pyclarity's model of the ear (0.9.0), the same steps three times as fast.

The reference, which many sounds are compared with, is heard once; motion of the membrane is left out where it is
not asked for (HASPI); delays are looked for only as far as pyclarity allows them. `check.py` compares the figures.
"""

import functools

import numpy as np
import scipy.fft
import scipy.signal
from clarity.enhancer.nalr import NALR
from clarity.evaluator.haspi import eb
from clarity.utils.audiogram import Audiogram
from numba import njit

LAGS = 2400  # samples of 24 kHz that a band's delay may have: pyclarity's 100 ms
PIECE = 16_384  # samples of one transform
CHANNELS = 32
FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000])
NATURAL = 20 / np.log(10)  # dB per neper


@njit(cache=True)
def filtered(x, bandwidth, centre, rate, envelope, motion, with_motion):
    """Gammatone filter of eb.gammatone_basilar_membrane, of one signal."""
    erb = 24.7 + centre / 9.26449
    a = np.exp(-bandwidth * 2 * np.pi / rate * erb * 1.019)
    a1, a2, a3, a4, a5 = 4 * a, -6 * a * a, 4 * a * a * a, -a * a * a * a, 4 * a * a
    gain = 2.0 * (1 - a1 - a2 - a3 - a4) / (1 + a1 + a5)
    cos_n, sin_n = np.cos(2 * np.pi / rate * centre), np.sin(2 * np.pi / rate * centre)
    c, s = 1.0, 0.0
    r1 = r2 = r3 = r4 = i1 = i2 = i3 = i4 = 0.0
    xr1 = xr2 = xi1 = xi2 = 0.0
    for n in range(len(x)):
        if n > 0:
            c, s = c * cos_n + s * sin_n, s * cos_n - c * sin_n
        xr, xi = x[n] * c, x[n] * s
        r = xr + a1 * xr1 + a5 * xr2 + a1 * r1 + a2 * r2 + a3 * r3 + a4 * r4
        i = xi + a1 * xi1 + a5 * xi2 + a1 * i1 + a2 * i2 + a3 * i3 + a4 * i4
        xr2, xr1, xi2, xi1 = xr1, xr, xi1, xi
        r4, r3, r2, r1 = r3, r2, r1, r
        i4, i3, i2, i1 = i3, i2, i1, i
        envelope[n] = gain * np.sqrt(r * r + i * i)
        if with_motion:
            motion[n] = gain * (r * c + i * s)


def pieces(x, extended):
    """Transforms of consecutive pieces; extended by LAGS on both sides, or filled up with zeros."""
    step = PIECE - 2 * LAGS
    count = -(-len(x) // step)
    padded = np.zeros(count * step + 2 * LAGS)
    if extended:
        padded[LAGS : LAGS + len(x)] = x
        rows = np.lib.stride_tricks.sliding_window_view(padded, PIECE)[::step][:count]
    else:
        padded[: len(x)] = x
        rows = padded[: count * step].reshape(count, step)
    return scipy.fft.rfft(rows, PIECE, axis=1)


def aligned(reference, output):
    """eb.envelope_align, with the reference's pieces."""
    cross = np.einsum("ij,ij->j", reference, np.conj(pieces(output, False)))
    found = scipy.fft.irfft(cross, PIECE)[1 : 2 * LAGS + 1]  # lags 1 − LAGS … LAGS
    delay = LAGS - 1 - int(np.argmax(found))
    if delay > 0:
        return np.concatenate((output[delay:], np.zeros(delay)))
    return np.concatenate((np.zeros(-delay), output[: len(output) + delay]))


def heard(signal, parameters, widest, level1, rate, itype, reference=None):
    """One signal's way through the ear; aligned with `reference`, if there is one, else with what that needs."""
    attn_ohc, narrowest, knee, ratio, attn_ihc = parameters
    centres, count, with_motion = eb.center_frequency(CHANNELS), len(signal), itype != 0
    middle = eb.middle_ear(signal, rate)
    control, envelope, motion = (np.zeros(count) for _ in range(3))
    result = {"db": np.zeros((CHANNELS, count)), "pieces": [], "motionPieces": [],
              "bandwidth": np.zeros(CHANNELS), "average": np.zeros(CHANNELS),
              "controlAverage": np.zeros(CHANNELS),
              "motion": np.zeros((CHANNELS, count)) if with_motion else None}
    b, a = scipy.signal.butter(1, 800 / (0.5 * rate))
    for n in range(CHANNELS):
        filtered(middle, widest[n], centres[n], rate, control, motion, False)
        width = eb.bandwidth_adjust(control, narrowest[n], widest[n], level1)
        filtered(middle, width, centres[n], rate, envelope, motion, with_motion)
        result["bandwidth"][n] = width
        result["average"][n] = np.sqrt(np.mean(envelope**2))
        result["controlAverage"][n] = np.sqrt(np.mean(control**2))
        loud = np.clip(level1 + NATURAL * np.log(np.maximum(control, 1e-30)), None, 100)
        gain = -attn_ohc[n] - (np.maximum(loud, knee[n]) - knee[n]) * (1 - 1 / ratio[n])
        gain = scipy.signal.lfilter(b, a, np.exp(gain / NATURAL))
        compressed, moved = gain * envelope, gain * motion
        if reference is None:
            result["pieces"].append(pieces(compressed, True))
            if with_motion:
                result["motionPieces"].append(pieces(moved, True))
        else:
            compressed = aligned(reference["pieces"][n], compressed)
            if with_motion:
                moved = aligned(reference["motionPieces"][n], moved)
        db = np.maximum(level1 - attn_ihc[n] + NATURAL * np.log(compressed + 1e-30), 0)
        moved = (db + 1e-30) / (compressed + 1e-30) * moved
        result["db"][n], moved = eb.inner_hair_cell_adaptation(db, moved, 2, rate)
        if with_motion:
            result["motion"][n] = moved
    return result


@functools.lru_cache(maxsize=2)
def heard_reference(signal, loss, widest, level1, rate, itype):
    parameters = eb.loss_parameters(np.array(loss), eb.center_frequency(CHANNELS))
    return heard(np.frombuffer(signal), parameters, np.array(widest), level1, rate, itype)


@functools.lru_cache(maxsize=4)
def noise(shape, which):
    """What the ear hears in silence: the same every time, another for each of the two sounds."""
    return np.random.default_rng(which).standard_normal(shape)


def equalised(reference, loss, rate):
    """HASQI's reference: the sound with NAL-R."""
    enhancer = NALR(140, rate)
    taps, _ = enhancer.build(Audiogram(levels=loss, frequencies=FREQUENCIES))
    return enhancer.apply(taps, reference)[140 : 140 + len(reference)]


def model(reference, reference_rate, processed, processed_rate, loss, itype, level1, nchan=CHANNELS,
          m_delay=1, shift=None):
    """eb.ear_model for what HASPI (itype 0) and HASQI (itype 1) ask of it, at 24 kHz."""
    rate = 24_000.0
    if (nchan, m_delay, shift, reference_rate, processed_rate) != (CHANNELS, 1, None, rate, rate):
        raise ValueError("the quick model of the ear serves HASPI v2 and HASQI v2 alone")
    count = min(len(reference), len(processed))
    reference, processed = eb.input_align(reference[:count], processed[:count])
    if itype == 1:
        reference = equalised(reference, loss, rate)
    widest = eb.loss_parameters(np.full(6, 100), eb.center_frequency(CHANNELS))[1]
    normal = np.zeros(len(loss)) if itype == 0 else loss
    x = heard_reference(np.ascontiguousarray(reference).tobytes(), tuple(normal), tuple(widest), level1, rate, itype)
    parameters = eb.loss_parameters(loss, eb.center_frequency(CHANNELS))
    y = heard(processed, parameters, widest, level1, rate, itype, x)
    result = []
    for which, side in enumerate((x, y)):
        moved = None
        if itype != 0:
            moved = side["motion"] + 10 ** ((-10 - level1) / 20) * noise(side["motion"].shape, which)
        result += [delayed(values, x["bandwidth"], rate) for values in (side["db"], moved)]
    normal_parameters = eb.loss_parameters(normal, eb.center_frequency(CHANNELS))
    for side, (attn_ohc, _, knee, ratio, attn_ihc) in ((x, normal_parameters), (y, parameters)):
        result.append(eb.convert_rms_to_sl(
            side["average"], side["controlAverage"], attn_ohc, knee, ratio, attn_ihc, level1))
    return (*result, rate)


def delayed(values, bandwidth, rate):
    if values is None:
        return None
    return eb.group_delay_compensate(values, bandwidth, eb.center_frequency(CHANNELS), rate)


@njit(cache=True)
def segment(x, y, window, lags, scale, per_lag):
    """One windowed stretch of eb.bm_covary: greatest covariance and both mean squares."""
    count = len(window)
    a, b = np.empty(count), np.empty(count)
    for n in range(count):
        a[n], b[n] = x[n] * window[n], y[n] * window[n]
    a -= np.mean(a)
    b -= np.mean(b)
    aa, bb = np.sum(a * a) * scale, np.sum(b * b) * scale
    greatest = 0.0
    for index in range(2 * lags + 1):
        lag = index - lags
        total = 0.0
        for n in range(max(0, -lag), min(count, count - lag)):
            total += a[n + lag] * b[n]
        greatest = max(greatest, abs(total * per_lag[index]))
    return greatest / np.sqrt(aa * bb) if aa > 1e-30 and bb > 1e-30 else 0.0, aa, bb


@njit(cache=True)
def all_segments(x, y, window, lags, whole, half):
    length, middle = len(window), len(window) // 2
    count = int(1 + np.floor(x.shape[1] / length) + np.floor((x.shape[1] - length / 2) / length))
    covariance, xs, ys = (np.zeros((x.shape[0], count)), np.zeros((x.shape[0], count)),
                          np.zeros((x.shape[0], count)))
    whole_scale, half_scale = 1 / np.sum(window**2), 1 / np.sum(window[middle:] ** 2)
    for k in range(x.shape[0]):
        for n in range(count):
            start = n * middle
            if n == 0:
                shape, scale, per_lag = window[middle:], half_scale, half
            elif n == count - 1:
                shape, scale, per_lag = window[:middle], half_scale, half
            else:
                shape, scale, per_lag = window, whole_scale, whole
            stop = start + len(shape)
            covariance[k, n], xs[k, n], ys[k, n] = segment(
                x[k, start:stop], y[k, start:stop], shape, lags, scale, per_lag)
    return covariance, xs, ys


def covary(x, y, segment_size, rate):
    """eb.bm_covary."""
    lags = int(np.around(0.001 * rate))
    length = int(np.around(segment_size * 0.001 * rate))
    length += length % 2
    window = np.hanning(length)
    per_lag = []
    for shape in (window, window[length // 2 :]):
        middle = len(shape) - 1
        per_lag.append(1 / np.correlate(shape, shape, "full")[middle - lags : middle + lags + 1])
    covariance, xs, ys = all_segments(x, y, window, lags, *per_lag)
    return np.clip(covariance, 0, 1), 2 * xs, 2 * ys
