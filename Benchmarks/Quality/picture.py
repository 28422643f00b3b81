"""All figures in one picture."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "quality"
import matplotlib.pyplot as plt

import systems

MEASURES = [("haspi", "HASPI v2"), ("hasqi", "HASQI v2"), ("sii", "SII")]
# Colours of Okabe & Ito, told apart with every kind of colour vision; shapes tell them apart in grey.
STYLES = {
    systems.UNAIDED: ("#999999", "o", ":"),
    systems.FILTER: ("#000000", "s", "-"),
    systems.HELD: ("#56B4E9", "x", "--"),
    systems.LINEAR: ("#0072B2", "^", "-"),
    systems.COMPRESSIVE: ("#D55E00", "D", "-"),
}


def draw(rows, path):
    columns = list(dict.fromkeys((r["condition"], r["level"]) for r in rows))
    ears = list(dict.fromkeys(r["audiogram"] for r in rows))
    figure, axes = plt.subplots(
        len(MEASURES), len(columns), figsize=(2.6 * len(columns) + 1, 7.5), sharex=True, sharey=True,
        squeeze=False)
    for column, (condition, level) in enumerate(columns):
        axes[0][column].set_title(f"{condition}\n{level} dB SPL", fontsize=9)
        for row, (key, name) in enumerate(MEASURES):
            axis = axes[row][column]
            for label, (colour, mark, line) in STYLES.items():
                values = {r["audiogram"]: r[key] for r in rows
                          if (r["condition"], r["level"], r["system"]) == (condition, level, label)}
                # The N audiograms are a series, the S ones another.
                for group in "NS":
                    part = [e for e in ears if e[0] == group and e in values]
                    axis.plot([ears.index(e) for e in part], [values[e] for e in part], line, color=colour,
                              marker=mark, markersize=4, linewidth=1,
                              label=label if group == ears[0][0] else None)
            axis.set_ylim(-0.03, 1.03)
            axis.grid(True, linewidth=0.3)
            axis.set_xticks(range(len(ears)), ears, fontsize=7)
            axis.tick_params(axis="y", labelsize=7)
            if column == 0:
                axis.set_ylabel(name, fontsize=9)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), fontsize=8, frameon=False)
    figure.tight_layout(rect=(0, 0.04, 1, 1))
    figure.savefig(path, metadata={"Date": None} if path.endswith(".svg") else None, dpi=110)
    plt.close(figure)
