"""Mixtures of a talker and noise, drawn part by part."""
from typing import NamedTuple
import numpy as np
import voices
from audiograms import EARS, OTHERS, levels
from . import rooms
from .chain import HOP, HOPS, RATE
from .noises import BURSTS, around_voice, bursts
from .spectra import ltass
from .talkers import talk, wide_talk

MIXTURES, PARTS = 50, 34  # two clips each; in every third part more are in rooms
WIDER = 12    # from this part on: a wider spread of rooms, speakers, levels and equalisation, and bursts in place of a talker
NEWER = 24    # from this part on: the other learning voices, and more ears
SECONDS = 2 * HOPS * HOP / RATE + .01
OFTEN = [.15, .2, .45, .1, .1]  # how often each of EARS listens
# The same from NEWER on; the rest is ears between two of all.
OFTEN_NEWER = dict(N2=.12, N3=.14, N4=.24, flat=.08, steep=.14, N1=.02, N5=.02, S1=.03, S2=.03, S3=.05)
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


def mixtures(part, sounds):
    """Those of a part, one after the other."""
    random = np.random.default_rng(part)
    speak = speaker(part, sounds)
    for _ in range(MIXTURES):
        if is_wide(part) and random.random() < .05:
            scene = burst_scene(random, speak)
        else:
            scene = talking_scene(random, speak, is_wide(part))
        ratio = random.uniform(-3, 13) if random.random() < .88 else random.uniform(13, 40)
        around, ear = voices.at_level(scene.around, scene.level - ratio), listener(random, part)
        yield Mixture(scene.talker, scene.kind, ratio, scene.speech, around, ear, scene.lead)


def listener(random, part):
    """An ear: its name, or hearing levels."""
    if part < NEWER:
        return str(random.choice(list(EARS), p=OFTEN))
    which = random.random()
    for ear, often in OFTEN_NEWER.items():
        which -= often
        if which < 0:
            return ear
    one, other = (levels(str(x)) for x in random.choice(list(EARS | OTHERS), 2, replace=False))
    between = one + random.uniform(0, 1) * (other - one) + random.normal(0, 4) + random.normal(0, 3, len(one))
    return tuple(float(x) for x in np.clip(np.rint(between / 5) * 5, 0, 95))


def speaker(part, sounds):
    """Function that draws a talker of that part's spread: of a generator and seconds, the number and the sound."""
    more = part % 3 == 2
    if is_wide(part):
        return lambda random, seconds: wide_talk(random, seconds, sounds, rooms.WIDE_MORE if more else rooms.WIDE_FEWER, part >= NEWER)
    return lambda random, seconds: talk(random, seconds, sounds, rooms.MORE if more else rooms.FEWER)


def burst_scene(random, speak):
    speech = bursts(int(SECONDS * RATE), random)
    around = ltass(len(speech), random) if random.random() < .5 else around_voice(random, speech, speak)[1]
    level = random.uniform(50, 75)
    return Scene(NOBODY, voices.at_level(speech, level), level, BURSTS, around, 0)


def talking_scene(random, speak, wide):
    talker, speech = speak(random, SECONDS)
    level = 65 if random.random() < (.35 if wide else .6) else random.uniform(*((45, 80) if wide else (50, 75)))
    speech = voices.at_level(speech, level)
    kind, around = around_voice(random, speech, speak)
    lead = int(random.uniform(.1, 2) * RATE / HOP) if wide and random.random() < .1 else 0
    return Scene(talker, speech, level, kind, around, lead)
