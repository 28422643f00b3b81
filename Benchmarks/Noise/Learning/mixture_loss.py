"""What is made small for each clip of noise around a voice."""
import jax, jax.numpy as jnp, numpy as np
from .behind import timely
from .chain import DECIBEL, HOP, HOPS, RATE
from .network import DEPTH
from .noises import BABBLE, BURSTS

# Weights of the correlations by themselves: HASPI's networks weigh 4 to 8 Hz most.
CORRELATIONS = np.array([1, 2, 1.5, .5, .3, .2, .2, .2, .2, .2]) / 6.3
UNSETTLED = RATE // (2 * HOP)  # hops in which the chain meets the noise: not counted in ratios


def judged_by(evaluate):
    """A function of the network's share and of the clip: what `evaluate` gives, how much the ratio gains behind NAL-R, dB, and what
    is taken from bands where speech stands out."""
    def judged(share, clip):
        attenuation = DEPTH * share
        found = evaluate(attenuation, clip)
        power = jnp.exp(-attenuation / DECIBEL) * clip["prescription"]
        counts = jnp.where((jnp.arange(HOPS)[:, None] < UNSETTLED) & clip["first"], 0., 1.)
        speech, noise = timely(clip["speech"]), timely(clip["noise"])
        ratio = lambda p: jnp.log((p * speech * counts).sum()) - jnp.log((p * noise * counts).sum())
        sure = (clip["speech"] / (clip["speech"] + clip["noise"])) ** 4
        return *found, DECIBEL * (ratio(power) - ratio(clip["prescription"])), (sure * attenuation**2).sum() / (sure.sum() + 1)

    return judged


def ratio_judged(clip):
    """1 where the gain in ratio is asked for."""
    return jnp.where((clip["kind"] != BABBLE) & (clip["ratio"] < 13) & (clip["sudden"] == 0), 1., 0.)


def mixture_loss(changes, gained, taken, room, clip):
    """Of each clip: less of HASPI (its value, logit and correlations) and HASQI; any gain of HASPI below `room` (0.05, or 0.6 of what
    is missing to 1) and of HASQI below 0.02, more so and by its square, HASQI doubly at 4 to 14 dB; behind N4 more, see there; the
    ratio gained; what is taken from bands where speech stands out."""
    haspi, logit, correlations, hasqi = changes
    judge = ratio_judged(clip)
    weight = jnp.where((clip["kind"] == BURSTS) | (clip["sudden"] > 0), .3, 1.)
    worse, poorer = (jax.nn.relu(x) for x in (room - haspi, .02 - hasqi))
    total = -3 * haspi - .4 * logit - 4 * correlations @ CORRELATIONS - 2 * hasqi + 10 * worse + 150 * squared(worse)
    often = jnp.where(clip["kind"] == BABBLE, .3, 1) * jnp.where((clip["ratio"] > 4) & (clip["ratio"] < 14), 2, 1)
    total += 8 * (poorer + 30 * poorer**2) * often
    total += severe_loss(haspi, hasqi, room, often, clip)
    return weight * total + judge * jnp.where(clip["asked"] > 0, 1, .5) * ratio_loss(gained, clip) + .005 * taken


def severe_loss(haspi, hasqi, room, often, clip):
    """A gain of HASPI below 0.02 and of HASQI below 0.01, by their squares; half where the loss is not severe."""
    intelligibility, quality = jax.nn.relu(jnp.minimum(.02, room) - haspi), jax.nn.relu(.01 - hasqi)
    each = 800 * squared(intelligibility) + 1500 * squared(quality) * often
    return jnp.where(clip["severe"] > 0, 1, .5) * jnp.where(clip["kind"] == BABBLE, .5, 1) * each


def ratio_loss(gained, clip):
    """A ratio gained of less than 5 dB, softly, and of less than 4.7 and 4.4 dB, by its square; where the loss is severe 4.8, 4.5 and
    4 dB."""
    soft, first, second = (jnp.where(clip["severe"] > 0, a, b) for a, b in ((4.8, 5.), (4.5, 4.7), (4., 4.4)))
    short, less = (jax.nn.relu(x - gained) for x in (first, second))
    return .2 * jax.nn.softplus(2 * (soft - gained)) + short**2 + 2 * less**2


def squared(x):
    """A line beyond 0.1: no single clip rules a step."""
    return jnp.where(x < .1, x**2, .2 * x - .01)
