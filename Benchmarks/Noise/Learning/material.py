"""What is learnt from and what is held out of it, as batches."""
import sys
import jax, jax.numpy as jnp, numpy as np
from .chain import COUNT, HOPS, SILENCE, ratios
from .loss import widened
from .recordings import learning

BATCH = 16  # clips of noise around a voice, of a step
STEADY_ONES, VOICES_ALONE, LONG_ONES, BURSTY_ONES = 5, 3, 3, 3  # pieces beside them; long ones have an onset
HELD_OUT = ("june-fr", "tuberling-ru", "letters-it")  # learning voices by which is seen when to stop


class Material:
    """A batch is a tuple: clips, what HASPI and HASQI find in them without reduction, steady noise alone, voices alone, noise with an
    onset, bursts. Each but the second is a dictionary of arrays with a row per piece."""

    def __init__(self, clips, alone, sounds, evaluate, random):
        self.clips = {name: x for name, x in clips.items() if name != "talker"}
        out = np.isin(clips["talker"], [n for n, row in enumerate(learning(sounds)) if row["name"] in HELD_OUT])
        print(f"{len(out)} clips, {out.sum()} of them held out, {clips['severe'].sum()} for N4", file=sys.stderr, flush=True)
        self.inside, self.outside = np.flatnonzero(~out), np.flatnonzero(out)
        self.clean = self.unaccompanied(random.permutation(self.inside)[:200])
        self.clean_outside = self.unaccompanied(random.permutation(self.outside)[:20])
        noises = (dict(ratios=alone["ratios"], power=alone["power"]),
                  dict(ratios=alone["long_ratios"], power=alone["long_power"], onset=alone["onset"]),
                  {name: alone["burst_" + name] for name in ("ratios", "power", "speech")})
        # The last tenth is held out.
        self.noises = [{name: x[:len(x) * 9 // 10] for name, x in source.items()} for source in noises]
        self.noises_outside = [{name: x[len(x) * 9 // 10:] for name, x in source.items()} for source in noises]
        self.before = self.unreduced(evaluate)

    def unaccompanied(self, chosen):
        """The voices of clips without their noise."""
        speech = self.clips["speech"]
        return dict(power=speech[chosen] + SILENCE, ratios=np.array([ratios(speech[i].astype(float)).astype(np.float16) for i in chosen]))

    def unreduced(self, evaluate):
        """What `evaluate` finds in each clip without reduction."""
        count = len(self.clips["kind"])
        find = jax.jit(jax.vmap(lambda clip: evaluate(jnp.zeros((HOPS, COUNT)), clip)))
        parts = [find(widened({name: jnp.array(x[np.arange(start, start + BATCH) % count]) for name, x in self.clips.items()}))
                 for start in range(0, count, BATCH)]
        return [np.concatenate([np.asarray(x) for x in column])[:count] for column in zip(*parts)]

    def drawn(self, rows, random):
        """A batch of those clips; the rest is drawn."""
        draw = lambda source, number: taken(source, random.choice(pieces(source), number))
        steady, longer, burst = self.noises
        return (taken(self.clips, rows), [x[rows] for x in self.before], draw(steady, STEADY_ONES), draw(self.clean, VOICES_ALONE),
                draw(longer, LONG_ONES), draw(burst, BURSTY_ONES))

    def held_out(self):
        """All batches of what is held out, one after the other."""
        steady, longer, burst = self.noises_outside
        for start in range(0, len(self.outside), BATCH):
            rows = self.outside[np.arange(start, start + BATCH) % len(self.outside)]
            spread = lambda source, number: taken(source, (np.arange(number) + start // BATCH * number) % pieces(source))
            yield (taken(self.clips, rows), [x[rows] for x in self.before], spread(steady, STEADY_ONES), spread(self.clean_outside, VOICES_ALONE),
                   spread(longer, LONG_ONES), spread(burst, BURSTY_ONES))


def taken(source, rows):
    return {name: x[rows] for name, x in source.items()}


def pieces(source):
    return len(next(iter(source.values())))
