"""What HASQI loses between pyclarity's filter and the program with the same rule, step by step.

Usage: ablation.py PROGRAM [EAR[,EAR…]]
"""

import os
import sys
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import scipy.signal
from clarity.evaluator.hasqi import hasqi_v2

import metrics
import signals
import systems

CLICK_LEVEL = 50.0  # dB SPL of a sine of the click's height: below every limit, far above the file's last bit
RESPONSE = 1024  # samples, twice what the program's window holds
GRID = 1 << 15  # samples of the transform in which a phase is taken away


def response(program, folder, name):
    """The program's impulse response where no limit acts; before and after it nothing is left."""
    start = signals.RATE // 4
    click = np.zeros(signals.RATE // 2)
    click[start] = 10 ** ((CLICK_LEVEL + signals.SINE - signals.UNIT) / 20)
    heard = systems.program(
        program, folder, name, systems.rule(systems.LINEAR, name), signals.with_lead(click))
    return signals.without_lead(heard)[start : start + RESPONSE] / click[start]


def without_phase(taps, x):
    """`x` through the magnitude of `taps`, every frequency at the same time."""
    symmetric = np.fft.fftshift(np.fft.irfft(np.abs(np.fft.rfft(taps, GRID))))
    return scipy.signal.oaconvolve(x, symmetric)[GRID // 2 : GRID // 2 + len(x)]


def steps(program, name, level):
    """Name → sound, from the filter to the program."""
    voice = signals.at_level(signals.speech(signals.prompt_count), level)
    with tempfile.TemporaryDirectory() as folder:
        taps = response(program, folder, name)
        rule = systems.rule(systems.LINEAR, name)

        def through(limit):
            heard = systems.program(program, folder, name, rule, signals.with_lead(voice), limit=limit)
            return signals.without_lead(heard)

        return voice, {
            "filter": systems.plain_filter(name, voice),
            "rule as printed, same delay at all frequencies": without_phase(taps, voice),
            "the same in minimum phase: the program's impulse response":
                scipy.signal.oaconvolve(voice, taps)[: len(voice)],
            "program, limit 120 dB SPL": through(systems.GREATEST),
            "program, limit 111 dB SPL": through(systems.LIMIT),
        }


def main():
    names = sys.argv[2].split(",") if len(sys.argv) > 2 else ["N1", "N3", "N4", "S3"]
    metrics.quicken()
    for level in (65, 80):
        for name in names:
            voice, sounds = steps(sys.argv[1], name, level)
            reference, listener = metrics.to_model_rate(voice), systems.audiogram(name)
            for step, sound in sounds.items():
                found = metrics.seeded(
                    hasqi_v2, reference, metrics.MODEL_RATE, metrics.to_model_rate(sound), metrics.MODEL_RATE,
                    listener, 1, signals.UNIT)
                print(f"{level} dB SPL  {name}  {found[0]:.3f}  {step}", flush=True)


if __name__ == "__main__":
    main()
