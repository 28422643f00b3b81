#!/usr/bin/env python3
"""Judges what was recorded in a guest: silence, ramp, continuity, level, delay; nothing old, nothing unprocessed.

Both ears hear the same and have the same prescription, so that what is judged of the left holds for the right, which is checked.
Frame n of a recording was taken while frame n of the signal was played (tools.c, world), so that the delay of the aid is a
number of frames. The signal is white noise: no two stretches of it are alike.

Run with the name of a file it writes the signal: 40 s at 48 kHz, 16 bits, the same in both ears, 74.6 dB SPL
without calibration.
"""
import array
import json
import math
import operator
import random
import sys

RATE = 48000
# Between the peaks: RMS is this over the root of 3.
AMPLITUDE = 300
# What is played twice, or untouched, is the same to the bit over so many frames: by chance once in 600^16.
WORD = 16
# A stop is silence to the bit for longer than this; noise has no such stretch.
SILENCE = RATE // 200
# Frames over which a level is taken, 10 ms.
WINDOW = RATE // 100


def write_signal(path):
    source = random.Random(1)
    samples = array.array("h")
    for _ in range(40 * RATE):
        sample = source.randint(-AMPLITUDE, AMPLITUDE)
        samples.append(sample)
        samples.append(sample)
    with open(path, "wb") as file:
        samples.tofile(file)


def decibels(ratio):
    return 20 * math.log10(ratio) if ratio > 0 else -math.inf


def root_mean_square(part):
    return math.sqrt(sum(map(operator.mul, part, part)) / max(1, len(part)))


class Recording:
    """The left ear of a recording, in units of 16 bits, and the right one to compare it with."""

    def __init__(self, left, right, name=""):
        """Samples of 32 bits."""
        self.name = name
        self.fine = left
        self.samples = array.array("i", (sample >> 16 for sample in left))
        self.other = array.array("i", (sample >> 16 for sample in right))

    @classmethod
    def read(cls, path):
        raw = array.array("i")
        with open(path, "rb") as file:
            data = file.read()
        raw.frombytes(data[:len(data) // 8 * 8])
        return cls(raw[0::2], raw[1::2], path.rsplit("/", 1)[-1])

    def __len__(self):
        return len(self.samples)

    def low_bits(self, bits, begin, end):
        """Share of samples between two frames in which one of `bits` bits below the upper 16 is set."""
        mask = (1 << 16) - (1 << (16 - bits))
        return sum(1 for sample in self.fine[begin:end] if sample & mask) / max(1, end - begin)

    def stretches(self):
        """Stretches of sound between silences, as (begin, end)."""
        found = []
        begin = None
        zeros = 0
        for n, sample in enumerate(self.samples):
            if sample:
                if begin is None:
                    begin = n
                zeros = 0
            else:
                zeros += 1
                if begin is not None and zeros >= SILENCE:
                    found.append((begin, n - zeros + 1))
                    begin = None
        if begin is not None:
            found.append((begin, len(self.samples)))
        # One sample alone is the limit of a ramp.
        return [(begin, end) for begin, end in found if end - begin > SILENCE]

    def level(self, begin, end):
        """Root mean square between two frames."""
        return root_mean_square(self.samples[max(0, begin):end])

    def loudest(self, begin, end):
        """Greatest level of 10 ms between two frames, the last 10 ms included; of less where there is not as much. A few frames of
        noise say nothing: two of them are 5 dB above its level once in thirty times."""
        return max((self.level(max(begin, min(n, end - WINDOW)), min(n + WINDOW, end)) for n in range(begin, end, WINDOW)), default=0)

    def apart(self):
        """Time of the first 10 ms in which the ears differ, s; None where they are alike: within 20 dB below their level and
        10 units, for each ear has its own noise reduction."""
        for n in range(0, len(self.samples), WINDOW):
            left, right = self.samples[n:n + WINDOW], self.other[n:n + WINDOW]
            level = max(root_mean_square(left), root_mean_square(right))
            if root_mean_square(array.array("i", map(operator.sub, left, right))) > level / 10 + 10:
                return n / RATE
        return None

    def ramp(self, begin):
        """Levels of the first 50 ms of a stretch, 10 ms each, against that of the 150 ms after them."""
        steady = self.level(begin + 5 * WINDOW, begin + 20 * WINDOW)
        return [self.level(begin + n * WINDOW, begin + (n + 1) * WINDOW) / max(steady, 1e-9) for n in range(5)]

    def repeated(self, begin, end):
        """Frames at the end of a stretch that had been played within the 0.2 s before."""
        data = self.samples[max(begin, end - RATE // 5):end].tobytes()
        seen = {}
        frames = set()
        for n in range(len(data) // 4 - WORD + 1):
            word = data[4 * n:4 * (n + WORD)]
            if word in seen and any(word):
                frames.update(range(n, n + WORD))
            seen[word] = n
        return len(frames)

    def unprocessed(self, signal):
        """Words of the signal that stand in the recording to the bit, found by those frames whose sample is 7 modulo 64."""
        def words(samples):
            for n in range(len(samples) - WORD):
                if samples[n] & 63 == 7:
                    yield tuple(samples[n:n + WORD])

        known = set(words(signal))
        return sum(1 for word in words(self.samples) if word in known)

    def lag(self, signal, centre, around, reach, length=512):
        """Frames by which the recording is behind the signal near frame `centre`, and how alike they are, 0 to 1."""
        piece = self.samples[centre:centre + length]
        part = array.array("i", (signal[n % len(signal)] for n in range(centre - around - reach, centre - around + reach + length)))
        best, found = 0, around
        for shift in range(2 * reach + 1):
            product = abs(sum(map(operator.mul, piece, part[shift:shift + length])))
            if product > best:
                best, found = product, around + reach - shift
        shift = around + reach - found
        part = part[shift:shift + length]
        energy = sum(map(operator.mul, piece, piece)) * sum(map(operator.mul, part, part))
        return found, best / (energy + 1) ** 0.5


class Judge:
    """Checks of one scenario. Each is printed; `done` exits with what they came to."""

    def __init__(self):
        self.folder = sys.argv[1]
        self.failures = 0
        self.facts = {}
        try:
            for line in open(f"{self.folder}/facts"):
                key, _, value = line.strip().partition(" ")
                self.facts.setdefault(key, []).append(value)
        except FileNotFoundError:
            pass
        self._signal = None

    @property
    def signal(self):
        if self._signal is None:
            samples = array.array("h")
            with open(f"{self.folder}/../signal.raw", "rb") as file:
                samples.frombytes(file.read())
            self._signal = samples[0::2]
        return self._signal

    def check(self, good, words):
        print(("" if good else "WRONG: ") + words)
        self.failures += 0 if good else 1

    def fact(self, key, kind=float):
        """Values of a fact, in order."""
        return [kind(value) for value in self.facts.get(key, [])]

    def json(self, name):
        with open(f"{self.folder}/{name}.json") as file:
            return json.load(file)

    def text(self, name):
        with open(f"{self.folder}/{name}", errors="replace") as file:
            return file.read()

    def recording(self, name="recorded.raw"):
        return self.both_ears(Recording.read(f"{self.folder}/{name}"))

    def both_ears(self, recording):
        apart = recording.apart()
        self.check(apart is None, f"{recording.name}: both ears hear the same" + ("" if apart is None else f", but not at {apart:.2f} s"))
        return recording

    def done(self):
        sys.exit(1 if self.failures else 0)

    # MARK: - What holds after every recovery

    def lags(self, recording, sounds, around=700, reach=900, signal=None):
        """Delays of stretches of sound, each near its end, frames."""
        signal = signal or self.signal
        found = []
        for begin, end in sounds:
            centre = max(begin, end - 2048)
            lag, likeness = recording.lag(signal, centre, around, reach)
            if likeness < 0.4:
                self.check(False, f"sound at {end / RATE:.2f} s is like the signal by {likeness:.2f}, expected 0.4 or more")
            found.append(lag)
        return found

    def check_delay(self, recording, sounds, **more):
        """The delay is the same in all stretches."""
        lags = self.lags(recording, sounds, **more)
        apart = sorted({lag - lags[0] for lag in lags}) if lags else []
        self.check(apart == [0], f"delay {lags[0] if lags else 0} frames ({1000 * lags[0] / RATE:.2f} ms); stretches differ by {apart}, "
                   "expected [0]")
        return lags[0] if lags else None

    def check_old(self, recording, sounds):
        """Nothing is played twice before a silence."""
        old = [recording.repeated(begin, end) for begin, end in sounds]
        self.check(max(old, default=0) == 0, f"old sound before silence: {sum(1 for n in old if n)} of {len(old)} times, at most "
                   f"{max(old, default=0)} frames, expected none")

    def check_ramp(self, recording, sounds):
        """Each stretch rises from silence over 50 ms, and nothing is louder than what follows it by 3 dB. One that had begun when the
        recording did tells nothing; of one that is shorter than 0.2 s nothing can be told, which is wrong."""
        risen = [(begin, end) for begin, end in sounds if begin > 5 * WINDOW]
        long = [(begin, end) for begin, end in risen if end - begin >= 20 * WINDOW]
        if len(long) < len(risen):
            self.check(False, f"{len(risen) - len(long)} stretches are too short to judge their rise, expected 0.2 s or more")
        firsts = [recording.ramp(begin) for begin, _ in long]
        first = max((ramp[0] for ramp in firsts), default=0)
        self.check(first < 0.35, f"first 10 ms of {len(long)} rises: at most {decibels(first):.1f} dB of the level after them, expected "
                   "-9 dB or less")
        most = max((max(ramp) for ramp in firsts), default=0)
        self.check(most < 1.41, f"loudest 10 ms within a rise: {decibels(most):+.1f} dB, expected +3 dB at most")

    def check_level(self, recording, sounds, most=3.0, changed=0.0):
        """No 10 ms are louder than the end of the first second of sound by more than `most` dB, the first second excepted: until noise
        reduction knows the noise it is up to 5 dB louder. `changed` is what other settings have changed since, dB."""
        begin, end = sounds[0]
        known = min(begin + RATE, end)
        steady = max(recording.level(known - 10 * WINDOW, known), 1e-9)
        first = decibels(recording.loudest(begin, known) / steady)
        self.check(first <= 5, f"first second: at most {first:+.1f} dB of its end, expected +5 dB at most")
        later = [(known, end), *sounds[1:]]
        loudest = decibels(max(recording.loudest(begin, end) for begin, end in later) / steady) - changed
        self.check(loudest <= most, f"loudest 10 ms after it: {loudest:+.1f} dB, expected {most:+.0f} dB at most")
        unprocessed = recording.unprocessed(self.signal)
        self.check(unprocessed == 0, f"unprocessed sound: {unprocessed} places, expected none")

    def check_recovery(self, recording, sounds, most=3.0, changed=0.0, **more):
        """Everything that holds after every recovery; returns the delay in frames."""
        if not sounds:
            self.check(False, "no sound at all")
            return None
        delay = self.check_delay(recording, sounds, **more)
        self.check_old(recording, sounds)
        self.check_ramp(recording, sounds)
        self.check_level(recording, sounds, most, changed)
        self.check_end(recording, sounds)
        return delay

    def check_end(self, recording, sounds):
        """The sound goes on until the daemon was ended, or as long as was recorded (facts `world` and `ended` of guest.sh). Both are told in
        hundredths of a second."""
        began = next((float(value.split()[1]) for value in self.facts.get("world", []) if value.split()[0] == recording.name), None)
        self.check(began is not None, f"{recording.name}: it is known when the recording began")
        expected = len(recording) / RATE
        ends = [end - began for end in self.fact("ended") if began is not None and 0 < end - began < expected]
        expected = max(ends, default=expected)
        last = sounds[-1][1] / RATE if sounds else 0
        self.check(last > expected - 0.05, f"sound until {last:.2f} s, expected until {expected:.2f} s")

    def check_fall(self, recording, sounds):
        """Each stretch but the last falls to silence instead of breaking off: 5 ms at its end are softer than 100 ms before by 9 dB."""
        falls = [recording.level(end - WINDOW // 2, end) / max(recording.level(end - 12 * WINDOW, end - 10 * WINDOW), 1e-9)
                 for begin, end in sounds[:-1] if end - begin > 20 * WINDOW]
        most = max(falls, default=0)
        self.check(most < 0.35, f"last 5 ms of {len(falls)} falls: at most {decibels(most):.1f} dB, expected -9 dB or less")

    def check_return(self, sounds, usable, began):
        """Sound rises within 1 s of the device being usable.

        - usable: uptime at which the device could be used; began: that of the recording's first frame; both s.
        """
        after = [begin / RATE + began - usable for begin, _ in sounds if begin / RATE + began >= usable - 0.05]
        first = min(after, default=math.inf)
        self.check(first <= 1, f"sound {first:.2f} s after the device was usable, expected 1 s at most")

    def xruns(self, before, after):
        """Overruns and underruns between two reports."""
        first, last = (report["meters"]["xruns"] for report in (before, after))
        return sum(last[side] - first[side] for side in ("capture", "playback"))


if __name__ == "__main__":
    write_signal(sys.argv[1])
