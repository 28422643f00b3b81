"""Files that lie there before a path is gone: made by the program itself, once for all."""
import array
import math
import os
import re
import shutil

import daemon
import paths
from paths import World


# A tone of 1 kHz, 1 dB below full scale, in both ears: four seconds at 44.1 kHz.
LOUD = array.array("f", [0.9 * math.sin(2 * math.pi * 1000 * n / 44100) for n in range(44100) for _ in range(2)]).tobytes() * 4


def meter_readings():
    """The readings that auricle-calibration(7) shows."""
    found, is_on = [], False
    for line in open(os.path.join(paths.FOLDER, "../../docs/man/auricle-calibration.7")):
        is_on = (is_on or line.startswith("ear,frequency,level,played")) and not line.startswith(".Ed")
        found += [line] if is_on else []
    return "".join(found)


def must(world, *words):
    status, output, errors = world.auricle(*words, limit=60)
    if status != 0:
        raise RuntimeError(f"faults: auricle {' '.join(words)}: expected exit 0, found {status}: {output}{errors}")
    return output


def make(root):
    """Makes all fixtures below a folder."""
    fixtures = root + "/fixtures"
    os.makedirs(fixtures)
    with open(fixtures + "/loud.raw", "wb") as file:
        file.write(LOUD)
    world = World(root + "/home", fixtures)
    for folder in ("run", "config/auricle", "state", "data"):
        os.makedirs(f"{world.home}/{folder}", mode=0o700)
    write(world, "config/auricle/auricle.toml", paths.CONFIGURATION)
    write(world, "pass", "four words are enough\n")
    write(world, "meter.csv", meter_readings())
    keep(world, "empty")
    must(world, "clinic", "init", "--name", "City Hearing Clinic", "--passphrase-file", "pass")
    must(world, "clinic", "card", "clinic.txt")
    for audiogram, kind in (("N3", "txt"), ("N4", "txt"), ("N5", "txt")):
        must(world, "rx", "make", "--audiogram", audiogram, *paths.PATIENT, "-o", f"{audiogram}.{kind}")
    must(world, "rx", "sheet", "N4.txt", "-o", "N4.png")
    fingerprint = re.search(r'"fingerprint":"([^"]*)"', must(world, "rx", "show", "clinic.txt", "--json"))[1]
    write(world, "fingerprint", fingerprint)
    keep(world, "clinic")
    must(world, "trust", "add", "clinic.txt", "--fingerprint", fingerprint)
    must(world, "rx", "scan", "--yes", "N3.txt")
    keep(world, "book")
    # A daemon that was there has measured its transforms and knows its devices.
    write(world, "config/auricle/auricle.toml", paths.SOUND)
    found = daemon.go(world, next(path for path in paths.PATHS if path.name == "daemon"), [])
    if found["status"] != 0 or found["report"]["state"]["name"] != "running":
        raise RuntimeError(f"faults: auricled: expected sound, found exit {found['status']}: {found['log']}")
    for name in ("daemon.log", "heard.raw"):
        os.remove(f"{world.home}/{name}")
    keep(world, "fitted")
    write(world, "config/auricle/auricle.toml", paths.CONFIGURATION + paths.CALIBRATION)
    keep(world, "calibrated")
    world.reset("book")
    must(world, "rx", "scan", "--yes", "N4.txt")
    keep(world, "two")
    # Longer than all trials together take.
    must(world, "rx", "try", "1", "--for", "7d")
    keep(world, "trial")
    world.reset("two")
    must(world, "book", "backup", "kept.book", "--passphrase-file", "pass")
    must(world, "rx", "scan", "--yes", "N5.txt")
    must(world, "config", "set", "device.period=128")
    keep(world, "backup")
    shutil.rmtree(world.home)
    return fixtures


def write(world, name, text):
    with open(f"{world.home}/{name}", "w", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(text)


def keep(world, name):
    write(world, "readable", "")
    open_ones = [path for path, mode in world.files().items() if mode & 0o077]
    write(world, "readable", "\n".join(open_ones))
    shutil.copytree(world.home, f"{world.fixtures}/{name}")
