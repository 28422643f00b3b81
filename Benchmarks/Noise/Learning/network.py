"""The network of NoiseModel in JAX: its weights at the beginning, and the share of the full reduction it asks."""
import jax, jax.numpy as jnp, numpy as np
from voices import FULL_SCALE
from .chain import CLOSING, COUNT, SILENCE, share

READING, UNITS, SUMS = 32, 40, 12
DEPTH = 16.0  # dB, the full reduction
JITTER, OFFSET = .03, .1  # added to what the network reads: to each value, and to all levels of a piece and those of each band

HEARD = ("aidedReading", "aidedShared", "aidedDirect")  # weights of what is read of ear and prescription


def beginning():
    random = np.random.default_rng(0)
    drawn = lambda *shape, scale=1: random.standard_normal(shape) * scale / np.sqrt(shape[0])
    turned = lambda: np.linalg.qr(random.standard_normal((UNITS, UNITS)))[0]
    weights = dict(
        reading=drawn(3 * COUNT, READING), readingConstant=np.zeros(READING), gates=drawn(READING, 3 * UNITS),
        gatesConstant=np.repeat([0., 1, 0], UNITS), recurrence=np.concatenate([turned() for _ in range(3)], 1),
        candidateConstant=np.zeros(UNITS), shared=drawn(UNITS, SUMS), sharedConstant=np.zeros(SUMS),
        direct=drawn(UNITS, COUNT, scale=.3), directConstant=np.zeros(COUNT), own=drawn(9, SUMS), place=drawn(2, SUMS, scale=.5),
        output=drawn(SUMS), aidedReading=np.zeros((COUNT, READING)), aidedShared=np.zeros((COUNT, SUMS)),
        aidedDirect=np.zeros((COUNT, COUNT)))
    return {name: x.astype(np.float32) for name, x in weights.items()}


def network(weights, ratios, power, hearing, key=None):
    """Share of the full reduction, clips × hops × bands, asked every other hop; bands open at once and close with CLOSING.
    `hearing`: what is read of ear and prescription, clips × bands. `key`: of the noise added to what is read; None: none."""
    now, middle, long = (ratios[:, ::2, k] for k in range(3))
    level = jnp.clip((10 * jnp.log10(power[:, ::2] + SILENCE) + FULL_SCALE - 45) / 20, -2, 2.5)
    if key is not None:
        first, second, third, fourth = jax.random.split(key, 4)
        moved = JITTER * jax.random.normal(first, (4, *now.shape))
        now, middle, long = now + moved[0], middle + moved[1], long + moved[2]
        level += moved[3] + OFFSET * (jax.random.normal(second, (len(now), 1, 1)) + jax.random.normal(fourth, (len(now), 1, COUNT)))
        hearing += OFFSET * jax.random.normal(third, (len(now), COUNT + 1)) @ jnp.concatenate([.5 * jnp.eye(COUNT), jnp.ones((1, COUNT))])
    own = of_bands(now, middle, long)
    added = {name: (hearing @ weights[name])[:, None] for name in HEARD}
    states = of_units(weights, jnp.concatenate([now, middle, level], -1), added["aidedReading"])
    place = jnp.linspace(-1, 1, COUNT)[:, None]
    sums = own @ weights["own"] + place * weights["place"][0] + place**2 * weights["place"][1]
    sums += (states @ weights["shared"] + weights["sharedConstant"] + added["aidedShared"])[:, :, None]
    return closing(jax.nn.sigmoid(
        jax.nn.relu(sums) @ weights["output"] + states @ weights["direct"] + weights["directConstant"] + added["aidedDirect"]))


def of_bands(now, middle, long):
    """The nine values of each band: its own ratios and its neighbours'."""
    beside = lambda x, by: x[..., np.clip(np.arange(COUNT) + by, 0, COUNT - 1)]
    return jnp.stack([now, beside(now, -1), beside(now, 1), beside(now, -2), beside(now, 2), middle, beside(middle, -1),
                      beside(middle, 1), long], -1)


def of_units(weights, common, added):
    """States of the gated units, which read what is common to all bands; `added` to the rectified sums by the ear."""
    read = jax.nn.relu(common @ weights["reading"] + weights["readingConstant"] + added)
    gates = read @ weights["gates"] + weights["gatesConstant"]

    def step(state, sums):
        former = state @ weights["recurrence"]
        reset, keep = (jax.nn.sigmoid(sums[:, k] + former[:, k]) for k in (slice(0, UNITS), slice(UNITS, 2 * UNITS)))
        candidate = jnp.tanh(sums[:, 2 * UNITS:] + reset * (former[:, 2 * UNITS:] + weights["candidateConstant"]))
        state = keep * state + (1 - keep) * candidate
        return state, state

    _, states = jax.lax.scan(step, jnp.zeros((len(common), UNITS)), gates.transpose(1, 0, 2), unroll=4)
    return states.transpose(1, 0, 2)


def closing(wanted):
    """What is wanted every other hop, as it is in force in each: less at once, more with CLOSING."""
    def close(held, wanted):
        moved = lambda x: x + jnp.where(wanted < x, 1, share(CLOSING)) * (wanted - x)
        first = moved(held)
        second = moved(first)
        return second, (first, second)

    _, pairs = jax.lax.scan(close, jnp.zeros_like(wanted[:, 0]), wanted.transpose(1, 0, 2), unroll=8)
    return jnp.stack(pairs, 1).reshape(-1, *wanted[:, 0].shape).transpose(1, 0, 2)
