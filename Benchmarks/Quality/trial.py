"""Renders and judges every ear, level, noise and system; remembers what it has judged."""

import concurrent.futures
import hashlib
import json
import os
import tempfile

import numpy as np

import metrics
import signals
import systems

LEVELS = [50, 65, 80]
CONDITIONS = ["quiet", "speech-shaped noise", "babble"]


# What only shows where the loss in quiet comes from.
QUIET_ONLY = [systems.HELD, systems.MINIMUM]
# Levels at which the output limit matters.
RAISED_LEVELS = [65, 80]


def cases(names, levels, conditions, labels):
    usual = [
        {"audiogram": name, "level": level, "condition": condition, "system": label}
        for condition in conditions for level in levels for name in names for label in labels
        if condition == "quiet" or label not in QUIET_ONLY]
    return usual + [
        {"audiogram": name, "level": level, "condition": "quiet", "system": label}
        for name in names if systems.exceeds(name) for level in RAISED_LEVELS for label in systems.RAISED_ALL]


def render(case, mixture, program):
    """What reaches the ear."""
    name, label = case["audiogram"], case["system"]
    if label == systems.UNAIDED:
        return mixture
    if label == systems.FILTER:
        return systems.plain_filter(name, mixture)
    limit = systems.prescribed_limit(name) if label.endswith(systems.RAISED) else systems.LIMIT
    if label.removesuffix(systems.RAISED) == systems.HELD:
        return systems.clipped(systems.plain_filter(name, mixture), limit)
    if label == systems.MINIMUM:
        return systems.clipped(systems.minimum_phase_filter(name, mixture))
    with tempfile.TemporaryDirectory() as folder:
        heard = systems.program(
            program, folder, name, systems.rule(label, name), signals.with_lead(mixture), limit=limit)
    return signals.without_lead(heard)


def fingerprint(*parts):
    digest = hashlib.sha256(b"3")  # of what is judged: another number forgets
    for part in parts:
        digest.update(part.encode() if isinstance(part, str) else np.ascontiguousarray(part).tobytes())
    return digest.hexdigest()[:32]


def judged(case, program, memory):
    """One case with its figures."""
    voice, mixture, noise = signals.mixtures(case["level"])[case["condition"]]
    heard = render(case, mixture, program)
    place = os.path.join(memory, fingerprint(case["audiogram"], voice, mixture, heard) + ".json")
    if os.path.exists(place):
        with open(place) as file:
            return case | json.load(file)
    found = metrics.judge(voice, mixture, noise, heard, case["audiogram"])
    with open(place + ".new", "w") as file:
        json.dump(found, file)
    os.replace(place + ".new", place)
    return case | found


def run(wanted, program, memory, workers=2, told=lambda row: None):
    """All wanted cases in their order."""
    os.makedirs(memory, exist_ok=True)
    if workers == 1:
        metrics.quicken()
        rows = []
        for case in wanted:
            rows.append(judged(case, program, memory))
            told(rows[-1])
        return rows
    with concurrent.futures.ProcessPoolExecutor(workers, initializer=metrics.quicken) as pool:
        rows = []
        for row in pool.map(judged, wanted, [program] * len(wanted), [memory] * len(wanted)):
            told(row)
            rows.append(row)
        return rows
