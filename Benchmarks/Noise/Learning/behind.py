"""The impaired ear behind the reduction, in JAX: what the gain makes of a clip's envelopes."""
import jax, jax.numpy as jnp, numpy as np
from .chain import DECIBEL, HOP, LONG, RATE, SHORT, SPLIT
from .cochlea import CHANNELS
from .hearing import FINE, KNOTS
from .transforms import through

# FilterStage fades from hop to hop: the share of the hop's own gain in each of its parts.
FADES = [1 + np.sin(2 * np.pi / LONG * HOP * ((k + .5) / FINE - 1)) / np.sin(2 * np.pi / LONG * HOP) for k in range(FINE)]


def envelope_taps():
    """HASPI's filter of envelopes at the rate of parts of hops: weight of both neighbours, and of the value itself."""
    at = np.cos(np.pi * HOP / FINE / RATE / .00217) ** 2
    return np.array([at, 1]) / (1 + 2 * at)


SMOOTHED = envelope_taps()


def timely(power):
    """Powers as of the middle of each hop: those of a window are of its middle, half a window before the hop's end."""
    later = lambda x, by: jnp.concatenate([x[by:], jnp.repeat(x[-1:], by, 0)])
    halves = [((length - HOP) // 2 // HOP, bands) for length, bands in ((LONG, slice(0, SPLIT)), (SHORT, slice(SPLIT, None)))]
    return jnp.concatenate([later(power[:, bands], by) for by, bands in halves], 1)


def channel_factors(attenuation, clip):
    """Factor of power in each channel that an attenuation of bands (dB) makes."""
    shares, power = clip["shares"].T, timely(clip["power"])
    return ((power * jnp.exp(-attenuation / DECIBEL)) @ shares + 1e-20) / (power @ shares + 1e-20)


def gain_heard(factor, clip):
    """Gain of each channel's envelope, dB, FINE times in each hop."""
    amplitude = jnp.sqrt(factor)
    former = jnp.concatenate([amplitude[:1], amplitude[:-1]])
    faded = jnp.stack([a * amplitude + (1 - a) * former for a in FADES], 1).reshape(-1, CHANNELS)
    gain = 2 * DECIBEL * jnp.log(faded)
    gain = SMOOTHED[1] * gain + SMOOTHED[0] * (jnp.concatenate([gain[:1], gain[:-1]]) + jnp.concatenate([gain[1:], gain[-1:]]))
    # Where an envelope is read later than its channel delays it, the gain is that of later, too.
    moments = jnp.arange(len(gain))[:, None] + clip["later"]
    return jnp.take_along_axis(gain, jnp.clip(moments, 0, len(gain) - 1), 0)


def heard_behind(gain, clip, response):
    """The clip as heard with that gain, dB above threshold: between KNOTS, then adapted (by its `response`)."""
    place = jnp.clip(gain / KNOTS[1], 0, len(KNOTS) - 1)
    heard = sum(jax.nn.relu(1 - jnp.abs(place - k)) * clip["heard"][:, k] for k in range(len(KNOTS)))
    place = place / (len(KNOTS) - 1)
    return jax.nn.relu(through(heard, response, jnp.fft) + (1 - place) * clip["clipped"][:, 0] + place * clip["clipped"][:, 1])
