"""Learning voices as other talkers: at another pitch and speed, with other pauses, in a room, through another microphone."""
from typing import NamedTuple
import numba, numpy as np, scipy.signal as ss
import voices
from .chain import RATE
from .recordings import EARLY, learning, recording
from .rooms import any_room
from .spectra import any_background, coloured_voice, equalised

LONGEST = 6  # s of a recording at once


class Manner(NamedTuple):
    """How one talks."""
    shift: float   # factor of pitch and speed
    longer: float  # factor of length besides, at the same pitch
    room: object   # impulse response or None
    gaps: tuple    # shortest and longest pause, s
    spread: float  # standard deviation of the recordings' levels, dB


def talk(random, seconds, sounds, rooms):
    """One of the EARLY learning voices (its number), and its sound."""
    number = int(random.integers(EARLY))
    manner = Manner(
        shift=2 ** (random.uniform(-4, 4) / 12) if random.random() < .7 else 1, longer=1, room=any_room(random, rooms),
        gaps=(.1, .5) if random.random() < .7 else (.02, .15), spread=1.5)
    x = in_turn(random, number, seconds, sounds, manner)
    return number, equalised(x, random) if random.random() < .7 else x


def wide_talk(random, seconds, sounds, rooms, newer=False):
    """As `talk`, of a wider spread; `newer`: of the voices after the EARLY ones."""
    number = int(random.integers(*((EARLY, len(learning(sounds))) if newer else (0, EARLY))))
    shift = 2 ** random.uniform(-.32, .32) if random.random() < .85 else 1
    manner = Manner(
        shift=shift, longer=shift if random.random() < .5 else 1, room=any_room(random, rooms),
        gaps=((.1, .5), (.02, .15), (.3, 1.2))[int(random.choice(3, p=[.55, .3, .15]))], spread=random.uniform(0, 4))
    x = in_turn(random, number, seconds, sounds, manner)
    if random.random() < .85:
        x = equalised(x, random, 5.)
    if random.random() < .15:
        x = ss.sosfilt(ss.butter(4, random.uniform(3500, 9000), fs=RATE, output="sos"), x)
    return number, x


def varied_talk(random, seconds, sounds, rooms):
    """Any learning voice, as if by very many others: of another colour, pitch and speed, in more rooms, at a moving level, in the
    background noise of a recording."""
    number = int(random.integers(len(learning(sounds))))
    shift = 2 ** random.uniform(-.32, .32) if random.random() < .85 else 1
    kept = shift if random.random() < .5 else 1
    manner = Manner(
        shift=shift, longer=kept * (2 ** random.uniform(-.32, .32) if random.random() < 1 / 3 else 1), room=any_room(random, rooms),
        gaps=((.1, .5), (.02, .15), (.3, 1.2))[int(random.choice(3, p=[.6, .3, .1]))], spread=random.uniform(0, 4))
    x = coloured_voice(in_turn(random, number, seconds, sounds, manner), random)
    if random.random() < .25:
        x = ss.sosfilt(ss.butter(4, random.uniform(6500, 9000), fs=RATE, output="sos"), x)
    if random.random() < 1 / 3:
        x = moving(x, random)
    if random.random() < .2:
        # Part of what is compared with: a recording's own noise is nothing that the reduction could know from the voice.
        x = x + voices.at_level(any_background(x, random), voices.FULL_SCALE + 10 * np.log10((x**2).mean()) - random.uniform(25, 40))
    return number, x


def moving(x, random):
    """Louder and softer by up to 4 dB, slowly: a level every 1 to 2 s, and between them the way."""
    times = np.cumsum(random.uniform(1, 2, int(len(x) / RATE) + 2)) - 1
    return x * 10 ** (np.interp(np.arange(len(x)) / RATE, times, random.uniform(-4, 4, len(times))) / 20)


def in_turn(random, number, seconds, sounds, manner):
    """The recordings of a voice one after the other, from the first on again where they are too short."""
    parts, total = [], 0
    for name in random.permutation(voices.files(learning(sounds)[number], sounds)):
        x = spoken(random, recording(str(name)), manner)
        if x is None or not len(x):
            continue
        parts += [x * 10 ** (random.normal(0, manner.spread) / 20), np.zeros(int(random.uniform(*manner.gaps) * RATE))]
        total += len(parts[-2]) + len(parts[-1])
        if total >= seconds * RATE:
            break
    return np.resize(np.concatenate(parts), int(seconds * RATE))


def spoken(random, x, manner):
    """One recording in that manner; None or empty: too short."""
    if len(x) > (LONGEST + 1) * RATE:
        start = random.integers(0, len(x) - LONGEST * RATE)
        x = x[start:start + LONGEST * RATE]
    if len(x) and manner.shift != 1:
        x = ss.resample(x, int(len(x) / manner.shift))
    if manner.longer != 1 and len(x) > RATE / 5:
        x = stretched(x, manner.longer)
    if len(x) and manner.room is not None:
        x = voices.spoken(ss.oaconvolve(x, manner.room))
    return x


@numba.njit
def stretched(x, factor):
    """x, `factor` times as long at the same pitch: frames overlapped where they fit best (Verhelst & Roelands 1993)."""
    half, reach = 660, 330
    count = int(len(x) * factor)
    result, window = np.zeros(count + 2 * half), .5 - .5 * np.cos(np.pi * (np.arange(2 * half) + .5) / half)
    last = 0
    for frame in range(count // half):
        at = int(frame * half / factor)
        if frame > 0:
            best, most = at, -1e30
            for candidate in range(max(0, at - reach), at + reach, 3):
                if candidate + 2 * half > len(x) or last + 3 * half > len(x):
                    break
                total = 0.
                for k in range(0, half, 3):
                    total += x[last + half + k] * x[candidate + k]
                if total > most:
                    best, most = candidate, total
            at = best
        if at + 2 * half > len(x):
            break
        for k in range(2 * half):
            result[frame * half + k] += window[k] * x[at + k]
        last = at
    return result[:count]
