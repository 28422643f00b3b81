"""Files of the weights: one to go on with, and NoiseWeights.swift."""
import numpy as np
from .chain import CLOSING
from .network import DEPTH, READING, SUMS, UNITS

ABOUT = {
    "reading": "From what is common to all bands to the rectified sums.",
    "gates": "From those to the units' three sums: reset, keep, candidate.",
    "recurrence": "From the units' former state to their three sums.",
    "candidateConstant": "Added to what the former state adds to the candidate.",
    "shared": "From the units to the sums of the small network.",
    "direct": "From the units to each band.",
    "own": "Per sum the band's own nine values.",
    "place": "Per sum the band's position; and its square.",
    "output": "One weight per sum.",
    "aidedReading": "From the aided thresholds to the rectified sums.",
    "aidedShared": "From those to the sums of the small network.",
    "aidedDirect": "From those to each band."}

BRIEF = dict(reading="a", readingConstant="ab", gates="x", gatesConstant="xb", recurrence="h", candidateConstant="hb", shared="u",
             sharedConstant="lb", direct="q", directConstant="qb", own="l", place="p", output="o",
             aidedReading="ea", aidedShared="el", aidedDirect="eq")

HEAD = f"""// Made by Benchmarks/Noise/train.py: change that, not this.

/// Weights of ``NoiseModel``. One row per input, one column per sum.
///
/// Trained on voices of Debian packages in noise and rooms; see docs/noise.md.
///
/// - Threads: `control`.
enum NoiseWeights {{
  /// Rectified sums of what is common to all bands; gated units; sums of the small network.
  static let readingCount = {READING}
  static let unitCount = {UNITS}
  static let sumCount = {SUMS}"""


def save(path, weights):
    np.savez(path, **{BRIEF[name]: np.asarray(x) for name, x in weights.items()}, closing=CLOSING, depth=DEPTH)


def load(path):
    """Weights of such a file."""
    with np.load(path) as kept:
        return {name: kept[brief] for name, brief in BRIEF.items() if brief in kept}


def swift(weights):
    """Text of NoiseWeights.swift."""
    return "\n".join([HEAD, *(constant(name, weights[name]) for name in BRIEF), "}"])


def constant(name, x):
    about = f"\n  /// {ABOUT[name]}" if name in ABOUT else ""
    return f"\n  // swift-format-ignore{about}\n  static let {name}: [Float] = [\n{listed(x.T if name == 'own' else x)}\n  ]"


def listed(numbers):
    lines, line = [], "   "
    for number in np.ravel(numbers):
        text = f" {number:.4g}," if abs(number) >= 1e-4 else f" {number:.6f},"
        if len(line + text) > 106:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])
