"""Speech, noise and levels.

Every signal is a row of pressures in a unit of which the mean square 1 stands for UNIT dB SPL.
"""

import functools
import glob
import os

import numpy as np
import scipy.signal
import soundfile

RATE = 44_100  # Hz, the product's usual rate
UNIT = 65.0  # dB SPL of a signal whose RMS is 1: the level that pyclarity assumes
LEAD = 4.0  # s of the same sound before the part that is judged: longer than any release in the chain
SNR = 5.0  # dB
SINE = 10 * np.log10(2)  # dB from a sine's peak to its RMS
PROMPTS = "/usr/share/sounds/alsa"
prompt_count = 8  # of the eight; fewer while trying things out
NOISY_PROMPTS = 2  # that are heard in noise, which is two thirds of the table: a quarter of the time


def rms(x):
    return np.sqrt(np.mean(np.square(x)))


def level(x):
    """dB SPL."""
    return UNIT + 20 * np.log10(rms(x))


def at_level(x, wanted):
    return x * 10 ** ((wanted - level(x)) / 20)


def shortest_level(x):
    """Greatest level of any 10 ms, dB SPL."""
    frames = int(0.01 * RATE)
    energy = np.concatenate([[0], np.cumsum(np.square(x))])
    return float(UNIT + 10 * np.log10(np.max(energy[frames:] - energy[:-frames]) / frames + 1e-30))


def speech(count):
    """The first of the eight voice prompts of Debian's alsa-utils one after the other, without the noise, RMS 1."""
    names = sorted(set(glob.glob(os.path.join(PROMPTS, "*.wav"))) - {os.path.join(PROMPTS, "Noise.wav")})
    if len(names) != 8:
        raise SystemExit(f"{PROMPTS}: {len(names)} voice prompts, expected 8: install alsa-utils")
    parts = []
    for name in names[:count]:
        x, rate = soundfile.read(name)
        if rate != 48_000 or x.ndim != 1:
            raise SystemExit(f"{name}: expected one channel at 48 kHz")
        parts.append(scipy.signal.resample_poly(x, 147, 160))
    whole = np.concatenate(parts)
    return whole / rms(whole)


def speech_shaped_noise(x, seed=1):
    """Stationary noise with the long-term spectrum of `x`, RMS 1."""
    _, power = scipy.signal.welch(x, RATE, nperseg=1024)
    white = np.random.default_rng(seed).standard_normal(len(x))
    spectrum = np.fft.rfft(white)
    shape = np.interp(np.linspace(0, 1, len(spectrum)), np.linspace(0, 1, len(power)), np.sqrt(power))
    noise = np.fft.irfft(spectrum * shape, len(x))
    return noise / rms(noise)


def babble(x, talkers=12, seed=2):
    """As many talkers at once, RMS 1: the one voice there is, cut at random, faster or slower by up to a quarter."""
    rng = np.random.default_rng(seed)
    total = np.zeros(len(x))
    for talker in range(talkers):
        # Spread evenly over ± a quarter, so that no two have one pitch.
        slowing = int(round(147 * 2 ** ((talker / (talkers - 1) - 0.5) * 0.64)))
        voice = scipy.signal.resample_poly(np.roll(x, rng.integers(len(x))), slowing, 147)
        repeated = np.tile(voice / rms(voice), 2)
        total += np.roll(repeated[: len(x)] if len(voice) >= len(x) else repeated[: len(x)], rng.integers(len(x)))
    return total / rms(total)


def with_lead(x):
    """The end of `x`, repeated where `x` is shorter than the lead, then `x`."""
    before = np.tile(x, -(-lead_frames() // len(x)))
    return np.concatenate([before[-lead_frames() :], x])


def without_lead(x):
    return x[lead_frames() :]


def lead_frames():
    return int(LEAD * RATE)


@functools.lru_cache(maxsize=4)
def mixtures(overall):
    """Name → (speech, what comes in, its noise), speech at `overall` dB SPL."""
    clean = speech(prompt_count)
    voice = at_level(clean, overall)
    found = {"quiet": (voice, voice, np.zeros(len(voice)))}
    clean = speech(min(prompt_count, NOISY_PROMPTS))
    voice = at_level(clean, overall)
    for name, noise in (("speech-shaped noise", speech_shaped_noise(clean)), ("babble", babble(clean))):
        noise = at_level(noise, overall - SNR)
        found[name] = (voice, voice + noise, noise)
    return found
