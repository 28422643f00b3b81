#!/usr/bin/env python3
"""Learns the weights of the noise model and writes Sources/Sound/HearingDSP/Noise/NoiseWeights.swift to standard output.

    python3 Benchmarks/Noise/train.py FOLDER > Sources/Sound/HearingDSP/Noise/NoiseWeights.swift

FOLDER: the Debian packages asterisk-core-sounds-{en,fr,es}-g722 and ktuberling-data, unpacked (apt-get download, dpkg -x).
Needs numpy, scipy, numba, soundfile and ffmpeg; some five minutes. Seeds are fixed. The voices by which noise
reduction is chosen and judged (voices.tsv) have no part in it, nor have their spectra. What is made small stands at `gradient`; why, in
docs/noise.md."""
import glob, os, subprocess, sys
import numba, numpy as np, scipy.signal as ss, soundfile

# The chain at 44.1 kHz: bands, windows, hop (BandLayout.standard, ChainGeometry).
RATE, HOP, LONG, SHORT, SPLIT = 44_100, 64, 512, 256, 9
CENTRES = np.array([125, 250, 375, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000,
                    8000, 10000, 12500.])
EDGES = np.concatenate([[0], np.sqrt(CENTRES[:-1] * CENTRES[1:]), [RATE / 2]])
COUNT = len(CENTRES)
FULL_SCALE = 120 + 10 * np.log10(2)  # dB SPL of a mean square of 1
# NoiseReduction: time constants of the three ratios, s. NoisePower and NoiseBands: the rest.
RATIO_TIMES = (.003, .02, .1)
NOISE_MEMORY, PRESENCE_MEMORY, SMOOTHING, PRIOR = .1, -.016 / np.log(.9), .005, 10.

HIDDEN, STEPS, RATE_OF_LEARNING = 12, 4000, 6e-3
DEPTH = 14.0       # dB, at which it learns: a little more than is used, so that the last of it is not needed
ENVELOPE = 10.0    # weight of the envelopes' error
COMMON = .3        # what all bands share of it counts by this: level is not what words are told by
CLOSED = 3.0       # weight of what noise alone opens
WHOLE = 1.0        # weight of what is taken from speech that stands out

LOSSES = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80]}  # Bisgaard 2010
FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000.])


def over(frequencies, values, linear=False):
    scale = (lambda f: f) if linear else np.log
    return np.interp(scale(CENTRES), scale(np.array(frequencies, float)), values)


def nalr(loss):
    """Gain of NAL-R, dB (Byrne & Dillon 1986; slope of severe losses: Byrne, Parkinson & Newall 1990)."""
    levels = np.array(LOSSES[loss], float)
    three = levels[1] + levels[2] + levels[3]
    constant = .05 * three if three <= 180 else 9 + .116 * (three - 180)
    return over(FREQUENCIES, np.maximum(0, constant + .31 * levels + [-17, -8, 1, -1, -2, -2]), linear=True)


# Threshold of hearing in the free field (ISO 389-7), dB SPL; behind the gain, as a level at the input.
FREE_FIELD = over([125, 250, 500, 1000, 2000, 4000, 8000, 12500], [22, 11.4, 4.4, 2.4, -1.3, -5.4, 12.6, 12])
GAINS = {loss: nalr(loss) for loss in LOSSES}
THRESHOLDS = {loss: 10 ** ((over(FREQUENCIES, LOSSES[loss]) + FREE_FIELD - GAINS[loss]) / 10) for loss in LOSSES}


# Sounds

def prompts(folder, package, count, seed):
    """Asterisk's prompts, 16 kHz as transmitted, at RATE."""
    files = sorted(f for f in glob.glob(f"{folder}/usr/share/asterisk/sounds/{package}/**/*.g722", recursive=True)
                   if os.path.getsize(f) > 12_000)
    chosen = np.random.default_rng(seed).permutation(files)[:count]
    command = ["ffmpeg", "-v", "error", "-f", "g722", "-i", "-", "-f", "f32le", "-ar", str(RATE), "-ac", "1", "-"]
    pieces = [np.frombuffer(subprocess.run(command, input=open(f, "rb").read(), stdout=subprocess.PIPE, check=True)
                            .stdout, "<f4").astype(float) for f in chosen]
    return np.concatenate(pieces)


def words(folder, language):
    """KTuberling's words, full band."""
    pieces = []
    for name in sorted(glob.glob(f"{folder}/usr/share/ktuberling/sounds/{language}/*"))[:40]:
        if name.endswith((".wav", ".ogg")):
            samples, rate = soundfile.read(name, always_2d=True)
            pieces.append(ss.resample_poly(samples[:, 0], RATE, rate) if rate != RATE else samples[:, 0])
    return np.concatenate(pieces)


def at_level(x, level):
    return x / np.sqrt(np.mean(x**2)) * 10 ** ((level - FULL_SCALE) / 20)


def shaped(like, count, random):
    f, power = ss.welch(like, RATE, nperseg=2048)
    spectrum = np.fft.rfft(random.standard_normal(count))
    return np.fft.irfft(spectrum * np.sqrt(np.interp(np.fft.rfftfreq(count, 1 / RATE), f, power)), count)


def coloured(count, random):
    return ss.lfilter([1], [1, -random.uniform(0, .98)], random.standard_normal(count))


def babble(voices, count, random):
    total = np.zeros(count)
    for _ in range(8):
        start = random.integers(0, len(voices) - 2 * count)
        total += np.resize(ss.resample(voices[start:start + count], int(count * random.uniform(.8, 1.2))), count)
    return total


# What the chain makes of them

def weights(length):
    """Share of each bin in each band."""
    width, bins = RATE / length, np.arange(length // 2 + 1)
    rows = [np.clip(np.minimum((bins + .5) * width, high) - np.maximum((bins - .5) * width, low), 0, None) / width
            for low, high in zip(EDGES[:-1], EDGES[1:])]
    rows = np.array(rows)
    rows[:, -1] = 0
    return rows.T


def band_powers(x):
    """Mean square of each band in each hop: long windows below SPLIT, short ones above."""
    count = len(x) // HOP
    padded = np.concatenate([np.zeros(LONG - HOP), x[:count * HOP]])
    frames = np.lib.stride_tricks.sliding_window_view(padded, LONG)[::HOP][:count]
    result = np.zeros((count, COUNT))
    for start in range(0, count, 2000):
        part = frames[start:start + 2000]
        for length, bands in ((LONG, slice(0, SPLIT)), (SHORT, slice(SPLIT, COUNT))):
            window = .5 - .5 * np.cos(2 * np.pi * np.arange(length) / length)
            power = np.abs(np.fft.rfft(part[:, LONG - length:] * window, axis=1))**2 * 2 / (length * np.sum(window**2))
            result[start:start + 2000, bands] = (power @ weights(length))[:, bands]
    return result


@numba.njit
def followed(power, freedom, prior, memory, presence, smoothing, times):
    """The three ratios of NoiseReduction over the noise of NoisePower."""
    count, bands = power.shape
    result = np.zeros((count, 3, bands), np.float32)
    for band in range(bands):
        noise, smooth, quick, present, middle, long = 0., 0., 0., .5, 0., 0.
        for t in range(count):
            found = power[t, band] + 1e-16
            if t < 10:
                noise += (found - noise) / (t + 1)
                smooth = quick = noise
            smooth += smoothing * (found - smooth)
            quick += times[0] * (found - quick)
            exponent = freedom[band] * (smooth / noise * prior / (1 + prior) - np.log(1 + prior))
            likely = 1 / (1 + np.exp(-min(20., max(-20., exponent))))
            present += presence * (likely - present)
            if present > .99:
                likely = min(likely, .99)
            noise = max(1e-16, noise + memory * (1 - likely) * (found - noise))
            ratio = min(max(np.log2(quick / noise), -2.), 8.) / 4
            middle += times[1] * (ratio - middle)
            long += times[2] * (ratio - long)
            result[t, 0, band], result[t, 1, band], result[t, 2, band] = ratio, middle, long
    return result


def ratios(power):
    share = lambda time: 1 - np.exp(-HOP / RATE / time)
    length = np.where(np.arange(COUNT) < SPLIT, LONG, SHORT) / RATE
    freedom = np.clip(.5 * (EDGES[1:] - EDGES[:-1]) * (.514 * length + 2 * SMOOTHING), 1, 16)
    return followed(power, freedom, 10 ** (PRIOR / 10), share(NOISE_MEMORY), share(PRESENCE_MEMORY), share(SMOOTHING),
                    np.array([share(t) for t in RATIO_TIMES]))


PLACE = np.linspace(-1, 1, COUNT, dtype=np.float32)


def values(x):
    """What the model reads, in the order of NoiseModel. - Shape: hops × bands × 17, the last one 1."""
    now, middle, long = x[:, 0], x[:, 1], x[:, 2]
    beside = lambda a, by: a[:, np.clip(np.arange(COUNT) + by, 0, COUNT - 1)]
    mean = lambda a: np.broadcast_to(a.mean(1, keepdims=True), now.shape)
    low, high, above = slice(0, COUNT // 2), slice(COUNT // 2, COUNT), np.maximum(now, 0)
    columns = [now, beside(now, -1), beside(now, 1), beside(now, -2), beside(now, 2), middle, beside(middle, -1),
               beside(middle, 1), long, mean(above[:, low]), mean(above[:, high]), mean(middle[:, low]),
               mean(middle[:, high]), mean(long)]
    columns += [np.broadcast_to(a, now.shape) for a in (PLACE, PLACE**2, np.float32(1))]
    return np.stack(columns, -1)


OWN, OTHER, ALONE = 0, 1, 2  # noise of the voice's spectrum at +5 dB; any other mixture; noise alone


def material(folder):
    """Ratios, powers of speech and noise as if at the ear (times mean square at 0 dB SPL), trusted bands, kind."""
    random = np.random.default_rng(5)
    voices = [(prompts(folder, name, 16, seed)[:40 * RATE], 7500) for seed, name in
              enumerate(["en_US_f_Allison", "fr_CA_f_June", "es_MX_f_Allison"])]
    voices += [(words(folder, name)[:25 * RATE], 20_000) for name in ["de", "fr", "da", "fi", "uk", "it", "nl", "sv"]]
    voices = [(at_level(x, 65), limit) for x, limit in voices if len(x) > 8 * RATE]
    everyone, parts, unit = np.concatenate([x for x, _ in voices]), [], 10 ** (FULL_SCALE / 10)

    def add(x, speech, noise, limit, kind):
        rows = slice(300, None, 3)
        known = np.tile(CENTRES < limit, (len(x[rows]), 1)).astype(np.float32)
        parts.append((x[rows], (speech[rows] * unit).astype(np.float32), (noise[rows] * unit).astype(np.float32), known,
                      np.full(len(known), kind)))

    for x, limit in voices:
        count = len(x) // HOP * HOP
        x = x[:count]
        for kind, ratio, make in (
                (OWN, 5, lambda: shaped(x, count, random)), (OWN, 5, lambda: shaped(x, count, random)),
                (OTHER, 0, lambda: shaped(x, count, random)), (OTHER, 10, lambda: shaped(x, count, random)),
                (OTHER, 8, lambda: coloured(count, random)), (OTHER, 5, lambda: babble(everyone, count, random)),
                (OTHER, 30, lambda: shaped(x, count, random))):
            noise = at_level(make(), 65 - ratio)
            add(ratios(band_powers(x + noise)), band_powers(x), band_powers(noise), limit, kind)
    for index in range(24):
        count = 20 * RATE // HOP * HOP
        noise = shaped(voices[index % len(voices)][0], count, random) if index % 2 else coloured(count, random)
        power = band_powers(at_level(noise, random.uniform(50, 75)))[400:]
        add(ratios(power), np.zeros_like(power), power, RATE, ALONE)
    return [np.concatenate(column) for column in zip(*parts)]


# Learning

def gradient(share, speech, noise, known, kind, threshold):
    """Slope of the loss by each share, of four things that are to be small, with `G = 10^(−DEPTH·share/20)`:

    1. the mean square of `10 lg (G²(S + N) + T) − 10 lg (S + T)`, T the threshold of hearing behind the gain: what is
       heard of the mixture has the envelopes of the speech alone, in which HASPI and HASQI look for it; what is
       inaudible counts for nothing, and so does what lies in pauses (speech below 40 dB SPL);
    2. the logarithm of noise over speech in power, at flat gain and behind NAL-R for N2, N3, N4: the ratio by inversion;
    3. in noise alone the mean square of what is missing from the full reduction: chance peaks that open are music;
    4. what is taken where speech stands out, `(S/(S + N))²` times the square."""
    slope = DEPTH * np.log(10) / 20
    gain, both = np.exp(-2 * slope * share), speech + noise
    alone = (kind == ALONE)[:, None]
    # 1
    heard = (((speech * known).sum(1) > 1e4) & (kind != ALONE))[:, None] * known
    error = (10 * np.log10(gain * both + threshold) - 10 * np.log10(speech + threshold)) * heard
    across = lambda a: (a * heard).sum(1, keepdims=True) / (heard.sum(1, keepdims=True) + 1e-6)
    error = (error - (1 - COMMON) * across(error)) * heard
    by_error = 2 * (error - (1 - COMMON) * across(error)) * heard / (50 * (heard.sum() + 1))
    result = ENVELOPE * by_error * (-20 / np.log(10)) * slope * gain * both / (gain * both + threshold)
    # 2
    for amplification in (np.zeros(COUNT), *GAINS.values()):
        weight = 10 ** (amplification / 10) * (kind == OWN)[:, None] * gain
        result += .25 * -2 * slope * (weight * noise / (weight * noise).sum() - weight * speech / (weight * speech).sum())
    # 3
    missing = (1 - share) * alone * slope / 1.6
    result -= CLOSED * 2 * missing * slope / 1.6 / (alone.sum() * COUNT)
    # 4
    certain = (speech / (both + 1e-9))**2 * known * ~alone * (speech > .1 * threshold)
    result += WHOLE * 2 * certain * share * slope**2 / (certain.sum() + 1)
    return result


def learn(x, speech, noise, known, kind):
    random = np.random.default_rng(0)
    inputs = random.standard_normal((17, HIDDEN)) * .4
    outputs = random.standard_normal(HIDDEN + 1) * .4
    inputs[-1] = outputs[-1] = 0
    weights = [inputs.astype(np.float32), outputs.astype(np.float32)]
    first, second = [np.zeros_like(w) for w in weights], [np.zeros_like(w) for w in weights]
    mixed, alone = np.flatnonzero(kind != ALONE), np.flatnonzero(kind == ALONE)
    for step in range(1, STEPS + 1):
        rows = np.concatenate([random.choice(mixed, 640), random.choice(alone, 160)])
        read = values(x[rows]).reshape(-1, 17)
        sums = read @ weights[0]
        positive = np.concatenate([np.maximum(sums, 0), np.ones((len(sums), 1), np.float32)], 1)
        share = 1 / (1 + np.exp(-(positive @ weights[1])))
        threshold = list(THRESHOLDS.values())[step % len(THRESHOLDS)].astype(np.float32)
        by_share = gradient(share.reshape(-1, COUNT), speech[rows], noise[rows], known[rows], kind[rows], threshold)
        by_logit = (by_share.ravel() * share * (1 - share)).astype(np.float32)
        slopes = [read.T @ (np.outer(by_logit, weights[1][:-1]) * (sums > 0)), positive.T @ by_logit]
        # Adam (Kingma & Ba 2015), with a rate that falls to nothing as half a cosine.
        rate = RATE_OF_LEARNING * .5 * (1 + np.cos(np.pi * step / STEPS))
        for index, slope in enumerate(slopes):
            first[index] += .1 * (slope - first[index])
            second[index] += .01 * (slope**2 - second[index])
            weights[index] -= (rate * first[index] / (1 - .9**step)
                               / (np.sqrt(second[index] / (1 - .99**step)) + 1e-8)).astype(np.float32)
    return weights


def listed(numbers):
    lines, line = [], "   "
    for number in numbers:
        text = f" {number:.5g}," if abs(number) >= 1e-4 else f" {number:.7f},"
        if len(line + text) > 106:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])


def main():
    inputs, outputs = learn(*material(sys.argv[1]))
    print(f"""// Made by Benchmarks/Noise/train.py: change that, not this.

/// Weights of ``NoiseModel``.
///
/// Trained on prompts in three languages and single words in eight, in noise; see docs/noise.md.
///
/// - Threads: `control`.
enum NoiseWeights {{
  /// Rectified sums.
  static let hiddenCount = {HIDDEN}

  // swift-format-ignore
  /// Per sum one weight for each value of ``NoiseModel`` and a constant.
  static let input: [Float] = [
{listed(inputs.T.ravel())}
  ]

  // swift-format-ignore
  /// One weight per sum and a constant.
  static let output: [Float] = [
{listed(outputs)}
  ]
}}""")


if __name__ == "__main__":
    main()
