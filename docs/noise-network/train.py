#!/usr/bin/env python3
"""Learns the weights of the noise model and writes Sources/Sound/HearingDSP/Noise/NoiseWeights.swift to standard output.

    python3 docs/noise-network/train.py SOUNDS CLIPS [WEIGHTS.npz] > Sources/Sound/HearingDSP/Noise/NoiseWeights.swift

SOUNDS: the Debian packages of voices.tsv's learning set, unpacked (run.sh). CLIPS: a folder for the clips made of them, some 100 MB
for every 50 mixtures; those that are there are not made again. Needs numpy, scipy, numba, soundfile, ffmpeg, pyclarity 0.9.0 and
JAX (pip install jax, a wheel for CPUs). Seeds are fixed. Voices by which noise reduction is chosen and judged have no part in it.

What is made small is what HASPI v2 and HASQI v2 themselves find behind the gain, at the rate of hops: the envelopes of a mixture in
pyclarity's ear do not depend on the reduction but for a factor per channel and time, so all that lies before is computed once, and
the rest (compression, threshold, adaptation, cepstra, rates of modulation, the ten networks) in JAX. It reads a change of HASPI by
the network as the original does, to 0.03 and mostly 0.01; see docs/noise.md."""

import concurrent.futures, functools, hashlib, os, sys, time
import numba, numpy as np, scipy.signal as ss

HERE = os.path.dirname(os.path.abspath(__file__))
BENCHMARKS = next(p for p in (os.path.join(HERE, *[".."] * k, "Benchmarks") for k in (2, 1)) if os.path.exists(p + "/Noise/voices.tsv"))
sys.path[:0] = [BENCHMARKS + "/Noise", BENCHMARKS + "/Quality"]
import ear as quick
import voices
from clarity.evaluator.haspi import eb
from clarity.evaluator.haspi.ip import get_neural_net

# The chain at 44.1 kHz: bands, windows, hop (BandLayout.standard, ChainGeometry).
RATE, HOP, LONG, SHORT, SPLIT = 44_100, 64, 512, 256, 9
CENTRES = np.array([125, 250, 375, 500, 750, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 3500, 4000, 5000, 6000, 7000,
                    8000, 10000, 12500.])
EDGES = np.concatenate([[0], np.sqrt(CENTRES[:-1] * CENTRES[1:]), [RATE / 2]])
COUNT = len(CENTRES)
FULL_SCALE = 120 + 10 * np.log10(2)  # dB SPL of a mean square of 1
# NoiseReduction: time constants of the three ratios, and of a band that closes, s. NoisePower and NoiseBands: the rest.
RATIO_TIMES, CLOSING = (.003, .02, .1), .008
NOISE_MEMORY, PRESENCE_MEMORY, SMOOTHING, PRIOR = .1, -.016 / np.log(.9), .005, 10.

READING, UNITS, SUMS = 32, 40, 12
DEPTH = 16.0  # dB
HOPS = 2048   # of a clip: 3 s
MIXTURES, PARTS = 50, 24  # two clips each; in every third part more are in rooms
WIDER = 12    # from this part on: a wider spread of rooms, speakers, levels and equalisation, and bursts in place of a talker
STEPS, RATE_OF_LEARNING, DECAY, BATCH = 2700, 3e-3, .05, 16
SHOWN = 50
JITTER, OFFSET = .03, .1  # added to what the network reads: to each value, and to all levels of a piece
LONG_ONES, SELDOM = 3, 3  # pieces with an onset, in every third step
HELD_OUT = ("june-fr", "tuberling-ru", "letters-it")  # learning voices by which is seen when to stop

# Ears, and how often each of them listens: Bisgaard 2010, a flat one and a steep one.
FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000.])
EARS = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80], "flat": [50] * 6,
        "steep": [15, 15, 20, 65, 85, 90]}
OFTEN = [.15, .2, .45, .1, .1]


def nalr(ear):
    """Gain of NAL-R in each band, dB, as NALRules.swift has it."""
    nine = np.array([250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000.])
    loss = np.interp(np.log(nine), np.log(FREQUENCIES), EARS[ear])
    gain = np.maximum(0, .15 * np.mean(EARS[ear][1:4]) + .31 * loss + np.array([-17, -8, -3, 1, 1, -1, -2, -2, -2]))
    points, values = np.concatenate([[50, 125], nine]), np.concatenate([[0, gain[0]], gain])
    return np.interp(np.log(CENTRES), np.log(points), values)


GAINS = {ear: nalr(ear) for ear in EARS}


# Sounds

def image_room(random, time, largest=(8, 6, 3.5)):
    """Impulse response of a shoebox by image sources (Allen & Berkley 1979), the same absorption everywhere."""
    size = random.uniform([3, 2.5, 2.3], largest)
    area = 2 * (size[0] * size[1] + size[0] * size[2] + size[1] * size[2])
    kept = np.sqrt(max(0, 1 - min(.95, .161 * size.prod() / (area * time))))
    source, microphone, count = random.uniform(.3, .7, 3) * size, random.uniform(.15, .85, 3) * size, int(min(time, .9) * RATE)
    orders = np.minimum(np.ceil(count / RATE * 343 / (2 * size)).astype(int), 14)
    grid, result = np.meshgrid(*[np.arange(-o, o + 1) for o in orders], indexing="ij"), np.zeros(count + 64)
    for mirrored in np.ndindex(2, 2, 2):
        at = [(1 - 2 * m) * s + 2 * g * length - p for m, s, g, length, p in zip(mirrored, source, grid, size, microphone)]
        distance = np.sqrt(sum(x**2 for x in at))
        walls = sum(np.abs(g - m) + np.abs(g) for g, m in zip(grid, mirrored))
        place = (distance / 343 * RATE).astype(int)
        near = (place < count) & (distance > .05)
        np.add.at(result, place[near], kept ** walls[near] / distance[near] * random.choice([-1, 1], near.sum()) ** (walls[near] > 2))
    return result[np.flatnonzero(result)[0]:]


def noise_room(random, time):
    """Direct sound and a tail of noise that decays by 60 dB in `time`, longer low and shorter high."""
    count = int(time * 1.1 * RATE)
    t, tail = np.arange(count) / RATE, np.zeros(count)
    for low, high, factor in ((60, 500, random.uniform(.9, 1.4)), (500, 2000, 1), (2000, 6000, random.uniform(.6, 1)),
                              (6000, 16000, random.uniform(.35, .8))):
        band = ss.butter(2, [low, high], "band", fs=RATE, output="sos")
        tail += ss.sosfilt(band, random.standard_normal(count)) * 10 ** (-3 * t / (time * factor))
    tail = np.concatenate([np.zeros(int(random.uniform(.002, .02) * RATE)), tail]) / np.sqrt((tail**2).sum())
    tail *= 10 ** (random.uniform(-4, 12) / -20)
    tail[0] = 1
    return tail


def equalised(x, random, spread=3.):
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 30)), np.log([50, 200, 500, 1000, 2000, 4000, 8000, 20000]), random.normal(0, spread, 8))
    gain += random.uniform(-spread, spread) * np.log2(np.maximum(f, 50) / 1000)
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))


@numba.njit
def stretched(x, factor):
    """x, `factor` times as long at the same pitch: frames overlapped where they fit best (Verhelst & Roelands 1993)."""
    half, reach = 660, 330
    count = int(len(x) * factor)
    result, window = np.zeros(count + 2 * half), .5 - .5 * np.cos(np.pi * (np.arange(2 * half) + .5) / half)
    last = 0
    for frame in range(count // half):
        at = int(frame * half / factor)
        if frame > 0:
            best, most = at, -1e30
            for candidate in range(max(0, at - reach), at + reach, 3):
                if candidate + 2 * half > len(x) or last + 3 * half > len(x):
                    break
                total = 0.
                for k in range(0, half, 3):
                    total += x[last + half + k] * x[candidate + k]
                if total > most:
                    best, most = candidate, total
            at = best
        if at + 2 * half > len(x):
            break
        for k in range(2 * half):
            result[frame * half + k] += window[k] * x[at + k]
        last = at
    return result[:count]


# Long-term average spectrum of speech (Byrne et al. 1994): third octaves, Hz and dB.
THIRDS = np.array([63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000,
                   10000, 12500, 16000.])
LTASS = np.array([38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8, 45.6, 44.5,
                  44.3, 43.7, 43.4, 41.3, 40.7])


def ltass(count, random):
    f = np.fft.rfftfreq(count, 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 20)), np.log(THIRDS), LTASS - 10 * np.log10(THIRDS))
    return np.fft.irfft(np.fft.rfft(random.standard_normal(count)) * 10 ** (gain / 20) * ((f > 56) & (f < 17800)), count)


def bursts(count, random):
    """Noise in bursts, a voice that is no voice: as whispering and fricatives are, and as Signal.speechLike of the tests is."""
    noise, result = ltass(count, random), np.zeros(count)
    if random.random() < .3:
        noise = equalised(noise, random)
    usual = random.random() < .7
    start = index = 0
    while start < count:
        length = RATE // 4 if usual else int(random.uniform(.12, .4) * RATE)
        end = min(count, start + length)
        if (index % 6 != 5) if usual else random.random() > .2:
            x = np.arange(end - start) / length
            result[start:end] = 10 ** (random.uniform(-4, 12) / 20) * (.5 - .5 * np.cos(2 * np.pi * x**.7)) * noise[start:end]
        start, index = start + length, index + 1
    return result


RECORDINGS = None  # folder where decoded ones are kept


@functools.lru_cache(maxsize=4000)
def recording(path):
    name = f"{RECORDINGS}/{hashlib.sha256(path.encode()).hexdigest()}.npy"
    if not os.path.exists(name):
        x = voices.spoken(voices.decoded(path))
        np.save(name, np.zeros(0, np.float32) if x is None else x.astype(np.float32))
    return np.load(name).astype(float)


@functools.cache
def learning(sounds):
    return voices.of("learn", sounds)


def wide_talk(random, seconds, sounds, reverberant):
    """As `talk`, of a wider spread."""
    number = int(random.integers(len(learning(sounds))))
    shift, kept = 2 ** random.uniform(-.32, .32) if random.random() < .85 else 1, random.random() < .5
    which, room = random.random(), None
    if which < (.5 if reverberant else .3):
        room = noise_room(random, random.uniform(.15, 1.6))
    elif which < (.75 if reverberant else .55):
        room = image_room(random, random.uniform(.15, 1.4), (12, 9, 4.5))
    gaps = ((.1, .5), (.02, .15), (.3, 1.2))[int(random.choice(3, p=[.55, .3, .15]))]
    spread, parts, total = random.uniform(0, 4), [], 0
    for name in random.permutation(voices.files(learning(sounds)[number], sounds)):
        x = recording(str(name))
        if len(x) > 7 * RATE:
            start = random.integers(0, len(x) - 6 * RATE)
            x = x[start:start + 6 * RATE]
        if len(x) and shift != 1:
            x = ss.resample(x, int(len(x) / shift))
            x = stretched(x, shift) if kept and len(x) > RATE / 5 else x
        if len(x) and room is not None:
            x = voices.spoken(ss.oaconvolve(x, room))
        if x is None or not len(x):
            continue
        parts += [x * 10 ** (random.normal(0, spread) / 20), np.zeros(int(random.uniform(*gaps) * RATE))]
        total += len(parts[-2]) + len(parts[-1])
        if total >= seconds * RATE:
            break
    x = np.resize(np.concatenate(parts), int(seconds * RATE))
    if random.random() < .85:
        x = equalised(x, random, 5.)
    if random.random() < .15:
        x = ss.sosfilt(ss.butter(4, random.uniform(3500, 9000), fs=RATE, output="sos"), x)
    return number, x


def talk(random, seconds, sounds, rooms):
    """A learning voice (its number), its recordings with pauses, at another pitch and speed, in a room, through another microphone."""
    number = int(random.integers(len(learning(sounds))))
    row = learning(sounds)[number]
    speed = 2 ** (random.uniform(-4, 4) / 12) if random.random() < .7 else 1
    which, room = random.random(), None
    if which < rooms[0]:
        room = noise_room(random, random.uniform(*rooms[2]))
    elif which < rooms[1]:
        room = image_room(random, random.uniform(.2, 1))
    gaps = (.1, .5) if random.random() < .7 else (.02, .15)
    parts, total = [], 0
    for name in random.permutation(voices.files(row, sounds)):
        x = recording(str(name))
        if len(x) > 7 * RATE:
            start = random.integers(0, len(x) - 6 * RATE)
            x = x[start:start + 6 * RATE]
        if len(x) and speed != 1:
            x = ss.resample(x, int(len(x) / speed))
        if len(x) and room is not None:
            x = voices.spoken(ss.oaconvolve(x, room))
        if x is None or not len(x):
            continue
        parts += [x * 10 ** (random.normal(0, 1.5) / 20), np.zeros(int(random.uniform(*gaps) * RATE))]
        total += len(parts[-2]) + len(parts[-1])
        if total >= seconds * RATE:
            break
    x = np.resize(np.concatenate(parts), int(seconds * RATE))
    return number, equalised(x, random) if random.random() < .7 else x


def shaped(like, random):
    f, power = ss.welch(like, RATE, nperseg=2048)
    spectrum = np.fft.rfft(random.standard_normal(len(like)))
    return np.fft.irfft(spectrum * np.sqrt(np.interp(np.fft.rfftfreq(len(like), 1 / RATE), f, power)), len(like))


def coloured(count, random):
    return ss.lfilter([1], [1, -random.uniform(0, .98)], random.standard_normal(count))


def peaky(count, random):
    """Noise with a slope, an uneven spectrum and up to three narrow bands, such as machines make."""
    spectrum, f = np.fft.rfft(random.standard_normal(count)), np.fft.rfftfreq(count, 1 / RATE)
    gain = -random.uniform(0, 9) * np.log2(np.maximum(f, 60) / 60)
    gain += np.interp(f, np.linspace(0, RATE / 2, 40), random.normal(0, 6, 40))
    for _ in range(int(random.integers(0, 4))):
        centre, width = 60 * 2 ** random.uniform(0, 6), 2 ** random.uniform(4, 8)
        gain += random.uniform(5, 25) * np.exp(-.5 * ((f - centre) / width) ** 2)
    return np.fft.irfft(spectrum * 10 ** (gain / 20), count)


BABBLE, BURSTS = 3, 4


def noise(random, speech, speak):
    """Kind, and noise: of the voice's own spectrum, coloured, of another voice's spectrum, or other voices."""
    which = random.random()
    if which < .7:
        return 0, shaped(speech, random)
    if which < .78:
        return 1, coloured(len(speech), random)
    if which < .88:
        return 2, shaped(speak(random, 6)[1][:len(speech)], random)
    others = [speak(random, len(speech) / RATE + .01)[1][:len(speech)] for _ in range(int(random.integers(4, 10)))]
    return BABBLE, sum(voices.at_level(x, 60 + random.normal(0, 2)) for x in others)


# What the chain makes of them

def weights(length):
    """Share of each bin in each band."""
    width, bins = RATE / length, np.arange(length // 2 + 1)
    rows = np.array([np.clip(np.minimum((bins + .5) * width, high) - np.maximum((bins - .5) * width, low), 0, None) / width
                     for low, high in zip(EDGES[:-1], EDGES[1:])])
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


def share(time):
    return 1 - np.exp(-HOP / RATE / time)


def ratios(power, lead=0):
    """Of powers, `lead` hops of silence before them."""
    power = np.concatenate([np.zeros((lead, COUNT)), power])
    length = np.where(np.arange(COUNT) < SPLIT, LONG, SHORT) / RATE
    freedom = np.clip(.5 * (EDGES[1:] - EDGES[:-1]) * (.514 * length + 2 * SMOOTHING), 1, 16)
    return followed(power, freedom, 10 ** (PRIOR / 10), share(NOISE_MEMORY), share(PRESENCE_MEMORY), share(SMOOTHING),
                    np.array([share(t) for t in RATIO_TIMES]))[lead:]


def prescribed(x, ear):
    """The sound behind NAL-R: what lies between the bands' centres is linear over log frequency."""
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 20)), np.log(CENTRES), GAINS[ear])
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))


# The ear before the reduction: pyclarity's, whose envelopes are then read once a hop

MODEL_RATE, CHANNELS = 24_000, 32
CHANNEL_CENTRES = eb.center_frequency(CHANNELS)
WIDEST = eb.loss_parameters(np.full(6, 100), CHANNEL_CENTRES)[1]
AUDIBLE = 2.5  # dB SL, from which HASPI and HASQI count a moment
CEPSTRA = np.array([np.cos(j * np.pi * np.arange(CHANNELS) / (CHANNELS - 1)) for j in range(6)])
CEPSTRA = (CEPSTRA / np.sqrt((CEPSTRA**2).sum(1, keepdims=True)))[1:].T.astype(np.float32)


def lowpass():
    """HASPI's filter of envelopes, 320 Hz."""
    half = round(.0007 / .320 * MODEL_RATE) // 2
    window = .5 * (1 - np.cos(2 * np.pi * np.arange(1, half + 1) / (2 * half + 1)))
    taps = np.concatenate([window, window[::-1]])
    return taps / taps.sum()


FINE = 2  # samples of an envelope per hop: the fastest rate of modulation reaches to 470 Hz
TAPS = lowpass()
# Gains, dB, at which the ear is computed; between them its output is interpolated. At the first and last also what the ear clips
# behind adaptation.
KNOTS = np.array([0, -16 / 3, -32 / 3, -16])


@numba.njit
def by_hops(values, count, delay, taps):
    """Values at 24 kHz, smoothed, FINE times in each hop and `delay` samples later."""
    result, half = np.zeros(count), len(taps) // 2
    for index in range(count):
        exact = (index + .5) * HOP / FINE * MODEL_RATE / RATE + delay
        at = int(np.floor(exact))
        for side, weight in ((0, 1 - (exact - at)), (1, exact - at)):
            begin = at + side - half + 1
            total = 0.
            for k in range(len(taps)):
                if 0 <= begin + k < len(values):
                    total += taps[k] * values[begin + k]
            result[index] += weight * total
    return result


def group_delay(width, centre):
    a = np.exp(-2 * np.pi / MODEL_RATE * 1.019 * width * (24.7 + centre / 9.26449))
    return float(ss.group_delay(([1, 4 * a, 4 * a**2], [1, -4 * a, 6 * a**2, -4 * a**3, a**4]), w=[1e-3])[1][0])


@numba.njit
def adapted(x, rate):
    """eb.inner_hair_cell_adaptation, before what is negative becomes 0."""
    r1, r2 = .5, .25
    p1, p2 = r1 * r2 * .002 * (r1 + r2) / (r1 * r2) * rate, r2 * r2 * .06 / ((r1 + r2) * r2) * rate
    a11, a12, a21, a22 = r1 + r2 + p1, -r1, -r2, 2 * r2 + p2
    scale = 1 / (a11 * a22 - a21 * a12)
    v1, v2, result = 0., 0., np.zeros_like(x)
    for n in range(len(x)):
        b1, b2 = x[n] * r2 + p1 * v1, p2 * v2
        v1, v2 = scale * (a22 * b1 - a12 * b2), scale * (a11 * b2 - a21 * b1)
        result[n] = (x[n] - v1) / r1
    return result


def channels(x, parameters):
    """Each channel's width, envelope, and controlling envelope at 24 kHz, both dB SPL, and the envelope compressed."""
    x = ss.resample_poly(np.concatenate([x, np.zeros(RATE // 20)]), 80, 147)
    middle = eb.middle_ear(x, MODEL_RATE)
    control, envelope, motion = (np.zeros(len(middle)) for _ in range(3))
    for n, centre in enumerate(CHANNEL_CENTRES):
        quick.filtered(middle, WIDEST[n], centre, MODEL_RATE, control, motion, False)
        width = eb.bandwidth_adjust(control, parameters[1][n], WIDEST[n], FULL_SCALE)
        quick.filtered(middle, width, centre, MODEL_RATE, envelope, motion, False)
        e, c = (FULL_SCALE + 20 * np.log10(np.maximum(v, 1e-9)) for v in (envelope, control))
        ohc, _, knee, ratio, _ = (p[n] for p in parameters)
        yield n, width, e, c, e - ohc - (np.clip(c, knee, 100) - knee) * (1 - 1 / ratio)


def rough(db):
    """Sound pressure at a quarter of the rate, its transform."""
    pressure = 10 ** (db[:len(db) // 4 * 4].reshape(-1, 4).mean(1) / 20)
    return np.fft.rfft(pressure, 1 << int(np.ceil(np.log2(len(pressure) + 600))))


def reference(speech):
    """HASPI's reference: what a normal ear makes of the speech, dB (shape: FINE·hops × channels), and each channel's delay and
    what others are aligned with."""
    parameters, count = eb.loss_parameters(np.zeros(6), CHANNEL_CENTRES), FINE * (len(speech) // HOP)
    result, delays, marks = np.zeros((count, CHANNELS), np.float32), np.zeros(CHANNELS), []
    b, a = ss.butter(1, 800 / (.5 * MODEL_RATE))
    for n, width, envelope, _, compressed in channels(speech, parameters):
        # What compresses is smoothed; a healthy ear compresses so much that this counts.
        compressed = envelope + 20 * np.log10(ss.lfilter(b, a, 10 ** ((compressed - envelope) / 20)) + 1e-30)
        delays[n] = group_delay(width, CHANNEL_CENTRES[n])
        heard = np.maximum(adapted(np.maximum(compressed - parameters[4][n], 0), MODEL_RATE), 0)
        result[:, n] = by_hops(heard, count, delays[n], TAPS)
        marks.append(rough(compressed))
    return result, delays, marks


def impaired(x, ear, delays, marks=None, knots=KNOTS):
    """What an impaired ear makes of a sound behind NAL-R, with each of KNOTS as further gain: before adaptation, and what is clipped
    behind it at the first and the last (both FINE·hops × channels × …, dB); powers of envelope and control (dB, hops × channels);
    widths of the filters; delays, aligned with `marks` as HASPI does it, and how much later that is than the gain in force."""
    parameters, hops = eb.loss_parameters(np.array(EARS[ear], float), CHANNEL_CENTRES), len(x) // HOP
    count = FINE * hops
    found, clipped = np.zeros((len(knots), count, CHANNELS), np.float32), np.zeros((2, count, CHANNELS), np.float32)
    powers, widths = np.zeros((2, hops, CHANNELS), np.float32), np.zeros(CHANNELS)
    delays, later = delays.copy(), np.zeros(CHANNELS)
    at = ((np.arange(hops) + .5) * HOP * MODEL_RATE / RATE).astype(int)
    for n, width, envelope, control, compressed in channels(prescribed(x, ear), parameters):
        ohc, _, knee, ratio, ihc = (p[n] for p in parameters)
        own = group_delay(width, CHANNEL_CENTRES[n])
        if marks is not None:
            mark = rough(compressed)
            cross = np.fft.irfft(np.conj(marks[n]) * mark)
            cross = np.concatenate([cross[-599:], cross[:600]])
            delays[n] += 4 * (np.argmax(cross) - 599)
        widths[n], later[n] = width, (delays[n] - own) * RATE / MODEL_RATE / HOP * FINE
        for row, values in zip(powers, (envelope, control)):
            power = np.concatenate([[0], np.cumsum(10 ** (values / 10))])
            low, high = (np.clip(at + int(own) + d, 0, len(values)) for d in (-17, 17))
            row[:, n] = 10 * np.log10((power[high] - power[low]) / np.maximum(high - low, 1) + 1e-12)
        for k, gain in enumerate(knots):
            out = compressed if gain == 0 else envelope + gain - ohc - (np.clip(control + gain, knee, 100) - knee) * (1 - 1 / ratio)
            out = np.maximum(out - ihc, 0)
            found[k, :, n] = by_hops(out, count, delays[n], TAPS)
            if k in (0, len(knots) - 1):
                clipped[int(k > 0), :, n] = by_hops(np.maximum(-adapted(out, MODEL_RATE), 0), count, delays[n], TAPS)
    return found, clipped, powers, widths, delays, later


def counted(envelopes):
    """Moments that are no silence."""
    return 20 * np.log10((10 ** (envelopes / 20)).mean(1)) > AUDIBLE


def band_shares(widths, ear):
    """Share of each band's power in each channel, behind NAL-R. - Shape: channels × bands."""
    f = np.arange(10, 12000, 10.)
    band = np.searchsorted(EDGES[1:-1], f)
    wide = (24.7 + CHANNEL_CENTRES / 9.26449) * 1.019 * widths
    power = 1 / (1 + ((f - CHANNEL_CENTRES[:, None]) / wide[:, None]) ** 2) ** 4
    means = np.array([power[:, band == b].mean(1) if (band == b).any() else np.zeros(CHANNELS) for b in range(COUNT)]).T
    return (means * 10 ** (GAINS[ear] / 10)).astype(np.float32)


def static(ear):
    """Losses of outer and inner hair cells, knee and ratio of compression in each channel."""
    ohc, _, knee, ratio, ihc = eb.loss_parameters(np.array(EARS[ear], float), CHANNEL_CENTRES)
    return np.array([ohc, knee, ratio, ihc], np.float32)


def adaptation(length):
    """Its response at the frequencies of a transform of `length` samples."""
    impulse = np.zeros(MODEL_RATE)
    impulse[0] = 1
    return np.fft.rfft(adapted(impulse, MODEL_RATE))[np.rint(np.fft.rfftfreq(length, HOP / FINE / RATE)).astype(int)].astype(np.complex64)


def blur():
    """HASQI's windows of 16 ms."""
    window = np.hanning(int(round(.016 * RATE / HOP)) + 2)[1:-1]
    return window / window.sum()


def transformed(x, transfer):
    length = 2 * (len(transfer) - 1)
    return np.fft.irfft(np.fft.rfft(x, length, axis=0) * transfer[:, None], length, axis=0)[:len(x)]


def quality_reference(speech, ear, delays):
    """HASQI's reference, the speech behind NAL-R in the impaired ear: cepstra; tiles and moments that count; powers."""
    found, clipped, powers, *_ = impaired(speech, ear, delays, knots=KNOTS[:1])
    heard = transformed(found[0], adaptation(2 * found.shape[1])) + clipped[0]
    heard = np.maximum(heard, 0).reshape(-1, FINE, CHANNELS).mean(1)
    smooth = ss.oaconvolve(heard, blur()[:, None], "same", axes=0)
    return smooth @ CEPSTRA, smooth > AUDIBLE, counted(smooth), powers


def long_term(powers, ear):
    """eb.convert_rms_to_sl."""
    ohc, knee, ratio, ihc = static(ear)
    e, c = (10 * np.log10(np.mean(10 ** (x.astype(float) / 10), 0) + 1e-12) for x in powers)
    return np.maximum(np.maximum(e, 0) - ohc - (np.clip(c, knee, 100) - knee) * (1 - 1 / ratio) - ihc, 0)


# Clips

def measured(speech, around, ear, lead):
    """What `criteria` needs of a mixture: values that go by time, and others."""
    half, power = np.float16, band_powers(speech + around)
    normal, delays, marks = reference(speech)
    found, clipped, powers, widths, delays, later = impaired(speech + around, ear, delays, marks)
    cepstra, tiles, moments, clean = quality_reference(speech, ear, delays)
    rows = dict(
        heard=found.transpose(1, 0, 2).astype(half), clipped=clipped.transpose(1, 0, 2).astype(half), powers=powers.transpose(1, 0, 2).astype(half),
        power=power.astype(np.float32), speech=band_powers(speech).astype(np.float32), noise=band_powers(around).astype(np.float32),
        ratios=ratios(power, lead).astype(half), normal=(normal @ CEPSTRA).astype(half), cepstra=cepstra.astype(half), tiles=tiles, moments=moments,
        kept=counted(normal))
    return rows, dict(
        shares=band_shares(widths, ear), static=static(ear), later=np.rint(later).astype(np.int32),
        spectrum=lambda part: long_term(clean[:, part], ear).astype(np.float32), prescription=(10 ** (GAINS[ear] / 10)).astype(np.float32))


def make_part(path, seed, sounds, measure=True):
    """Clips of a part; without `measure`, which are its talkers."""
    random, found, talkers, wide = np.random.default_rng(seed), {}, [], seed >= WIDER
    rooms = (.3, .5, (.2, 1.2)) if seed % 3 < 2 else (.55, .75, (.4, 1.4))
    speak = (lambda random, seconds: wide_talk(random, seconds, sounds, seed % 3 == 2)) if wide else (
        lambda random, seconds: talk(random, seconds, sounds, rooms))
    for _ in range(MIXTURES):
        seconds, lead = 2 * HOPS * HOP / RATE + .01, 0
        if wide and random.random() < .05:
            talker, speech = -1, bursts(int(seconds * RATE), random)
            kind, around = (BURSTS, ltass(len(speech), random)) if random.random() < .5 else (BURSTS, noise(random, speech, speak)[1])
            level = random.uniform(50, 75)
            speech = voices.at_level(speech, level)
        else:
            talker, speech = speak(random, seconds)
            level = 65 if random.random() < (.35 if wide else .6) else random.uniform(*((45, 80) if wide else (50, 75)))
            speech = voices.at_level(speech, level)
            kind, around = noise(random, speech, speak)
            if wide and random.random() < .1:
                lead = int(random.uniform(.1, 2) * RATE / HOP)
        talkers += [talker] * 2
        ratio = random.uniform(-3, 13) if random.random() < .88 else random.uniform(13, 40)
        around, ear = voices.at_level(around, level - ratio), str(random.choice(list(EARS), p=OFTEN))
        if not measure:
            continue
        rows, whole = measured(speech, around, ear, lead)
        for half in (0, 1):
            coarse, fine = (slice(half * n, (half + 1) * n) for n in (HOPS, FINE * HOPS))
            kept = rows["kept"][fine]
            if kept.sum() < FINE * HOPS / 3:
                continue
            clip = {name: x[fine if len(x) > 3 * HOPS else coarse] for name, x in rows.items()}
            clip |= {name: x(coarse) if callable(x) else x for name, x in whole.items()}
            clip |= dict(order=np.argsort(~kept, kind="stable").astype(np.int16), kept=np.arange(FINE * HOPS) < kept.sum(), kind=kind, ratio=ratio,
                         first=half == 0)
            if wide:
                clip |= dict(talker=talker, sudden=lead > 0 and half == 0)
            for name, x in clip.items():
                found.setdefault(name, []).append(x)
    if measure:
        np.savez(path, **{name: np.array(x) for name, x in found.items()})
    return talkers


def harmonic(count, random):
    """Noise in narrow bands at the harmonics of a voice: what `shaped` makes of a single vowel."""
    f, fundamental, width = np.fft.rfftfreq(count, 1 / RATE), random.uniform(80, 320), random.uniform(8, 40)
    apart = (f / fundamental + .5) % 1 - .5
    comb = np.exp(-.5 * (apart * fundamental / width) ** 2) + 10 ** random.uniform(-4, -1)
    gain = np.interp(np.log(np.maximum(f, 20)), np.log(THIRDS), LTASS - 10 * np.log10(THIRDS)) + random.uniform(-6, 3) * np.log2(
        np.maximum(f, 60) / 500)
    return np.fft.irfft(np.fft.rfft(random.standard_normal(count)) * np.sqrt(comb) * 10 ** (gain / 20), count)


SETTLED = int(4 * RATE / HOP)  # hops from the onset of a noise on, from which it must be reduced
LONGER = 5504                  # hops of a piece with an onset: 8 s


def make_alone(path, sounds):
    """Noise alone, ratios and powers: steady pieces of 3 s; longer ones that set in after silence or after 30 dB less; and
    bursts in noise, whose powers apart stand with them."""
    random = np.random.default_rng(778)
    found = {name: [] for name in ("ratios", "power", "long_ratios", "long_power", "onset", "burst_ratios", "burst_power", "burst_speech")}
    def some(count):
        which = random.random()
        if which < .2:
            return ltass(count, random)
        if which < .75:
            wide = random.random() < .6
            x = wide_talk(random, 8, sounds, False)[1] if wide else talk(random, 8, sounds, (.3, .5, (.2, 1.2)))[1]
            if random.random() < .4:  # of few sounds only: an uneven spectrum
                start = random.integers(0, len(x) - RATE)
                x = x[start:start + int(random.uniform(.4, 1) * RATE)]
                x = np.resize(x, 8 * RATE) if (x**2).mean() > 1e-3 else coloured(8 * RATE, random)
            return shaped(np.resize(x, count), random)
        return (coloured, peaky, harmonic)[int(random.integers(3))](count, random)
    for _ in range(260):
        power = band_powers(voices.at_level(some(2 * HOPS * HOP), random.uniform(45, 80)))
        for half in (slice(0, HOPS), slice(HOPS, 2 * HOPS)):
            found["ratios"].append(ratios(power)[half].astype(np.float16))
            found["power"].append(power[half].astype(np.float32))
    for index in range(160):
        count, start = LONGER * HOP, int(random.uniform(.1, 2) * RATE)
        x = voices.at_level(some(count - start), random.uniform(45, 80))
        before = np.zeros(start) if index % 2 else np.sqrt((x**2).mean()) * 10**-1.5 * (
            random.standard_normal(start) if index % 4 == 0 else ltass(start, random) / np.sqrt((ltass(start, random) ** 2).mean()))
        power = band_powers(np.concatenate([before, x]))
        found["long_ratios"].append(ratios(power).astype(np.float16))
        found["long_power"].append(power.astype(np.float32))
        found["onset"].append(start // HOP)
    for _ in range(120):
        count, level = 2 * HOPS * HOP, random.uniform(50, 75)
        speech = voices.at_level(bursts(count, random), level)
        around = ltass(count, random) if random.random() < .6 else shaped(speech, random)
        around = voices.at_level(around, level - random.uniform(2, 9))
        power = band_powers(speech + around)
        for half in (slice(0, HOPS), slice(HOPS, 2 * HOPS)):
            found["burst_ratios"].append(ratios(power)[half].astype(np.float16))
            found["burst_power"].append(power[half].astype(np.float32))
            found["burst_speech"].append(np.stack([band_powers(speech)[half], band_powers(around)[half]]).astype(np.float32))
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def made(job):
    global RECORDINGS
    name, seed, sounds, RECORDINGS = job
    make_part(name, seed, sounds) if seed is not None else make_alone(name, sounds)
    print(f"made {name}", file=sys.stderr, flush=True)


def clips(sounds, folder):
    """Clips, with the number of each one's talker and the name of its ear; and noise alone."""
    global RECORDINGS
    RECORDINGS = f"{folder}/recordings"
    os.makedirs(RECORDINGS, exist_ok=True)
    names = [f"{folder}/part-{seed}.npz" for seed in range(PARTS)]
    jobs = [(f"{folder}/alone.npz", None), *zip(names, range(PARTS))]
    jobs = [(name, seed, sounds, RECORDINGS) for name, seed in jobs if not os.path.exists(name)]
    if jobs:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            list(pool.map(made, jobs))
    if not os.path.exists(f"{folder}/talkers.npy"):
        np.save(f"{folder}/talkers.npy", [x for seed in range(WIDER) for x in make_part(None, seed, sounds, False)])
    talkers = np.load(f"{folder}/talkers.npy")
    parts = [np.load(name) for name in names]
    found = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    assert len(talkers) == sum(len(part["kind"]) for part in parts[:WIDER])
    found["talker"] = np.concatenate([talkers, *(part["talker"] for part in parts[WIDER:])])
    found["sudden"] = np.concatenate([np.zeros(len(talkers), bool), *(part["sudden"] for part in parts[WIDER:])])
    statics = {ear: static(ear) for ear in EARS}
    found["severe"] = np.array([np.abs(x - statics["N4"]).max() < 1e-3 for x in found["static"]])
    # Not what a severe loss does not hear.
    audible = (found["moments"].sum(1) >= 100) & (found["spectrum"].sum(1) > 1)
    for name in found:
        found[name] = found[name][audible]
    return found, dict(np.load(f"{folder}/alone.npz"))


# The ear behind the reduction

MODULATIONS = np.array([2, 6, 10, 16, 25, 40, 64, 100, 160, 256.])  # Hz
# Weights of the correlations by themselves: HASPI's networks weigh 4 to 8 Hz most.
CORRELATIONS = np.array([1, 2, 1.5, .5, .3, .2, .2, .2, .2, .2]) / 6.3


def modulation_powers(length):
    """Squared response of HASPI's filters, whose rate is 24000/9 Hz where it takes it for 2560."""
    f, rows = np.fft.rfftfreq(length, HOP / FINE / RATE), []
    for index, rate in enumerate(MODULATIONS):
        half = int(np.floor(.24 * (1 if index < 2 else 10 / rate) * 2560 / 2))
        window, q = np.hanning(2 * half + 1), np.arange(2 * half + 1) - half
        taps = window / window.sum() * (1 if index == 0 else 2 * np.cos(2 * np.pi * rate / 2560 * q))
        rows.append((np.cos(2 * np.pi * np.outer(f * 9 / MODEL_RATE, q)) @ taps) ** 2)
    return np.array(rows, np.float32)


FADES = [1 + np.sin(2 * np.pi / LONG * HOP * ((k + .5) / FINE - 1)) / np.sin(2 * np.pi / LONG * HOP) for k in range(FINE)]
_at = np.cos(np.pi * HOP / FINE / RATE / .00217) ** 2
SMOOTHED = np.array([_at, 1]) / (1 + 2 * _at)


def timely(power):
    """Powers as of the middle of each hop: those of a window are of its middle, half a window before the hop's end."""
    import jax.numpy as jnp
    later = lambda x, by: jnp.concatenate([x[by:], jnp.repeat(x[-1:], by, 0)])
    return jnp.concatenate([later(power[:, :SPLIT], (LONG // 2 - HOP // 2) // HOP), later(power[:, SPLIT:], (SHORT // 2 - HOP // 2) // HOP)], 1)


def scipy_rough(n):
    """Has a prime factor above 7."""
    for p in (2, 3, 5, 7):
        while n % p == 0:
            n //= p
    return n > 1


def criteria(hops=HOPS):
    """A function of a clip's attenuation (hops × bands, dB) and of the clip: HASPI, its networks' mean logit, its ten correlations,
    and HASQI."""
    import jax, jax.numpy as jnp
    _, hidden, output, scale = get_neural_net()
    hidden, output = jnp.array(hidden, jnp.float32), jnp.array(output, jnp.float32)[..., 0]
    # Lengths of transforms: a clip and what the filters leave ring.
    coarse, fine = (next(n for n in range(2 * (count // 2), 10**6, 2) if not scipy_rough(n) and n >= count + ring)
                    for count, ring in ((hops, 60), (FINE * hops, 380)))
    response, rates = jnp.array(adaptation(fine)), jnp.array(modulation_powers(fine))
    window, q = blur(), np.arange(len(blur())) - (len(blur()) - 1) / 2
    blurring = jnp.array(np.cos(2 * np.pi * np.outer(np.fft.rfftfreq(coarse), q)) @ window, jnp.float32)
    synchrony = jnp.array((3500. ** 10 / (3500. ** 10 + CHANNEL_CENTRES ** 10)) ** .5, jnp.float32)
    # HASPI's own noise, 0.1 dB at 24000/9 Hz, with the same power per Hz.
    scale_of_jitter = .1 * np.sqrt(FINE * RATE / HOP / (MODEL_RATE / 9))
    jitter = jnp.array(scale_of_jitter * np.random.default_rng(7).standard_normal((2, FINE * hops, 5)), jnp.float32)
    decibel = 10 / np.log(10)
    def through(x, transfer):
        length = 2 * (len(transfer) - 1)
        return jnp.fft.irfft(jnp.fft.rfft(x, length, axis=0) * transfer[:, None], length, axis=0)[:len(x)]

    def intelligibility(cepstra, clip):
        kept = clip["kept"][:, None]
        def spectrum(x):
            x = x[clip["order"]] * kept
            return jnp.fft.rfft(x - x.sum(0) / kept.sum() * kept, fine, axis=0)
        x, y = spectrum(clip["normal"] + jitter[0]), spectrum(cepstra + jitter[1])
        power = lambda a, b: rates @ (a * jnp.conj(b)).real
        found = jnp.abs(power(x, y) / jnp.sqrt(power(x, x) * power(y, y) + 1e-6)).mean(1)
        inner = jax.nn.sigmoid(hidden[:, 0] + jnp.einsum("k,nkj->nj", found, hidden[:, 1:]))
        logits = output[:, 0] + (inner * output[:, 1:]).sum(1)
        return jax.nn.sigmoid(logits).mean() / scale, logits.mean(), found

    def quality(heard, factor, clip):
        counts = clip["moments"][:, None]
        centred = lambda x: (x - (x * counts).sum(0) / counts.sum()) * counts
        x, y = centred(clip["cepstra"]), centred(through(heard @ CEPSTRA, blurring))
        envelopes = (jnp.abs((x * y).sum(0)) / jnp.sqrt((x**2).sum(0) * (y**2).sum(0) + 1e-6)).mean()
        # A factor that moves within a window lowers the covariance of fine structure; so does what sinks into the ear's noise.
        steady = through(jnp.sqrt(factor), blurring) / jnp.sqrt(through(factor, blurring) + 1e-9)
        alike = jnp.sqrt(jnp.clip((timely(clip["speech"]) @ clip["shares"].T) / (timely(clip["power"]) @ clip["shares"].T + 1e-20), 0, 1))
        sunk = jnp.exp(-(through(heard, blurring) + 10) / decibel)
        tiles = clip["tiles"] * synchrony * counts
        fine = (tiles * alike * steady / jnp.sqrt(1 + sunk)).sum() / (tiles.sum() + 1)
        ohc, knee, ratio, ihc = clip["static"]
        level = lambda db: decibel * jnp.log((10 ** (db / 10) * factor).mean(0))
        spectrum = jax.nn.relu(level(clip["powers"][:, 0]) - ohc
                               - (jnp.clip(level(clip["powers"][:, 1]), knee, 100.) - knee) * (1 - 1 / ratio) - ihc)
        before, after = 10 ** (clip["spectrum"] / 20), 10 ** (spectrum / 20)
        change = before / before.sum() - after / after.sum()
        linear = .579 * (1 - CHANNELS * change.std() / 2.5) + .421 * (1 - CHANNELS * (change[1:] - change[:-1]).std())
        return envelopes**2 * fine * linear

    def evaluate(attenuation, clip):
        shares, power = clip["shares"].T, timely(clip["power"])
        factor = ((power * jnp.exp(-attenuation / decibel)) @ shares + 1e-20) / (power @ shares + 1e-20)
        # FilterStage fades from hop to hop; HASPI's filter of envelopes smooths that. Where an envelope is read later than its
        # channel delays it, the gain is that of later, too.
        amplitude = jnp.sqrt(factor)
        former = jnp.concatenate([amplitude[:1], amplitude[:-1]])
        faded = jnp.stack([a * amplitude + (1 - a) * former for a in FADES], 1).reshape(-1, CHANNELS)
        gain = 2 * decibel * jnp.log(faded)
        gain = SMOOTHED[1] * gain + SMOOTHED[0] * (jnp.concatenate([gain[:1], gain[:-1]]) + jnp.concatenate([gain[1:], gain[-1:]]))
        moments = jnp.arange(len(gain))[:, None] + clip["later"]
        gain = jnp.take_along_axis(gain, jnp.clip(moments, 0, len(gain) - 1), 0)
        place = jnp.clip(gain / KNOTS[1], 0, len(KNOTS) - 1)
        heard = sum(jax.nn.relu(1 - jnp.abs(place - k)) * clip["heard"][:, k] for k in range(len(KNOTS)))
        place = place / (len(KNOTS) - 1)
        heard = jax.nn.relu(through(heard, response) + (1 - place) * clip["clipped"][:, 0] + place * clip["clipped"][:, 1])
        return *intelligibility(heard @ CEPSTRA, clip), quality(heard.reshape(-1, FINE, CHANNELS).mean(1), factor, clip)

    return evaluate


# Learning

def beginning():
    random = np.random.default_rng(0)
    drawn = lambda *shape, scale=1: random.standard_normal(shape) * scale / np.sqrt(shape[0])
    turned = lambda: np.linalg.qr(random.standard_normal((UNITS, UNITS)))[0]
    weights = dict(
        reading=drawn(3 * COUNT, READING), readingConstant=np.zeros(READING), gates=drawn(READING, 3 * UNITS),
        gatesConstant=np.repeat([0., 1, 0], UNITS), recurrence=np.concatenate([turned() for _ in range(3)], 1),
        candidateConstant=np.zeros(UNITS), shared=drawn(UNITS, SUMS), sharedConstant=np.zeros(SUMS),
        direct=drawn(UNITS, COUNT, scale=.3), directConstant=np.zeros(COUNT), own=drawn(9, SUMS), place=drawn(2, SUMS, scale=.5),
        output=drawn(SUMS))
    return {name: x.astype(np.float32) for name, x in weights.items()}


def network(weights, ratios, power, key=None):
    """Share of the full reduction, clips × hops × bands, asked every other hop; bands open at once and close with CLOSING."""
    import jax, jax.numpy as jnp
    now, middle, long = (ratios[:, ::2, k] for k in range(3))
    level = jnp.clip((10 * jnp.log10(power[:, ::2] + 1e-16) + FULL_SCALE - 45) / 20, -2, 2.5)
    if key is not None:
        first, second = jax.random.split(key)
        moved = JITTER * jax.random.normal(first, (4, *now.shape))
        now, middle, long = now + moved[0], middle + moved[1], long + moved[2]
        level += moved[3] + OFFSET * jax.random.normal(second, (len(now), 1, 1))
    beside = lambda x, by: x[..., np.clip(np.arange(COUNT) + by, 0, COUNT - 1)]
    own = jnp.stack([now, beside(now, -1), beside(now, 1), beside(now, -2), beside(now, 2), middle, beside(middle, -1),
                     beside(middle, 1), long], -1)
    read = jax.nn.relu(jnp.concatenate([now, middle, level], -1) @ weights["reading"] + weights["readingConstant"])
    gates = read @ weights["gates"] + weights["gatesConstant"]

    def step(state, sums):
        former = state @ weights["recurrence"]
        reset, keep = (jax.nn.sigmoid(sums[:, k] + former[:, k]) for k in (slice(0, UNITS), slice(UNITS, 2 * UNITS)))
        candidate = jnp.tanh(sums[:, 2 * UNITS:] + reset * (former[:, 2 * UNITS:] + weights["candidateConstant"]))
        state = keep * state + (1 - keep) * candidate
        return state, state

    _, states = jax.lax.scan(step, jnp.zeros((len(now), UNITS)), gates.transpose(1, 0, 2), unroll=4)
    states = states.transpose(1, 0, 2)
    place = jnp.linspace(-1, 1, COUNT)[:, None]
    sums = own @ weights["own"] + place * weights["place"][0] + place**2 * weights["place"][1]
    sums += (states @ weights["shared"] + weights["sharedConstant"])[:, :, None]
    wanted = jax.nn.sigmoid(jax.nn.relu(sums) @ weights["output"] + states @ weights["direct"] + weights["directConstant"])

    def close(held, wanted):
        moved = lambda x: x + jnp.where(wanted < x, 1, share(CLOSING)) * (wanted - x)
        first = moved(held)
        second = moved(first)
        return second, (first, second)

    _, pairs = jax.lax.scan(close, jnp.zeros_like(wanted[:, 0]), wanted.transpose(1, 0, 2), unroll=8)
    return jnp.stack(pairs, 1).reshape(-1, *wanted[:, 0].shape).transpose(1, 0, 2)


def widened(clip):
    """Halves and flags as Floats, but for what says where."""
    import jax.numpy as jnp
    return {name: x.astype(jnp.float32) if x.dtype in (jnp.float16, bool) and name != "first" else x for name, x in clip.items()}


def loss_of(evaluate):
    """What is made small together, for each clip of noise around a voice: less of HASPI (its value, logit and correlations) and
    HASQI; any gain of HASPI below 0.05 (or 0.6 of what is missing to 1) and of HASQI below 0.02, more so and by its square, HASQI
    doubly at 4 to 14 dB; behind N4 also a gain of HASPI below 0.02 and of HASQI below 0.01, by their squares; a ratio gained of less
    than 5 dB, softly, and of less than 4.7 and 4.4 dB, by its square; what is taken from bands where speech stands out. Besides: what
    noise alone opens, by its square and fourth power, also from 4 s on after it set in; what a voice alone loses in any band; and
    12 dB deep a ratio of bursts gained of less than 4.8 dB, and what bursts lose beyond 1.3 dB."""
    import jax, jax.numpy as jnp
    decibel = 10 / np.log(10)
    squared = lambda x: jnp.where(x < .1, x**2, .2 * x - .01)  # a line beyond 0.1: no single clip rules a step

    def judged(share, clip):
        attenuation = DEPTH * share
        found = evaluate(attenuation, clip)
        power = jnp.exp(-attenuation / decibel) * clip["prescription"]
        counts = jnp.where((jnp.arange(HOPS)[:, None] < RATE // (2 * HOP)) & clip["first"], 0., 1.)
        speech, noise = timely(clip["speech"]), timely(clip["noise"])
        ratio = lambda p: jnp.log((p * speech * counts).sum()) - jnp.log((p * noise * counts).sum())
        sure = (clip["speech"] / (clip["speech"] + clip["noise"])) ** 4
        return *found, decibel * (ratio(power) - ratio(clip["prescription"])), (sure * attenuation**2).sum() / (sure.sum() + 1)

    def loss(weights, clip, before, alone, clean, longer, burst, key, seldom=True):
        keys = (None, None) if key is None else jax.random.split(key)
        steps = np.cumsum([len(clip["kind"]), len(alone["power"]), len(clean["power"])])
        join = lambda name: jnp.concatenate([x[name].astype(jnp.float32) for x in (clip, alone, clean, burst)])
        shares, silent, lone, bursting = jnp.split(network(weights, join("ratios"), join("power"), keys[0]), steps)
        clip = widened(clip)
        haspi, logit, correlations, hasqi, gained, taken = jax.vmap(judged)(shares, clip)
        room = jnp.minimum(.05, .6 * (1 - before[0]))
        haspi, logit, correlations, hasqi = (a - b for a, b in zip((haspi, logit, correlations, hasqi), before))
        judge = jnp.where((clip["kind"] != BABBLE) & (clip["ratio"] < 13) & (clip["sudden"] == 0), 1., 0.)
        weight = jnp.where((clip["kind"] == BURSTS) | (clip["sudden"] > 0), .3, 1.)
        short, less, worse, poorer = (jax.nn.relu(x) for x in (4.7 - gained, 4.4 - gained, room - haspi, .02 - hasqi))
        total = -3 * haspi - .4 * logit - 4 * correlations @ CORRELATIONS - 2 * hasqi + 10 * worse + 150 * squared(worse)
        often = jnp.where(clip["kind"] == BABBLE, .3, 1) * jnp.where((clip["ratio"] > 4) & (clip["ratio"] < 14), 2, 1)
        total += 8 * (poorer + 30 * poorer**2) * often
        lost_intelligibility, lost_quality = jax.nn.relu(jnp.minimum(.02, room) - haspi), jax.nn.relu(.01 - hasqi)
        total += clip["severe"] * jnp.where(clip["kind"] == BABBLE, .5, 1) * (800 * squared(lost_intelligibility) + 1500 * squared(lost_quality) * often)
        total = weight * total + judge * (.2 * jax.nn.softplus(2 * (5 - gained)) + short**2 + 2 * less**2) + .005 * taken
        open_ = 1 - silent[:, 172:]
        alone_cost = (open_**2).mean() + 5 * (open_**4).mean()
        def after_onset():
            late = 1 - network(weights, longer["ratios"].astype(jnp.float32), longer["power"], keys[1])
            counts = (jnp.arange(late.shape[1]) >= longer["onset"][:, None] + SETTLED).astype(jnp.float32)
            return ((late**2 + 5 * late**4).mean(-1) * counts).sum() / counts.sum()
        late_cost = after_onset() if key is None else SELDOM * jax.lax.cond(seldom, after_onset, lambda: 0.)
        power = clean["power"].sum(1)
        lost = -decibel * jnp.log((jnp.exp(-DEPTH * lone / decibel) * clean["power"]).sum(1) / power)
        heard = power > 1e-4 * power.max(1, keepdims=True)
        lost = (jax.nn.relu(lost - .15) ** 2 * heard).sum(1) / heard.sum(1)
        # Bursts, 12 dB deep as in the test, behind three prescriptions.
        factor = jnp.exp(-12 * bursting[:, 172:] / decibel)
        burst_cost, burst_gains = 0., []
        both = jnp.stack([timely(x) for x in burst["speech"].reshape(-1, HOPS, COUNT)]).reshape(-1, 2, HOPS, COUNT)[:, :, 172:]
        for ear in ("N2", "N3", "N4"):
            through = jnp.array(10 ** (GAINS[ear] / 10), jnp.float32) * both
            change = decibel * (jnp.log((factor[:, None] * through).sum((2, 3))) - jnp.log(through.sum((2, 3))))
            burst_gains.append((change[:, 0] - change[:, 1]).mean())
            burst_cost += (jax.nn.relu(4.8 - change[:, 0] + change[:, 1]) ** 2 + 4 * jax.nn.relu(-1.3 - change[:, 0]) ** 2).mean() / 3
        value = total.mean() + 5 * alone_cost + 4 * late_cost + 3 * lost.mean() + .6 * burst_cost
        # And, to be shown: HASPI, its worst, N4's worst, HASQI, its worst, N4's worst, gain and its worst where judged, what noise alone
        # opens, what it opens after silence, bursts' gain, what a voice alone loses.
        only = lambda x, which: jnp.where(which, x, 9).min()
        shown = jnp.stack([haspi.mean(), haspi.min(), only(haspi, clip["severe"] > 0), hasqi.mean(), hasqi.min(), only(hasqi, clip["severe"] > 0),
                           (judge * gained).sum() / judge.sum(), jnp.where(judge > 0, gained, 99).min(), (open_**2).mean(), late_cost,
                           sum(burst_gains) / 3, lost.mean()])
        return value, shown

    return loss


def learn(clips, alone, sounds, kept=None):
    import jax, jax.numpy as jnp
    evaluate, random = criteria(), np.random.default_rng(1)
    out = np.isin(clips.pop("talker"), [n for n, row in enumerate(learning(sounds)) if row["name"] in HELD_OUT])
    count = len(out)
    print(f"{count} clips, {out.sum()} of them held out, {clips['severe'].sum()} for N4", file=sys.stderr, flush=True)
    inside, outside = np.flatnonzero(~out), np.flatnonzero(out)
    longer = dict(ratios=alone["long_ratios"], power=alone["long_power"], onset=alone["onset"])
    burst = {name: alone["burst_" + name] for name in ("ratios", "power", "speech")}
    steady = {name: alone[name] for name in ("ratios", "power")}
    cut = lambda source, part: {name: x[:len(x) * 9 // 10] if part else x[len(x) * 9 // 10:] for name, x in source.items()}
    def unaccompanied(chosen):
        return dict(power=clips["speech"][chosen] + 1e-16,
                    ratios=np.array([ratios(clips["speech"][i].astype(float)).astype(np.float16) for i in chosen]))
    clean, clean_out = unaccompanied(random.permutation(inside)[:200]), unaccompanied(random.permutation(outside)[:20])
    open_ = jax.jit(jax.vmap(lambda clip: evaluate(jnp.zeros((HOPS, COUNT)), clip)))
    parts = [open_(widened({name: jnp.array(x[np.arange(i, i + 16) % count]) for name, x in clips.items()})) for i in range(0, count, 16)]
    before = [np.concatenate([np.asarray(x) for x in column])[:count] for column in zip(*parts)]
    loss = loss_of(evaluate)
    slopes = jax.value_and_grad(loss, has_aux=True)

    @jax.jit
    def update(weights, first, second, clip, before, alone, clean, longer, burst, rate, step):
        (value, shown), slope = slopes(weights, clip, before, alone, clean, longer, burst, jax.random.fold_in(jax.random.key(5), step), step % SELDOM == 0)
        norm = jnp.sqrt(sum((x**2).sum() for x in slope.values()))
        slope = jax.tree.map(lambda x: jnp.where(jnp.isfinite(norm), x * jnp.minimum(1, 3 / (norm + 1e-9)), 0), slope)
        # Adam (Kingma & Ba 2015), with decay of the weights.
        first = jax.tree.map(lambda m, x: .9 * m + .1 * x, first, slope)
        second = jax.tree.map(lambda v, x: .98 * v + .02 * x**2, second, slope)
        moved = jax.tree.map(lambda w, m, v: w * (1 - rate * DECAY) - rate * m / (1 - .9**step) / (jnp.sqrt(v / (1 - .98**step)) + 1e-8), weights, first,
                             second)
        return moved, first, second, jnp.concatenate([value[None], shown])

    seen_only = jax.jit(lambda *given: (lambda found: jnp.concatenate([found[0][None], found[1]]))(loss(*given, None)))
    take = lambda source, rows: {name: x[rows] for name, x in source.items()}

    def held_out(weights):
        found = []
        for start in range(0, len(outside), BATCH):
            rows = outside[np.arange(start, start + BATCH) % len(outside)]
            spread = lambda source, number: take(source, (np.arange(number) + start // BATCH * number) % len(next(iter(source.values()))))
            found.append(np.asarray(seen_only(weights, take(clips, rows), [x[rows] for x in before], spread(cut(steady, 0), 5),
                                              spread(clean_out, 3), spread(cut(longer, 0), LONG_ONES), spread(cut(burst, 0), 3))))
        return np.mean(found, 0)

    weights = beginning()
    first, second = ({name: np.zeros_like(x) for name, x in weights.items()} for _ in range(2))
    mean, best, least, order, seen, began = weights, weights, np.inf, np.zeros(0, int), [], time.time()
    drawn = lambda source, number: take(source, random.choice(len(next(iter(source.values()))), number))
    inner = [cut(x, 1) for x in (steady, longer, burst)]
    say = lambda label, values: print(label, " ".join(f"{x:+.3f}" for x in values), file=sys.stderr, flush=True)
    for step in range(1, STEPS + 1):
        way = step / STEPS
        if len(order) < BATCH:
            order = random.permutation(inside)
        rows, order = order[:BATCH], order[BATCH:]
        rate = RATE_OF_LEARNING * (.5 * (1 + np.cos(np.pi * way)) + .003) * min(1, step / 20)
        weights, first, second, value = update(
            weights, first, second, take(clips, rows), [x[rows] for x in before], drawn(inner[0], 5), drawn(clean, 3),
            drawn(inner[1], LONG_ONES), drawn(inner[2], 3), np.float32(rate), np.int32(step))
        mean = weights if way < .2 else jax.tree.map(lambda a, b: a + .01 * (b - a), mean, weights)
        seen.append(np.asarray(value))
        if step % SHOWN == 0:
            say(f"step {step}, {time.time() - began:.0f} s:", np.mean(seen[-50:], 0))
        if step % 150 == 0 and way > .25 or step == STEPS:
            values = held_out(mean)
            say(f"  held out {step}:", values)
            if values[0] < least:
                best, least = mean, values[0]
            if kept:
                save(kept + ".best.npz", best)
                save(kept + ".last.npz", mean)
    return {name: np.asarray(x) for name, x in best.items()}


def listed(numbers):
    lines, line = [], "   "
    for number in np.ravel(numbers):
        text = f" {number:.4g}," if abs(number) >= 1e-4 else f" {number:.6f},"
        if len(line + text) > 106:
            lines.append(line)
            line = "   "
        line += text
    return "\n".join(lines + [line])


ABOUT = {"reading": "From what is common to all bands to the rectified sums.", "gates": "From those to the units' three sums: reset, keep, candidate.",
         "recurrence": "From the units' former state to their three sums.", "candidateConstant": "Added to what the former state adds to the candidate.",
         "shared": "From the units to the sums of the small network.", "direct": "From the units to each band.",
         "own": "Per sum the band's own nine values.", "place": "Per sum the band's position; and its square.", "output": "One weight per sum."}


BRIEF = dict(reading="a", readingConstant="ab", gates="x", gatesConstant="xb", recurrence="h", candidateConstant="hb", shared="u",
             sharedConstant="lb", direct="q", directConstant="qb", own="l", place="p", output="o")


def save(path, weights):
    np.savez(path, **{BRIEF[name]: np.asarray(x) for name, x in weights.items()}, closing=CLOSING, depth=DEPTH)


def main():
    weights = learn(*clips(*sys.argv[1:3]), sys.argv[1], *sys.argv[3:4])
    if len(sys.argv) > 3:
        save(sys.argv[3], weights)
    print(f"""// Made by Benchmarks/Noise/train.py: change that, not this.

/// Weights of ``NoiseModel``. One row per input, one column per sum.
///
/// Trained on voices of Debian packages in noise and rooms; see docs/noise.md.
///
/// - Threads: `control`.
enum NoiseWeights {{
  /// Rectified sums of what is common to all bands; gated units; sums of the small network.
  static let readingCount = {READING}
  static let unitCount = {UNITS}
  static let sumCount = {SUMS}""")
    for name, x in weights.items():
        about = f"\n  /// {ABOUT[name]}" if name in ABOUT else ""
        print(f"\n  // swift-format-ignore{about}\n  static let {name}: [Float] = [\n{listed(x.T if name == 'own' else x)}\n  ]")
    print("}")


if __name__ == "__main__":
    main()
