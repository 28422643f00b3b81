#!/usr/bin/env python3
"""Makes the system calls of the program's paths fail in turn, and judges what comes of it.

Usage: faults.py TOOL [--path NAME...] [--target TEXT...] [--only CALL COUNT FAILURE] [--all] [--sample COUNT] [--seed NUMBER] [--seconds TIME] [--json FILE] [--csv FILE] [--list FILE]

--only tries again a fault of an earlier table, in its words.
TOOL is fault.c, compiled; PROGRAMS the folder of the programs. --target tries calls alone on files whose path has the text, with
--sample so many others too. Each call is tried with each kind of failure, and what
paths begin with alike on the first of them; with --all each call of each path with each errno that it can have. --sample tries so many faults instead of all; --seconds begins no more
after that time. --csv has a line for each fault, --json everything, --list the calls as they were recorded. Exits with 1 when anything bad was found, and
when nothing was: no fault met its call, or none on a file that --target asks for.
"""
import argparse
import csv
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import time
from collections import Counter

import calls
import confined
import fixtures
import judge
import paths

OUTCOMES = ("as before", "told", "less said", "clear error", "killed", "known", "not reached", "CRASH", "HANG", "HALF", "SILENT", "UNCLEAR", "UNSAFE", "LEFT", "OUTSIDE")
workers = {}


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("--path", nargs="*", default=[])
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--target", nargs="*", default=[])
    parser.add_argument("--only", nargs=3)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json")
    parser.add_argument("--csv")
    parser.add_argument("--list")
    options = parser.parse_args()
    known = [path.name for path in paths.PATHS]
    for name in options.path:
        if name not in known:
            print(f"faults: found the path {name}, expected one of: {', '.join(known)}", file=sys.stderr)
            sys.exit(64)
    return options


def confine(root):
    """Once in each process."""
    workers["confinement"] = confined.Confinement(root)


def prepare(root, tool, references, end):
    """Once in each process: a home of its own, outside of which nothing can be written."""
    confine(root)
    workers["end"] = end
    workers["world"] = paths.World(f"{root}/home-{os.getpid()}", root + "/fixtures")
    workers["tool"], workers["references"] = tool, references


def make_fixtures(root):
    fixtures.make(root)
    if found := workers["confinement"].written():
        raise RuntimeError(f"without a fault, outside of the trial's folder: {found}")


def learn(item):
    root, tool, path = item
    reference = judge.Reference(paths.World(f"{root}/learn-{os.getpid()}", root + "/fixtures"), tool, path)
    if found := workers["confinement"].written():
        raise RuntimeError(f"{path.name}: without a fault, outside of the trial's folder: {found}")
    return reference


def attempt(fault):
    """A row of the table; None once the time is over."""
    path = next(path for path in paths.PATHS if path.name == fault.path)
    if time.monotonic() > workers["end"]:
        return None
    try:
        row = judge.Trial(workers["world"], workers["tool"], path, workers["references"][path.name], fault).run()
    except Exception as error:
        raise RuntimeError(f"{fault}: {type(error).__name__}: {error}") from error
    if found := workers["confinement"].written():
        row.update(outcome="OUTSIDE", reason=f"written outside of the trial's folder: {found}; besides, {row['outcome']}: {row['reason']}")
    return row


def plan(chosen, references, root, options):
    """Faults of the chosen paths, their calls, and the calls that cannot fail."""
    aimed, found, lists, excluded = [], [], {}, Counter()
    for path in chosen:
        file = f"{root}/calls"
        with open(file, "w") as stream:
            stream.write(references[path.name].list)
        lists[path.name] = calls.read_list(file)
        begin = 0 if options.all else calls.shared(lists[path.name], list(lists.values())[:-1])
        rule = (path.name, lists[path.name], path.threads, 2 if path.is_daemon else 3, options.all)
        aimed += calls.faults_of(*rule, targets=options.target) if options.target else []
        found += calls.faults_of(*rule, begin=begin) if options.sample is not None or not options.target else []
        excluded.update(call.name for call in lists[path.name] if call.name in calls.NEVER_FAILS)
    return aimed, found, lists, excluded


def untried(targets, rows):
    """Words for what was asked for and met by no fault; none where all was."""
    met = [row for row in rows if row["outcome"] != "not reached"]
    words = [f"of a file with {target} in its path" for target in targets if not any(target in row["target"] for row in met)]
    return ([] if met else ["at all"]) + words


def try_all(faults, options, root, references):
    """Rows of all faults, as they come; fewer where the time is over."""
    rows, begin, shown = [], time.monotonic(), 0
    with multiprocessing.Pool(options.jobs, prepare, (root, options.tool, references, begin + options.seconds)) as pool:
        for row in pool.imap_unordered(attempt, faults, 1):
            if row is None:
                continue
            rows.append(row)
            if row["outcome"] not in judge.GOOD:
                print(f"  {row['outcome']}: {row['path']}: {row['failure']} of {row['call']} {row['count']} ({row['thread']}) "
                      f"{row['target']}: {row['reason'][:300]}", flush=True)
            if time.monotonic() - shown > 15:
                shown = time.monotonic()
                print(f"  {len(rows)} of {len(faults)} in {shown - begin:.0f} s", flush=True)
    return rows


def table(rows, columns):
    """Lines of a table: rows counted by columns and outcome."""
    used = [outcome for outcome in OUTCOMES if any(row["outcome"] == outcome for row in rows)]
    lines = [list(columns) + ["times"] + used]
    groups = {}
    for row in rows:
        groups.setdefault(tuple(row[column] for column in columns), Counter())[row["outcome"]] += 1
    for key in sorted(groups):
        lines.append([*key, str(sum(groups[key].values()))] + [str(groups[key][outcome] or "") for outcome in used])
    total = Counter(row["outcome"] for row in rows)
    lines.append(["all"] + [""] * (len(columns) - 1) + [str(len(rows))] + [str(total[outcome]) for outcome in used])
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return ["  ".join(word.ljust(width) if number < len(columns) else word.rjust(width) for number, (word, width) in enumerate(zip(line, widths)))
            for line in lines]


def write(options, rows, lists):
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, ["path", "call", "failure", "count", "thread", "target", "outcome", "reason", "status"], extrasaction="ignore")
            writer.writeheader()
            writer.writerows(rows)
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"schema": 100, "faults": rows}, file, indent=1)
    if options.list:
        with open(options.list, "w") as file:
            for name, found in lists.items():
                file.writelines(f"{name}\t{call.thread}\t{call.name}\t{call.count}\t{call.target}\n" for call in found)


def main():
    options = arguments()
    root = tempfile.mkdtemp(prefix="auricle-faults-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
    try:
        chosen = [path for path in paths.PATHS if not options.path or path.name in options.path]
        with multiprocessing.Pool(options.jobs, confine, (root,)) as pool:
            pool.apply(make_fixtures, (root,))
            references = dict(zip([path.name for path in chosen], pool.map(learn, [(root, options.tool, path) for path in chosen], 1)))
        aimed, faults, lists, excluded = plan(chosen, references, root, options)
        if options.only:
            faults = [fault for fault in faults if [fault.call, str(fault.count), fault.words] == options.only]
        random.Random(options.seed).shuffle(faults)
        whole = len({*aimed, *faults})
        faults = aimed + [fault for fault in faults[:options.sample] if fault not in aimed]
        print(f"{sum(map(len, lists.values()))} calls on {len(chosen)} paths; {whole} faults, {len(faults)} of them tried, seed {options.seed}")
        print("not made to fail, for they cannot: " + ", ".join(f"{name} {count}" for name, count in sorted(excluded.items())))
        rows = sorted(try_all(faults, options, root, references), key=lambda row: (row["path"], row["call"], row["failure"], row["count"]))
    finally:
        shutil.rmtree(root, ignore_errors=True)
    write(options, rows, lists)
    print("\n".join(["", *table(rows, ("path", "call", "failure")), "", *table(rows, ("path",))]))
    if len(rows) < len(faults):
        print(f"{len(faults) - len(rows)} faults were left out: the time was over.")
    missing = untried(options.target, rows)
    for words in missing:
        print(f"faults: no call {words} was made to fail, expected one: look at --path, --target, --only and --seconds.", file=sys.stderr)
    sys.exit(bool(missing) or any(row["outcome"] not in judge.GOOD for row in rows))


if __name__ == "__main__":
    main()
