"""Compares the quick model of the ear with pyclarity's own: python check.py"""

import time

import metrics
import signals
import systems


def main():
    signals.prompt_count = 2
    cases = [(ear, level, condition) for ear, level, condition in (
        ("N1", 50, "quiet"), ("N4", 65, "quiet"), ("N7", 80, "quiet"), ("S3", 65, "babble"))]
    found = []
    for quick in (False, True):
        if quick:
            metrics.quicken()
        for ear, level, condition in cases:
            voice, mixture, noise = signals.mixtures(level)[condition]
            begun = time.time()
            found.append(metrics.judge(voice, mixture, noise, systems.plain_filter(ear, mixture), ear))
            print(ear, level, condition, "quick" if quick else "plain", f"{time.time() - begun:.1f} s", found[-1])
    # Other random numbers in the ear's own noise: a thousandth.
    worst = max(abs(a[key] - b[key]) for a, b in zip(found, found[len(cases):]) for key in ("haspi", "hasqi"))
    print(f"greatest difference {worst:.5f}")
    if worst > 0.001:
        raise SystemExit("the quick model differs")


if __name__ == "__main__":
    main()
