"""Noises around a voice, and bursts that stand for one."""
import numpy as np
import voices
from .chain import RATE
from .spectra import coloured, equalised, ltass, shaped

# Kinds: the voice's own spectrum, coloured, another voice's spectrum, several voices; and any noise around bursts.
OWN, COLOURED, OTHER, BABBLE, BURSTS = range(5)


# Shares of kinds, summed up: of OWN; with COLOURED; with OTHER. The rest is BABBLE.
USUAL, MOSTLY_OWN = (.7, .78, .88), (.85, .9, .95)


def around_voice(random, speech, speak, shares=USUAL):
    """Kind, and noise."""
    which = random.random()
    if which < shares[0]:
        return OWN, shaped(speech, random)
    if which < shares[1]:
        return COLOURED, coloured(len(speech), random)
    if which < shares[2]:
        return OTHER, shaped(speak(random, 6)[1][:len(speech)], random)
    others = [speak(random, len(speech) / RATE + .01)[1][:len(speech)] for _ in range(int(random.integers(4, 10)))]
    return BABBLE, sum(voices.at_level(x, 60 + random.normal(0, 2)) for x in others)


def bursts(count, random):
    """Noise in bursts, a voice that is no voice: as whispering and fricatives are, and as Signal.speechLike of the tests is."""
    noise, result = ltass(count, random), np.zeros(count)
    if random.random() < .3:
        noise = equalised(noise, random)
    usual = random.random() < .7
    start = index = 0
    while start < count:
        length = RATE // 4 if usual else int(random.uniform(.12, .4) * RATE)
        end = min(count, start + length)
        if (index % 6 != 5) if usual else random.random() > .2:
            x = np.arange(end - start) / length
            result[start:end] = 10 ** (random.uniform(-4, 12) / 20) * (.5 - .5 * np.cos(2 * np.pi * x**.7)) * noise[start:end]
        start, index = start + length, index + 1
    return result
