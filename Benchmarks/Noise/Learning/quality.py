"""HASQI v2 of what is heard, in JAX: envelopes, fine structure, long-term spectrum."""
import jax, jax.numpy as jnp, numpy as np
from .behind import timely
from .chain import DECIBEL
from .cochlea import CHANNEL_CENTRES, CHANNELS
from .references import CEPSTRA, blur
from .transforms import through


def blurring(length):
    """Response of HASQI's windows at the frequencies of a transform."""
    window, q = blur(), np.arange(len(blur())) - (len(blur()) - 1) / 2
    return jnp.array(np.cos(2 * np.pi * np.outer(np.fft.rfftfreq(length), q)) @ window, jnp.float32)


def quality_of(length):
    """Function of what is heard (dB, hops × channels), of the factor of power in each channel, and of the clip: HASQI."""
    response = blurring(length)
    blurred = lambda x: through(x, response, jnp.fft)
    synchrony = jnp.array((3500. ** 10 / (3500. ** 10 + CHANNEL_CENTRES ** 10)) ** .5, jnp.float32)

    def envelopes(heard, clip):
        counts = clip["moments"][:, None]
        centred = lambda x: (x - (x * counts).sum(0) / counts.sum()) * counts
        x, y = centred(clip["cepstra"]), centred(blurred(heard @ CEPSTRA))
        return (jnp.abs((x * y).sum(0)) / jnp.sqrt((x**2).sum(0) * (y**2).sum(0) + 1e-6)).mean()

    def fine_structure(heard, factor, clip):
        # A factor that moves within a window lowers the covariance of fine structure; so does what sinks into the ear's noise.
        steady = blurred(jnp.sqrt(factor)) / jnp.sqrt(blurred(factor) + 1e-9)
        alike = jnp.sqrt(jnp.clip((timely(clip["speech"]) @ clip["shares"].T) / (timely(clip["power"]) @ clip["shares"].T + 1e-20), 0, 1))
        sunk = jnp.exp(-(blurred(heard) + 10) / DECIBEL)
        tiles = clip["tiles"] * synchrony * clip["moments"][:, None]
        return (tiles * alike * steady / jnp.sqrt(1 + sunk)).sum() / (tiles.sum() + 1)

    return lambda heard, factor, clip: envelopes(heard, clip)**2 * fine_structure(heard, factor, clip) * linear(factor, clip)


def linear(factor, clip):
    """What the long-term spectrum has changed."""
    ohc, knee, ratio, ihc = clip["static"]
    level = lambda db: DECIBEL * jnp.log((10 ** (db / 10) * factor).mean(0))
    spectrum = jax.nn.relu(level(clip["powers"][:, 0]) - ohc
                           - (jnp.clip(level(clip["powers"][:, 1]), knee, 100.) - knee) * (1 - 1 / ratio) - ihc)
    before, after = 10 ** (clip["spectrum"] / 20), 10 ** (spectrum / 20)
    change = before / before.sum() - after / after.sum()
    return .579 * (1 - CHANNELS * change.std() / 2.5) + .421 * (1 - CHANNELS * (change[1:] - change[:-1]).std())
