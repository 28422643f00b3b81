"""Sounds that go through every chain, and what comes out in third octaves.

A sample of 1 is a converter's full scale. A full-scale sine stands for INPUT_SCALE dB SPL before a chain and for
OUTPUT_SCALE behind it, as one sound card has one microphone and one pair of earphones for whatever runs between them.
"""

import glob
import struct
import wave

import numpy as np

RATE = 44_100  # Hz, Auricle's usual rate
INPUT_SCALE = 100.0  # dB SPL, own choice: speech of 80 dB SPL keeps 20 dB for its peaks
OUTPUT_SCALE = 111.0  # dB SPL, Auricle's usual limit, at which `auricle listen` writes
SINE = 10 * np.log10(2)  # dB from a sine's peak to its RMS
LEVELS = (50, 65, 80)  # dB SPL: soft, ordinary and loud speech, as every fitting procedure has them
PROMPTS = "/usr/share/sounds/alsa"
SETTLING = 4.0  # s of noise before the part that is measured: longer than any release here
PERIOD = 1 << 16  # frames after which the noise repeats, 1.5 s: its power in any band is then exact

# Byrne et al. (1994), J. Acoust. Soc. Am. 96:2108-2120: third-octave levels for 70 dB SPL overall, 63 Hz to 16 kHz.
SPEECH_LEVELS = np.array([
    38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8, 45.6,
    44.5, 44.3, 43.7, 43.4, 41.3, 40.7])
SPEECH_STEPS = np.arange(-12, 13)  # n of 1000 * 10 ** (n / 10) Hz
JUDGED = np.arange(-6, 9)  # 250 Hz to 6.3 kHz, between which the fitting rule is defined


class Missing(Exception):
    """A sound that is not installed."""


def centres(steps=JUDGED):
    return 1000 * 10 ** (np.asarray(steps) / 10)


def speech_level(low, high, overall):
    """Level of speech between two frequencies, dB SPL: power spread evenly over log frequency within a third octave."""
    edges = centres(np.append(SPEECH_STEPS - 0.5, 12.5))
    shares = np.clip(np.minimum(high, edges[1:]), edges[:-1], None) / np.maximum(low, edges[:-1])
    shares = np.log10(np.clip(shares, 1, None)) / 0.1
    return overall - 70 + 10 * np.log10(max(np.sum(shares * 10 ** (SPEECH_LEVELS / 10)), 1e-30))


def noise(level, seconds=SETTLING + 2 * PERIOD / RATE, seed=11):
    """Steady noise with the long-term spectrum of speech: one sine for each bin, random phases, the same in both ears."""
    frequencies = np.fft.rfftfreq(PERIOD, 1 / RATE)
    step = np.round(10 * np.log10(np.maximum(frequencies, 1) / 1000)).astype(int)
    inside = (step >= SPEECH_STEPS[0]) & (step <= SPEECH_STEPS[-1])
    band = np.clip(step - SPEECH_STEPS[0], 0, len(SPEECH_LEVELS) - 1)
    # Evenly over log frequency: a bin has a share of its third octave as spacing over frequency.
    share = (RATE / PERIOD) / np.maximum(frequencies, 1) / (0.1 * np.log(10))
    power = np.where(inside, share * 10 ** (SPEECH_LEVELS[band] / 10), 0)
    phases = np.random.default_rng(seed).uniform(0, 2 * np.pi, len(power))
    one = np.fft.irfft(np.sqrt(power) * np.exp(1j * phases))
    one *= 10 ** ((level - INPUT_SCALE - SINE) / 20) / np.sqrt(np.mean(one**2))
    count = int(seconds * RATE)
    return stereo(np.tile(one, count // PERIOD + 1)[-count:])


def speech(level, seconds):
    """The voice prompts of Debian's alsa-utils, over and over; the other ear hears them half a turn later."""
    names = [name for name in sorted(glob.glob(f"{PROMPTS}/*.wav")) if not name.endswith("/Noise.wav")]
    if not names:
        raise Missing(f"{PROMPTS}: no voice prompts; the package alsa-utils has them")
    voice = np.concatenate([read(name, 48_000)[:, 0] for name in names])
    # 48 to 44.1 kHz: the spectrum is cut.
    voice = voice[: len(voice) // 160 * 160]
    voice = np.fft.irfft(np.fft.rfft(voice)[: len(voice) * 147 // 320 + 1], len(voice) * 147 // 160)
    voice *= 10 ** ((level - INPUT_SCALE - SINE) / 20) / np.sqrt(np.mean(voice**2))
    count = int(seconds * RATE)
    turns = count // len(voice) + 2
    whole = np.tile(voice, turns)
    half = len(voice) // 2
    return np.stack([whole[:count], whole[half : half + count]], axis=1)


def stereo(x):
    return np.stack([x, x], axis=1)


def read(path, rate=RATE):
    """Samples of a WAV file of integers, extensible ones too: frames by channels."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        raise ValueError(f"{path}: found no WAV file")
    place, form, samples = 12, None, None
    while place + 8 <= len(data):
        kind, size = struct.unpack_from("<4sI", data, place)
        body = data[place + 8 : place + 8 + size]
        if kind == b"fmt ":
            form = struct.unpack_from("<HHIIHH", body)
        elif kind == b"data":
            samples = body
        place += 8 + size + size % 2
    if form is None or samples is None:
        raise ValueError(f"{path}: found no samples")
    _, channels, found, _, frame, bits = form
    if found != rate or bits not in (16, 24, 32):
        raise ValueError(f"{path}: found {bits} bits at {found} Hz, expected 16, 24 or 32 at {rate}")
    width = bits // 8
    bytes_of = np.frombuffer(samples[: len(samples) // frame * frame], dtype=np.uint8).reshape(-1, width)
    padded = np.zeros((len(bytes_of), 4), dtype=np.uint8)
    padded[:, 4 - width :] = bytes_of
    return padded.view("<i4").reshape(-1, channels) / 2.0**31


def write(path, x):
    """32-bit integers, which every program here reads."""
    with wave.open(path, "wb") as file:
        file.setparams((x.shape[1], 4, RATE, len(x), "NONE", ""))
        file.writeframes(np.round(np.clip(x, -1, 1 - 2**-24) * 2**31).astype("<i4").tobytes())


def gains(before, after, steps=JUDGED):
    """Insertion gain in third octaves of the noise's last period, dB, the mean of both ears."""
    edges = centres(np.append(np.asarray(steps) - 0.5, steps[-1] + 0.5))
    places = np.searchsorted(np.fft.rfftfreq(PERIOD, 1 / RATE), edges)

    def bands(x):
        power = np.abs(np.fft.rfft(x[-PERIOD:])) ** 2
        return np.array([power[a:b].sum() for a, b in zip(places, places[1:])])

    length = min(len(before), len(after))
    ears = [10 * np.log10(np.maximum(bands(after[:length, ear]), 1e-30) / bands(before[:length, ear]))
            for ear in (0, 1)]
    return np.mean(ears, axis=0) + OUTPUT_SCALE - INPUT_SCALE
