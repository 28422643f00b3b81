#!/usr/bin/env python3
"""Scores noise reduction: one table. Needs numpy, scipy, soundfile and pyclarity (pip install --no-deps
pyclarity==0.9.0; then numpy scipy numba soundfile), Debian's alsa-utils, and the renderer:

    swift build -c release --product noise-rendering
    python3 Benchmarks/Noise/score.py .build/release/noise-rendering 20

Speech: the eight voice prompts of alsa-utils one after the other (11.4 s), 65 dB SPL over the whole. Noise: its own
long-term spectrum, or eight voices made of the same prompts in other orders at other pitches; +5 dB over the
whole. Ratios by phase inversion (Hagerman & Olofsson 2004), powers over the whole signal from 1 s on; "weighted":
third octaves by the importance of ANSI S3.5. The seeds are fixed."""
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


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("renderer")
    arguments.add_argument("depth", type=float, help="greatest reduction, dB")
    arguments.add_argument("--losses", default="N2,N3,N4")
    arguments.add_argument("--fits", default="linear,compressive")
    arguments.add_argument("--noises", default="shaped,babble")
    chosen = arguments.parse_args()
    pieces = prompts()
    speech = at_level(np.concatenate(pieces), 65)
    play = lambda x, depth, loss="none", fit="linear": render(chosen.renderer, x, loss, fit, depth)
    before, after = play(speech, 0), play(speech, chosen.depth)
    changes = thirds(before, after)
    print(f"clean speech: whole {ratio(after, before):+.2f} dB, third octaves 100 Hz to 12.5 kHz "
          f"{min(changes):+.2f} ... {max(changes):+.2f} dB", flush=True)
    noises = {"shaped": shaped(speech), "babble": babble(pieces, len(speech))}
    print("noise   loss fit          ratio off -> on dB   gain  weighted   HASPI off -> on            HASQI off -> on")
    for name in chosen.noises.split(","):
        noise = at_level(noises[name], 60)
        for loss in chosen.losses.split(","):
            for fit in chosen.fits.split(","):
                found = []
                for depth in (0, chosen.depth):
                    y, z = (play(x, depth, loss, fit) for x in (speech + noise, speech - noise))
                    s, n = (y + z) / 2, (y - z) / 2
                    found.append((ratio(s, n), weighted(s, n), score("haspi", speech, y, loss),
                                  score("hasqi", speech, y, loss)))
                off, on = found
                print(f"{name:7} {loss:4} {fit:12} {off[0]:6.2f} -> {on[0]:6.2f}   {on[0]-off[0]:+6.2f}   {on[1]-off[1]:+6.2f}"
                      f"   {off[2]:.3f} -> {on[2]:.3f} {on[2]-off[2]:+.3f}   {off[3]:.3f} -> {on[3]:.3f} {on[3]-off[3]:+.3f}",
                      flush=True)


if __name__ == "__main__":
    main()
