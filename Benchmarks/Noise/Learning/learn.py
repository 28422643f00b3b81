"""Learning: steps of Adam, and the best of the weights by what is held out."""
import sys, time
import jax, jax.numpy as jnp, numpy as np
from .criteria import criteria
from .loss import SELDOM, loss_of
from .material import Material
from .network import beginning
from .weights_file import load, save

STEPS, RATE_OF_LEARNING, DECAY = 2500, 1.5e-3, .05
MEMORY = 300  # steps over which weights are averaged
SHOWN, ASKED = 50, 500  # steps after which is shown what is learnt, and asked what is held out
STEEPEST = 3  # norm of a slope, beyond which it is shortened


def learn(clips, alone, sounds, kept=None, begun=None):
    """Weights that were best by what is held out. `kept`: beginning of the files in which the best, and those of each time it was asked, are kept meanwhile;
    `begun`: file of weights to go on from."""
    evaluate, random = criteria(), np.random.default_rng(4)
    material, loss = Material(clips, alone, sounds, evaluate, random), loss_of(evaluate)
    update, held_out = updating(loss), asking(loss, material)
    weights = beginning() | (load(begun) if begun else {})
    first, second = ({name: np.zeros_like(x) for name, x in weights.items()} for _ in range(2))
    mean, best, least, seen, began = weights, weights, np.inf, [], time.time()
    compare(held_out, weights, 0)
    for step in range(1, STEPS + 1):
        weights, first, second, value = update(
            weights, first, second, material.drawn(random), np.float32(rate(step)), np.int32(step))
        mean = jax.tree.map(lambda a, b: a + (b - a) / min(step, MEMORY), mean, weights)
        seen.append(np.asarray(value))
        if step % SHOWN == 0:
            say(f"step {step}, {time.time() - began:.0f} s:", np.mean(seen[-SHOWN:], 0))
        if step % ASKED == 0 or step == STEPS:
            value = compare(held_out, mean, step)
            if value < least:
                best, least = mean, value
            if kept:
                save(kept + ".best.npz", best)
                save(kept + f".{step}.npz", mean)
    if not np.isfinite(least):
        raise SystemExit("learn.py: what is held out has no finite loss: nothing was learnt")
    return {name: np.asarray(x) for name, x in best.items()}


def rate(step):
    """Falls by a cosine, after 20 steps in which it rises."""
    return RATE_OF_LEARNING * (.5 * (1 + np.cos(np.pi * (step / STEPS))) + .003) * min(1, step / 20)


def updating(loss):
    """A step of Adam (Kingma & Ba 2015), with decay of the weights: of weights, their two moments, a batch, the rate and the number
    of the step; gives new weights and moments, the loss and what of it is shown."""
    slopes = jax.value_and_grad(loss, has_aux=True)

    @jax.jit
    def update(weights, first, second, batch, rate, step):
        (value, shown), slope = slopes(weights, *batch, jax.random.fold_in(jax.random.key(8), step), step % SELDOM == 0)
        norm = jnp.sqrt(sum((x**2).sum() for x in slope.values()))
        slope = jax.tree.map(lambda x: jnp.where(jnp.isfinite(norm), x * jnp.minimum(1, STEEPEST / (norm + 1e-9)), 0), slope)
        first = jax.tree.map(lambda m, x: .9 * m + .1 * x, first, slope)
        second = jax.tree.map(lambda v, x: .98 * v + .02 * x**2, second, slope)
        moved = jax.tree.map(lambda w, m, v: w * (1 - rate * DECAY) - rate * m / (1 - .9**step) / (jnp.sqrt(v / (1 - .98**step)) + 1e-8),
                             weights, first, second)
        return moved, first, second, jnp.concatenate([value[None], shown])

    return update


def asking(loss, material):
    """Functions of weights by the name of what is asked: its loss, and what of it is shown."""
    @jax.jit
    def of_batch(weights, batch):
        value, shown = loss(weights, *batch, None)
        return jnp.concatenate([value[None], shown])

    return {name: lambda weights, rows=rows: np.mean([np.asarray(of_batch(weights, batch)) for batch in material.spread(rows)], 0)
            for name, rows in material.asked.items()}


def compare(held_out, weights, step):
    """Shows what is asked, and gives the mean loss of what is held out."""
    found = {name: ask(weights) for name, ask in held_out.items()}
    for name, values in found.items():
        say(f"  {step}, {name}:", values)
    return np.mean([values[0] for name, values in found.items() if name.startswith("held out")])


def say(label, values):
    print(label, " ".join(f"{x:+.3f}" for x in values), file=sys.stderr, flush=True)
