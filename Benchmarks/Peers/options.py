"""Options of the comparison; needs nothing but Python, so that a wrong one is told before any package is missing."""

import argparse
import os
import sys

USAGE = 64  # sysexits
HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(os.path.dirname(HERE))


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.print_usage(sys.stderr)
        self.exit(USAGE, f"{self.prog}: {message}\n")


def count(text):
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"found {text}, expected 1 to 99")
    return int(text)


def folder(text):
    if not os.access(os.path.join(text, "auricle"), os.X_OK):
        raise argparse.ArgumentTypeError(f"{text} holds no program auricle; make build makes it")
    return os.path.abspath(text)


def parsed(arguments=None):
    parser = Parser(prog="peers", description="Auricle against what Debian has instead.")
    parser.add_argument("programs", type=folder, help="folder of Auricle's programs")
    parser.add_argument("--runs", type=count, default=5, help="runs over files and live rounds; 5 unless given")
    parser.add_argument("--only", help="peers whose names hold one of these words, comma-separated")
    parser.add_argument("--no-live", action="store_true", help="files alone")
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    parser.add_argument("--write", action="store_true", help="replace the generated part of docs/peers.md and its picture")
    options = parser.parse_args(arguments)
    options.audiogram = os.path.join(REPOSITORY, "Prescriptions", "N3.json")
    options.document = os.path.join(REPOSITORY, "docs", "peers.md")
    return options


if __name__ == "__main__":
    parsed()
