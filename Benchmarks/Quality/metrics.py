"""HASPI v2, HASQI v2 (pyclarity 0.9.0) and SII (ANSI S3.5-1997, third octaves) of one sound in one ear."""

import sys

import numpy as np
import scipy.signal
from clarity.evaluator.haspi import eb, ebm, haspi_v2
from clarity.evaluator.hasqi import hasqi_v2

import ear
import signals
import systems

MODEL_RATE = 24_000  # Hz, at which pyclarity's ear works; its own resampler takes 44.1 for 44 kHz

# ANSI S3.5-1997, third-octave procedure: centre, Hz; band importance; normal ears' internal noise, dB per Hz.
SII_BANDS = np.array([
    (160, 0.0083, 0.6), (200, 0.0095, -1.7), (250, 0.0150, -3.9), (315, 0.0289, -6.1), (400, 0.0440, -8.2),
    (500, 0.0578, -9.7), (630, 0.0653, -10.8), (800, 0.0711, -11.9), (1000, 0.0818, -12.5),
    (1250, 0.0844, -13.5), (1600, 0.0882, -15.4), (2000, 0.0898, -17.7), (2500, 0.0868, -21.2),
    (3150, 0.0844, -24.2), (4000, 0.0771, -25.9), (5000, 0.0527, -23.6), (6300, 0.0364, -15.8),
    (8000, 0.0185, -7.1)])
# Spectrum level of speech of normal effort, dB per Hz, from which the level's distortion counts.
SII_NORMAL = np.array([
    32.41, 34.48, 34.75, 33.98, 34.59, 34.27, 32.06, 28.30, 25.01, 23.00, 20.15, 17.32, 13.18, 11.55, 9.33,
    5.31, 2.59, 1.13])


def quicken():
    """Replaces slow parts of pyclarity by quicker ones with the same result (`check.py` compares)."""
    sys.modules["clarity.evaluator.haspi.haspi"].ear_model = ear.model
    eb.ear_model = ear.model
    eb.bm_covary = ear.covary
    ebm.convolve2d = lambda x, taps, mode: scipy.signal.oaconvolve(x, taps, mode, axes=0)
    eb.sum = lambda values: values.sum() if isinstance(values, np.ndarray) and values.ndim == 1 else sum(values)


def seeded(function, *arguments):
    """The model of the ear adds noise from numpy's general generator."""
    np.random.seed(0)
    return function(*arguments)


def to_model_rate(x):
    return scipy.signal.resample_poly(x, 80, 147)


def third_octaves(x):
    """Spectrum level in each band of the SII, dB per Hz re 20 µPa."""
    frequencies, density = scipy.signal.welch(x, signals.RATE, nperseg=4096)
    levels = []
    for centre in SII_BANDS[:, 0]:
        low, high = centre * 2 ** (-1 / 6), centre * 2 ** (1 / 6)
        inside = (frequencies >= low) & (frequencies < high)
        levels.append(10 * np.log10(density[inside].mean() + 1e-30) + signals.UNIT)
    return np.array(levels)


def sii(speech, noise, thresholds):
    """Speech intelligibility index; spectrum levels at the eardrum without an aid's gain removed."""
    f, importance, internal = SII_BANDS.T
    self_masking = speech - 24
    b = np.maximum(noise, self_masking)
    slope = -80 + 0.6 * (b + 10 * np.log10(f) - 6.353)
    masking = 10 ** (0.1 * noise)
    for i in range(len(f)):
        for k in range(i):
            masking[i] += 10 ** (0.1 * (b[k] + 3.32 * slope[k] * np.log10(0.89 * f[i] / f[k])))
    disturbance = np.maximum(10 * np.log10(masking), internal + thresholds)
    loudness = np.clip(1 - (speech - SII_NORMAL - 10) / 160, 0, 1)
    audible = np.clip((speech - disturbance + 15) / 30, 0, 1)
    return float(np.sum(importance * loudness * audible))


def index(speech, mixture, noise, processed, name):
    """SII with the gain that the whole mixture got on average in each band."""
    gain = third_octaves(processed) - third_octaves(mixture)
    thresholds = np.interp(
        np.log(SII_BANDS[:, 0]), np.log(systems.FREQUENCIES), systems.AUDIOGRAMS[name])
    around = third_octaves(noise) if noise.any() else np.full(len(SII_BANDS), -100.0) - gain
    return sii(third_octaves(speech) + gain, around + gain, thresholds)


def judge(speech, mixture, noise, processed, name):
    """All figures; signals without their lead."""
    listener = systems.audiogram(name)
    reference, heard = to_model_rate(speech), to_model_rate(processed)
    arguments = (reference, MODEL_RATE, heard, MODEL_RATE, listener)
    haspi, raw = seeded(haspi_v2, *arguments, signals.UNIT)
    hasqi, nonlinear, linear, _ = seeded(hasqi_v2, *arguments, 1, signals.UNIT)
    return {
        "haspi": float(haspi), "haspiRaw": float(np.mean(raw)), "hasqi": float(hasqi),
        "hasqiNonlinear": float(nonlinear), "hasqiLinear": float(linear),
        "sii": index(speech, mixture, noise, processed, name), "output": float(signals.level(processed)),
        "short": signals.shortest_level(processed),
        "peak": float(signals.UNIT + 20 * np.log10(np.max(np.abs(processed)))),
    }
