"""The figures as Markdown, for the terminal and the document."""

import statistics
import sys

BEGIN, END = "<!-- generated: make peers -->", "<!-- end -->"
UNITS = {"CPU per band": ("µs per s", 1e6), "live CPU per band": ("µs per s", 1e6), "CPU": ("ms per s", 1000),
         "live CPU": ("ms per s", 1000), "live memory": ("MB", 1), "gain error": ("dB", 1)}


def text(result):
    rows, bare, checks, unmeasured = (result[key] for key in ("rows", "bare", "checks", "not_judged"))
    parts = [result["machine"] + "\n", files(rows)]
    if bare:
        parts += ["\nLive, 44.1 kHz, periods of 64 frames:\n", loops(rows, bare)]
    parts += ["\n" + judgement(check) for check in checks]
    parts += [f"\n{measure}: not judged, because ours or every peer's is missing." for measure in unmeasured]
    if not checks and not unmeasured:
        parts.append("\nAuricle has the least of every measure.")
    return "\n".join(parts)


def files(rows):
    lines = ["| over files | bands | CPU, ms per s of sound | µs per s and band | memory, MB | gain error at 50 / 65 / 80 dB SPL, rms dB "
             "| all, rms dB | worst, dB |", "|---|---|---|---|---|---|---|---|"]
    for row in rows:
        work = ["–", "–", "–"]
        if "cpu" in row:
            work = [f"{1000 * row['cpu']:.1f} ({1000 * row['cpus'][0]:.1f}–{1000 * row['cpus'][-1]:.1f})",
                    f"{1e6 * row['per_band']:.0f}", f"{row['memory']:.0f}"]
        by_level = " / ".join(f"{error:.1f}" for error in row.get("error_rms", [])) or "–"
        lines.append(cells(row["name"], row["bands"], *work, by_level, shown(row.get("rms"), 2), shown(row.get("worst"), 1)))
    return "\n".join(lines)


def loops(rows, bare):
    lines = ["| live loop | through | round trip, ms | of it beyond the bare loop | CPU, ms per s | of it beyond the bare loop "
             "| memory of its own, MB |", "|---|---|---|---|---|---|---|"]
    for row in [{"name": name, "live_cpu": found.get("cpu"), "live_memory": found.get("memory"), **found}
                for name, found in bare.items()] + [row for row in rows if row.get("live_cpu") is not None]:
        thousands = [None if row.get(key) is None else 1000 * row[key] for key in ("live_cpu", "cpu_beyond")]
        lines.append(cells(
            row["name"], row.get("route", "").replace("bare ", ""), spread(row.get("delays")), shown(row.get("beyond"), 2),
            shown(thousands[0], 1), shown(thousands[1], 1), shown(row.get("live_memory"), 1)))
    return "\n".join(lines)


def spread(values):
    """Median, and least and greatest where they differ."""
    if not values:
        return "–"
    middle = shown(statistics.median(values), 2)
    ends = [shown(values[0], 2), shown(values[-1], 2)]
    return middle if ends[0] == ends[1] else f"{middle} ({ends[0]}–{ends[1]})"


def cells(*values):
    return "| " + " | ".join(map(str, values)) + " |"


def shown(value, digits):
    return "–" if value is None else f"{value:.{digits}f}".replace("-", "−")


def judgement(check):
    reason = "reason and next step below" if check["explained"] else "NO REASON IS GIVEN"
    unit, factor = UNITS.get(check["measure"], ("ms", 1))
    return (f"Lost: {check['measure']}: {check['peer']} {shown(factor * check['theirs'], 2)} {unit}, "
            f"Auricle {shown(factor * check['ours'], 2)}; {reason}.")



def say_skipped(skipped):
    """On standard error, one a line, and the command that brings what is missing."""
    for name, reason in skipped.items():
        print(f"skipped  {name}: {reason}", file=sys.stderr)
    if any("not installed" in reason for reason in skipped.values()):
        print("Install what is missing: .ci/install-dependencies peers", file=sys.stderr)


def replace(path, text):
    with open(path) as file:
        whole = file.read()
    before, middle, rest = whole.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not middle or not end:
        raise SystemExit(f"{path}: expected the lines '{BEGIN}' and '{END}'")
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
