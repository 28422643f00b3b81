"""What the sound goes through: nothing, pyclarity's NAL-R filter, the shipped program."""

import os
import subprocess

import numpy as np
import scipy.signal
import soundfile
from clarity.enhancer.nalr import NALR
from clarity.utils.audiogram import Audiogram

import signals

FULL_SCALE = 115.0  # dB SPL of a full-scale sine in the files given to the program
LIMIT = 111.0  # dB SPL, the program's usual limit, which the files it writes have at full scale
GREATEST = 120.0  # dB SPL, the highest limit that the program can be given

# Bisgaard, Vlaming & Dahlquist (2010), Trends in Amplification 14:113–120.
FREQUENCIES = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]
AUDIOGRAMS = {
    "N1": [10, 10, 10, 10, 10, 10, 15, 20, 30, 40],
    "N2": [20, 20, 20, 22.5, 25, 30, 35, 40, 45, 50],
    "N3": [35, 35, 35, 35, 40, 45, 50, 55, 60, 65],
    "N4": [55, 55, 55, 55, 55, 60, 65, 70, 75, 80],
    "N5": [65, 67.5, 70, 72.5, 75, 80, 80, 80, 80, 80],
    "N6": [75, 77.5, 80, 82.5, 85, 90, 90, 95, 100, 100],
    "N7": [90, 92.5, 95, 100, 105, 105, 105, 105, 105, 105],
    "S1": [10, 10, 10, 10, 10, 10, 15, 30, 55, 70],
    "S2": [20, 20, 20, 22.5, 25, 35, 55, 75, 95, 95],
    "S3": [30, 30, 35, 47.5, 60, 70, 75, 80, 80, 85],
}


def audiogram(name):
    return Audiogram(
        levels=np.array(AUDIOGRAMS[name], dtype=float), frequencies=np.array(FREQUENCIES, dtype=float))


def plain_filter(name, x):
    """pyclarity's NAL-R, a linear-phase filter of 221 taps, its delay taken out."""
    enhancer = NALR(220, signals.RATE)
    taps, _ = enhancer.build(audiogram(name))
    return enhancer.apply(taps, x)[110 : 110 + len(x)]


def minimum_phase_filter(name, x):
    """The same filter's magnitude with the least delay; what delay is left is heard."""
    taps, _ = NALR(220, signals.RATE).build(audiogram(name))
    size = 1 << 15
    cepstrum = np.fft.irfft(np.log(np.maximum(np.abs(np.fft.rfft(taps, size)), 1e-6)))
    cepstrum[1 : size // 2] *= 2
    cepstrum[size // 2 + 1 :] = 0
    response = np.fft.irfft(np.exp(np.fft.rfft(cepstrum)))
    # 12 ms: what the program's window holds.
    return scipy.signal.oaconvolve(x, response[:512])[: len(x)]


def program(path, folder, name, rule, x, audiogram_file=None, limit=LIMIT):
    """`auricle listen` on `x`, at its true level."""
    source, result = os.path.join(folder, "in.wav"), os.path.join(folder, "out.wav")
    scale = 10 ** ((signals.UNIT - FULL_SCALE - signals.SINE) / 20)
    soundfile.write(source, x * scale, signals.RATE, subtype="DOUBLE")
    # Not --overwrite, which a program of before may not know.
    if os.path.exists(result):
        os.remove(result)
    subprocess.run(
        [path, "listen", source, result, "--audiogram", audiogram_file or name, "--rule", rule,
         "--full-scale", str(FULL_SCALE), "--limit", str(limit)],
        check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    y, rate = soundfile.read(result)
    if rate != signals.RATE or len(y) != len(x):
        raise SystemExit(f"{path}: {len(y)} frames at {rate} Hz, expected {len(x)} at {signals.RATE}")
    return y[:, 0] * 10 ** ((limit + signals.SINE - signals.UNIT) / 20)


def clipped(x, limit=LIMIT):
    """What an aid that is linear and knows no more than its output limit would let through."""
    peak = 10 ** ((limit + signals.SINE - signals.UNIT) / 20)
    return np.clip(x, -peak, peak)


def average(name):
    """Mean threshold at 500, 1000 and 2000 Hz, dB HL."""
    at = dict(zip(FREQUENCIES, AUDIOGRAMS[name]))
    return (at[500] + at[1000] + at[2000]) / 3


def severe(name):
    """Whether pyclarity's filter is NAL-RP for this ear."""
    return average(name) > 60


def prescribed_limit(name):
    """Output limit that a clinician may choose for this ear, dB SPL, as far as the program goes.

    Mean OSPL90 at 500, 1000 and 2000 Hz of the NAL procedure for severe losses: 75 + 0.53·H above 60 dB HL, 89 + 0.3·H
    below (Dillon & Storey 1998, Ear and Hearing 19; from memory).
    """
    loss = average(name)
    return min(GREATEST, 75 + 0.53 * loss if loss > 60 else 89 + 0.3 * loss)


def exceeds(name):
    """Whether that lies above the usual limit."""
    return prescribed_limit(name) > LIMIT


UNAIDED, FILTER, HELD = "unaided", "NAL-R filter", "NAL-R filter, clipped"
MINIMUM = "the same, minimum phase, clipped"
LINEAR, COMPRESSIVE = "Auricle, linear", "Auricle, compressive"
ALL = [UNAIDED, FILTER, HELD, MINIMUM, LINEAR, COMPRESSIVE]
# For ears whose loss asks for more than the usual limit: the same at the limit prescribed for them.
RAISED = " at the prescribed limit"
RAISED_ALL = [HELD + RAISED, LINEAR + RAISED, COMPRESSIVE + RAISED]


def rule(label, name):
    """The program's fitting rule: of the linear ones the one that the filter has."""
    label = label.removesuffix(RAISED)
    if label == LINEAR:
        return "NAL-RP" if severe(name) else "NAL-R"
    if label == COMPRESSIVE:
        return "NAL-RP-compressive"
    return label
