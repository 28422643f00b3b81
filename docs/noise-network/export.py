"""Writes the weights of weights.npz as NoiseWeights.swift to standard output: python3 export.py WEIGHTS"""
import sys, numpy as np
p = dict(np.load(sys.argv[1]))
def listed(numbers):
    lines, line = [], "   "
    for x in numbers:
        t = f" {x:.4g}," if abs(x) >= 1e-4 else f" {x:.6f},"
        if len(line + t) > 106: lines.append(line); line = "   "
        line += t
    return "\n".join(lines + [line])
F = [("reading", p["a"], "From what is common to all bands to the rectified sums."), ("readingConstant", p["ab"], ""), ("gates", p["x"], "From those to the units' three sums: reset, keep, candidate."),
     ("gatesConstant", p["xb"], ""), ("recurrence", p["h"], "From the units' former state to their three sums."), ("candidateConstant", p["hb"], "Added to what the former state adds to the candidate."),
     ("shared", p["u"], "From the units to the sums of the small network."), ("sharedConstant", p["lb"], ""), ("direct", p["q"], "From the units to each band."), ("directConstant", p["qb"], ""),
     ("own", p["l"].T, "Per sum the band's own nine values."), ("place", p["p"], "Per sum the band's position; and its square."), ("output", p["o"], "One weight per sum.")]
out = ["// Made by Benchmarks/Noise/train.py: change that, not this.", "", "/// Weights of ``NoiseModel``. One row per input, one column per sum.", "///", "/// Trained on voices of Debian packages in noise and rooms; see docs/noise.md.", "///", "/// - Threads: `control`.", "enum NoiseWeights {",
       "  /// Rectified sums of what is common to all bands; gated units; sums of the small network.", f"  static let readingCount = {p['a'].shape[1]}", f"  static let unitCount = {p['q'].shape[0]}", f"  static let sumCount = {p['o'].shape[0]}"]
for n, w, d in F:
    out += ["", "  // swift-format-ignore"] + ([f"  /// {d}"] if d else []) + [f"  static let {n}: [Float] = [", listed(np.ravel(w)), "  ]"]
print("\n".join(out + ["}"]))
