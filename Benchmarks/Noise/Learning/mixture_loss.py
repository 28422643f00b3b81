"""What is made small for each clip of noise around a voice."""
import jax, jax.numpy as jnp, numpy as np
from .behind import timely
from .chain import DECIBEL, HOP, HOPS, RATE
from .network import DEPTH
from .noises import BABBLE, BURSTS

# Weights of the correlations by themselves: HASPI's networks weigh 4 to 8 Hz most.
CORRELATIONS = np.array([1, 2, 1.5, .5, .3, .2, .2, .2, .2, .2]) / 6.3
MILD = 7.5  # dB; ratios from there on are those of soft noise, at which there is least to gain and most to lose
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
    return weight * total + judge * jnp.where(clip["asked"] > 0, 1, .2) * ratio_loss(gained, clip) + .005 * taken


def severe_loss(haspi, hasqi, room, often, clip):
    """A gain of HASPI below 0.05 (half where the loss is not severe; in babble below 0) and of HASQI below 0.03, by their squares:
    of HASPI more so behind severe losses above 3 dB, of HASQI at ratios of MILD and above."""
    babble, mild = clip["kind"] == BABBLE, (clip["ratio"] >= MILD) & (clip["ratio"] < 14)
    intelligibility, quality = jax.nn.relu(jnp.where(babble, 0, jnp.minimum(.05, room)) - haspi), jax.nn.relu(.03 - hasqi)
    of_haspi = jnp.where(clip["severe"] > 0, jnp.where(clip["ratio"] > 3, 1600, 1200), 600) * squared(intelligibility)
    return of_haspi + jnp.where(babble, 500, jnp.where(mild, 3000, 2000)) * squared(quality) * often


def ratio_loss(gained, clip):
    """A ratio gained of less than 4.8 dB, softly (more where the loss is severe, and again at ratios of MILD and above; less below 3 dB),
    and of less than 4.4 and 4.1 dB, by its square."""
    short, less = (jax.nn.relu(x - gained) for x in (4.4, 4.1))
    pull = jnp.where(clip["severe"] > 0, jnp.where(clip["ratio"] >= MILD, .6, .5), .45) * jnp.where(clip["ratio"] < 3, .6, 1)
    return pull * jax.nn.softplus(2 * (4.8 - gained)) + 2 * short**2 + 3 * less**2


def squared(x):
    """A line beyond 0.1: no single clip rules a step."""
    return jnp.where(x < .1, x**2, .2 * x - .01)
