#!/usr/bin/env python3
"""Mutation of the safety stage: each comparison, constant and sign of its code is changed, one at a time, and a test must fail.

Usage: mutants.py [--list] [--only TEXT] [--folder FOLDER] [--json]

Changed are limiter, clamp, ramp, lowering, limits and the ceilings of the gain (`PLACES` of changes.py). All changes are built once, and each
run of the tests has one in force. A change that no test notices survives; each survivor stands in equivalent.tsv with the reason why nobody
could notice it. A test that never ends, or traps, has noticed.

Exit status: 0; 1 a survivor without a reason, or a reason that a test refutes or whose change is gone; 64 wrong options; 69 no Swift; 70 the tests fail without any change.
"""
import argparse
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys

from changes import Changed

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))
COPIED = ["Sources/C/CLinux", "Sources/C/CFFTW", "Sources/C/CLanes", "Sources/Base", "Sources/Sound", "Tests/Support", "Tests/Sound/HearingDSPTests/Output"]
# A run without any change takes a second; a machine that is busy makes it ten.
LONGEST = 60


def prepare(folder, changed):
    """A package of the sound's modules with all changes in them."""
    sources = [f"{place}/{name}" for path in COPIED for place, _, names in os.walk(f"{REPOSITORY}/{path}") for name in names]
    written = {}
    for source in sources:
        with open(source) as file:
            written[os.path.relpath(source, REPOSITORY)] = file.read()
    with open(f"{HERE}/Changed.swift") as file:
        own = file.read() + "\n" + "\n\n".join(changed.operators) + "\n"
    with open(f"{HERE}/Package.swift") as file:
        description = file.read()
    written |= {**changed.files, "Sources/Sound/HearingDSP/Changed.swift": own, "Package.swift": description}
    former = [f"{place}/{name}" for part in ("Sources", "Tests") for place, _, names in os.walk(f"{folder}/{part}") for name in names]
    for path in former:
        if os.path.relpath(path, folder) not in written:
            os.remove(path)
    for path, text in written.items():
        write(f"{folder}/{path}", text)


def write(path, text):
    """Writes what is new: a file that keeps its time is not built anew."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    with open(path, "w") as file:
        file.write(text)


def run(folder, number, *command, longest=None):
    """Exit status and output of a command with a change in force; -1: it never ended."""
    try:
        done = subprocess.run(command, cwd=folder, env={**os.environ, "AURICLE_CHANGE": str(number)}, text=True,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=longest)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return -1, ""


def tests(folder, number):
    # What `swift test` starts, without what it looks at before each time.
    return run(folder, number, ".build/debug/mutantsPackageTests.xctest", "--testing-library", "swift-testing", longest=LONGEST)


def reasons():
    with open(f"{HERE}/equivalent.tsv") as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return {f"{line[0]}\t{line[1]}": line[2] for line in lines}


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        print(f"mutants: {message}", file=sys.stderr)
        sys.exit(64)


def main():
    parser = Parser(usage=__doc__.split("Usage: ")[1].split("\n")[0])
    for flag in ("--list", "--json"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--folder", default=f"{REPOSITORY}/.build-mutants")
    options = parser.parse_args()
    changed = Changed(REPOSITORY)
    chosen = [change for change in changed.changes if options.only in f"{change.path}:{change.code}"]
    if not chosen:
        parser.error(f"found no change whose file and code hold '{options.only}'; --list shows them all")
    if options.list:
        print("\n".join(f"{change.path}:{change.line}: {change.code}" for change in chosen))
        return 1 if not options.only and told_stale(chosen) else 0
    if shutil.which("swift") is None:
        print("mutants: swift is missing: expected Swift 6.3 in the PATH", file=sys.stderr)
        return 69
    prepare(options.folder, changed)
    status, output = run(options.folder, 0, "swift", "build", "--build-tests")
    if status == 0:
        status, output = tests(options.folder, 0)
    if status != 0:
        print(output[-6000:], "\nmutants: build or tests fail without any change", file=sys.stderr)
        return 70
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda change: judged(options.folder, change, len(chosen)), chosen))
    return report(list(zip(chosen, results)), options)


def judged(folder, change, count):
    result = tests(folder, change.number)[0] == 0
    if sys.stderr.isatty():
        print(f"\r{change.number} of {count}", end="", file=sys.stderr)
    return result


def report(results, options):
    known = reasons()
    survivors = [change for change, isLeft in results if isLeft]
    new = [change for change in survivors if change.key() not in known]
    left = {change.key() for change in survivors}
    tried = {change.key() for change, _ in results}
    refuted = [key for key in known if key in tried and key not in left]
    rows = {}
    for change, isLeft in results:
        row = rows.setdefault(os.path.basename(change.path), {"changes": 0, "noticed": 0, "equivalent": 0, "unnoticed": 0})
        row["changes"] += 1
        row["noticed" if not isLeft else "equivalent" if change.key() in known else "unnoticed"] += 1
    if options.json:
        print(json.dumps({"files": rows, "survivors": [
            {"file": change.path, "line": change.line, "code": change.code, "reason": known.get(change.key())}
            for change in survivors]}, indent=2))
    else:
        print(f"{'file':24}{'changes':>9}{'noticed':>9}{'equivalent':>12}{'unnoticed':>11}")
        for name, row in sorted(rows.items()):
            print(f"{name:24}{row['changes']:9}{row['noticed']:9}{row['equivalent']:12}{row['unnoticed']:11}")
    for change in new:
        print(f"no test notices: {change.path}:{change.line}: {change.code}", file=sys.stderr)
    for key in refuted:
        print(f"a test notices what equivalent.tsv calls equivalent: {key}", file=sys.stderr)
    is_stale = not options.only and told_stale([change for change, _ in results])
    return 1 if new or refuted or is_stale else 0


def told_stale(changes):
    """Tells reasons for changes that are none any longer; True where there are some. `make lint` asks for the list alone: sources
    that are changed leave their places here behind."""
    known = {change.key() for change in changes}
    stale = [key for key in reasons() if key not in known]
    for key in stale:
        print(f"equivalent.tsv names a change that is none any longer: {key}", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
