#!/usr/bin/env python3
"""The table of a fuzzing run, from libFuzzer's logs.

Usage: report.py LOGS TARGET... [--json]

Edges are those that the compiler counts (SanitizerCoverage) in the functions of the target's own sources, by the file of a function's first
instruction; a function that the compiler made by itself, or of which nothing is left after it was put into its callers, counts nowhere.

Exit status: 0; 1 with a finding; 70 when a target did not run.
"""
import json
import os
import re
import sys

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What reads the bytes of a target, by the beginning of a path.
OWN = {
    "card": ["Sources/Aid/Prescriptions/Bundle", "Sources/Aid/Prescriptions/Card", "Sources/Aid/Prescriptions/Import",
             "Sources/Aid/Prescriptions/JSON", "Sources/Aid/Prescriptions/Prescription", "Sources/Aid/Prescriptions/Signing",
             "Sources/Base/JSON"],
    "pictures": ["Sources/Aid/Paper/Finding", "Sources/Aid/Paper/Pixels", "Sources/Aid/Paper/Reading/PictureReader",
                 "Sources/Aid/Paper/Reading/SymbolSearch", "Sources/Aid/Paper/Files/PictureDecoding"],
    "control": ["Sources/Aid/Service/Socket", "Sources/Aid/Service/Methods", "Sources/Aid/Control/Protocol", "Sources/Base/JSON"],
    "configuration": ["Sources/Aid/Control/Configuration", "Sources/Aid/Service/Settings", "Sources/Base/TOML",
                      "Sources/Sound/Acoustics/Calibration/CalibrationFiles"],
    "audiogram": ["Sources/Aid/Service/Settings/AudiogramReading", "Sources/Sound/Acoustics/Files", "Sources/Sound/Acoustics/Hearing",
                  "Sources/Aid/Prescriptions/Import", "Sources/Aid/Prescriptions/Bundle/ThresholdObservation", "Sources/Base/JSON",
                  "Sources/Base/Text/CSV"],
}
FUNCTION = re.compile(r"^(?:UN)?COVERED_FUNC: hits: \d+ edges: (\d+)/(\d+) (\S+) (.*?)(?::(\d+))?$")


def text(path):
    try:
        with open(path, errors="replace") as file:
            return file.read()
    except FileNotFoundError:
        return ""


def coverage(target, log):
    """Edges reached and all edges, in the target's own sources and by file."""
    files = {}
    for line in log.splitlines():
        found = FUNCTION.match(line)
        if not found:
            continue
        path = os.path.relpath(found[4], REPOSITORY)
        if any(path.startswith(own) for own in OWN[target]):
            row = files.setdefault(path, [0, 0])
            row[0] += int(found[1])
            row[1] += int(found[2])
    return files


def row(logs, target):
    search, covered = text(f"{logs}/{target}.search"), text(f"{logs}/{target}.coverage")
    stats = dict(re.findall(r"^stat::(\w+):\s+(\d+)", search, re.M))
    done = re.search(r"^Done \d+ runs in (\d+) second", search, re.M)
    corpus = f"{REPOSITORY}/Tests/fuzz/corpus/{target}"
    files = coverage(target, covered)
    findings = text(f"{logs}/{target}.found").split("\n")[:-1]
    reason = re.search(r"^(?:.*Fatal error: .*|.*SUMMARY: .*|.*runtime error: .*)$", search, re.M)
    return {
        "target": target, "seconds": int(done[1]) if done else 0, "executions": int(stats.get("number_of_executed_units", 0)),
        "kept": len(os.listdir(corpus)) if os.path.isdir(corpus) else 0,
        "edges": sum(one[0] for one in files.values()), "of": sum(one[1] for one in files.values()),
        "files": {path: one for path, one in sorted(files.items())},
        "findings": findings, "reason": reason[0].strip() if reason and findings else None,
    }


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    logs, targets = words[0], words[1:]
    rows = [row(logs, target) for target in targets]
    if "--json" in sys.argv[1:]:
        print(json.dumps(rows, indent=2))
    else:
        print(f"{'target':14}{'seconds':>8}{'executions':>12}{'kept':>6}{'edges':>14}{'share':>8}  findings")
        for one in rows:
            edges, share = f"{one['edges']}/{one['of']}", 100 * one["edges"] / max(1, one["of"])
            print(f"{one['target']:14}{one['seconds']:8}{one['executions']:12}{one['kept']:6}{edges:>14}{share:7.1f} %"
                  f"  {', '.join(one['findings']) or 'none'}")
            if one["reason"]:
                print(f"    {one['reason']}")
    for one in rows:
        if not one["of"]:
            print(f"fuzz: {one['target']} did not run: see {logs}/{one['target']}.coverage", file=sys.stderr)
    if any(one["findings"] for one in rows):
        return 1
    return 0 if all(one["of"] for one in rows) else 70


if __name__ == "__main__":
    sys.exit(main())
