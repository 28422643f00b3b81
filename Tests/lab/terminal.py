#!/usr/bin/env python3
"""Drives `auricle spectrum` on a terminal of its own: what it shows at three sizes, what its keys do, and how it leaves.

Usage: terminal.py AURICLE [FOLDER]     FOLDER: also pictures of the screens, to be looked at
"""
import fcntl
import re
import struct
import sys
import termios
import time

import screen
from pseudoterminal import Program


class View(Program):
    """A program on a terminal of a size; `screen` holds the lines it drew last."""

    def __init__(self, command, columns, rows, environment):
        super().__init__(command, environment)
        self.resize(columns, rows)

    def resize(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @property
    def drawn(self):
        # A drawing begins at home; the last one may not be whole yet.
        drawings = self.text.split("\x1b[H")
        whole = [d for d in drawings if d.endswith("\x1b[J")]
        return whole[-1].split("\r\n") if whole else []

    @property
    def screen(self):
        return [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", line) for line in self.drawn]

    def until_screen(self, condition, what):
        end = time.monotonic() + 600
        while time.monotonic() < end:
            goes_on = self.read_for(0.2)
            if self.screen and condition(self.screen):
                return
            if not goes_on:
                break
        sys.exit(f"expected {what}, found\n" + "\n".join(self.screen))


def main():
    auricle = sys.argv[1]
    folder = sys.argv[2] if len(sys.argv) > 2 else None
    for columns, rows in [(80, 24), (120, 40), (200, 60)]:
        for environment in [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "xterm-256color"}]:
            view = View([auricle, "spectrum"], columns, rows, environment)
            view.until_screen(lambda s: s[0].startswith("Right ear"), "the right ear")
            lines = view.screen
            if len(lines) > rows or max(map(len, lines)) > columns:
                sys.exit(f"{len(lines)} lines of up to {max(map(len, lines))} in {columns} x {rows}:\n" + "\n".join(lines))
            for words in ["dB SPL", "Applied gain, dB", " prescription", ": microphone", "1k"]:
                if not any(words in line for line in lines):
                    sys.exit(f"expected '{words}' at {columns} x {rows}, found\n" + "\n".join(lines))
            def picture(name):
                if folder:
                    kind = "plain" if "NO_COLOR" in environment else "colour"
                    screen.draw(view.drawn, columns, rows, f"{folder}/{columns}x{rows}-{kind}-{name}.png")

            picture("bands")
            view.type(b"e")
            view.until_screen(lambda s: s[0].startswith("Left ear"), "the left ear")
            view.type(b"b")
            view.until_screen(lambda s: any("right    left" in line for line in s), "one band of both ears")
            picture("band")
            view.type(b"f")
            view.until_screen(lambda s: "frozen" in s[0], "a frozen view")
            view.type(b"p")
            view.resize(20, 10)
            view.until_screen(lambda s: "terminal" in s[0] and len(s) <= 10, "a sentence on a terminal that is too small")
            view.type(b"q")
            if view.end() != 0:
                sys.exit("expected exit 0 after q")
            if "\x1b[?1049l" not in view.text or "\x1b[?25h" not in view.text:
                sys.exit("the terminal's screen and cursor were not given back")
    view = View([auricle, "spectrum"], 80, 24, {"TERM": "xterm"})
    view.until_screen(lambda s: s[0].startswith("Right ear"), "the right ear")
    view.type(b"s")
    view.until_screen(lambda s: s[-1].startswith("Saved auricle-spectrum-"), "a saved moment")
    # Ctrl-C ends it, and the terminal is as before.
    view.type(b"\x03")
    view.end()
    if "\x1b[?1049l" not in view.text:
        sys.exit("the terminal's screen was not given back after Ctrl-C")
    print("terminal: three sizes, with and without colour")


main()
