"""The tables of docs/scenes.md."""

import numpy as np

ALL = ["quiet", "speech", "speechInNoise", "noise", "music"]
SETTLED = 4.5  # s after which every judgement rests on four full seconds


def table(pairs):
    counts = np.zeros((5, 5), int)
    for true, found in pairs:
        if found in ALL:
            counts[ALL.index(true), ALL.index(found)] += 1
    rows = counts.sum(1, keepdims=True)
    share = counts / np.maximum(rows, 1)
    print("| was \\ taken for | " + " | ".join(ALL) + " | judgements |")
    print("|---|" + "---|" * 6)
    for k, name in enumerate(ALL):
        print(f"| {name} | " + " | ".join(f"{100 * s:.1f}" for s in share[k]) + f" | {rows[k, 0]} |")
    right = np.diag(share)
    print(f"\nRight on average over the five scenes: {100 * right.mean():.1f} %\n")
    return right


def tables(rows, kinds, clips):
    """Rows are time, scene, confidence, level, four probabilities."""
    names = ["speech", "speechInNoise", "noise", "music"]
    settled = [i for i, row in enumerate(rows) if float(row[0]) > SETTLED]
    print("### What the wearer is told, per cent of judgements\n")
    table([(kinds[i], rows[i][1]) for i in settled])
    print("### Each judgement of four seconds alone, without memory (quiet as told)\n")
    pairs = []
    for i in settled:
        alone = names[int(np.argmax([float(p) for p in rows[i][4:8]]))]
        pairs.append((kinds[i], rows[i][1] if rows[i][1] == "quiet" else alone))
    table(pairs)
    changes, seconds, before = 0, 0.0, {}
    for i in settled:
        clip = clips[i]
        if clip in before:
            seconds += float(rows[i][0]) - before[clip][0]
            changes += rows[i][1] != before[clip][1]
        before[clip] = (float(rows[i][0]), rows[i][1])
    print(f"Changes of mind on a constant scene: {60 * changes / seconds:.2f} a minute ({seconds / 60:.0f} minutes)\n")


def changes(rows, labels):
    """How long after the middle of a file, where the scene changes, the new one is told."""
    times, missed = [], 0
    for clip, known in enumerate(labels):
        mine = [row for row in rows if int(row[0]) == clip]
        late = [float(r[1]) - known["at"] for r in mine if float(r[1]) > known["at"] and r[2] == known["to"]]
        if late:
            times.append(late[0])
        else:
            missed += 1
    print(
        f"A change of scene is told after {np.median(times):.1f} s (median; 90 % within "
        f"{np.percentile(times, 90):.1f} s; {missed} of {len(labels)} not within {labels[0]['after']:.0f} s)")
