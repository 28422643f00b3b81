#!/usr/bin/env python3
"""Scores noise reduction on natural voices (voices.tsv): tables of the median and the worst voice. run.sh has what it needs.

    python3 Benchmarks/Noise/score.py RENDERER SOUNDS [OPTION...]

Speech: eight seconds of each voice, 65 dB SPL over the whole. Noise: the voice's own long-term spectrum, or eight voices at
once made of the same recordings at other pitches. Ratios by phase inversion (Hagerman & Olofsson 2004), powers over the
whole signal from 1 s on, behind a linear NAL-R prescription. HASPI and HASQI as in pyclarity, by the quicker model of
Benchmarks/Quality, NumPy's generator seeded with 0. What was scored once is kept in a folder and not scored again.

Exits with 1 unless, for the worst judged voice at every ratio and ear in noise of its own spectrum: HASPI lower by no more
than 0.02, HASQI not lower, at least 3.5 dB gained behind N2, N3 and N4, and 4.5 dB by the median voice; and HASPI in babble
lower by no more than 0.02."""
import argparse, concurrent.futures, hashlib, json, os, subprocess, sys
import numpy as np, scipy.signal as ss

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "Quality"))
import voices
from audiograms import EARS, FREQUENCIES
from voices import FULL_SCALE, RATE, at_level

PRESCRIBED = ("N2", "N3", "N4")  # ears by which the gain in ratio is judged
SECONDS = 8
FEWEST = 12  # voices that a judgement takes
LEAST_HASPI, LEAST_MEDIAN, LEAST_WORST = -.02, 4.5, 3.5
ROUNDING = .0005  # a change of HASQI that the tables show as none


def shaped(speech, seed):
    f, power = ss.welch(speech, RATE, nperseg=2048)
    spectrum = np.fft.rfft(np.random.default_rng(seed).standard_normal(len(speech)))
    return np.fft.irfft(spectrum * np.sqrt(np.interp(np.fft.rfftfreq(len(speech), 1 / RATE), f, power)), len(speech))


def babble(row, sounds, count, seed):
    random, total = np.random.default_rng(seed), np.zeros(count)
    voice = voices.speech(row, sounds, 25, seed)
    for _ in range(8):
        part = ss.resample(voice, int(len(voice) / 2 ** (random.uniform(-4, 4) / 12)))
        start = random.integers(0, len(part))
        total += np.resize(np.roll(part, -start), count) / np.sqrt(np.mean(part**2))
    return total


def render(program, x, ear, depth):
    name = ear if ear in PRESCRIBED or ear == "none" else ",".join(map(str, EARS[ear]))
    done = subprocess.run([program, name, "linear", str(depth), "0", "0", "0"], input=x.astype("<f4").tobytes(),
                          stdout=subprocess.PIPE, check=True)
    return np.frombuffer(done.stdout, "<f4").astype(float)


def ratio(s, n):
    return 10 * np.log10(np.sum(s[RATE:] ** 2) / np.sum(n[RATE:] ** 2))


def kept(memory, parts, make):
    """What `make` gives, from the folder of what was scored before where it is there."""
    path = os.path.join(memory, hashlib.sha256(json.dumps(parts).encode()).hexdigest())
    if not os.path.exists(path):
        value = make()
        with open(f"{path}.{os.getpid()}", "w") as sink:
            json.dump(value, sink)
        os.replace(sink.name, path)
    return json.load(open(path))


def digest(data):
    return hashlib.sha256(data).hexdigest()


def metrics(reference, heard, ear, wanted, memory):
    """HASPI and HASQI, those wanted."""
    levels = np.array(EARS[ear], float)
    down = [ss.resample_poly(x[:len(heard)], 80, 147) for x in (reference, heard)]
    sounds = [digest(x.astype("<f4").tobytes()) for x in down]
    return [kept(memory, [metric, EARS[ear], *sounds], lambda: float(evaluate(metric, down, levels))) for metric in wanted]


def evaluate(metric, down, levels):
    # Loaded where it is needed: what was scored before needs none of it.
    import metrics as quality
    from clarity.evaluator.haspi import haspi_v2
    from clarity.evaluator.hasqi import hasqi_v2
    from clarity.utils.audiogram import Audiogram
    quality.quicken()
    arguments = (down[0], 24_000, down[1], 24_000, Audiogram(levels=levels, frequencies=FREQUENCIES))
    np.random.seed(0)
    return haspi_v2(*arguments, FULL_SCALE)[0] if metric == "haspi" else hasqi_v2(*arguments, 1, FULL_SCALE)[0]


def judged(row, chosen):
    """What one voice gains: a list of (noise, ratio, ear, gained dB, HASPI off and on, HASQI off and on); and what the voice
    alone loses, dB in the worst third of an octave from 100 Hz to 12.5 kHz that lies within 40 dB of its loudest."""
    speech, found = voices.speech(row, chosen.sounds, chosen.seconds), []
    play = lambda x, ear, depth: render(chosen.renderer, x, ear, depth)
    about = [digest(open(chosen.renderer, "rb").read()), digest(speech.tobytes()), chosen.depth]

    def cell(name, wanted, ear):
        noise = shaped(speech, 1) if name == "shaped" else babble(row, chosen.sounds, len(speech), 2)
        noise, figures, ratios = at_level(noise, 65 - wanted), [], []
        for depth in (0, chosen.depth):
            y, z = play(speech + noise, ear, depth), play(speech - noise, ear, depth)
            ratios.append(ratio((y + z) / 2, (y - z) / 2))
            figures.append(metrics(speech, y, ear, chosen.metrics, chosen.memory))
        return [ratios[1] - ratios[0], *(x for pair in zip(*figures) for x in pair)]

    def alone():
        before, after = (thirds(play(speech, "none", depth)) for depth in (0, chosen.depth))
        return float(np.abs(after - before)[before > before.max() - 40].max())

    for ear in chosen.ears:
        for name, wanted in [("shaped", r) for r in chosen.ratios] + [("babble", r) for r in chosen.babble]:
            figures = kept(chosen.memory, [*about, name, wanted, EARS[ear], chosen.metrics], lambda: cell(name, wanted, ear))
            found.append((name, wanted, ear, *figures))
    return row["name"], found, kept(chosen.memory, [*about, "alone"], alone)


def thirds(x):
    f, power = ss.welch(x, RATE, nperseg=8192)
    return np.array([10 * np.log10(power[(f >= c * 10**-.05) & (f < c * 10**.05)].sum())
                     for c in 1000 * 10 ** (np.arange(-10, 12) / 10)])


def table(results):
    """The lines, and what of the must is broken."""
    lines = ["| noise | ratio, dB | ears | gained, dB | worst | HASPI off | change | worst | HASQI off | change | worst |",
             "|---" * 11 + "|"]
    names, broken = [name for name, *_ in results], []
    for cell in zip(*(found for _, found, _ in results)):
        noise, wanted, ear = cell[0][:3]
        values = np.array([row[3:] for row in cell])
        worst = lambda x, digits: f"{x.min():+.{digits}f} ({names[int(x.argmin())]})"
        gained = values[:, 0]
        cells = [noise, f"{wanted:+g}", ear, f"{np.median(gained):+.2f}", worst(gained, 2)]
        for k in range(1, values.shape[1], 2):
            change = values[:, k + 1] - values[:, k]
            cells += [f"{np.median(values[:, k]):.3f}", f"{np.median(change):+.3f}", worst(change, 3)]
            least = LEAST_HASPI if k == 1 else -ROUNDING
            if change.min() < least and (k == 1 or noise == "shaped"):
                broken.append(f"{'HASPI' if k == 1 else 'HASQI'} {change.min():+.3f} in {noise} at {wanted:+g} dB, {ear}")
        if noise == "shaped" and ear in PRESCRIBED and (np.median(gained) < LEAST_MEDIAN or gained.min() < LEAST_WORST):
            broken.append(f"gained {np.median(gained):+.2f}, worst {gained.min():+.2f} dB at {wanted:+g} dB, {ear}")
        lines.append("| " + " | ".join(cells) + " |")
    return lines, broken


def by_voice(results):
    """The worst of each voice over ratios and ears, in noise of its own spectrum."""
    lines = ["| voice | gained behind N2–N4, dB | HASPI | HASQI | alone, third octave, dB |", "|---" * 5 + "|"]
    if not any(row[0] == "shaped" for _, found, _ in results for row in found):
        return []
    for name, found, alone in results:
        own = [row for row in found if row[0] == "shaped"]
        gained = [row[3] for row in own if row[2] in PRESCRIBED] or [float("nan")]
        cells = [name, f"{min(gained):+.2f}"] + [f"{min(row[k + 1] - row[k] for row in own):+.3f}" for k in range(4, len(own[0]), 2)]
        lines.append("| " + " | ".join(cells + [f"{alone:.2f}"]) + " |")
    return lines


def main():
    numbers = lambda text: [float(x) for x in text.split(",") if x]
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("renderer")
    arguments.add_argument("sounds", help="folder of the unpacked packages")
    arguments.add_argument("--set", default="judge", choices=voices.SETS)
    arguments.add_argument("--voices", help="only these, by name")
    arguments.add_argument("--depth", type=float, default=16, help="greatest reduction, dB (16: conversation in noise)")
    arguments.add_argument("--ears", type=lambda text: text.split(","), default=list(EARS))
    arguments.add_argument("--ratios", type=numbers, default=[0., 5., 10.], help="in noise of the voice's spectrum, dB")
    arguments.add_argument("--babble", type=numbers, default=[5.], help="ratios in babble, dB; empty: none")
    arguments.add_argument("--metrics", type=lambda text: text.split(","), default=["haspi", "hasqi"])
    arguments.add_argument("--seconds", type=float, default=SECONDS)
    arguments.add_argument("--memory", default=".build-voices/scored", help="folder of what was scored")
    arguments.add_argument("--processes", type=int, default=2)
    chosen = arguments.parse_args()
    os.makedirs(chosen.memory, exist_ok=True)
    wanted = [row for row in voices.of(chosen.set, chosen.sounds) if not chosen.voices or row["name"] in chosen.voices.split(",")]
    with concurrent.futures.ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(judged, row, chosen) for row in wanted]
        for done in concurrent.futures.as_completed(running):
            print(f"scored {done.result()[0]}", file=sys.stderr, flush=True)
    results = [done.result() for done in running]
    if not results:
        print("No voice is there: nothing was judged.", file=sys.stderr)
        raise SystemExit(2)
    lines, broken = table(results)
    if chosen.set == "judge" and len(results) < FEWEST:
        broken.append(f"{len(results)} voices, expected at least {FEWEST}")
    lines = [f"Depth {chosen.depth:g} dB, linear prescription, {len(results)} voices.", "", *lines, "",
             *by_voice(results), "", *([f"**Not met**: {'; '.join(broken)}."] if broken else ["Every criterion is met."])]
    print("\n".join(lines))
    raise SystemExit(1 if broken else 0)


if __name__ == "__main__":
    main()
