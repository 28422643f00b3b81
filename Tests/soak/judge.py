#!/usr/bin/env python3
"""Judges the samples of a soak: a table, each row flat, fail or not judged, and what the machine lacked where sound broke off.

Usage: judge.py [--json] FOLDER     samples.csv, deeds.csv, run.json, machine.json and meanwhile.json of a run; writes report.json there

Exits with 0 when all rows are flat, 1 when one fails, 75 when none fails and one has too few samples, 65 when the samples cannot be read. The rules are in docs/soak.md.
"""
import csv
import json
import math
import os
import statistics
import sys

# Must hold by the task.
GREATEST_GROWTH = 0.01
# Chance of taking two equal loops for unequal ones. Own choice.
CHANCE = 0.01
# Samples that say nothing of the latency yet, at the beginning of a stretch: the loop rises and its delay is measured. Own choice.
SETTLING = 2
# Least samples of a tenth from which a median is taken. Own choice.
LEAST_OF_TENTH = 5


def number(text):
    return float(text) if text not in ("", None) else None


def stretches(samples, kind):
    found = {}
    for sample in samples:
        if sample["kind"] == kind:
            found.setdefault(int(sample["stretch"]), []).append(sample)
    return [found[n] for n in sorted(found)]


def row(name, found, expected, is_flat):
    return {"name": name, "found": found, "expected": expected,
            "verdict": "not judged" if is_flat is None else "flat" if is_flat else "fail"}


# MARK: - Memory, descriptors, threads

def judged(samples):
    """Stretches of the aid after the first one, in which everything happens once: the warm-up."""
    return stretches(samples, "aid")[1:]


def memory(samples, field, name, is_judged):
    values = [number(s[field]) for stretch in judged(samples) for s in stretch]
    count = len(values) // 10
    expected = f"growth ≤ {100 * GREATEST_GROWTH:.0f} %" if is_judged else ""
    if count < LEAST_OF_TENTH:
        return row(name, f"{len(values)} samples after the first stretch", expected, None)
    first, last = statistics.median(values[:count]), statistics.median(values[-count:])
    growth = last / first - 1
    return row(name, f"{first:.0f} kB in the first tenth, {last:.0f} kB in the last: {100 * growth:+.2f} %", expected,
               growth <= GREATEST_GROWTH if is_judged else None)


def constant(samples, field, name):
    """Who asks something holds a descriptor meanwhile, so the least of a stretch counts: nobody asks then."""
    least = [int(min(number(s[field]) for s in stretch)) for stretch in judged(samples)]
    if len(least) < 2:
        return row(name, f"{len(least)} stretches after the first", "constant", None)
    return row(name, f"{least[0]} first, {least[-1]} last, {min(least)} to {max(least)}", "constant", len(set(least)) == 1)


# MARK: - Latency

def latency(samples, run):
    period_ms = 1000 * run["period"] / run["rate"]
    rows = []
    for kind, field, name, unit, period in [
            ("aid", "device_frames", "latency, by the devices", "frames", run["period"]),
            ("aid", "meter_ms", "latency, by jack_iodelay", "ms", period_ms), ("bare", "meter_ms", "the same of the bare loop", "ms", period_ms)]:
        medians = []
        for stretch in stretches(samples, kind):
            values = [value for value in (number(s[field]) for s in stretch[SETTLING:]) if value is not None]
            if values:
                medians.append(statistics.median(values))
        places = 0 if unit == "frames" else 2
        expected = f"within {period:.{places}f} {unit}" if kind == "aid" else ""
        if not medians and unit == "ms" and run["device"] != "JACK dummy":
            rows.append(row(name, "nothing is heard on a card", "", None))
            continue
        if not medians:
            rows.append(row(name, "not measured", expected, None))
            continue
        width = max(medians) - min(medians)
        # A hundredth of a millisecond: what the meter rounds to.
        rows.append(row(name, f"{statistics.median(medians):.{places}f} {unit}, {min(medians):.{places}f} to {max(medians):.{places}f}",
                        expected, width <= period + (0.02 if unit == "ms" else 0) if kind == "aid" else None))
    return rows


# MARK: - Xruns

def xruns_of(stretch):
    """Time, xruns, and intervals between two samples in which there were any."""
    counts = [int(number(s["xruns"])) for s in stretch]
    steps = [after - before for before, after in zip(counts, counts[1:])]
    return number(stretch[-1]["seconds"]) - number(stretch[0]["seconds"]), sum(steps), sum(step > 0 for step in steps)


def tail(count, whole, share):
    """Chance of `count` or more of `whole` when each has the chance `share`."""
    if count <= 0:
        return 1.0
    terms = (math.lgamma(whole + 1) - math.lgamma(k + 1) - math.lgamma(whole - k + 1) + k * math.log(share) + (whole - k) * math.log(1 - share)
             for k in range(count, whole + 1))
    return min(1.0, sum(math.exp(term) for term in terms))


def xruns(samples):
    """Two Poisson counts, compared by the exact conditional test (Przyborowski and Wilenski 1940). What stops a machine for a moment may
    cost several xruns that are one event, so both counts are divided by the mean number of an interval that had any."""
    of = {kind: [xruns_of(s) for s in stretches(samples, kind) if len(s) > 1] for kind in ("aid", "bare")}
    if not of["aid"] or not of["bare"]:
        return row("xruns", "one of the loops was not sampled", "as the bare loop's", None), {"aid": None, "bare": None}
    sums = {kind: [sum(column) for column in zip(*of[kind])] for kind in of}
    (aid_time, aid, aid_events), (bare_time, bare, bare_events) = sums["aid"], sums["bare"]
    events = aid_events + bare_events
    burst = (aid + bare) / events if events else 1
    count, other = round(aid / burst), round(bare / burst)
    chance = tail(count, count + other, aid_time / (aid_time + bare_time))
    median = {kind: statistics.median(n for _, n, _ in of[kind]) for kind in of}
    return row("xruns", f"aid {aid} in {aid_time:.0f} s (median of a stretch {median['aid']:g}), bare loop {bare} in {bare_time:.0f} s "
               f"({median['bare']:g}); chance {chance:.2f}", f"chance ≥ {CHANCE}", chance >= CHANCE), {"aid": aid, "bare": bare}


def late_cycles(samples):
    found = {kind: sum(int(number(s[-1]["late_cycles"])) for s in stretches(samples, kind)) for kind in ("aid", "bare")}
    return row("late cycles of JACK's server", f"{found['aid']} beside the aid, {found['bare']} beside the bare loop", "", None), sum(found.values())


# MARK: - The rest

def deeds(folder):
    with open(os.path.join(folder, "deeds.csv")) as file:
        statuses = [line["status"] for line in csv.DictReader(file)]
    failed = sum(status != "0" for status in statuses)
    return row("commands given", f"{len(statuses)}, {failed} failed" + (" (deeds.log)" if failed else ""), "none fails",
               failed == 0 if statuses else None)


def reopens(samples):
    counts = [(number(s[0]["reopens"]), number(s[-1]["reopens"])) for s in stretches(samples, "aid")]
    count = int(sum(last - first for first, last in counts))
    return row("devices reopened", f"{count} times while sound flowed", "never", count == 0 if counts else None)


def drift(samples):
    values = [value for value in (number(s["drift_ppm"]) for s in samples) if value is not None]
    return row("drift of two clocks", f"{min(values):.1f} to {max(values):.1f} ppm" if values else "one clock", "", None)


def lacked(folder, late):
    machine = json.load(open(os.path.join(folder, "machine.json")))
    meanwhile = json.load(open(os.path.join(folder, "meanwhile.json")))
    lines = [f"{finding['subject']}: {finding['found']}. {finding['remedy'] or ''}".strip() for finding in machine]
    if late:
        lines.append(f"JACK's server was late {late} times: no client could have been in time then")
    if (meanwhile["stolen_percent"] or 0) >= 0.05:
        lines.append(f"the machine's host took {meanwhile['stolen_percent']:.1f} % of its time")
    # Own choice: below that hardly anybody waits.
    if (meanwhile["waited_percent"] or 0) >= 5:
        lines.append(f"somebody waited for the processor in {meanwhile['waited_percent']:.0f} % of the time; "
                     f"load {meanwhile['load']} on {meanwhile['processors']} processors")
    return lines


def report(folder):
    with open(os.path.join(folder, "samples.csv")) as file:
        samples = list(csv.DictReader(file))
    run = json.load(open(os.path.join(folder, "run.json")))
    broken, counts = xruns(samples)
    cycles, late = late_cycles(samples)
    rows = [memory(samples, "resident_kb", "resident memory", True), memory(samples, "anonymous_kb", "of it anonymous", False),
            constant(samples, "descriptors", "descriptors"), constant(samples, "threads", "threads")]
    rows += latency(samples, run) + [broken, cycles, reopens(samples), drift(samples), deeds(folder)]
    if run["ended"] == "1":
        rows.append(row("the run", "broke off, as said above", "to its end", False))
    return {"run": run, "stretches": {kind: len(stretches(samples, kind)) for kind in ("aid", "bare")}, "rows": rows,
            "xruns": counts, "lacked": lacked(folder, late) if counts["aid"] or counts["bare"] else [],
            "verdict": whole(rows)}


def whole(rows):
    """The verdict of all rows that something is expected of."""
    verdicts = {r["verdict"] for r in rows if r["expected"]}
    return next((v for v in ("fail", "not judged") if v in verdicts), "flat")


def text(found):
    print(f"{found['stretches']['aid']} stretches of the aid and {found['stretches']['bare']} of a bare loop, {found['run']['stretch']} s each, "
          f"on {found['run']['device']}; load: {found['run']['load'] or 'skipped, stress-ng is missing'}")
    widths = [max(len(r[key]) for r in found["rows"]) for key in ("name", "found", "expected")]
    for r in found["rows"]:
        print("  ".join(r[key].ljust(width) for key, width in zip(("name", "found", "expected"), widths)) + "  " + r["verdict"])
    if found["lacked"]:
        print("Sound broke off. What this machine lacked:")
        for line in found["lacked"]:
            print(f"  {line}")
    elif found["xruns"]["aid"] or found["xruns"]["bare"]:
        print("Sound broke off, and nothing was found that this machine lacks.")
    open_rows = [r["name"] for r in found["rows"] if r["verdict"] == "not judged" and r["expected"]]
    if found["verdict"] == "not judged":
        print(f"not judged: {', '.join(open_rows)}. No other row fails. A longer run has the samples: MINUTES=10")
    else:
        print(found["verdict"] + (f", and not judged: {', '.join(open_rows)}" if open_rows else ""))


def main():
    words = [word for word in sys.argv[1:] if word != "--json"]
    if len(words) != 1:
        sys.exit(__doc__)
    try:
        found = report(words[0])
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        print(f"soak: the samples in {words[0]} cannot be read: {error!r}", file=sys.stderr)
        sys.exit(65)
    with open(os.path.join(words[0], "report.json"), "w") as file:
        json.dump(found, file, indent=1, ensure_ascii=False)
    if "--json" in sys.argv:
        print(json.dumps(found, indent=1, ensure_ascii=False))
    else:
        text(found)
    sys.exit({"flat": 0, "fail": 1, "not judged": 75}[found["verdict"]])


if __name__ == "__main__":
    main()
