#!/usr/bin/env python3
"""Animates recordings of a terminal as one SVG, which a browser plays again and again.

Usage: animate.py COMMAND=RECORDING... [TEXT=OTHER...]

A RECORDING is an asciicast (version 2), as Tests/lab/person.py --record writes it; the COMMAND is shown as typed before it. A TEXT
that begins with a slash is shown as the OTHER. Pauses are cut to two seconds.
"""
import json
import re
import sys
from html import escape

COLUMNS, ROWS = 102, 26
WIDTH, HEIGHT = 8.4, 18
LONGEST_PAUSE, LAST = 2.0, 8.0

recordings, words = [], []
for argument in sys.argv[1:]:
    key, value = argument.split("=", 1)
    (words if key.startswith("/") else recordings).append((key, value))


def lines(text):
    """The screen after a text: long lines go on in the next."""
    for key, value in words:
        text = text.replace(key, value)
    found = []
    for line in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r\n", "\n").split("\n"):
        line = line.split("\r")[-1]
        while len(line) > COLUMNS:
            found.append(line[:COLUMNS])
            line = line[COLUMNS:]
        found.append(line)
    return found[-ROWS:]


frames, text, now = [], "", 0.0
for command, path in recordings:
    text += ("\n" if text else "") + "$ "
    frames.append((now, lines(text)))
    now += 1
    text += command + "\n"
    frames.append((now, lines(text)))
    last = 0.0
    with open(path) as file:
        for line in list(file)[1:]:
            time, kind, output = json.loads(line)
            if kind != "o":
                continue
            now += min(time - last, LONGEST_PAUSE)
            last = time
            text += output
            frames.append((now, lines(text)))
    text = text.rstrip("\r\n")
length = now + LAST

print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{COLUMNS * WIDTH + 24:.0f}" height="{ROWS * HEIGHT + 24}" role="img"'
      f' aria-label="A terminal: {escape(", then ".join(c for c, _ in recordings))}">')
print("<style>text{font:14px monospace;fill:#d9dee5;white-space:pre}g{visibility:hidden;animation-duration:"
      f"{length:.2f}s;animation-iteration-count:infinite;animation-timing-function:step-end}}")
# Several outputs at one moment are one picture.
frames = [frame for frame, after in zip(frames, frames[1:] + [(length, [])]) if after[0] - frame[0] >= 0.05]
shown = [(begin, after[0], screen) for (begin, screen), after in zip(frames, frames[1:] + [(length, [])])]
for index, (begin, end, _) in enumerate(shown):
    start, stop = 100 * begin / length, 100 * end / length
    print(f"@keyframes f{index}{{0%{{visibility:{'visible' if start == 0 else 'hidden'}}}{start:.3f}%{{visibility:visible}}"
          f"{stop:.3f}%{{visibility:hidden}}}}#f{index}{{animation-name:f{index}}}")
print('</style><rect width="100%" height="100%" rx="8" fill="#12151a"/>')
for index, (_, _, screen) in enumerate(shown):
    print(f'<g id="f{index}">')
    for row, line in enumerate(screen):
        if line.strip():
            print(f'<text x="12" y="{12 + HEIGHT * (row + 0.8):.0f}" xml:space="preserve">{escape(line)}</text>')
    print("</g>")
print("</svg>")
