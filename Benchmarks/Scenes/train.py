"""Trains the classifier of scenes, and tests it on sounds of which it knows none.

    train.py make  SOUNDS FOLDER train|test|change CHUNK CLIPS   writes WAV files and labels
    train.py fit   FEATURES... -- LABELS...               writes SceneWeights.swift
    train.py table DECISIONS... -- LABELS...              prints the tables of docs/scenes.md
    train.py changes DECISIONS -- LABELS                  prints how soon a change of scene is told

Only the four scenes beside quiet are learnt; quiet is a level.
"""

import json
import os
import sys

import numpy as np

CLASSES = ["speech", "speechInNoise", "noise", "music"]
HIDDEN = 16
SETTLED = 4.5  # s after which every judgement rests on four full seconds


def make(root, folder, which, chunk, clips):
    import soundfile as sf

    import sounds

    seed = {"train": 1000, "test": 2000, "change": 3000}[which] + chunk
    scenes = sounds.Scenes(root, "test" if which == "change" else which, seed)
    os.makedirs(folder, exist_ok=True)
    labels = []
    for index in range(clips):
        kind = sounds.CLASSES[index % 5]
        if which == "change":
            # Every scene is followed by every other one equally often.
            other = sounds.CLASSES[(index + 1 + index // 5 % 4) % 5]
            x, about = scenes.change(kind, other)
        else:
            x, about = scenes.make(kind)
        path = os.path.join(folder, f"{which}-{chunk}-{index}.wav")
        sf.write(path, x, sounds.RATE, subtype="FLOAT")
        labels.append({"path": path, "scene": kind, **about})
    with open(os.path.join(folder, f"{which}-{chunk}.json"), "w") as file:
        json.dump(labels, file)
    with open(os.path.join(folder, f"{which}-{chunk}.list"), "w") as file:
        file.write("\n".join(label["path"] for label in labels) + "\n")


def read(tables, labels):
    """Rows of all files, and for each the label of its sound."""
    rows, kinds, clips = [], [], []
    for table, label in zip(tables, labels):
        known = json.load(open(label))
        for line in open(table):
            cells = line.strip().split(",")
            rows.append(cells[1:])
            kinds.append(known[int(cells[0])]["scene"])
            clips.append((label, int(cells[0])))
    return rows, kinds, clips


def softmax(z):
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def fit(x, y, w, seed=1, epochs=60, decay=3e-4, drop=0.1, noise=0.15):
    """Adam on the cross entropy of one hidden layer, features standardised; dropout on features, weight decay."""
    rng = np.random.default_rng(seed)
    n = x.shape[1]
    p = [rng.normal(0, np.sqrt(2 / n), (n, HIDDEN)), np.zeros(HIDDEN),
         rng.normal(0, np.sqrt(1 / HIDDEN), (HIDDEN, 4)), np.zeros(4)]
    m, v = [np.zeros_like(q) for q in p], [np.zeros_like(q) for q in p]
    step, batch = 0, 256
    for epoch in range(epochs):
        rate = 2e-3 * 0.5 * (1 + np.cos(np.pi * epoch / epochs)) + 1e-5
        order = rng.permutation(len(x))
        for start in range(0, len(x) - batch + 1, batch):
            index = order[start : start + batch]
            a = x[index] + noise * rng.standard_normal((batch, n))
            a *= (rng.random(a.shape) > drop) / (1 - drop)
            h = np.maximum(0, a @ p[0] + p[1])
            g = softmax(h @ p[2] + p[3])
            g[np.arange(batch), y[index]] -= 1
            g *= w[index, None] / batch
            gh = (g @ p[2].T) * (h > 0)
            grads = [a.T @ gh + decay * p[0], gh.sum(0), h.T @ g + decay * p[2], g.sum(0)]
            step += 1
            for k in range(4):
                m[k] = 0.9 * m[k] + 0.1 * grads[k]
                v[k] = 0.999 * v[k] + 0.001 * grads[k] ** 2
                p[k] -= rate * (m[k] / (1 - 0.9**step)) / (np.sqrt(v[k] / (1 - 0.999**step)) + 1e-8)
    return p


def predict(p, x):
    return softmax(np.maximum(0, x @ p[0] + p[1]) @ p[2] + p[3])


def matrix(rows, kinds):
    keep = [i for i, kind in enumerate(kinds) if kind != "quiet" and float(rows[i][0]) > SETTLED]
    x = np.array([[float(c) for c in rows[i][8:]] for i in keep])
    y = np.array([CLASSES.index(kinds[i]) for i in keep])
    return x, y, keep


def swift(p, mean, deviation):
    a = p[0] / deviation[:, None]
    bias = p[1] - mean @ a
    first = np.concatenate([a, bias[None]]).T.ravel()
    second = np.concatenate([p[2], p[3][None]]).T.ravel()

    def table(numbers):
        # One number per cell as the shortest decimal of five digits.
        cells = [f"{v:.5g}" for v in numbers]
        lines, line = [], "   "
        for cell in cells:
            if len(line) + len(cell) + 2 > 106:
                lines.append(line)
                line = "   "
            line += f" {cell},"
        return "\n".join(lines + [line])

    return f"""// Made by Benchmarks/Scenes/train.py: change that, not this.

/// Weights of ``SceneModel``.
///
/// Trained on the sounds of the set `train` in Benchmarks/Scenes/sounds.py; sources and licences stand in
/// docs/scenes.md.
///
/// - Threads: `control`.
enum SceneWeights {{
  /// Rectified sums.
  static let hiddenCount = {HIDDEN}

  // swift-format-ignore
  /// Per sum one weight for each feature and a constant.
  static let input: [Float] = [
{table(first)}
  ]

  // swift-format-ignore
  /// Per class one weight for each sum and a constant.
  static let output: [Float] = [
{table(second)}
  ]
}}
"""


if __name__ == "__main__":
    command = sys.argv[1]
    if command == "make":
        make(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]), int(sys.argv[6]))
    else:
        split = sys.argv.index("--")
        if command == "changes":
            import report

            lines = [line.strip().split(",") for line in open(sys.argv[2])]
            report.changes(lines, json.load(open(sys.argv[split + 1])))
            sys.exit()
        rows, kinds, clips = read(sys.argv[2:split], sys.argv[split + 1 :])
        if command == "fit":
            x, y, keep = matrix(rows, kinds)
            mean, deviation = x.mean(0), x.std(0) + 1e-3
            w = len(y) / 4 / np.bincount(y, minlength=4)[y]
            p = fit((x - mean) / deviation, y, w)
            print(swift(p, mean, deviation), end="")
        else:
            import report

            report.tables(rows, kinds, clips)
