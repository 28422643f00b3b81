"""All figures in one picture."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

# Colours of Okabe & Ito, told apart with every kind of colour vision; ours are the dark ones.
OURS, PEER, LINEAR = "#0072B2", "#E69F00", "#999999"
MEASURES = [
    ("per_band", 1e6, "µs of CPU for 1 s of sound\nand one band", "{:.0f}"),
    ("delay", 1, "ms of delay, round trip\non one card of three periods", "{:.2f}"),
    ("live_memory", 1, "MB of memory,\nlive", "{:.0f}"),
    ("rms", 1, "dB of gain error, rms,\nat 50, 65 and 80 dB SPL", "{:.1f}"),
]
CURVES = {50: ("soft", ":"), 65: ("ordinary", "-"), 80: ("loud", "--")}


def draw(result, path):
    rows = result["rows"][::-1]
    figure = plt.figure(figsize=(11, 1.4 + 0.62 * len(rows)))
    grid = figure.add_gridspec(2, 4, height_ratios=[1, 1])
    first = None
    for column, (key, factor, title, form) in enumerate(MEASURES):
        axis = figure.add_subplot(grid[0, column], sharey=first)
        bars(axis, rows, key, factor, form)
        axis.set_title(title, fontsize=8)
        if first is None:
            first = axis
            axis.set_yticks(range(len(rows)), [row["name"] for row in rows], fontsize=8)
        else:
            axis.tick_params(axis="y", labelleft=False)
    errors(figure, grid, result)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    plt.close(figure)
    # Few colours on white: a palette takes a quarter of the room.
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)


def colour(row):
    return OURS if row["ours"] else PEER if row["compresses"] else LINEAR


def bars(axis, rows, key, factor, form):
    values = [row.get(key) for row in rows]
    known = [factor * value for value in values if value is not None]
    for place, (row, value) in enumerate(zip(rows, values)):
        if value is None:
            axis.text(0.02, place, "–", transform=axis.get_yaxis_transform(), fontsize=7, va="center", color="#666666")
            continue
        axis.barh(place, factor * value, color=colour(row), height=0.7)
        axis.text(factor * value, place, f" {form.format(factor * value)}", fontsize=7, va="center")
    if key == "delay":
        axis.set_xscale("log")
        axis.set_xlim(0.5, 2 * max(known, default=10))
    elif known:
        axis.set_xlim(0, 1.35 * max(known))
    axis.tick_params(axis="x", labelsize=7)
    axis.spines[["top", "right"]].set_visible(False)


def errors(figure, grid, result):
    """Gain less target over frequency: ours, and the peers with the least and the greatest error."""
    peers = sorted((row for row in result["rows"] if not row["ours"] and row["compresses"]), key=lambda row: row["rms"])
    chosen = [row for row in result["rows"] if row["ours"]][:1] + peers[:1] + peers[-1:]
    linear = [row for row in result["rows"] if not row["compresses"]][:1]
    axis = None
    for column, row in enumerate((chosen + linear)[:4]):
        axis = figure.add_subplot(grid[1, column], sharey=axis)
        for level, gains, wanted in zip(result["levels_db_spl"], row["gains"], result["target_db"]):
            name, style = CURVES[level]
            axis.semilogx(result["frequencies_hz"], np.subtract(gains, wanted), style, color=colour(row), linewidth=1.2,
                          label=f"{level} dB SPL, {name}")
        axis.set_title(f"{row['name']}:\ngain less target, dB", fontsize=8)
        axis.axhline(0, color="black", linewidth=0.5)
        axis.set_ylim(-9, 9)
        axis.set_xticks([250, 500, 1000, 2000, 4000], ["250", "500", "1k", "2k", "4k"])
        axis.minorticks_off()
        axis.tick_params(labelsize=7)
        axis.grid(True, linewidth=0.3)
        if column == 0:
            axis.legend(fontsize=6, frameon=False, loc="upper left")
