#!/usr/bin/env python3
"""Listens for an emulator's monitor at a socket, wakes its machine each time it has suspended to RAM, and writes a line of it.

Usage: waker.py SOCKET FILE

A guest whose time is counted in instructions has none while it sleeps, so that no clock of its own can wake it. Its battery-backed
clock goes on with the host's, and by that it sleeps for some seconds.
"""
import json
import os
import signal
import socket
import sys
import time

# Seconds; that clock counts whole ones.
SLEEP = 3

signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
path = sys.argv[1]
listener = socket.socket(socket.AF_UNIX)
listener.bind(path)
listener.listen(1)
monitor, _ = listener.accept()
os.unlink(path)
with monitor.makefile("rw") as lines:
    def say(command):
        lines.write(json.dumps({"execute": command}) + "\n")
        lines.flush()

    say("qmp_capabilities")
    for line in lines:
        if json.loads(line).get("event") == "SUSPEND":
            time.sleep(SLEEP)
            say("system_wakeup")
            with open(sys.argv[2], "a") as woken:
                woken.write(line)
