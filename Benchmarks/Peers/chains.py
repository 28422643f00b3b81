"""Chains that are compared: what each has in common, and Auricle.

A compressor is fitted by what it is told for each of its bands: gains for soft, ordinary and loud speech, which its own
knobs reach as well as they can. `fitted` measures what comes out and moves them, as a user with a test box would.
"""

import shutil

import numpy as np

import fitting
import signals

ATTACK, RELEASE = 0.005, 0.050  # s, Auricle's usual times
FIXED = signals.OUTPUT_SCALE - signals.INPUT_SCALE  # dB that the digital gain lies below the insertion gain


class Chain:
    """A chain as it is; its subclasses state `name`, `package`, `edges`, `does`, and `command` where it works on files."""

    edges = ()
    program = ""
    compresses = True
    works_on_files = True
    found = None  # settings and gains, once fitted
    reaches_target = True  # and not something else on purpose

    @property
    def bands(self):
        return len(self.edges) + 1

    def missing(self):
        """A sentence, or nothing when all is there."""
        return "" if shutil.which(self.program) else f"{self.program} is not installed (package {self.package})"

    def live_missing(self):
        return "it works on files alone"

    def fitted(self, wanted, folder):
        """Settings and the gains measured with them."""
        self.found = fitting.fitted(self, wanted, folder)
        return self.found

    def levels(self):
        """Speech in each band at each of LEVELS, dB re full scale of an RMS detector: bands by levels."""
        edges = [50, *self.edges, 16_000]
        return np.array([
            [signals.speech_level(low, high, level) - signals.INPUT_SCALE - signals.SINE for level in signals.LEVELS]
            for low, high in zip(edges, edges[1:])])


class Auricle(Chain):
    package = "auricle"
    bands = 20

    def __init__(self, path, audiogram, name, listening=None, does=""):
        self.program, self.audiogram, self.name, self.does = path, audiogram, name, does
        self.reaches_target = listening is None
        self.listening, self.options = listening, ["--program", listening] if listening else []

    def command(self, source, result, settings):
        return [self.program, "listen", source, result, "--audiogram", self.audiogram, "--full-scale",
                str(signals.INPUT_SCALE), "--limit", str(signals.OUTPUT_SCALE), "--quiet", "--overwrite",
                *self.options]

    def live_missing(self):
        return ""

    def live(self, settings, folder):
        return "auricle", [self.listening or "none"]
