"""The paths whose system calls are made to fail: what lies there before, the command, and what has to be right afterwards."""
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass

PROGRAMS = os.environ["PROGRAMS"]
AURICLE = PROGRAMS + "/auricle"
AURICLED = PROGRAMS + "/auricled"
FOLDER = os.path.dirname(os.path.abspath(__file__))

CONFIGURATION = """# kept by hand
[device]
capture = "null"
playback = "null"
[safety]
ramp = "50 ms"
"""
# s: longest wait for the end of a command, which only a hang takes, even where the machine is busy.
PATIENCE = 180

# Full scale is 120 dB SPL, where nobody says otherwise, and a loud tone at the microphone would be louder than the limit by 29 dB.
SOUND = """[device]
capture = "loud"
playback = "heard"
[safety]
ramp = "50 ms"
maximum-output = 90
"""
ALSA = """</usr/share/alsa/alsa.conf>
pcm.loud {{ type file slave.pcm "null" file "/dev/null" infile "{fixtures}/loud.raw" format "raw" }}
pcm.heard {{ type file slave.pcm "null" file "{home}/heard.raw" format "raw" }}
"""
# With it a match is played: a digital loop, and dB HL by a model of earphones.
CALIBRATION = """[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"
"""
PATIENT = ["--given", "Ada", "--family", "Example", "--born", "1950-02-03", "--prescriber", "Dr. B. Ear", "--yes", "--passphrase-file", "pass"]


@dataclass(frozen=True)
class Path:
    """A path of the program."""
    name: str
    # Files that lie there before.
    fixture: str
    # The command, or what a client asks a daemon that is the path.
    command: tuple
    # Parts of the state that it may change, of World.observe.
    state: tuple
    is_daemon: bool = False
    # True for a command that asks on a terminal.
    is_dialogue: bool = False
    # Threads whose calls are made to fail; all of them.
    threads: tuple = ()
    # True for what only reads: all of its answer counts.
    is_reading: bool = False
    # Part of the state that may stay old where the others are new: what comes of a failure between two steps, which is then said.
    last: str = ""


# Opening the book follows its chain, and what is wrong stands beside the list.
BOOK = ("book",)
PATHS = [
    Path("trust", "clinic", ("trust", "add", "clinic.txt", "--fingerprint", "FINGERPRINT"), BOOK + ("trust",)),
    Path("scan", "book", ("rx", "scan", "--yes", "N4.txt"), BOOK),
    Path("scan-picture", "book", ("rx", "scan", "--yes", "N4.png"), BOOK),
    Path("list", "two", ("rx", "list", "--json"), BOOK, is_reading=True),
    Path("show", "two", ("rx", "show", "--json"), BOOK, is_reading=True),
    Path("try", "two", ("rx", "try", "1", "--for", "10m"), BOOK),
    Path("accept", "trial", ("rx", "accept"), BOOK),
    Path("revert", "two", ("rx", "revert"), BOOK),
    Path("revoke", "two", ("trust", "revoke", "FINGERPRINT"), BOOK + ("trust",)),
    Path("verify-audit", "two", ("audit", "verify", "--json"), BOOK, is_reading=True),
    Path("backup", "two", ("book", "backup", "made.book", "--passphrase-file", "pass"), BOOK + ("backup",)),
    Path("restore", "backup", ("book", "restore", "kept.book", "--passphrase-file", "pass"), BOOK + ("trust", "audit", "config")),
    Path("prescribe", "clinic", ("rx", "make", "--audiogram", "N3", *PATIENT, "--quiet", "-o", "new.txt"), ("issued", "card"),
         last="card"),
    Path("clinic", "empty", ("clinic", "init", "--name", "City Hearing Clinic", "--passphrase-file", "pass"), ("issued",)),
    Path("config-set", "empty", ("config", "set", "device.period=128"), ("config",)),
    Path("config-unset", "empty", ("config", "unset", "safety.ramp"), ("config",)),
    Path("calibrate", "empty", ("calibrate", "earphone", "--by", "B. Ear", "--transducer", "hda200", "--date", "2026-01-31",
                                "--readings", "meter.csv", "--use"), ("config", "calibration"), last="config"),
    Path("check", "fitted", ("check", "--json"), ("config",), is_reading=True),
    Path("setup", "empty", ("setup", "--input", "null", "--output", "null", "--config", "config/auricle/auricle.toml"), ("config",),
         is_dialogue=True),
    Path("daemon", "fitted", (), BOOK, is_daemon=True),
    Path("daemon-scan", "fitted", ("rx", "scan", "--yes", "N4.txt"), BOOK, is_daemon=True, threads=("auricle-disk",)),
    Path("daemon-volume", "fitted", ("volume", "-3"), ("programs",), is_daemon=True, threads=("auricle-disk",)),
    Path("procedure", "calibrated", ("PERSON",), ("records",), is_daemon=True, threads=("auricle-hearing",)),
]


def scrubbed(value):
    """JSON without what differs from run to run: times, numbers of processes, hashes."""
    if isinstance(value, dict):
        return {key: scrubbed(item) for key, item in value.items() if not re.search(r"unix_seconds|hash|^head$|^pid$|^record$|^file$", key)}
    if isinstance(value, list):
        return [scrubbed(item) for item in value]
    return re.sub(r"[0-9]{4}-[0-9-]{5}(T[0-9:]{8}Z| [0-9:]{8} [+-][0-9]{4}| [0-9:]{5}| [0-9:]{8})", "TIME", value) if isinstance(value, str) else value


def plain(text):
    """Output without what differs from run to run."""
    return re.sub(r"[0-9]+", "#", re.sub(r"[0-9a-f]{12,}|[A-Za-z0-9_-]{40,}", "#", text))


class World:
    """A home of its own, in which a path is gone."""

    def __init__(self, home, fixtures):
        self.home, self.fixtures = home, fixtures
        with open(home + ".asound", "w") as file:
            file.write(ALSA.format(home=home, fixtures=fixtures))
        self.environment = {
            "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm", "HOME": home, "XDG_RUNTIME_DIR": home + "/run",
            "XDG_CONFIG_HOME": home + "/config", "XDG_STATE_HOME": home + "/state", "XDG_DATA_HOME": home + "/data",
            "STATE_DIRECTORY": home + "/state", "RUNTIME_DIRECTORY": home + "/run/auricle",
            "ALSA_CONFIG_PATH": home + ".asound", "AURICLE_SOCKET": home + "/run/auricle/control.sock", "AURICLE_CONFIG": home + "/config/auricle/auricle.toml",
        }

    def reset(self, fixture):
        """Puts the files there as they are before a path."""
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.copytree(f"{self.fixtures}/{fixture}", self.home, symlinks=True)

    def run(self, command, limit=PATIENCE):
        """Exit status (negative: a signal, None: it hangs), standard output and standard error."""
        process = subprocess.Popen(
            command, cwd=self.home, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            output, errors = process.communicate()
            return None, output.decode(errors="replace"), errors.decode(errors="replace")
        return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")

    def auricle(self, *words, limit=PATIENCE):
        return self.run([AURICLE, *words], limit)

    def words(self, path):
        """The path's command, with this world's names."""
        if "FINGERPRINT" not in path.command:
            return list(path.command)
        fingerprint = open(self.home + "/fingerprint").read().strip()
        return [fingerprint if word == "FINGERPRINT" else word for word in path.command]

    # MARK: - State

    def observe(self, parts):
        """The state, as the program itself tells it and as files have it; the same whenever it means the same."""
        found = {part: getattr(self, "observe_" + part)() for part in parts}
        found["open to others"] = sorted(name for name, mode in self.files().items() if mode & 0o077 and name not in self.readable() and "/." not in name)
        return found

    def report(self, *words):
        status, output, errors = self.auricle(*words, "--json")
        output, errors = output.replace(self.home, "~"), errors.replace(self.home, "~")
        try:
            return [status, scrubbed(json.loads(output))]
        except ValueError:
            return [status, plain(output + errors)]

    def observe_book(self):
        return self.report("rx", "list")

    def observe_trust(self):
        return self.report("trust", "list")

    def observe_audit(self):
        status, report = self.report("audit", "verify")
        # Refused cards and notes are lines, too.
        if isinstance(report, dict):
            report.pop("count", None)
        return [status, report]

    def observe_config(self):
        status, output, errors = self.auricle("check")
        # The second calibration of a day has a number.
        return [status, plain(errors.replace(self.home, "~")), re.sub(r"-[0-9]\.json", ".json", self.text("config/auricle/auricle.toml") or "none")]

    def observe_calibration(self):
        """Contents of the calibrations; one that nothing names yet is kept all the same."""
        folder = self.home + "/config/auricle"
        return sorted({self.text("config/auricle/" + name) for name in os.listdir(folder) if name.endswith(".json")})

    def observe_issued(self):
        """What a clinic has signed, and whether each has a serial of its own: one may be left out, and none is given twice."""
        # The key comes last: without it there is no clinic.
        if not os.path.exists(self.home + "/data/auricle/clinic/key.jwe"):
            return None
        status, output, errors = self.auricle("clinic", "list", "--json")
        if status != 0:
            return status, plain(output + errors)
        cards = json.loads(output)["issued"]
        return sorted({(card["file"], card["kind"], card["person"]) for card in cards}), len({card["serial"] for card in cards}) == len(cards)

    def observe_card(self):
        """0 of a card that is whole; None where there is none."""
        return self.auricle("rx", "show", "new.txt")[0] if os.path.exists(self.home + "/new.txt") else None

    def observe_backup(self):
        """True of a backup that brings the book back elsewhere."""
        if not os.path.exists(self.home + "/made.book"):
            return None
        other = World(self.home + "/elsewhere", self.fixtures)
        other.reset("empty")
        shutil.copy(self.home + "/made.book", other.home)
        found = other.auricle("book", "restore", "made.book", "--passphrase-file", "pass")[0], other.observe_book()
        shutil.rmtree(other.home)
        return found

    def observe_programs(self):
        text = self.text("state/programs.json")
        return text and scrubbed(json.loads(text))

    def observe_records(self):
        """Records that are finished; others have what a person answered before something broke off."""
        folder, found = self.home + "/state/procedures", []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            lines = open(f"{folder}/{name}").read()
            found += ["finished"] if '"line":"end"' in lines.rstrip().split("\n")[-1] else []
        return found

    def text(self, name):
        try:
            return open(f"{self.home}/{name}").read().replace(self.home, "~")
        except FileNotFoundError:
            return None

    def files(self):
        """Names of files and their modes, without those of a running daemon."""
        found = {}
        for folder, _, names in os.walk(self.home):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.home)
                if not path.startswith(("run/", "heard.raw", "daemon.log", "list")):
                    found[path] = os.lstat(os.path.join(folder, name)).st_mode & 0o777
        return found

    def readable(self):
        """Files of the trial's own."""
        return set(open(self.home + "/readable").read().split("\n"))
