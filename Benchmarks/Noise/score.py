#!/usr/bin/env python3
"""Scores noise reduction: one table. Needs numpy, scipy, soundfile and pyclarity (pip install --no-deps
pyclarity==0.9.0; then numpy scipy numba soundfile), Debian's alsa-utils, and the renderer:

    make build
    python3 Benchmarks/Noise/score.py .build/release/noise-rendering --document docs/noise.md

Speech: the eight voice prompts of alsa-utils one after the other (11.4 s), 65 dB SPL over the whole. Noise: its own
long-term spectrum, or eight voices made of the same prompts in other orders at other pitches; +5 dB over the
whole. Ratios by phase inversion (Hagerman & Olofsson 2004), powers over the whole signal from 1 s on; "weighted":
third octaves by the importance of ANSI S3.5. HASPI and HASQI as in pyclarity, NumPy's generator seeded with 0.

Exits with 1 unless, for every seed: ratio gained in shaped noise >= 5 dB and HASQI higher for every loss; HASPI lower
by no more than 0.02 in both noises; clean speech changed by no more than 0.5 dB in any third octave."""
import argparse, glob, subprocess
import numpy as np, scipy.signal as ss, soundfile
from clarity.evaluator.haspi import haspi_v2
from clarity.evaluator.hasqi import hasqi_v2
from clarity.utils.audiogram import Audiogram

RATE = 44_100
FULL_SCALE = 120 + 10 * np.log10(2)  # dB SPL of a mean square of 1
FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000])
LOSSES = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80]}
IMPORTANCE = np.array([.0083, .0095, .0150, .0289, .0440, .0578, .0653, .0711, .0818, .0844, .0882, .0898, .0868,
                       .0844, .0771, .0527, .0364, .0185])
CENTRES = 1000 * 10 ** (np.arange(-8, 10) / 10)


def prompts():
    files = sorted(f for f in glob.glob("/usr/share/sounds/alsa/*.wav") if "Noise" not in f)
    return [ss.resample_poly(soundfile.read(f)[0], 147, 160) for f in files]


def at_level(x, level):
    return x / np.sqrt(np.mean(x**2)) * 10 ** ((level - FULL_SCALE) / 20)


def shaped(speech, seed=1):
    f, power = ss.welch(speech, RATE, nperseg=2048)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(len(speech)))
    return np.fft.irfft(spectrum * np.sqrt(np.interp(np.fft.rfftfreq(len(speech), 1 / RATE), f, power)), len(speech))


def babble(pieces, count, seed=2):
    random, total = np.random.default_rng(seed), np.zeros(count)
    for _ in range(8):
        voice = np.concatenate([pieces[i] for i in random.permutation(len(pieces))] * 3)
        voice = ss.resample(voice, int(len(voice) / 2 ** (random.uniform(-4, 4) / 12)))
        start = random.integers(0, len(voice) - count)
        total += voice[start:start + count] / np.sqrt(np.mean(voice**2))
    return total


def render(program, x, loss, fit, depth):
    done = subprocess.run([program, loss, fit, str(depth), "0", "0", "0"], input=x.astype("<f4").tobytes(),
                          stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, "<f4").astype(float)


def ratio(s, n):
    return 10 * np.log10(np.sum(s[RATE:] ** 2) / np.sum(n[RATE:] ** 2))


def weighted(s, n):
    (f, a), (_, b) = (ss.welch(x[RATE:], RATE, nperseg=4096) for x in (s, n))
    bands = [(f >= c * 10**-.05) & (f < c * 10**.05) for c in CENTRES]
    return sum(w * 10 * np.log10(a[m].sum() / b[m].sum()) for w, m in zip(IMPORTANCE, bands)) / IMPORTANCE.sum()


def score(metric, reference, heard, loss):
    down = [ss.resample_poly(x[:len(heard)], 80, 147) for x in (reference, heard)]
    audiogram = Audiogram(levels=np.array(LOSSES[loss]), frequencies=FREQUENCIES)
    np.random.seed(0)
    if metric == "haspi":
        return haspi_v2(down[0], 24_000, down[1], 24_000, audiogram, FULL_SCALE)[0]
    return hasqi_v2(down[0], 24_000, down[1], 24_000, audiogram, 1, FULL_SCALE)[0]


def thirds(before, after):
    (f, a), (_, b) = (ss.welch(x, RATE, nperseg=8192) for x in (before, after))
    bands = [(f >= c * 10**-.05) & (f < c * 10**.05) for c in 1000 * 10 ** (np.arange(-10, 12) / 10)]
    return [10 * np.log10(b[m].sum() / a[m].sum()) for m in bands]


def measure(play, speech, noise, depth, loss, fit):
    """Ratio, weighted ratio, HASPI and HASQI (at flat gain the ratios only)."""
    y, z = (play(x, depth, loss, fit) for x in (speech + noise, speech - noise))
    s, n = (y + z) / 2, (y - z) / 2
    found = [ratio(s, n), weighted(s, n)]
    return found if loss == "none" else found + [score(m, speech, y, loss) for m in ("haspi", "hasqi")]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("renderer")
    arguments.add_argument("depth", type=float, nargs="?", default=12, help="greatest reduction, dB (12: conversation in noise)")
    arguments.add_argument("--losses", default="none,N2,N3,N4", help="none: flat gain, ratios only")
    arguments.add_argument("--fit", default="linear", choices=["linear", "compressive"])
    arguments.add_argument("--noises", default="shaped,babble")
    arguments.add_argument("--seeds", default="1,2")
    arguments.add_argument("--document", help="file whose part between <!-- figures --> marks is replaced")
    chosen = arguments.parse_args()
    pieces = prompts()
    speech = at_level(np.concatenate(pieces), 65)
    play = lambda x, depth, loss="none", fit="linear": render(chosen.renderer, x, loss, fit, depth)
    before, after = play(speech, 0), play(speech, chosen.depth)
    changes, whole = thirds(before, after), ratio(after, before)
    met = max(map(abs, changes)) <= .5
    lines = [f"Depth {chosen.depth:g} dB, {chosen.fit} prescription, seeds {chosen.seeds}; worst seed in brackets. "
             f"Clean speech: {whole:+.2f} dB on the whole, {min(changes):+.2f} to {max(changes):+.2f} dB in third octaves "
             "from 100 Hz to 12.5 kHz.", "",
             "| noise | ears | ratio gained, dB | weighted by importance | HASPI off → on | | HASQI off → on | |",
             "|---|---|---|---|---|---|---|---|"]
    print("\n".join(lines), flush=True)
    for name in chosen.noises.split(","):
        for loss in chosen.losses.split(","):
            runs = []
            for seed in map(int, chosen.seeds.split(",")):
                noise = shaped(speech, seed) if name == "shaped" else babble(pieces, len(speech), seed + 1)
                noise = at_level(noise, 60)
                runs.append([measure(play, speech, noise, depth, loss, chosen.fit) for depth in (0, chosen.depth)])
            runs = np.array(runs)
            (off, on), change = runs.mean(0), runs[:, 1] - runs[:, 0]
            cells = [name, loss, *(f"{change[:, k].mean():+.2f} ({change[:, k].min():+.2f})" for k in (0, 1))]
            for k in range(2, runs.shape[2]):
                cells += [f"{off[k]:.3f} → {on[k]:.3f}", f"{change[:, k].mean():+.3f} ({change[:, k].min():+.3f})"]
            lines.append("| " + " | ".join(cells + ["–"] * (8 - len(cells))) + " |")
            print(lines[-1], flush=True)
            if loss != "none":
                met &= bool(change[:, 2].min() >= -.02)
                if name == "shaped":
                    met &= bool(change[:, 0].min() >= 5 and change[:, 3].min() > 0)
    lines += ["", "Every criterion is met." if met else "**Not every criterion is met.**"]
    print("\n".join(lines[-2:]))
    if chosen.document:
        mark = "<!-- figures -->\n"
        text = open(chosen.document).read().split(mark)
        with open(chosen.document, "w") as sink:
            sink.write(mark.join([text[0], "\n".join(lines) + "\n", text[2]]))
    raise SystemExit(0 if met else 1)


if __name__ == "__main__":
    main()
