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


def cases(names, levels, conditions, labels):
    return [
        {"audiogram": name, "level": level, "condition": condition, "system": label}
        for condition in conditions for name in names for level in levels for label in labels]


def render(case, mixture, program):
    """What reaches the ear."""
    name, label = case["audiogram"], case["system"]
    if label == systems.UNAIDED:
        return mixture
    if label == systems.FILTER:
        return systems.plain_filter(name, mixture)
    if label == systems.HELD:
        return systems.clipped(systems.plain_filter(name, mixture))
    with tempfile.TemporaryDirectory() as folder:
        heard = systems.program(
            program, folder, name, systems.rule(label, name), signals.with_lead(mixture))
    return signals.without_lead(heard)


def fingerprint(*parts):
    digest = hashlib.sha256(b"2")  # of what is judged: another number forgets
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


def begin():
    os.nice(15)
    metrics.quicken()


def run(wanted, program, memory, workers=2, told=lambda row: None):
    """All wanted cases in their order."""
    os.makedirs(memory, exist_ok=True)
    with concurrent.futures.ProcessPoolExecutor(workers, initializer=begin) as pool:
        rows = []
        for row in pool.map(judged, wanted, [program] * len(wanted), [memory] * len(wanted)):
            told(row)
            rows.append(row)
        return rows
