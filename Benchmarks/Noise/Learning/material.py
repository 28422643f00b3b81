"""What is learnt from and what is held out of it, as batches."""
import sys
import jax, jax.numpy as jnp, numpy as np
from .chain import COUNT, HOPS, SILENCE, ratios
from .loss import widened
from .prescription import gains, hearing
from .recordings import learning

# Ears that bursts are heard by.
BURST_EARS = ("N2", "N3", "N4")

BATCH = 16  # clips of noise around a voice, of a step
STEADY_ONES, VOICES_ALONE, LONG_ONES, BURSTY_ONES = 5, 3, 4, 3  # pieces beside them; long ones have an onset or a fall
HELD_OUT = ("june-fr", "tuberling-ru", "letters-it", "hedgehog-Surfer", "hedgehog-Default_uk", "glest-technician", "glest-cudgel",
            "horizons-fr")  # learning voices by which is seen when to stop


class Material:
    """A batch is a tuple: clips, what HASPI and HASQI find in them without reduction, steady noise alone, voices alone, noise with an
    onset or a fall, bursts. Each but the second is a dictionary of arrays with a row per piece."""

    def __init__(self, clips, alone, sounds, evaluate, random):
        self.clips = {name: x for name, x in clips.items() if name not in ("talker", "newer", "varied", "roomy")}
        out = np.isin(clips["talker"], [n for n, row in enumerate(learning(sounds)) if row["name"] in HELD_OUT])
        print(f"{len(out)} clips, {out.sum()} of them held out, {clips['severe'].sum()} of severe losses", file=sys.stderr, flush=True)
        self.inside, self.outside = np.flatnonzero(~out), np.flatnonzero(out)
        varied, early, roomy = clips["varied"], ~clips["newer"], clips["roomy"]
        later = ~early & ~varied
        former = self.inside[~varied[self.inside]]
        # The later voices are in fewer clips: those come twice as often, and so do parts with more rooms.
        self.decks = [Deck(np.concatenate([former, *(former[which[former]] for which in (later, roomy))])),
                      Deck(self.inside[varied[self.inside]])]
        kinds = {"early voices": early, "later voices": later, "varied": varied}
        self.asked = {f"held out, {name}": some(self.outside, 2, which) for name, which in kinds.items()}
        self.asked |= {f"learnt, {name}": some(self.inside, 24, which) for name, which in kinds.items()}
        # Not of varied clips: in some the voice has noise of its own, which may go.
        self.clean = self.unaccompanied(random.permutation(former)[:200])
        self.clean_outside = self.unaccompanied(random.permutation(self.outside[~varied[self.outside]])[:20])
        noises = (dict(ratios=alone["ratios"], power=alone["power"]),
                  dict(ratios=alone["long_ratios"], power=alone["long_power"], onset=alone["onset"]),
                  {name: alone["fall_" + name] for name in ("ratios", "power", "onset")},
                  {name: alone["burst_" + name] for name in ("ratios", "power", "speech")})
        # The last tenth is held out.
        self.noises = with_falls([{name: x[:len(x) * 9 // 10] for name, x in source.items()} for source in noises])
        self.noises_outside = with_falls([{name: x[len(x) * 9 // 10:] for name, x in source.items()} for source in noises])
        self.before = self.unreduced(evaluate)

    def unaccompanied(self, chosen):
        """The voices of clips without their noise."""
        speech = self.clips["speech"][chosen]
        return dict(power=speech + SILENCE, ratios=np.array([ratios(x.astype(float)).astype(np.float16) for x in speech]))

    def unreduced(self, evaluate):
        """What `evaluate` finds in each clip without reduction."""
        count = len(self.clips["kind"])
        find = jax.jit(jax.vmap(lambda clip: evaluate(jnp.zeros((HOPS, COUNT)), clip)))
        parts = [find(widened({name: jnp.array(x[np.arange(start, start + BATCH) % count]) for name, x in self.clips.items()}))
                 for start in range(0, count, BATCH)]
        return [np.concatenate([np.asarray(x) for x in column])[:count] for column in zip(*parts)]

    def drawn(self, random):
        """A batch: half of it of the varied clips."""
        rows = np.concatenate([deck.dealt(BATCH // len(self.decks), random) for deck in self.decks])
        draw = lambda source, number: self.heard(taken(source, random.choice(pieces(source), number)), random.choice(self.inside, number))
        steady, longer, burst = self.noises
        return (taken(self.clips, rows), [x[rows] for x in self.before], draw(steady, STEADY_ONES), draw(self.clean, VOICES_ALONE),
                draw(longer, LONG_ONES),
                heard_prescribed(taken(burst, random.choice(pieces(burst), BURSTY_ONES)), random.integers(0, 3, BURSTY_ONES)))

    def heard(self, source, rows):
        """Pieces by the ears of those clips."""
        return source | dict(hearing=self.clips["hearing"][rows])

    def spread(self, chosen):
        """Batches of those clips, one after the other, each with what is held out of the rest."""
        steady, longer, burst = self.noises_outside
        for start in range(0, len(chosen), BATCH):
            rows = chosen[np.arange(start, start + BATCH) % len(chosen)]
            at = lambda number: np.arange(number) + start // BATCH * number
            part = lambda source, number: taken(source, at(number) % pieces(source))
            spread = lambda source, number: self.heard(part(source, number), self.outside[7 * at(number) % len(self.outside)])
            yield (taken(self.clips, rows), [x[rows] for x in self.before], spread(steady, STEADY_ONES),
                   spread(self.clean_outside, VOICES_ALONE), spread(longer, LONG_ONES),
                   heard_prescribed(part(burst, BURSTY_ONES), at(BURSTY_ONES) % 3))


class Deck:
    """Rows, dealt until none is left, then shuffled anew."""

    def __init__(self, rows):
        self.rows, self.left = rows, np.zeros(0, int)

    def dealt(self, count, random):
        if len(self.left) < count:
            self.left = random.permutation(self.rows)
        found, self.left = self.left[:count], self.left[count:]
        return found


def with_falls(noises):
    """Steady ones; those with an onset and those with a fall, by turns; bursts."""
    steady, onsets, falls, burst = noises
    return steady, {name: np.stack([x, falls[name]], 1).reshape(-1, *x.shape[1:]) for name, x in onsets.items()}, burst


def heard_prescribed(source, ears):
    """Pieces by those of BURST_EARS, behind what is prescribed for them."""
    names = [BURST_EARS[k] for k in ears]
    return source | dict(hearing=np.array([hearing(ear) for ear in names]),
                         prescription=np.array([10 ** (gains(ear) / 10) for ear in names], np.float32))


def some(rows, step, wanted):
    """Of every so many rows those that are wanted."""
    rows = rows[::step]
    return rows[wanted[rows]]


def taken(source, rows):
    return {name: x[rows] for name, x in source.items()}


def pieces(source):
    return len(next(iter(source.values())))
