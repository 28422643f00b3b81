"""The figures as Markdown."""

import systems

BEGIN, END = "<!-- generated: Benchmarks/Quality/run.sh -->", "<!-- end -->"


def text(rows, checks, tones):
    parts = ["### Criteria\n", criteria_table(checks), "\n### Levels\n", tone_table(tones),
             "\n### Figures\n", "HASPI / HASQI / SII, and the level at the ear in dB SPL.\n", figures(rows)]
    if any(r["system"] in systems.RAISED_ALL for r in rows):
        parts += ["\n### Severe ears at the limit prescribed for them, in quiet\n",
                  "HASPI / HASQI, and the greatest level of 10 ms in dB SPL.\n", raised(rows)]
    return "\n".join(parts)


def criteria_table(checks):
    lines = ["| criterion, in quiet | ear | found | wanted | |", "|---|---|---|---|---|"]
    for check in checks:
        digits = 1 if check["what"].endswith("dB SPL") else 3
        holds = {(True, True): "pass", (False, True): "FAIL", (True, False): "(holds)",
                 (False, False): "(does not hold)"}[check["holds"], check["counts"]]
        lines.append(
            f"| {check['what']} | {check['ear']} | {check['found']:.{digits}f} | {check['wanted']:.{digits}f} |"
            f" {holds} |")
    return "\n".join(lines)


def tone_table(tones):
    lines = ["| tone | expected, dB SPL | found |", "|---|---|---|"]
    return "\n".join(lines + [f"| {name} | {wanted:.2f} | {found:.2f} |" for name, wanted, found in tones])


def figures(rows):
    labels = [label for label in systems.ALL if any(r["system"] == label for r in rows)]
    lines = ["| sound | dB SPL | ear | " + " | ".join(labels) + " |", "|---" * (len(labels) + 3) + "|"]
    cells = {}
    for r in rows:
        if r["system"] not in labels:
            continue
        cells.setdefault((r["condition"], r["level"], r["audiogram"]), {})[r["system"]] = (
            f"{r['haspi']:.3f} / {r['hasqi']:.3f} / {r['sii']:.2f}, {r['output']:.1f}")
    for (condition, level, ear), row in cells.items():
        lines.append(f"| {condition} | {level} | {ear} | " + " | ".join(row.get(l, "") for l in labels) + " |")
    return "\n".join(lines)


def raised(rows):
    lines = ["| ear | limit, dB SPL | dB SPL | " + " | ".join(systems.RAISED_ALL) + " |",
             "|---" * (len(systems.RAISED_ALL) + 3) + "|"]
    cells = {}
    for r in rows:
        if r["system"] in systems.RAISED_ALL:
            cells.setdefault((r["audiogram"], r["level"]), []).append(
                f"{r['haspi']:.3f} / {r['hasqi']:.3f}, {r['short']:.1f}")
    for (ear, level), row in cells.items():
        lines.append(f"| {ear} | {systems.prescribed_limit(ear):.1f} | {level} | " + " | ".join(row) + " |")
    return "\n".join(lines)


def replace(path, text):
    with open(path) as file:
        whole = file.read()
    before, rest = whole.split(BEGIN)
    after = rest.split(END)[1]
    with open(path, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}")
