"""Scenes of known kind, made of recordings from Debian packages and of synthetic noises.

Two sets that share no package, no voice, no piece and no noise: `train` and `test`. Every number is drawn
from a generator with a fixed seed.
"""

import glob
import os
import subprocess

import numpy as np
import scipy.signal as ss
import soundfile as sf

RATE = 44100
FULL_SCALE = 120.0  # dB SPL of a sine at full scale
SECONDS = 14.0
CLASSES = ["speech", "speechInNoise", "noise", "music", "quiet"]

# Package: (kind, pattern). Licences stand in docs/scenes.md.
SOURCES = {
    "train": {
        "speech": [
            ("asterisk-core-sounds-en-g722", "**/*.g722"), ("asterisk-core-sounds-fr-g722", "**/*.g722"),
            ("asterisk-core-sounds-es-g722", "**/*.g722"), ("ktuberling-data", "**/*.ogg"),
            ("ktuberling-data", "**/*.wav"), ("codec2-examples", "**/wav/*.wav"),
        ],
        "music": [
            ("singularity-music", "**/*.ogg"), ("planetblupi-music-ogg", "**/*.ogg"), ("asc-music", "**/*.mp3"),
            ("colobot-common-sounds", "**/music/*.ogg"), ("warzone2100-music", "**/*.opus"),
            ("lincity-ng-data", "**/music/**/*.ogg"), ("unknown-horizons", "**/music/*.ogg"),
            ("freedroidrpg-data", "**/music/*.ogg"),
        ],
        "noise": [("searchandrescue-data", "**/*engine*.wav"), ("lincity-ng-data", "**/sounds/*.wav")],
    },
    "test": {
        "speech": [
            ("asterisk-core-sounds-it-g722", "**/*.g722"), ("asterisk-core-sounds-ru-g722", "**/*.g722"),
            ("alsa-utils", "**/*_*.wav"), ("pocketsphinx-testdata", "**/librivox/*.wav"),
            ("asterisk-prompt-fr-armelle", "**/*.gsm"),
        ],
        "music": [
            ("hyperrogue-music", "**/*.ogg"), ("wesnoth-1.16-music", "**/*.ogg"),
            ("drascula-music", "**/audio/*.ogg"), ("asterisk-moh-opsound-wav", "**/*.wav"),
        ],
        "noise": [
            ("endless-sky-data", "**/ambient/*.mp3"), ("extremetuxracer-data", "**/*slide.wav"),
            ("minetest-mod-homedecor", "**/fire_small.ogg"), ("minetest-mod-homedecor", "**/*shower.ogg"),
            ("minetest-mod-homedecor", "**/*faucet.ogg"),
        ],
    },
}


def level(x):
    """dB SPL."""
    return FULL_SCALE + 10 * np.log10(2 * np.mean(x**2) + 1e-20)


def at_level(x, decibels):
    return x * 10 ** ((decibels - level(x)) / 20)


def active(x):
    """Mean square of those 50 ms that lie within 25 dB of the loudest ones: the level of a voice without pauses."""
    n = int(0.05 * RATE)
    p = np.mean(x[: len(x) // n * n].reshape(-1, n) ** 2, axis=1)
    return np.mean(p[p > np.percentile(p, 95) * 10**-2.5]) + 1e-20


def ffmpeg(source, data=None):
    """A single channel at RATE of whatever ffmpeg reads."""
    command = ["ffmpeg", "-v", "error", *source, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"]
    return np.frombuffer(subprocess.run(command, check=True, capture_output=True, input=data).stdout, np.float32)


class Library:
    """Sound files of one kind, each decoded once to single-channel samples at RATE."""

    def __init__(self, root, sources, rng):
        self.rng = rng
        self.packages = []
        for package, pattern in sources:
            files = sorted(glob.glob(os.path.join(root, package, pattern), recursive=True))
            if not files:
                raise SystemExit(f"sounds.py: no {pattern} in {root}/{package}")
            self.packages.append(files)
        self.cache = {}
        self.folders = {}
        for files in self.packages:
            self.decode(files)

    def decode(self, files):
        """Decodes all files of a kind of constant rate in one go, which saves thousands of processes."""
        kinds = {".g722": (1, 2 * RATE / 16000), ".gsm": (33, 160 * RATE / 8000)}
        kind = os.path.splitext(files[0])[1]
        if kind not in kinds:
            return
        size, samples = kinds[kind]
        data = [open(path, "rb").read() for path in files]
        data = [d[: len(d) // size * size] for d in data]
        x = ffmpeg(["-f", kind[1:], "-i", "-"], b"".join(data))
        at = 0
        for path, d in zip(files, data):
            n = len(d) / size * samples
            self.cache[path] = x[int(at) : int(at + n)]
            at += n

    def file(self, path, seconds=None):
        if path not in self.cache:
            if path.endswith((".wav", ".ogg")):
                info = sf.info(path)
                start = 0
                count = -1
                if seconds and info.frames / info.samplerate > seconds + 1:
                    start = self.rng.integers(0, info.frames - int(seconds * info.samplerate))
                    count = int(seconds * info.samplerate)
                x, rate = sf.read(path, start=int(start), frames=count, always_2d=True)
                x = x.mean(axis=1)
                g = np.gcd(RATE, rate)
                x = ss.resample_poly(x, RATE // g, rate // g) if rate != RATE else x
                if seconds:
                    return x
            else:
                x = ffmpeg(["-i", path])
            self.cache[path] = x.astype(np.float32)
        x = self.cache[path]
        if seconds and len(x) > (seconds + 1) * RATE:
            start = self.rng.integers(0, len(x) - int(seconds * RATE))
            x = x[start : start + int(seconds * RATE)]
        return x.astype(float)

    def path(self):
        files = self.packages[self.rng.integers(len(self.packages))]
        return files[self.rng.integers(len(files))]

    def voice(self, seconds, pauses=(0.1, 0.9)):
        """One speaker's recordings one after the other, with pauses."""
        folder = None
        parts, total = [], 0
        first = self.path()
        folder = os.path.dirname(first)
        if folder not in self.folders:
            self.folders[folder] = [f for f in sorted(glob.glob(folder + "/*")) if f[-4:] == first[-4:]]
        near = self.folders[folder]
        while total < seconds * RATE:
            path = near[self.rng.integers(len(near))]
            try:
                x = self.file(path)
            except Exception:
                continue
            loud = np.abs(x) > 0.02 * np.max(np.abs(x), initial=0)
            if not loud.any() or len(x) < 0.25 * RATE:
                continue
            x = x[max(0, np.argmax(loud) - 441) : len(x) - np.argmax(loud[::-1]) + 441]
            x = x / np.sqrt(active(x)) * 10 ** (self.rng.normal(0, 1.0) / 20)
            gap = np.zeros(int(self.rng.uniform(*pauses) * RATE))
            parts += [x, gap]
            total += len(x) + len(gap)
        x = np.concatenate(parts)
        start = self.rng.integers(0, max(1, len(x) - int(seconds * RATE)))
        return fit(x[start:], seconds)

    def piece(self, seconds):
        while True:
            x = self.file(self.path(), seconds + 2)
            if len(x) > 4 * RATE and level(x) > 60:
                x = loop(x, seconds)
                # Not a piece's silent beginning or its end.
                thirds = [level(part) for part in np.array_split(x, 5)]
                if min(thirds) > max(thirds) - 25:
                    return x

    def ambience(self, seconds):
        while True:
            x = self.file(self.path(), seconds + 2)
            if len(x) > 1.5 * RATE and level(x) > 50:
                return loop(x, seconds)


def fit(x, seconds):
    n = int(seconds * RATE)
    return np.pad(x, (0, max(0, n - len(x))))[:n]


def loop(x, seconds):
    n, fade = int(seconds * RATE), int(0.2 * RATE)
    while len(x) < n + fade:
        ramp = np.linspace(0, 1, fade)
        x = np.concatenate([x[:-fade], x[-fade:] * np.sqrt(1 - ramp) + x[:fade] * np.sqrt(ramp), x[fade:]])
    return x[:n]


def shaped(rng, seconds, shape):
    """Noise with a power density given at frequencies, dB."""
    n = int(seconds * RATE)
    f = np.fft.rfftfreq(n, 1 / RATE)
    gain = 10 ** (np.interp(np.log2(np.maximum(f, 20)), np.log2(shape[0]), shape[1]) / 20)
    return np.fft.irfft(np.fft.rfft(rng.standard_normal(n)) * gain, n)


LTASS = ([63, 100, 160, 250, 500, 630, 1000, 1600, 2500, 4000, 8000, 16000],
         [38.6 - 15, 53 - 12, 50, 52, 52.5, 50, 42, 37, 33, 29, 25, 20])


def slow(rng, seconds, depth, rate):
    """A gain that wanders by a number of dB with a number of Hz."""
    n = int(seconds * RATE)
    points = max(4, int(seconds * rate * 2))
    y = np.interp(np.linspace(0, points - 1, n), np.arange(points), rng.standard_normal(points))
    return 10 ** (depth * y / 20)


def harmonics(rng, seconds, base, count, tilt, wobble):
    n = int(seconds * RATE)
    f = base * slow(rng, seconds, wobble, 0.5)
    phase = 2 * np.pi * np.cumsum(f) / RATE
    return sum(
        10 ** (-tilt * np.log2(k) / 20 + rng.normal(0, 3) / 20) * np.sin(k * phase + rng.uniform(0, 6.28))
        for k in range(1, count) if base * k < 8000) + np.zeros(n)


def grains(rng, seconds, rate, decay, low, high):
    """Short bursts of noise at random times: rain, fire, clatter, cutlery."""
    n = int(seconds * RATE)
    x = np.zeros(n)
    for _ in range(rng.poisson(rate * seconds)):
        at = rng.integers(0, n)
        d = decay * rng.uniform(0.5, 2)
        m = min(n - at, int(6 * d * RATE))
        x[at : at + m] += rng.lognormal(0, 0.8) * np.exp(-np.arange(m) / RATE / d) * rng.standard_normal(m)
    return ss.sosfilt(ss.butter(2, [low, high], "band", fs=RATE, output="sos"), x)


def synthetic(which, rng, seconds, voices):
    """One noise. Train and test differ in kind, or at least in every parameter."""
    r = rng
    if which == "train":
        kind = r.integers(9)
        if kind == 0:
            return shaped(r, seconds, LTASS)
        if kind == 1:
            return shaped(r, seconds, ([20, 20000], [0, -10 * r.uniform(0.2, 1.6) * 3]))
        if kind == 2:  # traffic
            x = shaped(r, seconds, ([20, 80, 400, 20000], [0, 0, -12, -40])) * slow(r, seconds, 4, 0.3)
            return x + 0.3 * np.std(x) * shaped(r, seconds, ([20, 1000, 20000], [-10, 0, -20]))
        if kind == 3:  # engine
            x = harmonics(r, seconds, r.uniform(25, 90), 40, r.uniform(3, 9), r.uniform(0, 0.4))
            return x / np.std(x) + r.uniform(0.1, 1) * at_unit(shaped(r, seconds, ([20, 300, 20000], [0, 0, -40])))
        if kind == 4:  # fan
            x = at_unit(shaped(r, seconds, ([20, 200, 2000, 20000], [-10, 0, -6, -30])))
            return x * (1 + r.uniform(0, 0.3) * np.sin(2 * np.pi * r.uniform(5, 25) * np.arange(len(x)) / RATE))
        if kind == 5:
            return grains(r, seconds, r.uniform(30, 400), r.uniform(0.002, 0.01), 800, 9000)
        if kind == 6:  # wind
            return shaped(r, seconds, ([20, 100, 1000, 20000], [0, -3, -30, -60])) * slow(r, seconds, 5, r.uniform(0.5, 2))
        if kind == 7:
            return grains(r, seconds, r.uniform(2, 8), r.uniform(0.01, 0.06), 500, 8000) + 0.05 * r.standard_normal(
                int(seconds * RATE))
        count = int(r.integers(8, 24))
        return sum(voices.voice(seconds, (0.05, 0.4)) for _ in range(count))
    kind = r.integers(9)
    if kind == 0:  # spectrum of speech of the other sex, and louder effort
        return shaped(r, seconds, ([63, 160, 250, 500, 1000, 2000, 4000, 16000], [20, 46, 54, 57, 51, 42, 34, 18]))
    if kind == 1:
        return r.standard_normal(int(seconds * RATE))
    if kind == 2:  # in a car
        x = shaped(r, seconds, ([20, 60, 200, 1000, 20000], [0, 2, -14, -28, -60]))
        return at_unit(x) + 0.2 * at_unit(harmonics(r, seconds, r.uniform(40, 70), 20, 6, 0.05)) * slow(r, seconds, 2, 0.2)
    if kind == 3:  # vacuum cleaner
        x = at_unit(shaped(r, seconds, ([20, 300, 3000, 20000], [-15, 0, 0, -15])))
        return x + 0.4 * at_unit(harmonics(r, seconds, r.uniform(180, 320), 12, 4, 0.02))
    if kind == 4:  # transformer hum and air
        x = at_unit(harmonics(r, seconds, 100, 9, 5, 0))
        return x + r.uniform(0.5, 1.5) * at_unit(shaped(r, seconds, ([20, 500, 20000], [0, -3, -25])))
    if kind == 5:  # rain
        return at_unit(grains(r, seconds, 600, 0.001, 1500, 12000)) + 0.5 * at_unit(
            shaped(r, seconds, ([20, 400, 5000, 20000], [-20, -5, 0, -10])))
    if kind == 6:  # waves
        return shaped(r, seconds, ([20, 300, 2000, 20000], [0, 0, -8, -25])) * slow(r, seconds, 4, 0.15)
    if kind == 7:  # dishes over a hum of voices
        x = at_unit(sum(voices.voice(seconds, (0.05, 0.3)) for _ in range(16)))
        return x + 0.7 * at_unit(grains(r, seconds, 3, 0.02, 1500, 9000))
    count = int(r.integers(10, 30))
    return sum(voices.voice(seconds, (0.05, 0.4)) for _ in range(count))


def at_unit(x):
    return x / (np.std(x) + 1e-12)


def reverberant(rng, x):
    """In half of all scenes a room: an exponential tail of noise, reverberation 0.2–0.8 s, direct sound above."""
    if rng.random() < 0.5:
        return x
    time = rng.uniform(0.2, 0.8)
    n = int(time * RATE)
    tail = rng.standard_normal(n) * 10 ** (-3 * np.arange(n) / n)
    tail /= np.sqrt(np.sum(tail**2))
    h = tail * 10 ** (rng.uniform(-12, -2) / 20)
    h[0] += 1
    return ss.oaconvolve(x, h)[: len(x)]


def coloured(rng, x):
    """Band limits and a microphone's colour, alike for every class."""
    top = np.exp(rng.uniform(np.log(4000), np.log(16000)))
    x = ss.sosfilt(ss.butter(6, top, fs=RATE, output="sos"), x)
    x = ss.sosfilt(ss.butter(1, rng.uniform(50, 200), "high", fs=RATE, output="sos"), x)
    # Up and down by a few dB per octave, smooth.
    n = 1025
    f = np.maximum(np.linspace(0, RATE / 2, n), 50)
    points = np.log2(np.array([50, 200, 800, 3200, 12800, 22050]))
    gain = np.interp(np.log2(f), points, rng.normal(0, 3, len(points)))
    h = ss.firwin2(513, np.linspace(0, 1, n), 10 ** (gain / 20))
    return ss.oaconvolve(x, h, mode="same")


def heard(x):
    """The part above 150 Hz, which says how loud something is; a rumble alone would otherwise set the level."""
    return ss.sosfilt(ss.butter(2, 150, "high", fs=RATE, output="sos"), x)


def to_level(x, decibels):
    return x * 10 ** ((decibels - level(heard(x))) / 20)


class Scenes:
    def __init__(self, root, which, seed):
        self.rng = np.random.default_rng(seed)
        self.which = which
        self.voices = Library(root, SOURCES[which]["speech"], self.rng)
        self.music = Library(root, SOURCES[which]["music"], self.rng)
        self.ambiences = Library(root, SOURCES[which]["noise"], self.rng)

    def noise(self, seconds):
        if self.rng.random() < 0.3:
            return self.ambiences.ambience(seconds)
        return synthetic(self.which, self.rng, seconds, self.voices)

    def make(self, kind, seconds=SECONDS):
        """Samples, full scale ± 1, and what they are."""
        r = self.rng
        about = {}
        if kind == "speech":
            x = reverberant(r, self.voices.voice(seconds))
            about["snr"] = r.uniform(20, 40)
            n = at_unit(self.noise(seconds)) * np.sqrt(active(x)) * 10 ** (-about["snr"] / 20)
            x = coloured(r, x + n)
        elif kind == "speechInNoise":
            x = reverberant(r, self.voices.voice(seconds, (0.1, 0.6)))
            about["snr"] = r.uniform(-5, 15)
            n = heard(self.noise(seconds))
            n = n * np.sqrt(active(heard(x)) / (np.mean(n**2) + 1e-20)) * 10 ** (-about["snr"] / 20)
            x = coloured(r, x + n)
        elif kind == "noise":
            x = coloured(r, reverberant(r, self.noise(seconds)))
        elif kind == "music":
            x = coloured(r, reverberant(r, self.music.piece(seconds)))
        else:
            x = [self.noise, self.voices.voice, lambda s: np.ones(int(s * RATE)) * 1e-9][r.integers(3)](seconds)
            x = coloured(r, x)
        about["level"] = r.uniform(15, 37) if kind == "quiet" else r.uniform(45, 85)
        x = to_level(x, about["level"])
        # The microphone's own noise: 20–28 dB SPL, flat.
        own = min(r.uniform(20, 28), about["level"] - (22 if kind == "speech" else 0))
        x = x + at_level(r.standard_normal(len(x)), own)
        return x.astype(np.float32), about

    def change(self, kind, other, before=10.0, after=12.0):
        """One scene, and from one sample to the next another."""
        (x, _), (y, _) = self.make(kind, before), self.make(other, after)
        return np.concatenate([x, y]), {"to": other, "at": before, "after": after}
