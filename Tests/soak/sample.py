#!/usr/bin/env python3
"""Samples one stretch of a soak: a line of CSV every two seconds, or every half second of a stretch shorter than 20 s.

Usage: sample.py header
       sample.py aid|bare STRETCH SECONDS PID SOCKET     PID: the daemon's; 0 for a bare loop, whose output is the file bare

Reads iodelay.log and jackd.log of this folder where they are, as jack.bash writes them.
"""
import csv
import json
import os
import re
import socket
import statistics
import sys
import time

FIELDS = ["seconds", "kind", "stretch", "resident_kb", "anonymous_kb", "descriptors", "threads", "xruns", "reopens", "device_frames",
          "meter_ms", "late_cycles", "drift_ppm", "state", "load"]
DELAY = re.compile(rb"^ *[0-9.]+ frames +([0-9.]+) ms total roundtrip latency", re.M)


class Daemon:
    """A connection to the control socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(30)
        self.socket.connect(path)
        self.file = self.socket.makefile("rb")

    def status(self):
        self.socket.sendall(b'{"jsonrpc":"2.0","id":1,"method":"status"}\n')
        line = self.file.readline()
        if not line:
            sys.exit("sample.py: the daemon has closed the connection")
        return json.loads(line)["result"]


class Growing:
    """What was added to a file since it was last looked at."""

    def __init__(self, path):
        self.path = path
        self.place = os.path.getsize(path) if os.path.exists(path) else 0

    def added(self):
        if not os.path.exists(self.path):
            return b""
        with open(self.path, "rb") as file:
            file.seek(min(self.place, os.path.getsize(self.path)))
            data = file.read()
            self.place = file.tell()
        return data


def memory(pid):
    """Resident and anonymous memory, kB, without what is shared with JACK's server: 108 MB that are the server's."""
    of = {line.split(":")[0]: int(line.split()[1]) for line in open(f"/proc/{pid}/status") if line.startswith("Rss")}
    return of["RssAnon"] + of["RssFile"], of["RssAnon"]


def of_daemon(pid, daemon):
    report = daemon.status()
    resident, anonymous = memory(pid)
    xruns, latency, devices = report["meters"]["xruns"], report.get("latency"), report.get("devices")
    frames = None
    if latency and devices and latency.get("loop_seconds") is not None:
        # Without the chain's own part, which is the program's.
        frames = round((latency["loop_seconds"] - latency["chain_seconds"]) * devices["playback"]["rate_hz"])
    return {
        "resident_kb": resident, "anonymous_kb": anonymous, "descriptors": len(os.listdir(f"/proc/{pid}/fd")),
        "threads": len(os.listdir(f"/proc/{pid}/task")), "xruns": xruns["capture"] + xruns["playback"],
        "reopens": xruns["device_reopens"], "device_frames": frames, "drift_ppm": (report.get("clock") or {}).get("drift_ppm"),
        "state": report["state"]["name"]}


def main():
    writer = csv.DictWriter(sys.stdout, FIELDS, lineterminator="\n")
    if sys.argv[1:] == ["header"]:
        writer.writeheader()
        return
    kind, stretch, seconds, pid = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    daemon = Daemon(sys.argv[5]) if kind == "aid" else None
    meter, server = Growing("iodelay.log"), Growing("jackd.log")
    late, end = 0, time.monotonic() + seconds
    while time.monotonic() <= end:
        row = of_daemon(pid, daemon) if daemon else {"xruns": open("bare", "rb").read().count(b"xrun after")}
        late += server.added().count(b"XRun")
        delays = [float(delay) for delay in DELAY.findall(meter.added())]
        row.update(seconds=round(time.time(), 3), kind=kind, stretch=stretch, late_cycles=late, load=os.getloadavg()[0],
                   meter_ms=statistics.median(delays) if delays else None)
        writer.writerow(row)
        sys.stdout.flush()
        time.sleep(2 if seconds >= 20 else 0.5)


try:
    main()
except (OSError, KeyError, ValueError) as error:
    # Such as a daemon that has ended.
    sys.exit(f"sample.py: {error}")
