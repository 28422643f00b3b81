#!/usr/bin/env python3
"""Natural voices of Debian packages: the split of voices.tsv, and each voice's sound.

    python3 Benchmarks/Noise/voices.py packages SET...           names of the packages of those sets
    python3 Benchmarks/Noise/voices.py table SOUNDS [SET...]     what each voice is, measured; exits with 1 where a judged
                                                                 one has less than 7 kHz

SOUNDS: a folder with the unpacked packages, each in a folder of its name; run.sh makes it. G.722 needs ffmpeg. Seeds are
fixed. Nothing here is scored, and no noise is added."""
import functools, glob, os, shutil, subprocess, sys
import numpy as np, scipy.signal as ss, soundfile

RATE = 44_100
SETS = ("learn", "choose", "judge")
LEAST_BANDWIDTH = 7000  # Hz, of a judged voice
FULL_SCALE = 120 + 10 * np.log10(2)  # dB SPL of a mean square of 1
PAUSES = (.1, .5)  # s between two recordings: those within running speech (own choice)


@functools.cache
def rows():
    lines = open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "voices.tsv")).read().splitlines()
    fields = ("name", "set", "talker", "language", "package", "files")
    found = [dict(zip(fields, line.split("\t"), strict=True)) for line in lines if line and not line.startswith("#")]
    judging = {row["package"] for row in found if row["set"] == "judge"}
    other = {row["package"] for row in found if row["set"] != "judge"}
    if judging & other or {row["set"] for row in found} != set(SETS):
        raise SystemExit(f"voices.tsv: expected the sets {', '.join(SETS)}, and no package both in judge and in another one")
    return found


def of(wanted, sounds):
    """Voices of a set whose sounds are there; the others are named as skipped."""
    found = []
    for row in rows():
        if row["set"] != wanted:
            continue
        if not os.path.isdir(os.path.join(sounds, row["package"])):
            print(f"skipped: {row['name']}, package {row['package']} is not there", file=sys.stderr)
        elif row["files"].endswith(".g722") and not shutil.which("ffmpeg"):
            print(f"skipped: {row['name']}, no ffmpeg to decode it", file=sys.stderr)
        else:
            found.append(row)
    return found


def decoded(path):
    """A single channel at RATE."""
    if path.endswith(".g722"):
        command = ["ffmpeg", "-v", "error", "-f", "g722", "-i", path, "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-"]
        return np.frombuffer(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout, "<f4").astype(float)
    x, rate = soundfile.read(path, always_2d=True)
    x, common = x.mean(1), np.gcd(RATE, rate)
    return ss.resample_poly(x, RATE // common, rate // common) if rate != RATE else x


def kept_rate(path):
    return 16_000 if path.endswith(".g722") else soundfile.info(path).samplerate


def frames(x, seconds=.02):
    """Mean square of each 20 ms."""
    n = int(seconds * RATE)
    return np.mean(x[:len(x) // n * n].reshape(-1, n) ** 2, 1) + 1e-20


def spoken(x):
    """Without what lies 35 dB below the loudest 20 ms at both ends, and at 1 where there is speech; None: too short."""
    if len(x) < .3 * RATE:
        return None
    x = ss.sosfiltfilt(ss.butter(2, 60, "high", fs=RATE, output="sos"), x)
    power, n = frames(x), int(.02 * RATE)
    loud = np.flatnonzero(power > power.max() * 10**-3.5)
    x = x[max(0, loud[0] - 2) * n:(loud[-1] + 3) * n]
    active = power[power > power.max() * 10**-2.5].mean()
    return x / np.sqrt(active) if len(x) >= .3 * RATE and power.max() > 1e-6 else None


def files(row, sounds):
    pattern = os.path.join(sounds, row["package"], row["files"])
    found = [name for name in sorted(glob.glob(pattern, recursive=True)) if os.path.getsize(name) > 3000]
    if not found:
        raise SystemExit(f"voices.py: expected sounds at {pattern}, found none")
    return found


def speech(row, sounds, seconds, seed=1):
    """Recordings of one voice drawn at random, one after the other with pauses, 65 dB SPL on the whole. Shorter where the
    voice has no more."""
    random, parts, total = np.random.default_rng(seed), [], 0
    for name in random.permutation(files(row, sounds)):
        x = spoken(decoded(str(name)))
        if x is None:
            continue
        gap = np.zeros(int(random.uniform(*PAUSES) * RATE))
        parts += [x, gap]
        total += len(x) + len(gap)
        if total >= seconds * RATE:
            break
    return at_level(np.concatenate(parts)[:int(seconds * RATE)], 65)


def at_level(x, level):
    return x / np.sqrt(np.mean(x**2)) * 10 ** ((level - FULL_SCALE) / 20)


def bandwidth(x):
    """Upper edge of the highest 250 Hz, Hz, in which the loudest twentieth of 20 ms lies 12 dB above the quietest tenth and
    within 65 dB of the loudest 250 Hz, like all those below from 3 kHz on: speech reaches there (own choice)."""
    f, _, power = ss.spectrogram(x, RATE, nperseg=1024, noverlap=512)
    edges = np.arange(0, RATE / 2, 250)
    bands = np.array([power[(f >= low) & (f < high)].sum(0) for low, high in zip(edges, edges[1:])]) + 1e-30
    loud, quiet = (10 * np.log10(np.percentile(bands, p, axis=1)) for p in (95, 10))
    missing = ~((loud - quiet >= 12) & (loud >= loud.max() - 65)) & (edges[:-1] >= 3000)
    return edges[:-1][missing].min() if missing.any() else edges[-1]


def pitch(x):
    """Median fundamental of voiced 40 ms, Hz: the shortest period whose autocorrelation comes near the highest."""
    low = ss.sosfilt(ss.butter(2, 900, fs=RATE, output="sos"), x)[::4]
    rate, found, strong = RATE / 4, [], np.mean(low**2)
    n, lags = int(.04 * rate), np.arange(int(rate / 400), int(rate / 70))
    for start in range(0, len(low) - n, n // 2):
        part = low[start:start + n] - low[start:start + n].mean()
        r = np.fft.irfft(np.abs(np.fft.rfft(part, 2 * n)) ** 2)[:n] / np.arange(n, 0, -1)
        top = r[lags].max()
        if r[0] > strong and top > .6 * r[0]:
            near = np.flatnonzero((r[lags] >= r[lags - 1]) & (r[lags] >= r[lags + 1]) & (r[lags] > .85 * top))
            found += [rate / lags[near[0]]] if len(near) else []
    return float(np.median(found)) if found else 0.


def decay(row, sounds):
    """Median of three times what a recording takes to fall from 5 to 25 dB below its loud parts at its end, ms: the words' own
    decay and the room's; and how far its quietest twentieth lies below its loud parts, dB."""
    times, noises = [], []
    for name in files(row, sounds)[:60]:
        x = decoded(name)
        if len(x) < .3 * RATE:
            continue
        power = 10 * np.log10(np.convolve(frames(x, .005), np.ones(4) / 4, "same"))
        top = np.percentile(power, 95)
        noises.append(top - np.percentile(power, 5))
        last = np.flatnonzero(power > top - 5)[-1]
        after = power[last:]
        below = np.flatnonzero(after < top - 25)
        if len(below):
            times.append(below[0] * 5 * 3)
    return (float(np.median(times)) if times else float("nan")), float(np.median(noises))


def table(sounds, sets):
    narrow = []
    print("| voice | set | talker | language | package | bandwidth, kHz | pitch, Hz | decay, ms | quietest, dB |\n" + "|---" * 9 + "|")
    for row in (row for wanted in sets for row in of(wanted, sounds)):
        x = speech(row, sounds, 12)
        # What lies above half the rate at which a voice was kept, such as G.722's, comes from the resampler.
        width = min(bandwidth(x), kept_rate(files(row, sounds)[0]) / 2)
        if row["set"] == "judge" and width < LEAST_BANDWIDTH:
            narrow.append(row["name"])
        time, noise = decay(row, sounds)
        print(f"| {row['name']} | {row['set']} | {row['talker']} | {row['language']} | {row['package']} | {width / 1000:.1f} | "
              f"{pitch(x):.0f} | {time:.0f} | −{noise:.0f} |", flush=True)
    if narrow:
        raise SystemExit(f"less than {LEAST_BANDWIDTH} Hz, and no voice to judge by: {', '.join(narrow)}")


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["packages", *sets] if sets and set(sets) <= set(SETS):
            print("\n".join(sorted({row["package"] for row in rows() if row["set"] in sets})))
        case ["table", sounds, *sets] if set(sets) <= set(SETS):
            table(sounds, sets or SETS)
        case _:
            raise SystemExit(__doc__)
