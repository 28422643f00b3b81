"""The gain to be reached: Auricle's prescription for an audiogram, as `auricle verify` states it."""

import json
import subprocess

import numpy as np

import signals


def prescribed(program, audiogram):
    """Insertion gain in third octaves, dB: levels by JUDGED bands."""
    run = subprocess.run(
        [program, "verify", "--audiogram", audiogram, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # 1: a limit of the verification is broken, which the figures say nothing about here.
    if run.returncode not in (0, 1):
        raise SystemExit(f"{program} verify: exit {run.returncode}: {run.stderr.strip()}")
    curves = {}
    for curve in ear(json.loads(run.stdout))["insertion_gain"]:
        frequencies, gains = np.array(curve["target_hz_db"]).T
        curves[round(curve["input_db_spl"])] = np.interp(
            np.log(signals.centres()), np.log(frequencies), gains)
    if missing := set(signals.LEVELS) - set(curves):
        raise SystemExit(f"{program} verify: no insertion gain for {sorted(missing)} dB SPL")
    return np.array([curves[level] for level in signals.LEVELS])


def ear(report):
    """The first ear's measurements, wherever the report has them."""
    if isinstance(report, dict) and "insertion_gain" in report:
        return report
    parts = report.values() if isinstance(report, dict) else report if isinstance(report, list) else ()
    return next((found for part in parts if (found := ear(part))), None)
