#!/usr/bin/env python3
"""A person with a known audiogram who takes a hearing test: hears what the earphones play, and presses the key by the control socket.

Usage: arecord … | ear.py SOCKET ORDER AUDIOGRAM FULL_SCALE REFERENCES [LIMIT]

Standard input: both earphones, 44.1 kHz, 32-bit floats. ORDER: the procedure as procedure.start takes it, JSON. AUDIOGRAM: for each ear
thresholds in dB HL by frequency, JSON. FULL_SCALE: dB SPL at 0 dB FS. REFERENCES: dB SPL at 0 dB HL by frequency, JSON.
LIMIT: tones after which it hangs up. Prints the last notice, how many tones it heard of, and how many it heard with samples lost.
In the environment: LOSSES, logs that grow where the laboratory loses samples (arecord's overruns, the JACK server's late cycles): a tone
whose frequency is wrong is an error, but where one grew since the tone before. That may be so of one tone in ten.

Nothing is known here of the test: a tone's level is its root mean square, its frequency that of its zero crossings.
"""
import array
import json
import math
import os
import select
import signal
import socket
import sys

RATE, BLOCK = 44100, 441
# A sound, dB FS; the digital silence of a dummy card is far below.
AUDIBLE = -130.0


class Ear:
    """One earphone: sound that begins is measured over its first steady tenth of a second."""

    def __init__(self):
        self.blocks = []

    def hear(self, samples):
        """Frequency, Hz, and level, dB FS, of a tone whose steady part is whole; None otherwise."""
        power = sum(x * x for x in samples) / len(samples)
        level = 10 * math.log10(2 * power) if power > 0 else -300.0
        if level < AUDIBLE:
            self.blocks = []
            return None
        self.blocks.append(samples)
        # After a rise of 50 ms at most, a tenth of a second.
        if len(self.blocks) != 16:
            return None
        steady = array.array("f")
        for block in self.blocks[6:]:
            steady.extend(block)
        power = sum(x * x for x in steady) / len(steady)
        signs = [i for i in range(1, len(steady)) if steady[i - 1] < 0 <= steady[i]]
        if len(signs) < 2:
            return None
        # Between the first and the last crossing, each found between two samples.
        def place(i):
            return i - steady[i] / (steady[i] - steady[i - 1])
        frequency = (len(signs) - 1) * RATE / (place(signs[-1]) - place(signs[0]))
        return frequency, 10 * math.log10(2 * power)


class Losses:
    """Logs that tell of samples that did not arrive, by their sizes."""

    def __init__(self):
        self.logs = os.environ.get("LOSSES", "").split()
        self.told = self.size()

    def size(self):
        return sum(os.path.getsize(log) for log in self.logs if os.path.exists(log))

    def are_new(self):
        """True where a log grew since it was asked before."""
        former, self.told = self.told, self.size()
        return self.told > former


def ends_with(words):
    """Has SIGTERM, which timeout(1) sends, end the program with what `words` gives, as JSON: without it nobody knows what it waited for."""
    def end(*_):
        print(json.dumps(words()), flush=True)
        os._exit(1)
    signal.signal(signal.SIGTERM, end)


class Daemon:
    """The control socket: requests are sent and not waited for, notices of the procedure are kept."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.rest, self.count, self.notice, self.errors = b"", 0, None, []

    def ask(self, method, **parameters):
        self.count += 1
        request = {"jsonrpc": "2.0", "id": self.count, "method": method, "params": parameters}
        self.socket.sendall(json.dumps(request).encode() + b"\n")

    def read(self):
        while select.select([self.socket], [], [], 0)[0]:
            data = self.socket.recv(1 << 16)
            if not data:
                return False
            *lines, self.rest = (self.rest + data).split(b"\n")
            for line in map(json.loads, lines):
                if line.get("method") == "procedure":
                    self.notice = line["params"]["procedure"]
                elif "error" in line:
                    self.errors.append(line["error"]["message"])
        return True


def main():
    path, order, audiogram, full_scale, references = sys.argv[1:6]
    limit = int(sys.argv[6]) if len(sys.argv) > 6 else None
    order, audiogram, references = json.loads(order), json.loads(audiogram), json.loads(references)
    full_scale = float(full_scale)
    daemon = Daemon(path)
    # The earphones find these ears only once they listen.
    sys.stdin.buffer.read(BLOCK * 8)
    daemon.ask("procedure.start", **order)
    ears, tones, heard, pressed, lost, losses = {"left": Ear(), "right": Ear()}, 0, 0, [], 0, Losses()
    # A busy machine may let the sound card of software stand still for seconds: the test then breaks off, and is gone on with.
    resumptions = 3
    # By what was heard: after a wait of this program's, seconds of sound come at once.
    now = 0.0
    ends_with(lambda: {"notice": daemon.notice, "errors": daemon.errors + ["ended by timeout(1)"], "tones": tones, "heard": heard, "seconds": now})
    while True:
        data = sys.stdin.buffer.read(BLOCK * 8)
        now += BLOCK / RATE
        if len(data) < BLOCK * 8 or not daemon.read():
            print(json.dumps({"notice": daemon.notice, "errors": daemon.errors, "tones": tones}))
            return 1
        samples = array.array("f", data)
        for side, channel in (("left", samples[0::2]), ("right", samples[1::2])):
            tone = ears[side].hear(channel)
            if tone is None:
                continue
            frequency, level = tone
            nearest = min(references, key=lambda f: abs(math.log(float(f) / frequency)))
            hearing = level + full_scale - references[nearest]
            # Pulses of one tone count once: a person presses once.
            if pressed and now - pressed[-1] < 1.2:
                continue
            pressed.append(now)
            tones += 1
            has_lost, is_wrong = losses.are_new(), abs(frequency / float(nearest) - 1) > 0.001
            lost += is_wrong and has_lost
            if is_wrong and (not has_lost or lost > 3 + tones / 10):
                daemon.errors.append(f"tone {tones} has {frequency:.2f} Hz, expected {nearest} Hz ({lost} with samples lost)")
            if limit is not None and tones > limit:
                print(json.dumps({"notice": daemon.notice, "tones": tones}))
                return 0
            # A threshold lies between two levels; rounding does not decide on which side.
            if hearing >= audiogram[side][nearest] - 0.01:
                heard += 1
                daemon.ask("procedure.answer", key="heard")
        ended = daemon.notice and daemon.notice["phase"]
        if ended == "broken" and daemon.notice["error"]["exit_status"] == 75 and resumptions > 0:
            resumptions -= 1
            record, daemon.notice, ears = daemon.notice["record"], None, {"left": Ear(), "right": Ear()}
            daemon.ask("procedure.start", resume=record)
        elif ended in ("finished", "broken"):
            print(json.dumps({"notice": daemon.notice, "errors": daemon.errors, "tones": tones, "heard": heard, "lost": lost}))
            return 0 if daemon.notice["phase"] == "finished" else 1
        if daemon.errors:
            print(json.dumps({"errors": daemon.errors}))
            return 1


if __name__ == "__main__":
    sys.exit(main())
