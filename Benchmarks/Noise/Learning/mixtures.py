"""Mixtures of a talker and noise, drawn part by part."""
from typing import NamedTuple
import numpy as np
import voices
from audiograms import EARS, OTHERS, levels
from . import rooms
from .chain import HOP, HOPS, RATE
from .noises import BURSTS, MOSTLY_OWN, around_voice, bursts
from .spectra import ltass
from .talkers import talk, varied_talk, wide_talk

MIXTURES, PARTS = 50, 54  # two clips each; in every third part before VARIED more are in rooms
WIDER = 12    # from this part on: a wider spread of rooms, speakers, levels and equalisation, and bursts in place of a talker
NEWER = 24    # from this part on: the other learning voices, and more ears
VARIED = 34   # from this part on: all learning voices as if many others spoke, mostly in noise of their spectra, at RATIOS
RATIOS, BESIDE = (0, 5, 10), 2  # dB, and how far from them at most
SECONDS = 2 * HOPS * HOP / RATE + .01
OFTEN = [.15, .2, .45, .1, .1]  # how often each of EARS listens
# The same from NEWER on; the rest is ears between two of all.
OFTEN_NEWER = dict(N2=.12, N3=.14, N4=.24, flat=.08, steep=.14, N1=.02, N5=.02, S1=.03, S2=.03, S3=.05)
OFTEN_VARIED = dict(N2=.14, N3=.18, N4=.30, flat=.14, steep=.12, N1=.01, N5=.01, S1=.02, S2=.02, S3=.03)
NOBODY = -1  # in place of a talker's number


class Scene(NamedTuple):
    talker: int
    speech: np.ndarray
    level: float        # dB SPL
    kind: int           # of noise
    around: np.ndarray  # at any level
    lead: int           # hops of silence before


class Mixture(NamedTuple):
    talker: int
    kind: int
    ratio: float        # dB
    speech: np.ndarray
    around: np.ndarray
    ear: object         # name, or hearing levels
    lead: int


def is_wide(part):
    """A part of the wider spread."""
    return part >= WIDER


def has_more_rooms(part):
    return (part % 3 == 2) & (part < VARIED)


def mixtures(part, sounds):
    """Those of a part, one after the other."""
    random = np.random.default_rng(part)
    speak = speaker(part, sounds)
    for _ in range(MIXTURES):
        if part >= VARIED:
            scene, ratio = varied_scene(random, speak), float(random.choice(RATIOS) + random.uniform(-BESIDE, BESIDE))
            yield mixed(scene, ratio, listener(random, part))
            continue
        if is_wide(part) and random.random() < .05:
            scene = burst_scene(random, speak)
        else:
            scene = talking_scene(random, speak, is_wide(part))
        ratio = random.uniform(-3, 13) if random.random() < .88 else random.uniform(13, 40)
        yield mixed(scene, ratio, listener(random, part))


def mixed(scene, ratio, ear):
    return Mixture(scene.talker, scene.kind, ratio, scene.speech, voices.at_level(scene.around, scene.level - ratio), ear, scene.lead)


def listener(random, part):
    """An ear: its name, or hearing levels."""
    if part < NEWER:
        return str(random.choice(list(EARS), p=OFTEN))
    which = random.random()
    for ear, often in (OFTEN_VARIED if part >= VARIED else OFTEN_NEWER).items():
        which -= often
        if which < 0:
            return ear
    one, other = (levels(str(x)) for x in random.choice(list(EARS | OTHERS), 2, replace=False))
    between = one + random.uniform(0, 1) * (other - one) + random.normal(0, 4) + random.normal(0, 3, len(one))
    return tuple(float(x) for x in np.clip(np.rint(between / 5) * 5, 0, 95))


def speaker(part, sounds):
    """Function that draws a talker of that part's spread: of a generator and seconds, the number and the sound."""
    if part >= VARIED:
        return lambda random, seconds: varied_talk(random, seconds, sounds, rooms.VARIED)
    more = has_more_rooms(part)
    if is_wide(part):
        return lambda random, seconds: wide_talk(random, seconds, sounds, rooms.WIDE_MORE if more else rooms.WIDE_FEWER, part >= NEWER)
    return lambda random, seconds: talk(random, seconds, sounds, rooms.MORE if more else rooms.FEWER)


def burst_scene(random, speak):
    speech = bursts(int(SECONDS * RATE), random)
    around = ltass(len(speech), random) if random.random() < .5 else around_voice(random, speech, speak)[1]
    level = random.uniform(50, 75)
    return Scene(NOBODY, voices.at_level(speech, level), level, BURSTS, around, 0)


def varied_scene(random, speak):
    talker, speech = speak(random, SECONDS)
    level = 65 if random.random() < .5 else random.uniform(50, 75)
    speech = voices.at_level(speech, level)
    return Scene(talker, speech, level, *around_voice(random, speech, speak, MOSTLY_OWN), 0)


def talking_scene(random, speak, wide):
    talker, speech = speak(random, SECONDS)
    level = 65 if random.random() < (.35 if wide else .6) else random.uniform(*((45, 80) if wide else (50, 75)))
    speech = voices.at_level(speech, level)
    kind, around = around_voice(random, speech, speak)
    lead = int(random.uniform(.1, 2) * RATE / HOP) if wide and random.random() < .1 else 0
    return Scene(talker, speech, level, kind, around, lead)
