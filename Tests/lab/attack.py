#!/usr/bin/env python3
"""Attacks a daemon's control socket from several processes: silent connections, lines too long, half lines, garbage, floods of
commands, readers that do not read, and requests with something changed. Reads what is answered, and fails where that is not honest:
a line that is no JSON-RPC response or notification, an error of an unknown code or one without a sentence.

Usage: attack.py SOCKET SECONDS      prints what was done as JSON
"""
import json
import multiprocessing
import random
import resource
import select
import socket
import sys
import time

CODES = {-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003}
# Nothing that sounds, silences, ends or forgets: what is left after the attack is to be what was before.
METHODS = ["status", "devices", "version", "programs", "subscribe", "unsubscribe", "spectrum.watch", "prescription.list", "audit.list"]


class Connection:
    """A connection that never waits; lines that come are judged."""

    def __init__(self, path, tally):
        self.tally, self.rest, self.pending = tally, b"", b""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(5)
        try:
            self.socket.connect(path)
        except OSError:
            self.socket.close()
            self.socket = None
            tally["unreached"] += 1
            return
        self.socket.setblocking(False)
        tally["connections"] += 1

    def send(self, data):
        """What the kernel takes of it; False when the daemon has hung up."""
        try:
            sent = self.socket.send(self.pending + data)
            self.pending = (self.pending + data)[sent:][:1 << 18]
        except BlockingIOError:
            self.pending = (self.pending + data)[:1 << 18]
        except OSError:
            return False
        return True

    def read(self):
        """Judges what has come; False when the daemon has hung up."""
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return True
        except OSError:
            return False
        *lines, self.rest = (self.rest + data).split(b"\n")
        for line in lines:
            self.judge(line)
        return bool(data)

    def judge(self, line):
        self.tally["answers"] += 1
        try:
            message = json.loads(line)
            if "error" in message:
                error = message["error"]
                assert error["code"] in CODES and error["message"].endswith((".", "?")) and " " in error["message"]
                key = str(error["code"])
                self.tally["errors"][key] = self.tally["errors"].get(key, 0) + 1
            else:
                assert "result" in message or "params" in message
        except (ValueError, KeyError, TypeError, AssertionError):
            self.tally["dishonest"].append(line[:200].decode("utf-8", "replace"))

    def close(self):
        if self.socket:
            self.socket.close()


def request(method, parameters=None, identifier=1):
    return json.dumps({"jsonrpc": "2.0", "id": identifier, "method": method, "params": parameters or {}}).encode() + b"\n"


def keep(path, tally, end, count, act, pause=0.0):
    """Holds `count` connections until the end, lets each act again and again, and opens anew what was closed."""
    held = []
    while time.monotonic() < end:
        while len(held) < count and time.monotonic() < end:
            connection = Connection(path, tally)
            if connection.socket is None:
                break
            held.append(connection)
            if not act(connection, True):
                break
        ready = {c for c in select.select([c.socket for c in held], [], [], pause)[0]} if held else set()
        gone = [c for c in held if (c.socket in ready and not c.read()) or not act(c, False)]
        for connection in gone:
            connection.close()
            held.remove(connection)
    for connection in held:
        connection.close()


def silent(path, tally, end):
    """Five hundred connections that say nothing."""
    keep(path, tally, end, 500, lambda connection, isNew: True, 0.05)


def long_lines(path, tally, end):
    keep(path, tally, end, 4, lambda connection, isNew: connection.send(b"x" * 20_000), 0.005)


def half_lines(path, tally, end):
    keep(path, tally, end, 20, lambda c, isNew: not isNew or c.send(b'{"jsonrpc":"2.0","id":1,"method":"sta'), 0.02)


def garbage(path, tally, end):
    def act(connection, isNew):
        tally["lines"] += 20
        return connection.send(b"".join(random.randbytes(random.randrange(200)) + b"\n" for _ in range(20)))
    keep(path, tally, end, 4, act, 0.002)


def flood(path, tally, end):
    """As many commands as go."""
    def act(connection, isNew):
        if len(connection.pending) < 1 << 16:
            tally["commands"] += 50
            return connection.send(request("version") * 49 + request("status"))
        return connection.send(b"")
    keep(path, tally, end, 4, act, 0.002)


def slow(path, tally, end):
    """Clients that ask and do not read."""
    held = []
    while time.monotonic() < end:
        while len(held) < 4:
            connection = Connection(path, tally)
            if connection.socket is None:
                break
            connection.send(request("subscribe", {"topics": ["state", "meters"], "interval_seconds": 0.05}))
            held.append(connection)
        for connection in list(held):
            if not connection.send(request("status") * 5):
                connection.close()
                held.remove(connection)
        time.sleep(0.01)


def fuzz(path, tally, end):
    """Requests with something changed."""
    def changed():
        line = bytearray(request(random.choice(METHODS), random.choice([None, {"topics": ["state"]}, {"interval_seconds": 1e300}])))
        for _ in range(random.randrange(4)):
            place = random.randrange(len(line))
            kind = random.randrange(4)
            if kind == 0:
                line[place] = random.randrange(256)
            elif kind == 1:
                del line[place:place + random.randrange(8)]
            elif kind == 2:
                line[place:place] = random.choice([b"[" * 40, b"\\u0000", b"1e999", b"-0", b'"a":1,"a":2,', b"\xff\xfe", b"9" * 40])
            else:
                line[place:place] = line[:random.randrange(len(line))]
            if not line:
                break
        return bytes(line) + b"\n"

    def act(connection, isNew):
        tally["fuzzed"] += 5
        return connection.send(b"".join(changed() for _ in range(5)))
    keep(path, tally, end, 3, act, 0.002)


def run(kind, path, end, results):
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    tally = {"connections": 0, "unreached": 0, "answers": 0, "commands": 0, "lines": 0, "fuzzed": 0, "errors": {}, "dishonest": []}
    kind(path, tally, end)
    results.put(tally)


def main():
    path, seconds = sys.argv[1], float(sys.argv[2])
    kinds = [silent, silent, long_lines, half_lines, garbage, flood, flood, flood, slow, fuzz]
    results, end = multiprocessing.Queue(), time.monotonic() + seconds
    processes = [multiprocessing.Process(target=run, args=(kind, path, end, results)) for kind in kinds]
    for process in processes:
        process.start()
    whole = {}
    for tally in [results.get() for _ in processes]:
        for key, value in tally.items():
            if key == "errors":
                errors = whole.setdefault(key, {})
                for code, count in value.items():
                    errors[code] = errors.get(code, 0) + count
            else:
                whole[key] = whole.get(key, type(value)()) + value
    for process in processes:
        process.join()
    whole["dishonest"] = whole["dishonest"][:10]
    print(json.dumps(whole, sort_keys=True))
    sys.exit(1 if whole["dishonest"] else 0)


if __name__ == "__main__":
    main()
