"""Noise alone, and bursts in noise: of these only ratios and powers are made."""
import numpy as np
import voices
from . import rooms
from .chain import HOP, HOPS, RATE, band_powers, ratios
from .noises import bursts
from .spectra import coloured, harmonic, ltass, peaky, shaped
from .talkers import talk, wide_talk

# Sounds of each kind; steady and bursty ones give two pieces, and those with an onset and with a fall are as many (with_falls).
STEADY, WITH_ONSET, BURSTY, FALLING = 260, 160, 120, 160
SETTLED = int(3.5 * RATE / HOP)  # hops from the onset of a noise on, from which it must be reduced: NoiseFloor knows it after 2.3 s
LONGER = 5504                  # hops of a piece with an onset or a fall: 8 s
HALVES = (slice(0, HOPS), slice(HOPS, 2 * HOPS))


def make_alone(path, sounds):
    """Steady pieces of 3 s; longer ones that set in after silence or after 30 dB less; and bursts in noise, whose powers apart stand
    with them: into a file."""
    random = np.random.default_rng(778)
    found = steady(random, sounds) | with_onset(random, sounds) | in_bursts(random)
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def make_falls(path, sounds):
    """Longer pieces in which a noise becomes softer by 20 to 35 dB, or another noise sets in after one that is softer by as much: by
    bands that is a fall, too, where the softer one's power lies. Mostly of voices' spectra; into a file."""
    random = np.random.default_rng(779)
    found = {"fall_ratios": [], "fall_power": [], "fall_onset": []}
    for index in range(FALLING):
        count, start, by = LONGER * HOP, int(random.uniform(1, 3) * RATE), 10 ** (random.uniform(20, 35) / 20)
        noise = lambda length: voices.at_level(falling_noise(random, length, sounds), 65)
        if index % 2:
            x = noise(count)
            x[start:] /= by
        else:
            before = voices.at_level(random.standard_normal(start), 65) if index % 4 else noise(start)
            x = np.concatenate([before / by, noise(count - start)])
        power = band_powers(x * 10 ** (random.uniform(-10, 15) / 20))
        found["fall_ratios"].append(ratios(power).astype(np.float16))
        found["fall_power"].append(power.astype(np.float32))
        found["fall_onset"].append(start // HOP)
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def falling_noise(random, count, sounds):
    return voice_shaped(random, count, sounds, random.random() < .5) if random.random() < .85 else any_noise(random, count, sounds)


def steady(random, sounds):
    found = {"ratios": [], "power": []}
    for _ in range(STEADY):
        power = band_powers(voices.at_level(any_noise(random, 2 * HOPS * HOP, sounds), random.uniform(45, 80)))
        for half in HALVES:
            found["ratios"].append(ratios(power)[half].astype(np.float16))
            found["power"].append(power[half].astype(np.float32))
    return found


def with_onset(random, sounds):
    found = {"long_ratios": [], "long_power": [], "onset": []}
    for index in range(WITH_ONSET):
        count, start = LONGER * HOP, int(random.uniform(.1, 2) * RATE)
        x = voices.at_level(any_noise(random, count - start, sounds), random.uniform(45, 80))
        before = np.zeros(start) if index % 2 else np.sqrt((x**2).mean()) * 10**-1.5 * (
            random.standard_normal(start) if index % 4 == 0 else ltass(start, random) / np.sqrt((ltass(start, random) ** 2).mean()))
        power = band_powers(np.concatenate([before, x]))
        found["long_ratios"].append(ratios(power).astype(np.float16))
        found["long_power"].append(power.astype(np.float32))
        found["onset"].append(start // HOP)
    return found


def in_bursts(random):
    found = {"burst_ratios": [], "burst_power": [], "burst_speech": []}
    for _ in range(BURSTY):
        count, level = 2 * HOPS * HOP, random.uniform(50, 75)
        speech = voices.at_level(bursts(count, random), level)
        around = ltass(count, random) if random.random() < .6 else shaped(speech, random)
        around = voices.at_level(around, level - random.uniform(2, 9))
        power = band_powers(speech + around)
        for half in HALVES:
            found["burst_ratios"].append(ratios(power)[half].astype(np.float16))
            found["burst_power"].append(power[half].astype(np.float32))
            found["burst_speech"].append(np.stack([band_powers(speech)[half], band_powers(around)[half]]).astype(np.float32))
    return found


def any_noise(random, count, sounds):
    which = random.random()
    if which < .2:
        return ltass(count, random)
    if which < .75:
        return voice_shaped(random, count, sounds)
    return (coloured, peaky, harmonic)[int(random.integers(3))](count, random)


def voice_shaped(random, count, sounds, newer=False):
    """Noise of a voice's spectrum, or of a few of its sounds' only: an uneven spectrum. `newer`: of the later voices."""
    wide = random.random() < .6
    x = wide_talk(random, 8, sounds, rooms.WIDE_FEWER, newer)[1] if wide or newer else talk(random, 8, sounds, rooms.FEWER)[1]
    if random.random() < .4:
        start = random.integers(0, len(x) - RATE)
        x = x[start:start + int(random.uniform(.4, 1) * RATE)]
        # What lies between two words has no spectrum of a voice.
        x = np.resize(x, 8 * RATE) if (x**2).mean() > 1e-3 else coloured(8 * RATE, random)
    return shaped(np.resize(x, count), random)
