"""The gain to be reached: Auricle's prescription for an audiogram, as `auricle verify` states it, and the gain that it finds."""

import json
import subprocess

import numpy as np

import signals


def prescribed(program, audiogram):
    """Insertion gain in third octaves, dB: levels by JUDGED bands; that which is prescribed, and that which `auricle verify` measures."""
    run = subprocess.run(
        [program, "verify", "--audiogram", audiogram, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    # 1: a limit of the verification is broken, which the figures say nothing about here.
    if run.returncode not in (0, 1):
        raise SystemExit(f"{program} verify: exit {run.returncode}: {run.stderr.strip()}")
    curves = {round(curve["input_db_spl"]): curve for curve in ear(json.loads(run.stdout))["insertion_gain"]}
    if missing := set(signals.LEVELS) - set(curves):
        raise SystemExit(f"{program} verify: no insertion gain for {sorted(missing)} dB SPL")
    return [np.array([read(curves[level][key]) for level in signals.LEVELS]) for key in ("target_hz_db", "measured_hz_db")]


def read(pairs):
    frequencies, gains = np.array(pairs).T
    return np.interp(np.log(signals.centres()), np.log(frequencies), gains)


def ear(report):
    """The first ear's measurements, wherever the report has them."""
    if isinstance(report, dict) and "insertion_gain" in report:
        return report
    parts = report.values() if isinstance(report, dict) else report if isinstance(report, list) else ()
    return next((found for part in parts if (found := ear(part))), None)
