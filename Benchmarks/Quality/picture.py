"""All figures in one picture."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "quality"
import matplotlib.pyplot as plt
from PIL import Image

import systems

MEASURES = [("haspi", "HASPI v2"), ("hasqi", "HASQI v2"), ("sii", "SII")]
# Colours of Okabe & Ito, told apart with every kind of colour vision; shapes tell them apart in grey.
STYLES = {
    systems.UNAIDED: ("#999999", "o", ":"),
    systems.FILTER: ("#000000", "s", "-"),
    systems.HELD: ("#56B4E9", "x", "--"),
    systems.MINIMUM: ("#009E73", "+", "--"),
    systems.LINEAR: ("#0072B2", "^", "-"),
    systems.COMPRESSIVE: ("#D55E00", "D", "-"),
}


def draw(rows, path):
    sounds = list(dict.fromkeys((r["condition"], r["level"]) for r in rows))
    ears = list(dict.fromkeys(r["audiogram"] for r in rows))
    figure, axes = plt.subplots(
        len(sounds), len(MEASURES), figsize=(11, 1.9 * len(sounds) + 1), sharex=True, sharey=True,
        squeeze=False)
    for row, (condition, level) in enumerate(sounds):
        for column, (key, name) in enumerate(MEASURES):
            axis = axes[row][column]
            for label in STYLES:
                values = {r["audiogram"]: r[key] for r in rows
                          if (r["condition"], r["level"], r["system"]) == (condition, level, label)}
                line(axis, ears, values, label)
            axis.set_ylim(-0.03, 1.03)
            axis.grid(True, linewidth=0.3)
            axis.set_xticks(range(len(ears)), ears, fontsize=8)
            axis.tick_params(axis="y", labelsize=7)
            if row == 0:
                axis.set_title(name, fontsize=10)
        axes[row][0].set_ylabel(f"{condition}\n{level} dB SPL", fontsize=8)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.6 / (1.9 * len(sounds) + 1), 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=110)
    plt.close(figure)
    if path.endswith(".png"):
        # Few colours on white: a palette takes a quarter of the room.
        Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)


def line(axis, ears, values, label):
    """One system's figures: the N audiograms are a series, the S ones another."""
    colour, mark, style = STYLES[label]
    for group in "NS":
        part = [ear for ear in ears if ear[0] == group and ear in values]
        axis.plot([ears.index(ear) for ear in part], [values[ear] for ear in part], style, color=colour,
                  marker=mark, markersize=4, linewidth=1, label=label if group == ears[0][0] else None)
