"""Settings of a chain that come nearest to the target, found by measuring and moving them."""

import os

import numpy as np

import signals
import work

ROUNDS = 6  # after which no chain here came closer by a tenth of a decibel
STEP = 0.8  # share of an error that is made good at once: neighbouring bands overlap


def fitted(chain, target, folder):
    """(settings, measured gains) of the round with the least error; the settings are gains: bands by levels."""
    settings = first(chain, target)
    best = None
    for _ in range(1 if settings is None else ROUNDS):
        found = measured(chain, settings, folder)
        error = rms(chain, found - target)
        if best is None or error < best[0]:
            best = error, settings, found
        if settings is not None:
            settings = settings + STEP * by_band(chain, target - found)
    return best[1:]


def first(chain, target):
    if not len(chain.edges):
        return None
    return by_band(chain, target)


def by_band(chain, gains):
    """Mean of levels-by-third-octaves gains over each band; a band that holds no centre has its nearest one's."""
    frequencies = np.log(signals.centres())
    edges = np.log([50, *chain.edges, 16_000])
    result = []
    for low, high in zip(edges, edges[1:]):
        inside = (frequencies >= low) & (frequencies < high)
        if not inside.any():
            inside = np.arange(len(frequencies)) == np.argmin(np.abs(frequencies - (low + high) / 2))
        result.append(gains[:, inside].mean(axis=1))
    return np.array(result)


def rms(chain, error):
    """A linear chain is fitted to ordinary speech alone; its error at the other levels is what it costs to be linear."""
    return np.sqrt(np.mean(np.square(error if chain.compresses else error[1])))


def measured(chain, settings, folder):
    """Gains for speech-shaped noise, dB: levels by third octaves."""
    source, result = os.path.join(folder, "noise.wav"), os.path.join(folder, "heard.wav")
    parts = [signals.noise(level) for level in signals.LEVELS]
    if not os.path.exists(source):
        signals.write(source, np.concatenate(parts))
    work.run(chain.command(source, result, settings), folder)
    before, after = signals.read(source), signals.read(result)
    length = len(parts[0])
    if len(after) < len(before) - signals.RATE:
        raise work.Failed(f"{len(after)} frames came out of {len(before)}")
    # An eighth of a second before the next level: what a chain delays is still of this one.
    ends = [(n + 1) * length - signals.RATE // 8 for n in range(len(parts))]
    return np.array([signals.gains(before[:end], after[:end]) for end in ends])
