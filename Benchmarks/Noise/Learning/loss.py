"""What is made small: the loss of noise around a voice, of noise alone, of a voice alone, and of bursts."""
import jax, jax.numpy as jnp, numpy as np
from .alone import SETTLED
from .behind import timely
from .chain import COUNT, DECIBEL, HOP, HOPS, RATE
from .mixture_loss import judged_by, mixture_loss, ratio_judged
from .network import DEPTH, network

SELDOM = 2  # pieces with an onset or a fall count in every second step
MET = RATE // (4 * HOP)  # hops in which the chain meets a noise: not counted where there is noise alone, or bursts


def loss_of(evaluate):
    """A function of the weights and of a batch (see Material): the loss, and what of it is shown. `key`: of the noise added to what
    the network reads; `seldom`: pieces with an onset or a fall count."""
    judged = jax.vmap(judged_by(evaluate))

    def loss(weights, clip, before, alone, clean, longer, burst, key, seldom=True):
        keys = (None, None) if key is None else jax.random.split(key)
        shares, silent, lone, bursting = shares_of(weights, (clip, alone, clean, burst), keys[0])
        clip = widened(clip)
        *found, gained, taken = judged(shares, clip)
        room = jnp.minimum(.05, .6 * (1 - before[0]))
        changes = [a - b for a, b in zip(found, before)]
        total = mixture_loss(changes, gained, taken, room, clip)
        open_ = 1 - silent[:, MET:]
        alone_cost = (open_**2).mean() + 5 * (open_**4).mean()
        late_cost = onset_loss(weights, longer, keys[1], seldom)
        lost = voice_loss(lone, clean)
        burst_cost, burst_gain = burst_loss(bursting, burst)
        value = total.mean() + 5 * alone_cost + 10 * late_cost + 3 * lost.mean() + .6 * burst_cost
        return value, jnp.stack([*shown_of_mixtures(changes, gained, clip), (open_**2).mean(), late_cost, burst_gain, lost.mean()])

    return loss


def shares_of(weights, sources, key):
    """The network's shares for each source, all asked at once."""
    steps = np.cumsum([len(source["power"]) for source in sources[:-1]])
    join = lambda name: jnp.concatenate([source[name].astype(jnp.float32) for source in sources])
    return jnp.split(network(weights, join("ratios"), join("power"), join("hearing"), key), steps)


def widened(clip):
    """Halves and flags as Floats, but for what says where."""
    return {name: x.astype(jnp.float32) if x.dtype in (jnp.float16, bool) and name != "first" else x for name, x in clip.items()}


def onset_loss(weights, longer, key, seldom):
    """What noise alone opens from 4 s on after it set in or became softer, by its square and fourth power; without a key always."""
    def after_onset():
        late = 1 - network(weights, longer["ratios"].astype(jnp.float32), longer["power"], longer["hearing"], key)
        counts = (jnp.arange(late.shape[1]) >= longer["onset"][:, None] + SETTLED).astype(jnp.float32)
        return ((late**2 + 5 * late**4).mean(-1) * counts).sum() / counts.sum()

    return after_onset() if key is None else SELDOM * jax.lax.cond(seldom, after_onset, lambda: 0.)


def voice_loss(lone, clean):
    """Of each voice alone: what it loses in any band beyond 0.15 dB, by its square."""
    power = clean["power"].sum(1)
    lost = -DECIBEL * jnp.log((jnp.exp(-DEPTH * lone / DECIBEL) * clean["power"]).sum(1) / power)
    heard = power > 1e-4 * power.max(1, keepdims=True)
    return (jax.nn.relu(lost - .15) ** 2 * heard).sum(1) / heard.sum(1)


def burst_loss(bursting, burst):
    """Bursts, 12 dB deep as in the test, each behind one prescription: a ratio gained of less than 4.8 dB, and what they lose beyond
    1.3 dB, by their squares; and the gain, dB."""
    factor = jnp.exp(-12 * bursting[:, MET:] / DECIBEL)
    both = jnp.stack([timely(x) for x in burst["speech"].reshape(-1, HOPS, COUNT)]).reshape(-1, 2, HOPS, COUNT)[:, :, MET:]
    through = burst["prescription"][:, None, None] * both
    change = DECIBEL * (jnp.log((factor[:, None] * through).sum((2, 3))) - jnp.log(through.sum((2, 3))))
    gain = change[:, 0] - change[:, 1]
    return (jax.nn.relu(4.8 - gain) ** 2 + 4 * jax.nn.relu(-1.3 - change[:, 0]) ** 2).mean(), gain.mean()


def shown_of_mixtures(changes, gained, clip):
    """HASPI, its worst, N4's worst, HASQI, its worst, N4's worst, gain in ratio and its worst where judged."""
    haspi, _, _, hasqi = changes
    judge = ratio_judged(clip)
    worst = lambda x: jnp.where(clip["severe"] > 0, x, 9).min()
    return (haspi.mean(), haspi.min(), worst(haspi), hasqi.mean(), hasqi.min(), worst(hasqi), (judge * gained).sum() / judge.sum(),
            jnp.where(judge > 0, gained, 99).min())
