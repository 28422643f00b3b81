#!/usr/bin/env python3
"""Line coverage of the libraries, and what is not covered, with the reason.

Usage: report.py COVERAGE [TESTS] [--json]     what `llvm-cov export` wrote, JSON: of all that ran, and of the Swift tests alone

Libraries are the folders of Sources/Base, Sources/Sound and Sources/Aid. Each must have 90 % of its lines covered, whatever
the reason. With TESTS the table has the Swift tests' own share beside it, which nothing is judged by. Each library below that, by its name such as `Sound/AudioIO`, every file below it, and every file of which fifty lines or more are
not covered, stands in reasons.tsv with the reason. With --json: `libraries` and `all`, lines and lines covered, `tests` of them by the Swift tests, a library below the bound with its `reason`;
`files`, those that need a reason, with it; null where it is missing.

Exit status: 0; 1 a library below the bound, a library or a file without a reason, or a reason for what needs none; 64 another number of files;
65 a file that is no coverage, or a line that is no reason; 66 a file that cannot be read.
"""
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
# Share of lines that a library must have covered, below which it or a file needs a reason; and lines from which on a file does.
BOUND, MANY = 0.9, 50


def library(path):
    """`Sound/HearingDSP` of a file of it; nil for what is no library of ours."""
    parts = path.split("/")
    if parts[0] != "Sources" or parts[1] not in ("Base", "Sound", "Aid"):
        return None
    return "Base" if parts[1] == "Base" else f"{parts[1]}/{parts[2]}"


def missing(file):
    """Ranges of lines that were not run, from the file's segments: each begins where its count holds until the next."""
    lines = set()
    segments = file["segments"]
    for segment, following in zip(segments, segments[1:]):
        line, _, count, has_count = segment[:4]
        if has_count and count == 0:
            lines.update(range(line, following[0] + (1 if following[0] == line else 0)))
    ranges = []
    for line in sorted(lines):
        if ranges and line == ranges[-1][1] + 1:
            ranges[-1][1] = line
        else:
            ranges.append([line, line])
    return [f"{first}-{last}" if last > first else f"{first}" for first, last in ranges]


def refuse(status, words):
    print(f"coverage: {words}", file=sys.stderr)
    sys.exit(status)


def content(path):
    """A file's text."""
    try:
        with open(path) as file:
            return file.read()
    except OSError as error:
        refuse(66, f"{path} cannot be read: {error.strerror}")


def reasons_kept():
    """Reason of each library and file that stands in reasons.tsv."""
    lines = [line for line in content(f"{HERE}/reasons.tsv").splitlines() if line.strip() and not line.startswith("#")]
    for line in lines:
        if line.count("\t") != 1:
            refuse(65, f"reasons.tsv: found '{line}', expected a name, a tab and a reason")
    return dict(line.split("\t") for line in lines)


def summaries(path):
    """Path in the repository, library and record of each file of a library."""
    try:
        files = json.loads(content(path))["data"][0]["files"]
        paths = [(os.path.relpath(file["filename"], REPOSITORY), file) for file in files]
    except (ValueError, LookupError, TypeError):
        refuse(65, f"found no coverage in {path}, expected the JSON of llvm-cov export")
    return [(path, library(path), file) for path, file in paths if library(path)]


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    if not 1 <= len(words) <= 2:
        refuse(64, f"found {len(words)} files, expected one or two of llvm-cov export")
    reasons = reasons_kept()
    libraries, poor = {}, []
    for path, name, file in summaries(words[0]):
        lines = file["summary"]["lines"]
        row = libraries.setdefault(name, {"lines": 0, "covered": 0})
        row["lines"] += lines["count"]
        row["covered"] += lines["covered"]
        left = lines["count"] - lines["covered"]
        if left >= MANY or (lines["count"] and lines["covered"] / lines["count"] < BOUND):
            poor.append({"file": path, "lines": lines["count"], "uncovered": left, "where": missing(file), "reason": reasons.get(path)})
    for _, name, file in summaries(words[1]) if len(words) > 1 else []:
        libraries[name]["tests"] = libraries[name].get("tests", 0) + file["summary"]["lines"]["covered"]
    poor.sort(key=lambda one: -one["uncovered"])
    total = {key: sum(row.get(key, 0) for row in libraries.values()) for key in ("lines", "covered", "tests")[: 1 + len(words)]}
    below = [name for name, row in sorted(libraries.items()) if row["covered"] < BOUND * row["lines"]]
    for name in below:
        libraries[name]["reason"] = reasons.get(name)
    if "--json" in sys.argv[1:]:
        print(json.dumps({"libraries": libraries, "all": total, "files": poor}, indent=2))
    else:
        print(f"{'library':22}{'lines':>9}{'covered':>10}{'share':>9}" + (f"{'Swift tests':>14}" if len(words) > 1 else ""))
        for name, row in [*sorted(libraries.items()), ("all", total)]:
            reason = f"   {row['reason'] or 'NO REASON'}" if name in below else ""
            tests = f"{100 * row['tests'] / max(1, row['lines']):12.1f} %" if "tests" in row else ""
            print(f"{name:22}{row['lines']:9}{row['covered']:10}{100 * row['covered'] / max(1, row['lines']):7.1f} %{tests}{reason}")
        print("\nNot covered:")
        for one in poor:
            print(f"  {one['file']}: {one['uncovered']} of {one['lines']} lines. {one['reason'] or 'NO REASON'}")
            print(f"    lines {', '.join(one['where'])}")
    needed = [*below, *(one["file"] for one in poor)]
    faults = [f"{name}: below {BOUND:.0%}" for name in below]
    faults += [f"{name}: no reason in Tests/coverage/reasons.tsv" for name in needed if not reasons.get(name)]
    faults += [f"{path}: a reason that is not needed" for path in reasons if path not in needed]
    print("\n".join(faults), file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
