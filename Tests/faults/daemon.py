"""A daemon as a path: started until sound flows or it says why not, asked for something, and stopped."""
import json
import os
import signal
import socket
import subprocess
import time

import paths

# s; own choice: START, of a daemon that has begun and does not sound, and SETTLED are ten times what an idle machine needs, the others what
# only a hang takes.
START, ANSWER, STOP, SETTLED = 15, paths.PATIENCE, 60, 0.3


class Daemon:
    """A daemon under the tool that records or injects."""

    def __init__(self, world, prefix):
        self.world, self.is_traced = world, bool(prefix)
        self.log = open(world.home + "/daemon.log", "w+")
        self.process = subprocess.Popen(
            [*prefix, paths.AURICLED], cwd=world.home, env=world.environment, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)

    def ask(self, method, limit=2):
        """The result of a method; None where nobody answers."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(limit)
            try:
                client.connect(self.world.environment["AURICLE_SOCKET"])
                client.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}).encode() + b"\n")
                return json.loads(client.makefile(encoding="utf-8").readline()).get("result")
            except (OSError, ValueError):
                return None

    def started(self):
        """Its report once sound flows, or the last one in the time; None of a daemon that has ended or says nothing."""
        end, report = time.monotonic() + paths.PATIENCE, None
        while time.monotonic() < end and self.process.poll() is None:
            report = self.ask("status") or report
            if report and report["state"]["name"] != "starting":
                end = min(end, time.monotonic() + START)
            if report and report["state"]["name"] == "running" and report["meters"]["load"]["maximum_share"] > 0:
                break
            time.sleep(0.01)
        return report

    def stop(self):
        """Its exit status; None: it does not end. With the tool it is the tool's child."""
        if self.process.poll() is None:
            for process in self.children() if self.is_traced else [self.process.pid]:
                os.kill(process, signal.SIGTERM)
        try:
            self.process.wait(STOP)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        finally:
            self.log.seek(0)
            self.words = self.log.read().replace(self.world.home, "~")
            self.log.close()
        return self.process.returncode

    def children(self):
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as file:
            return [int(word) for word in file.read().split()]


def match(world):
    """A person who takes the loudness of the first tone, three times. - Returns: exit status and the last news."""
    with socket.socket(socket.AF_UNIX) as aid:
        aid.settimeout(ANSWER)
        order = {"order": {"name": "loudness", "ear": "left", "threshold": 20}}

        def send(method, parameters):
            aid.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}).encode() + b"\n")

        try:
            aid.connect(world.environment["AURICLE_SOCKET"])
            send("procedure.start", order)
            is_begun = False
            for line in aid.makefile(encoding="utf-8"):
                news = json.loads(line)
                notice = news.get("params", {}).get("procedure", {})
                is_begun = is_begun or bool(notice)
                # Once it has begun a key that comes too early is refused, no more.
                if "error" in news and not is_begun:
                    return news["error"].get("data", {}).get("exit_status", 69), news["error"]["message"]
                if notice.get("phase") in ("finished", "broken"):
                    error = notice.get("error", {})
                    return error.get("exit_status", 0), error.get("message", "")
                if notice.get("phase") in ("sounding", "asking"):
                    send("procedure.answer", {"key": "accept"})
            return 69, "the daemon has hung up"
        except TimeoutError:
            return None, ""
        except OSError as error:
            return 69, str(error)


def go(world, path, prefix):
    """Goes a daemon's path.

    Returns what was found: `report` (None: no sound, no answer), `before`, that before the client came,
    `programs`, `answer` (status, output, errors of the client), `status` of its end, `log`.
    """
    daemon = Daemon(world, prefix)
    found = {"report": daemon.started(), "answer": None}
    found["before"] = found["report"]
    found["ended early"] = daemon.process.poll() is not None
    if path.command == ("PERSON",):
        status, words = match(world)
        found["answer"] = (status, "", words)
    elif path.command:
        found["answer"] = world.auricle(*world.words(path), limit=ANSWER)
    if path.command:
        # What is heard follows a change by itself.
        time.sleep(SETTLED)
        found["report"] = daemon.ask("status") or found["report"]
    found["programs"] = daemon.ask("program.list")
    found["status"], found["log"] = daemon.stop(), daemon.words
    found["beginning"], found["peak"] = heard(world.home + "/heard.raw")
    return found


def heard(path):
    """Greatest sample of the first 64 frames, and of all, 0 to 1, of what was played; 0 of nothing."""
    if not os.path.exists(path):
        return 0, 0
    with open(path, "rb") as file:
        data = file.read(64 << 20)
    samples = memoryview(data[:len(data) // 4 * 4]).cast("f")
    return [max(max(part), -min(part)) if len(part) else 0 for part in (samples[:128], samples)]
