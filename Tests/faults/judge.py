"""What a fault has done: judged by exit status, words, state afterwards, and the same command once more."""
import json
import os
import pty
import re
import select
import signal
import time

import daemon
import paths
from paths import plain

# Of sysexits.h, and those of SIGINT and SIGTERM that a program gives itself.
STATUSES = {64, 65, 66, 69, 70, 71, 73, 74, 75, 76, 77, 78, 130, 143}
GOOD = ("as before", "less said", "clear error", "told", "killed", "known", "not reached")
# Of the output limit of paths.SOUND, 90 dB SPL where 120 dB SPL are full scale. The filter that matches two clocks comes behind the limiter and
# overshoots where that cuts: 3.3 dB at most were measured, of noise. Without the limiter it would be 20 dB more, and unprocessed 29 dB.
LIMIT = 10 ** ((90 - 120 + 4) / 20)
# And of a ramp of 50 ms after 64 frames, the first term of 3x² − 2x³.
BEGINNING = LIMIT * 3 * (64 / 44.1 / 50) ** 2
# Ends of the names of libdispatch's own threads, on which nothing of this project runs.
DISPATCH = ("default-qos", "overcommit")
NEEDLESS = re.compile(r"Fatal error|Stack dump|swift::|/\.build/|Optional\(|Assertion|core dumped|unexpectedly found nil")


class Reference:
    """A path without a fault: state before, after, after the command was given twice, and what was said."""

    def __init__(self, world, tool, path):
        world.reset(path.fixture)
        self.old, self.before = world.observe(path.state), normal(world.files())
        self.found = go(world, path, [])
        self.new, after = world.observe(path.state), normal(world.files())
        self.again = go(world, path, [])
        self.twice = world.observe(path.state)
        self.between = {**self.new, path.last: self.old[path.last]} if path.last else self.new
        self.files = self.before | after | normal(world.files())
        world.reset(path.fixture)
        go(world, path, [tool, f"{world.home}/list", "list"])
        self.list = open(f"{world.home}/list", errors="replace").read()


def normal(files):
    """Names without numbers; the second record of the same second has one more."""
    return {re.sub(r"(-[a-z]+)-#\.jsonl$", r"\1.jsonl", re.sub(r"[0-9]+", "#", name)) for name in files}


def go(world, path, prefix):
    """Goes a path once: a dictionary of status, output and errors, and of a daemon what daemon.go tells."""
    if path.is_daemon:
        return daemon.go(world, path, prefix)
    command = [*prefix, paths.AURICLE, *world.words(path)]
    status, output, errors = terminal(world, command) if path.is_dialogue else world.run(command)
    return {"status": status, "output": output.replace(world.home, "~"), "errors": errors.replace(world.home, "~")}


def terminal(world, command, limit=paths.PATIENCE):
    """As World.run, on a terminal of its own, by a person who leaves with Ctrl-C at the first question, whichever it is."""
    process, master = pty.fork()
    if process == 0:
        os.chdir(world.home)
        os.execve(command[0], command, world.environment)
    shown, end, is_left = b"", time.monotonic() + limit, False
    while time.monotonic() < end:
        if not select.select([master], [], [], 0.5)[0]:
            # Nothing more is said: it asks.
            if shown and not is_left:
                is_left = True
                os.write(master, b"\x03")
            continue
        try:
            text = os.read(master, 65536)
        except OSError:
            break
        if not text:
            break
        shown += text
    else:
        os.kill(process, signal.SIGKILL)
    os.close(master)
    _, code = os.waitpid(process, 0)
    status = os.waitstatus_to_exitcode(code)
    return (None if status == -signal.SIGKILL else status), "", shown.decode(errors="replace").replace("\r\n", "\n")


class Trial:
    """One path under one fault."""

    def __init__(self, world, tool, path, reference, fault):
        self.world, self.tool, self.path, self.reference, self.fault = world, tool, path, reference, fault

    def run(self):
        """A row of the table: outcome, what it met, what was said."""
        self.world.reset(self.path.fixture)
        report = self.world.home + "/../report-" + os.path.basename(self.world.home)
        found = go(self.world, self.path, [self.tool, report, *self.fault.arguments])
        lines = [line.rstrip("\n").split("\t") for line in open(report, errors="replace")]
        hits = [line for line in lines if line[0] == "hit"]
        self.hit = hits[0] if hits else None
        self.traps = [line[1] for line in lines if line[0] == "trap"]
        self.signals = [int(line[3]) for line in lines if line[0] == "ended" and line[2] == "signal"]
        outcome, reason = self.judge(found) if hits else ("not reached", "")
        words = found.get("errors") or found.get("log") or ""
        return {
            "path": self.path.name, "call": self.fault.call, "failure": self.fault.words, "count": self.fault.count, "thread": self.fault.thread,
            "target": self.hit[9].replace(self.world.home, "~") if hits else "", "outcome": outcome, "reason": reason,
            "status": found["status"], "words": words.replace(self.world.home, "~")[-2000:],
        }

    # MARK: - Judging

    def judge(self, found):
        if self.fault.failure == "kill":
            return self.judge_killed()
        if self.signals and self.fault.failure == "EMFILE" and self.traps and all(name.endswith(DISPATCH) for name in self.traps):
            return "known", "GRDB could not open a database and released its queue; libdispatch got no descriptor for the threads that it begins then"
        if self.signals:
            return "CRASH", f"signal {self.signals} {self.traps}"
        if found["status"] is None or (found.get("answer") or (0,))[0] is None:
            return "HANG", "no end in time"
        if NEEDLESS.search(json.dumps(found, default=str)):
            return "CRASH", "words of the runtime"
        return self.judge_daemon(found) if self.path.is_daemon else self.judge_command(found)

    def judge_command(self, found):
        reference = self.reference.found
        state = self.world.observe(self.path.state)
        if found["status"] != reference["status"]:
            return self.judge_error(found["status"], found["errors"], state)
        if state != self.reference.new:
            return "HALF", f"exit {found['status']}, and {difference(self.reference.new, state)}"
        return self.judge_words(found["output"] + found["errors"], reference["output"] + reference["errors"])

    def judge_words(self, said, usual):
        """Compares what was said by a path that has come to its end."""
        lines, usual_lines = [set(plain(text).split("\n")) for text in (said, usual)]
        if lines == usual_lines:
            return "as before", ""
        if not lines - usual_lines and not self.is_message:
            return "SILENT" if self.path.is_reading else "less said", f"without a word missing: {sorted(usual_lines - lines)[:3]}"
        return "told", "\n".join(sorted(lines - usual_lines))[:500]

    @property
    def is_message(self):
        """True where standard error itself failed, and nothing can be said."""
        return self.fault.is_lasting or self.hit[2] in ("1", "20") and self.hit[3] == "2"

    def judge_error(self, status, words, state):
        # 1 is an answer, of a question, and needs its reason too.
        if status not in STATUSES | {1}:
            return "UNCLEAR", f"exit {status}"
        if len(words.strip()) < 20 and not self.is_message:
            return "UNCLEAR", f"exit {status}, and no reason"
        if state not in (self.reference.old, self.reference.between, self.reference.new):
            return "HALF", difference(self.reference.new, state)
        if re.search("Nothing was changed(?!, or)", words) and state not in (self.reference.old, self.reference.between):
            return "HALF", "it says that nothing was changed, and something was"
        return self.judge_again(state) or ("clear error", "")

    def judge_again(self, state):
        """The same once more, without a fault: it has to come to the same end, and leave nothing behind."""
        files = normal(self.world.files())
        if self.fault.is_lasting:
            # A log that the disk never let SQLite bring into its database is brought there when that is opened next.
            files = {name for name in files if not name.endswith(("-wal", "-shm"))}
        found = go(self.world, self.path, [])
        usual = self.reference.found if state == self.reference.old else self.reference.again
        if found["status"] not in (usual["status"], self.reference.found["status"]):
            return "HALF", f"once more: exit {found['status']}: {found.get('errors') or found.get('log')}"
        if (state := self.world.observe(self.path.state)) not in (self.reference.new, self.reference.twice):
            return "HALF", f"once more: {difference(self.reference.new, state)}"
        left = (files | normal(self.world.files())) - self.reference.files
        if left - {name for name in left if re.search("daemon.log$|(^|/)list$", name)} and self.fault.failure != "kill":
            return "LEFT", f"left behind: {sorted(left)}"
        return None

    def judge_killed(self):
        if 9 not in self.signals:
            return "HANG", "it was not killed"
        state = self.world.observe(self.path.state)
        if state not in (self.reference.old, self.reference.between, self.reference.new):
            return "HALF", difference(self.reference.new, state)
        return self.judge_again(state) or ("killed", "")

    # MARK: - Daemons

    def judge_daemon(self, found):
        reference, report = self.reference.found, found["report"]
        state = self.world.observe(self.path.state)
        if found["ended early"]:
            return self.judge_error(found["status"], found["log"], state)
        if found["status"] != 0:
            return "UNCLEAR", f"it ended with {found['status']}"
        # Also of a tone of a match, which is softer than this. What the file of the sound itself did not take had been its beginning.
        if (found["beginning"] > BEGINNING and not self.hit[9].endswith("heard.raw")) or found["peak"] > LIMIT:
            return "UNSAFE", f"found samples of {found['beginning']:.4f} at the beginning and of {found['peak']:.4f}"
        if report is None:
            return "HANG", "it runs and does not answer"
        if unsafe := unsafe_sound(report, reference["before"], reference["report"]):
            return "UNSAFE", unsafe
        if state == self.reference.old != self.reference.new and report["fitting"]["fitted"] and report["fitting"] != reference["before"]["fitting"]:
            return "UNSAFE", f"found the fitting {report['fitting']} of a prescription that the book does not have"
        if self.path.command and found["answer"][0] != reference["answer"][0]:
            return self.judge_error(found["answer"][0], found["answer"][2] + found["log"], state)
        if state != self.reference.new:
            if len(self.new_lines(found)) == 0:
                return "SILENT", difference(self.reference.new, state)
            return self.judge_again(state) or ("told", self.new_lines(found)[:500])
        if standing(report) == standing(reference["report"]) and not self.new_lines(found):
            return "as before", ""
        if not self.new_lines(found) and not self.is_message:
            return "SILENT", difference(standing(reference["report"]), standing(report))
        return "told", self.new_lines(found)[:500]

    def new_lines(self, found):
        """What log, status and client tell that they do not tell otherwise."""
        told = [set(plain("\n".join([item["log"], *notes(item["report"]), *notes(item["programs"]), *(item["answer"] or ("", "", ""))[1:]])).split("\n"))
                for item in (found, self.reference.found)]
        return "\n".join(sorted(line for line in told[0] - told[1] if not re.search("processor|xrun|underrun|late|load", line)))


def notes(report):
    """What a report tells in words."""
    if isinstance(report, dict):
        return [word for key, item in report.items() for word in notes(item) if key not in ("devices",)]
    if isinstance(report, list):
        return [word for item in report for word in notes(item)]
    return [report] if isinstance(report, str) and " " in report else []


def standing(report):
    """What is heard, of a status report."""
    report = report or {}
    return {"state": report.get("state", {}).get("name"), "fitting": report.get("fitting"), "calibration": report.get("calibration"),
            "prescription": (report.get("prescription") or {}).get("serial"), "devices": bool(report.get("devices"))}


def unsafe_sound(report, *references):
    """Sound that is neither that of the prescription before nor of the one after must be of none: nothing amplified, under the limit."""
    fitting, usual = report["fitting"], [reference["fitting"] for reference in references]
    highest = max(item["maximum_output_db_spl"] for item in usual)
    if fitting["maximum_output_db_spl"] > highest:
        return f"found a limit of {fitting['maximum_output_db_spl']} dB SPL, expected {highest}"
    if fitting["fitted"] and fitting not in usual:
        return f"found the fitting {fitting}, expected one of {usual} or none"
    return None


def difference(expected, found):
    keys = [key for key in expected if expected[key] != found.get(key)] + [key for key in found if key not in expected]
    return "; ".join(f"{key}: expected {expected.get(key)!r}, found {found.get(key)!r}" for key in keys)[:1500]
