"""Objective quality: nothing, a plain NAL-R filter and the shipped program, side by side."""

import argparse
import json
import os
import sys
import tempfile

# Two workers are two threads, not two times all of them.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import criteria
import picture
import signals
import systems
import tables
import trial


def tone_check(program):
    """Levels are what the bookkeeping says: a tone through the program, with a gain that is known.

    Half-gain of normal ears is 0 dB. NAL-R of N3 at 1 kHz is 0.05·(35 + 40 + 50) + 0.31·40 + 1 = 19.65 dB.
    """
    time = np.arange(3 * signals.RATE) / signals.RATE
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        normal = os.path.join(folder, "normal.csv")
        with open(normal, "w") as file:
            file.write("ear,frequency,threshold\n")
            for ear in ("left", "right"):
                file.writelines(f"{ear},{f},0\n" for f in (250, 500, 1000, 2000, 4000, 6000))
        for level, ear, rule, gain in ((65, normal, "half-gain", 0), (50, "N3", "NAL-R", 19.65),
                                       (80, "N3", "NAL-R", 19.65)):
            tone = signals.at_level(np.sin(2 * np.pi * 1000 * time), level)
            heard = systems.program(program, folder, ear, rule, tone)
            out = signals.level(heard[signals.RATE : 2 * signals.RATE])
            name = "normal ears" if ear == normal else ear
            lines.append((f"1 kHz at {level} dB SPL, {name}, {rule}", level + gain, out))
            # Half a dB: what the laboratory allows the chain's own gain (S3.22 allows 3 dB).
            if abs(out - level - gain) > 0.5:
                raise SystemExit(f"{lines[-1][0]}: {out:.2f} dB SPL, expected {level + gain:.2f}")
    return lines


def parsed():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the auricle to listen with")
    parser.add_argument("--memory", required=True, help="folder in which judged sounds are remembered")
    parser.add_argument("--quick", action="store_true", help="N2 to N4, half of the speech, quiet only")
    parser.add_argument("--quiet-only", action="store_true", help="no noise")
    parser.add_argument("--ears", default=",".join(systems.AUDIOGRAMS), help="comma-separated")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--results", help="write the figures here, as JSON")
    parser.add_argument("--document", help="replace the generated part of this Markdown file")
    parser.add_argument("--picture", help="draw here")
    return parser.parse_args()


def main():
    options = parsed()
    ears = ["N2", "N3", "N4"] if options.quick else options.ears.split(",")
    if unknown := set(ears) - set(systems.AUDIOGRAMS):
        raise SystemExit(f"--ears: no audiogram {', '.join(sorted(unknown))}")
    if options.quick:
        signals.prompt_count = 4
    conditions = trial.CONDITIONS[:1] if options.quick or options.quiet_only else trial.CONDITIONS
    tones = tone_check(options.program)
    wanted = trial.cases(ears, trial.LEVELS, conditions, systems.ALL)
    count = 0

    def told(row):
        nonlocal count
        count += 1
        if sys.stderr.isatty():
            print(f"\r{count}/{len(wanted)}", end="", file=sys.stderr, flush=True)

    rows = trial.run(wanted, options.program, options.memory, options.workers, told)
    checks = criteria.checks(rows)
    print(tables.text(rows, checks, tones))
    if options.results:
        with open(options.results, "w") as file:
            json.dump({"tones": tones, "rows": rows, "checks": checks}, file, indent=1)
            file.write("\n")
    if options.picture:
        picture.draw(rows, options.picture)
    if options.document:
        shown = tables.text(rows, checks, tones)
        if options.picture:
            shown = f"![HASPI, HASQI and SII]({os.path.basename(options.picture)})\n\n{shown}"
        tables.replace(options.document, shown)
    counted = [c for c in checks if c["counts"]]
    broken = [c for c in counted if not c["holds"]]
    if broken:
        print(f"FAIL: {len(broken)} of {len(counted)} criteria", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
