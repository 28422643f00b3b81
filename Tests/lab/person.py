#!/usr/bin/env python3
"""Answers the questions of a command on a terminal of its own, each some seconds after it was asked, as a person would.

Usage: person.py [--record FILE] SECONDS QUESTION=ANSWER... -- COMMAND...

Each QUESTION is a part of the question, in this order; an ANSWER is typed with Enter, `^C` is Ctrl-C, and `@N` Enter after N seconds,
counted anew where the question comes again meanwhile. `<N` answers a question that need not come: Enter, and the N answers before it are
given again, twice at most. Prints what the terminal showed, then one line: the number of answers and the seconds that it took. Exits as the command
did; 2 for a question that does not come within a minute, which only a hang takes, or that comes too often. --record writes what the terminal showed with its times, as asciicast of version 2.
"""
import json
import sys
import time

from pseudoterminal import Program

recording = None
if sys.argv[1] == "--record":
    recording = open(sys.argv[2], "w")
    recording.write(json.dumps({"version": 2, "width": 80, "height": 24}) + "\n")
    del sys.argv[1:3]
pause = float(sys.argv[1])
split = sys.argv.index("--")
answers = [word.split("=", 1) for word in sys.argv[2:split]]
command = sys.argv[split + 1:]

begin = time.monotonic()


class Shown(Program):
    def take(self, data):
        super().take(data)
        if recording:
            recording.write(json.dumps([time.monotonic() - begin, "o", data.decode("utf-8", "replace")]) + "\n")


program = Shown(command)


def status():
    print(program.text.replace("\r\n", "\n"))
    return program.end()


position = 0


def place(question):
    """Where the terminal shows a question behind the last answer; negative when it does not."""
    # Lines are broken where they are long.
    return " ".join(program.shown[position:].decode("utf-8", "replace").split()).find(question)


def asked(index):
    """Waits for a question, or for the one behind it where it need not come, and returns which one came."""
    candidates = [index, index + 1] if answers[index][1].startswith("<") else [index]
    deadline = time.monotonic() + 600
    while True:
        for candidate in candidates:
            if place(answers[candidate][0]) >= 0:
                return candidate
        if not program.read_for(0.1) or time.monotonic() > deadline:
            print(f"expected the question '{answers[candidates[-1]][0]}', found:")
            status() if time.monotonic() <= deadline else print(program.text)
            sys.exit(2)


def waited(question, seconds):
    """Waits before an answer, from the last time that the question came on."""
    global position
    position = len(program.shown)
    end = time.monotonic() + seconds
    while time.monotonic() < end and program.read_for(0.1):
        if place(question) >= 0:
            position = len(program.shown)
            end = time.monotonic() + seconds


index = given = repeats = 0
while index < len(answers):
    index = asked(index)
    question, answer = answers[index]
    if answer.startswith("@"):
        waited(question, float(answer[1:]))
    else:
        position = len(program.shown)
        program.read_for(pause)
    if answer.startswith("<"):
        repeats += 1
        if repeats > 2:
            print(f"expected the question '{question}' twice at most, found:")
            print(program.text)
            sys.exit(2)
    text = "" if answer[:1] in ("@", "<") else answer
    program.type(b"\x03" if text == "^C" else (text + "\n").encode())
    index = index - int(answer[1:]) if answer.startswith("<") else index + 1
    given += 1
while program.read():
    pass
code = status()
print(f"{given} answers, {time.monotonic() - begin:.0f} s")
sys.exit(code if code >= 0 else 128 - code)
