"""Processes, the processor's time and the memory that they took."""

import os
import signal
import statistics
import subprocess
import tempfile
import time

import signals

LONG, SHORT = 50.0, 10.0  # s of sound; the difference of their times is that of 40 s, without any start
TIMEOUT = 300  # s, which only a hang takes


class Failed(Exception):
    """A chain's command did not do its work; the text says what it said."""


def run(command, folder):
    """(seconds of the processor, greatest resident memory in MB of 10⁶ bytes) of a command.

    The memory is read while it runs: what wait4 tells begins with that of this process, of which the command is a copy at first.
    """
    with tempfile.TemporaryFile(dir=folder) as said:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, cwd=folder,
                                   start_new_session=True)
        memory, latest = 0.0, time.monotonic() + TIMEOUT
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            memory = greatest_memory(process.pid) or memory
            if time.monotonic() > latest:
                os.killpg(process.pid, signal.SIGKILL)
            time.sleep(0.02)
        _, status, usage = ended
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            words = said.read().decode(errors="replace").strip().splitlines()[-3:]
            raise Failed(f"{command[0]}: exit {process.returncode}: {' / '.join(words) or 'without a word'}")
    return usage.ru_utime + usage.ru_stime, memory


def greatest_memory(process):
    try:
        with open(f"/proc/{process}/status") as file:
            found = [line for line in file if line.startswith("VmHWM:")]
    except OSError:
        return None
    return int(found[0].split()[1]) * 1024 / 1e6 if found else None


def measured(chains, runs, folder, told=lambda _: None):
    """Name → {"cpu": times of each run, s for a second of sound; "memory": MB}; chains take turns within each run.

    `chains`: pairs of a chain and its settings.
    """
    sources = {}
    for seconds in (LONG, SHORT):
        sources[seconds] = os.path.join(folder, f"speech-{seconds:.0f}.wav")
        signals.write(sources[seconds], signals.speech(65, seconds))
    result = os.path.join(folder, "worked.wav")
    found = {chain.name: {"cpu": [], "memory": []} for chain, _ in chains}
    for _ in range(runs):
        for chain, settings in chains:
            told(chain.name)
            times = {}
            for seconds, source in sources.items():
                times[seconds], memory = run(chain.command(source, result, settings), folder)
                if seconds == LONG:
                    found[chain.name]["memory"].append(memory)
            found[chain.name]["cpu"].append((times[LONG] - times[SHORT]) / (LONG - SHORT))
    return found


def median(values):
    return statistics.median(values)
