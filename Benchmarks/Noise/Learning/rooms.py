"""Impulse responses of rooms, drawn at random."""
from typing import NamedTuple
import numpy as np, scipy.signal as ss
from .chain import RATE

SOUND = 343  # m/s


class Rooms(NamedTuple):
    """How often a talker is in which room; else in none."""
    tails: float       # share of rooms made of a tail of noise
    boxes: float       # share of those and of shoeboxes
    tail_times: tuple  # reverberation times, s
    box_times: tuple
    largest: tuple = (8, 6, 3.5)  # m, of a shoebox
    direct: tuple = (-4, 12)      # least and greatest of the direct sound's level over a tail's, dB


FEWER, MORE = Rooms(.3, .5, (.2, 1.2), (.2, 1)), Rooms(.55, .75, (.4, 1.4), (.2, 1))
WIDE_FEWER, WIDE_MORE = (Rooms(*shares, (.15, 1.6), (.15, 1.4), (12, 9, 4.5)) for shares in ((.3, .55), (.5, .75)))
VARIED = Rooms(.3, .45, (.3, 1.3), (.3, 1.3), (12, 9, 4.5), (-6, 15))


def any_room(random, rooms):
    """Impulse response; None: no room."""
    which = random.random()
    if which < rooms.tails:
        return noise_room(random, random.uniform(*rooms.tail_times), rooms.direct)
    if which < rooms.boxes:
        return image_room(random, random.uniform(*rooms.box_times), rooms.largest)
    return None


def image_room(random, time, largest):
    """Impulse response of a shoebox by image sources (Allen & Berkley 1979), the same absorption everywhere."""
    size = random.uniform([3, 2.5, 2.3], largest)
    area = 2 * (size[0] * size[1] + size[0] * size[2] + size[1] * size[2])
    kept = np.sqrt(max(0, 1 - min(.95, .161 * size.prod() / (area * time))))
    source, microphone, count = random.uniform(.3, .7, 3) * size, random.uniform(.15, .85, 3) * size, int(min(time, .9) * RATE)
    orders = np.minimum(np.ceil(count / RATE * SOUND / (2 * size)).astype(int), 14)
    grid, result = np.meshgrid(*[np.arange(-o, o + 1) for o in orders], indexing="ij"), np.zeros(count + 64)
    for mirrored in np.ndindex(2, 2, 2):
        at = [(1 - 2 * m) * s + 2 * g * length - p for m, s, g, length, p in zip(mirrored, source, grid, size, microphone)]
        distance = np.sqrt(sum(x**2 for x in at))
        walls = sum(np.abs(g - m) + np.abs(g) for g, m in zip(grid, mirrored))
        place = (distance / SOUND * RATE).astype(int)
        near = (place < count) & (distance > .05)
        np.add.at(result, place[near], kept ** walls[near] / distance[near] * random.choice([-1, 1], near.sum()) ** (walls[near] > 2))
    return result[np.flatnonzero(result)[0]:]


def noise_room(random, time, direct):
    """Direct sound and a tail of noise that decays by 60 dB in `time`, longer low and shorter high."""
    count = int(time * 1.1 * RATE)
    t, tail = np.arange(count) / RATE, np.zeros(count)
    for low, high, factor in ((60, 500, random.uniform(.9, 1.4)), (500, 2000, 1), (2000, 6000, random.uniform(.6, 1)),
                              (6000, 16000, random.uniform(.35, .8))):
        band = ss.butter(2, [low, high], "band", fs=RATE, output="sos")
        tail += ss.sosfilt(band, random.standard_normal(count)) * 10 ** (-3 * t / (time * factor))
    tail = np.concatenate([np.zeros(int(random.uniform(.002, .02) * RATE)), tail]) / np.sqrt((tail**2).sum())
    tail *= 10 ** (random.uniform(*direct) / -20)
    tail[0] = 1
    return tail
