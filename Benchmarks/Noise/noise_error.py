#!/usr/bin/env python3
"""How far the noise that is found amid a voice is from the noise there is, by the estimate of NoisePower as Learning has it: a table.

    python3 Benchmarks/Noise/noise_error.py SOUNDS [SET]      SET: learn, choose (default) or judge

Eight seconds of each voice at 65 dB SPL in noise of its own long-term spectrum, as score.py has them. Errors in dB of each band, from 1 s on:
their mean, the root of their mean square, the value that 95 % stay below; over bands and hops, by voices the median and the worst."""
import sys
import numpy as np
import voices
from voices import RATE, at_level
from Learning.chain import HOP, band_powers, noise_bands
from score import SECONDS, shaped

FIRST = RATE // HOP  # hop from which errors count
LABELS = ("mean", "root mean square", "95 % below")


def errors(row, sounds, ratio):
    speech = voices.speech(row, sounds, SECONDS)
    noise = at_level(shaped(speech, 1), 65 - ratio)
    found = noise_bands().noise(band_powers(speech + noise))[FIRST:]
    error = 10 * np.log10(found / band_powers(noise)[FIRST:].mean(0))
    return error.mean(), np.sqrt((error**2).mean()), np.percentile(error, 95)


def main(sounds, which="choose"):
    rows = voices.of(which, sounds)
    if not rows:
        raise SystemExit(f"noise_error.py: no voice of the set {which} in {sounds}: unpack its packages there (python3 voices.py packages {which})")
    print("| ratio, dB | " + " | ".join(f"{label}: median | worst" for label in LABELS) + " |")
    print("|---" * (1 + 2 * len(LABELS)) + "|")
    for ratio in (0, 5, 10):
        found = np.array([errors(row, sounds, ratio) for row in rows])
        worst = found[np.abs(found).argmax(0), np.arange(len(LABELS))]
        names = [rows[n]["name"] for n in np.abs(found).argmax(0)]
        print(f"| +{ratio} | " + " | ".join(f"{m:+.1f} | {w:+.1f} ({n})" for m, w, n in zip(np.median(found, 0), worst, names)) + " |")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
