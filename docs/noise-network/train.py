#!/usr/bin/env python3
"""Learns the weights of the noise model and writes Sources/Sound/HearingDSP/Noise/NoiseWeights.swift to standard output.

    python3 docs/noise-network/train.py SOUNDS CLIPS > Sources/Sound/HearingDSP/Noise/NoiseWeights.swift

SOUNDS: the Debian packages of voices.tsv's learning set, unpacked (run.sh). CLIPS: a folder for the clips made of them, some 100 MB
for every 50 mixtures; those that are there are not made again. Needs numpy, scipy, numba, soundfile, ffmpeg, pyclarity 0.9.0 and
JAX (pip install jax, a wheel for CPUs). Seeds are fixed. Voices by which noise reduction is chosen and judged have no part in it.

What is made small is what HASPI v2 and HASQI v2 themselves find behind the gain, at the rate of hops: the envelopes of a mixture in
pyclarity's ear do not depend on the reduction but for a factor per channel and time, so all that lies before is computed once, and
the rest (compression, threshold, adaptation, cepstra, rates of modulation, the ten networks) in JAX. It reads a change of HASPI by
the network as the original does, to 0.03 and mostly 0.01; see docs/noise.md."""

import functools, os, sys
import numba, numpy as np, scipy.signal as ss

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Benchmarks", "Quality"))
sys.path.insert(0, os.path.join(HERE, "..", "..", "Benchmarks", "Noise"))
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
MIXTURES, PARTS = 50, 24  # two clips each; of the last third of the parts more are in rooms
STEPS, RATE_OF_LEARNING, BATCH = 3500, 3e-3, 16

# Ears, and how often each of them listens: Bisgaard 2010, a flat one and a steep one.
FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000.])
EARS = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80], "flat": [50] * 6,
        "steep": [15, 15, 20, 65, 85, 90]}
OFTEN = [.13, .27, .4, .1, .1]


def nalr(ear):
    """Gain of NAL-R in each band, dB, as NALRules.swift has it."""
    nine = np.array([250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000.])
    loss = np.interp(np.log(nine), np.log(FREQUENCIES), EARS[ear])
    gain = np.maximum(0, .15 * np.mean(EARS[ear][1:4]) + .31 * loss + np.array([-17, -8, -3, 1, 1, -1, -2, -2, -2]))
    points, values = np.concatenate([[50, 125], nine]), np.concatenate([[0, gain[0]], gain])
    return np.interp(np.log(CENTRES), np.log(points), values)


GAINS = {ear: nalr(ear) for ear in EARS}


# Sounds

def image_room(random, time):
    """Impulse response of a shoebox by image sources (Allen & Berkley 1979), the same absorption everywhere."""
    size = random.uniform([3, 2.5, 2.3], [8, 6, 3.5])
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


def equalised(x, random):
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 30)), np.log([50, 200, 500, 1000, 2000, 4000, 8000, 20000]), random.normal(0, 3, 8))
    gain += random.uniform(-3, 3) * np.log2(np.maximum(f, 50) / 1000)
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))


@functools.lru_cache(maxsize=4000)
def recording(path):
    x = voices.spoken(voices.decoded(path))
    return np.zeros(0) if x is None else x


def talk(random, seconds, sounds, rooms):
    """A learning voice, its recordings with pauses, at another pitch and speed, in a room, through another microphone."""
    learning = voices.of("learn", sounds)
    row = learning[random.integers(len(learning))]
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
    return equalised(x, random) if random.random() < .7 else x


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


BABBLE = 3


def noise(random, speech, speak):
    """Kind, and noise: of the voice's own spectrum, coloured, of another voice's spectrum, or other voices."""
    which = random.random()
    if which < .62:
        return 0, shaped(speech, random)
    if which < .72:
        return 1, coloured(len(speech), random)
    if which < .82:
        return 2, shaped(speak(random, 6)[:len(speech)], random)
    others = [speak(random, len(speech) / RATE + .01)[:len(speech)] for _ in range(int(random.integers(4, 10)))]
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


def ratios(power):
    length = np.where(np.arange(COUNT) < SPLIT, LONG, SHORT) / RATE
    freedom = np.clip(.5 * (EDGES[1:] - EDGES[:-1]) * (.514 * length + 2 * SMOOTHING), 1, 16)
    return followed(power, freedom, 10 ** (PRIOR / 10), share(NOISE_MEMORY), share(PRESENCE_MEMORY), share(SMOOTHING),
                    np.array([share(t) for t in RATIO_TIMES]))


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


def by_hops(values, count, delay):
    """Values at 24 kHz, smoothed, in the middle of each hop and `delay` samples later."""
    taps = lowpass()
    smooth = ss.oaconvolve(values, taps)[len(taps) // 2:][:len(values)]
    return np.interp((np.arange(count) + .5) * HOP * MODEL_RATE / RATE + delay, np.arange(len(smooth)), smooth)


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
    """Each channel's width, envelope and controlling envelope at 24 kHz."""
    x = ss.resample_poly(np.concatenate([x, np.zeros(RATE // 20)]), 80, 147)
    middle = eb.middle_ear(x, MODEL_RATE)
    control, envelope, motion = (np.zeros(len(middle)) for _ in range(3))
    for n, centre in enumerate(CHANNEL_CENTRES):
        quick.filtered(middle, WIDEST[n], centre, MODEL_RATE, control, motion, False)
        width = eb.bandwidth_adjust(control, parameters[1][n], WIDEST[n], FULL_SCALE)
        quick.filtered(middle, width, centre, MODEL_RATE, envelope, motion, False)
        yield n, width, envelope, control


def reference(speech):
    """HASPI's reference: what a normal ear makes of the speech, dB. - Shape: hops × channels."""
    parameters, count = eb.loss_parameters(np.zeros(6), CHANNEL_CENTRES), len(speech) // HOP
    result = np.zeros((count, CHANNELS), np.float32)
    b, a = ss.butter(1, 800 / (.5 * MODEL_RATE))
    for n, _, envelope, control in channels(speech, parameters):
        ohc, _, knee, ratio, ihc = (p[n] for p in parameters)
        loud = np.clip(FULL_SCALE + 20 * np.log10(np.maximum(control, 1e-30)), None, 100)
        gain = ss.lfilter(b, a, 10 ** ((-ohc - (np.maximum(loud, knee) - knee) * (1 - 1 / ratio)) / 20))
        db = np.maximum(FULL_SCALE - ihc + 20 * np.log10(gain * envelope + 1e-30), 0)
        # As HASPI's compensation of delays has it: that of the narrow filter.
        result[:, n] = by_hops(np.maximum(adapted(db, MODEL_RATE), 0), count, group_delay(1, CHANNEL_CENTRES[n]))
    return result


def impaired(x, ear):
    """Envelope and controlling envelope behind NAL-R, dB SPL, hops × channels; and the filters' widths."""
    parameters, count = eb.loss_parameters(np.array(EARS[ear], float), CHANNEL_CENTRES), len(x) // HOP
    found, widths = np.zeros((2, count, CHANNELS), np.float32), np.zeros(CHANNELS)
    for n, widths[n], envelope, control in channels(prescribed(x, ear), parameters):
        for row, values in zip(found, (envelope, control)):
            db = FULL_SCALE + 20 * np.log10(np.maximum(values, 1e-9))
            row[:, n] = by_hops(db, count, group_delay(widths[n], CHANNEL_CENTRES[n]))
    return *found, widths


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
    """Its response at the frequencies of a transform of `length` hops."""
    impulse = np.zeros(MODEL_RATE)
    impulse[0] = 1
    return np.fft.rfft(adapted(impulse, MODEL_RATE))[np.rint(np.fft.rfftfreq(length, HOP / RATE)).astype(int)].astype(np.complex64)


def blur():
    """HASQI's windows of 16 ms."""
    window = np.hanning(int(round(.016 * RATE / HOP)) + 2)[1:-1]
    return window / window.sum()


def quality_reference(speech, ear):
    """HASQI's reference, the speech behind NAL-R in the impaired ear: cepstra; tiles and moments that count; envelopes."""
    envelope, control, _ = impaired(speech, ear)
    ohc, knee, ratio, ihc = static(ear)
    db = np.maximum(envelope - ohc - (np.clip(control, knee, 100) - knee) * (1 - 1 / ratio) - ihc, 0)
    length = 2 * len(db)
    heard = np.fft.irfft(np.fft.rfft(db, length, axis=0) * adaptation(length)[:, None], length, axis=0)[:len(db)]
    smooth = ss.oaconvolve(np.maximum(heard, 0), blur()[:, None], "same", axes=0)
    return smooth @ CEPSTRA, smooth > AUDIBLE, counted(smooth), envelope, control


def long_term(envelope, control, parameters):
    """eb.convert_rms_to_sl, of envelopes in dB."""
    ohc, knee, ratio, ihc = parameters
    e, c = (10 * np.log10(np.mean(10 ** (x.astype(float) / 10), 0) + 1e-12) for x in (envelope, control))
    return np.maximum(np.maximum(e, 0) - ohc - (np.clip(c, knee, 100) - knee) * (1 - 1 / ratio) - ihc, 0)


# Clips

def make_part(path, seed, sounds):
    random, found = np.random.default_rng(seed), {}
    rooms = (.3, .5, (.2, 1.2)) if seed < PARTS * 2 // 3 else (.55, .75, (.4, 1.4))
    speak = lambda random, seconds: talk(random, seconds, sounds, rooms)
    for _ in range(MIXTURES):
        speech, level = speak(random, 2 * HOPS * HOP / RATE + .01), 65 if random.random() < .6 else random.uniform(52, 75)
        speech = voices.at_level(speech, level)
        kind, around = noise(random, speech, speak)
        ratio = random.uniform(-3, 13) if random.random() < .88 else random.uniform(13, 40)
        around, ear = voices.at_level(around, level - ratio), str(random.choice(list(EARS), p=OFTEN))
        normal, (envelope, control, widths) = reference(speech), impaired(speech + around, ear)
        cepstra, tiles, moments, clean, clean_control = quality_reference(speech, ear)
        power, kept = band_powers(speech + around), counted(normal)
        rows = dict(
            envelope=envelope.astype(np.float16), control=control.astype(np.float16), power=power.astype(np.float32),
            speech=band_powers(speech).astype(np.float32), noise=band_powers(around).astype(np.float32),
            ratios=ratios(power).astype(np.float16), normal=(normal @ CEPSTRA).astype(np.float16),
            cepstra=cepstra.astype(np.float16), tiles=tiles, moments=moments)
        for half in (slice(0, HOPS), slice(HOPS, 2 * HOPS)):
            if kept[half].sum() < HOPS / 3:
                continue
            clip = {name: x[half] for name, x in rows.items()}
            clip |= dict(
                order=np.argsort(~kept[half], kind="stable").astype(np.int16), kept=np.arange(HOPS) < kept[half].sum(),
                shares=band_shares(widths, ear), static=static(ear),
                spectrum=long_term(clean[half], clean_control[half], static(ear)).astype(np.float32),
                prescription=(10 ** (GAINS[ear] / 10)).astype(np.float32), kind=kind, ratio=ratio, first=half.start == 0)
            for name, x in clip.items():
                found.setdefault(name, []).append(x)
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def make_alone(path, sounds):
    """Noise alone: ratios and powers."""
    random, found = np.random.default_rng(777), dict(ratios=[], power=[])
    for index in range(150):
        count = 2 * HOPS * HOP
        x = (coloured, peaky)[index % 2](count, random) if index % 3 == 0 else np.resize(
            shaped(talk(random, 6, sounds, (.3, .5, (.2, 1.2))), random), count)
        power = band_powers(voices.at_level(x, random.uniform(45, 75)))
        for half in (slice(0, HOPS), slice(HOPS, 2 * HOPS)):
            found["ratios"].append(ratios(power)[half].astype(np.float16))
            found["power"].append(power[half].astype(np.float32))
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def clips(sounds, folder):
    os.makedirs(folder, exist_ok=True)
    names = [f"{folder}/part-{seed}.npz" for seed in range(PARTS)]
    for seed, name in enumerate(names):
        if not os.path.exists(name):
            make_part(name, seed, sounds)
            print(f"made {name}", file=sys.stderr, flush=True)
    if not os.path.exists(f"{folder}/alone.npz"):
        make_alone(f"{folder}/alone.npz", sounds)
    parts = [np.load(name) for name in names]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}, dict(np.load(f"{folder}/alone.npz"))


# The ear behind the reduction

FFT = 2560  # hops of a transform: a clip and what the filters leave ring
MODULATIONS = np.array([2, 6, 10, 16, 25, 40, 64, 100, 160, 256.])  # Hz
# Weights of the correlations by themselves: HASPI's networks weigh 4 to 8 Hz most.
CORRELATIONS = np.array([1, 2, 1.5, .5, .3, .2, .2, .2, .2, .2]) / 6.3


def modulation_powers():
    """Squared response of HASPI's filters, whose rate is 24000/9 Hz where it takes it for 2560."""
    f, rows = np.fft.rfftfreq(FFT, HOP / RATE), []
    for index, rate in enumerate(MODULATIONS):
        length = int(2 * np.floor(.24 * (1 if index < 2 else 10 / rate) * 2560 / 2))
        window, q = np.hanning(length + 1), np.arange(length + 1) - length / 2
        taps = window / window.sum() * (1 if index == 0 else 2 * np.cos(2 * np.pi * rate / 2560 * q))
        rows.append((np.cos(2 * np.pi * np.outer(f * 9 / MODEL_RATE, q)) @ taps) ** 2)
    return np.array(rows, np.float32)


def criteria():
    """A function of a clip's attenuation (hops × bands, dB) and of the clip: HASPI, its networks' mean logit, its ten correlations,
    and HASQI."""
    import jax, jax.numpy as jnp
    _, hidden, output, scale = get_neural_net()
    hidden, output = jnp.array(hidden, jnp.float32), jnp.array(output, jnp.float32)[..., 0]
    response, rates = jnp.array(adaptation(FFT)), jnp.array(modulation_powers())
    window, q = blur(), np.arange(len(blur())) - (len(blur()) - 1) / 2
    blurring = jnp.array(np.cos(2 * np.pi * np.outer(np.fft.rfftfreq(FFT), q)) @ window, jnp.float32)
    synchrony = jnp.array((3500. ** 10 / (3500. ** 10 + CHANNEL_CENTRES ** 10)) ** .5, jnp.float32)
    jitter = jnp.array(.1 * np.random.default_rng(7).standard_normal((HOPS, 5)), jnp.float32)
    decibel = 10 / np.log(10)
    through = lambda x, transfer: jnp.fft.irfft(jnp.fft.rfft(x, FFT, axis=0) * transfer[:, None], FFT, axis=0)[:HOPS]

    def intelligibility(cepstra, taken, clip):
        kept = clip["kept"][:, None]
        def spectrum(x):
            x = x[clip["order"]] * kept
            return jnp.fft.rfft(x - x.sum(0) / kept.sum() * kept, FFT, axis=0)
        x, y = spectrum(clip["normal"]), spectrum(cepstra + jitter)
        power = lambda a, b: rates @ (a * jnp.conj(b)).real
        found = jnp.abs(power(x, y) / jnp.sqrt(power(x, x) * power(y, y) + 1e-6)).mean(1)
        # Once a hop the two fastest rates are read too low, by aliases: by this much in four voices.
        found = found * jnp.array([1.] * 8 + [1.25, 1.5]) + taken / 8 * jnp.array([0.] * 8 + [.012, .02])
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
        alike = jnp.sqrt(jnp.clip((clip["speech"] @ clip["shares"].T) / (clip["power"] @ clip["shares"].T + 1e-20), 0, 1))
        sunk = jnp.exp(-(through(heard, blurring) + 10) / decibel)
        tiles = clip["tiles"] * synchrony * counts
        fine = (tiles * alike * steady / jnp.sqrt(1 + sunk)).sum() / (tiles.sum() + 1)
        ohc, knee, ratio, ihc = clip["static"]
        level = lambda db: decibel * jnp.log((10 ** (db / 10) * factor).mean(0))
        spectrum = jax.nn.relu(level(clip["envelope"]) - ohc
                               - (jnp.clip(level(clip["control"]), knee, 100.) - knee) * (1 - 1 / ratio) - ihc)
        before, after = 10 ** (clip["spectrum"] / 20), 10 ** (spectrum / 20)
        change = before / before.sum() - after / after.sum()
        linear = .579 * (1 - CHANNELS * change.std() / 2.5) + .421 * (1 - CHANNELS * (change[1:] - change[:-1]).std())
        return envelopes**2 * fine * linear

    def evaluate(attenuation, clip):
        ohc, knee, ratio, ihc = clip["static"]
        shares = clip["shares"].T
        factor = ((clip["power"] * jnp.exp(-attenuation / decibel)) @ shares + 1e-20) / (clip["power"] @ shares + 1e-20)
        gain = decibel * jnp.log(factor)
        loud = jnp.clip(clip["control"] + gain, knee, 100.)
        db = jax.nn.relu(clip["envelope"] + gain - ohc - (loud - knee) * (1 - 1 / ratio) - ihc)
        heard = jax.nn.relu(through(db, response))
        live = jnp.zeros(HOPS).at[clip["order"]].set(clip["kept"])
        taken = (attenuation.mean(1) * live).sum() / live.sum()
        return *intelligibility(heard @ CEPSTRA, taken, clip), quality(heard, factor, clip)

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


def network(weights, ratios, power):
    """Share of the full reduction, clips × hops × bands, asked every other hop; bands open at once and close with CLOSING."""
    import jax, jax.numpy as jnp
    now, middle, long = (ratios[:, ::2, k] for k in range(3))
    level = jnp.clip((10 * jnp.log10(power[:, ::2] + 1e-16) + FULL_SCALE - 45) / 20, -2, 2.5)
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


def loss_of(evaluate):
    """What is made small together, for each clip of noise around a voice: less of HASPI (its value, logit and correlations) and
    HASQI; any loss of either, three times so; a ratio gained of less than 5.5 dB, softly, and of less than 4.3 dB, by its square;
    what is taken from bands where speech stands out. Besides: what noise alone opens, and what a voice alone loses in any band."""
    import jax, jax.numpy as jnp
    decibel = 10 / np.log(10)

    def judged(share, clip):
        attenuation = DEPTH * share
        found = evaluate(attenuation, clip)
        power = jnp.exp(-attenuation / decibel) * clip["prescription"]
        counts = jnp.where((jnp.arange(HOPS)[:, None] < RATE // (2 * HOP)) & clip["first"], 0., 1.)
        ratio = lambda p: jnp.log((p * clip["speech"] * counts).sum()) - jnp.log((p * clip["noise"] * counts).sum())
        sure = (clip["speech"] / (clip["speech"] + clip["noise"])) ** 4
        return *found, decibel * (ratio(power) - ratio(clip["prescription"])), (sure * attenuation**2).sum() / (sure.sum() + 1)

    def loss(weights, clip, before, alone, clean):
        count, both = len(clip["kind"]), len(clip["kind"]) + len(alone["power"])
        join = lambda name: jnp.concatenate([x[name].astype(jnp.float32) for x in (clip, alone, clean)])
        shares = network(weights, join("ratios"), join("power"))
        clip = {name: x.astype(jnp.float32) if x.dtype in (jnp.float16, bool) and name != "first" else x for name, x in clip.items()}
        haspi, logit, correlations, hasqi, gained, taken = jax.vmap(judged)(shares[:count], clip)
        haspi, logit, correlations, hasqi = (a - b for a, b in zip((haspi, logit, correlations, hasqi), before))
        judge = jnp.where((clip["kind"] != BABBLE) & (clip["ratio"] < 13), 1., 0.)
        short, worse, poorer = jax.nn.relu(4.3 - gained), jax.nn.relu(.03 - haspi), jax.nn.relu(.01 - hasqi)
        total = -3 * haspi - .4 * logit - 4 * correlations @ CORRELATIONS - 2 * hasqi + 8 * worse + 120 * worse**2
        total += 12 * (poorer + 30 * poorer**2) * jnp.where(clip["kind"] == BABBLE, .3, 1)
        total += judge * (.2 * jax.nn.softplus(2 * (5.5 - gained)) + .4 * short**2) + .005 * taken
        open_ = 1 - shares[count:both, 172:]
        power = clean["power"].sum(1)
        lost = -decibel * jnp.log((jnp.exp(-DEPTH * shares[both:] / decibel) * clean["power"]).sum(1) / power)
        heard = power > 1e-4 * power.max(1, keepdims=True)
        lost = (jax.nn.relu(lost - .15) ** 2 * heard).sum(1) / heard.sum(1)
        return total.mean() + 3 * ((open_**2).mean() + 2 * (open_**4).mean()) + 3 * lost.mean()

    return loss


def learn(clips, alone):
    import jax, jax.numpy as jnp
    evaluate, random = criteria(), np.random.default_rng(1)
    count = len(clips["kind"])
    chosen = random.permutation(count)[:200]
    clean = dict(power=clips["speech"][chosen] + 1e-16,
                 ratios=np.array([ratios(clips["speech"][i].astype(float)).astype(np.float16) for i in chosen]))
    wide = lambda clip: {name: x.astype(jnp.float32) if x.dtype in (jnp.float16, bool) else x for name, x in clip.items()}
    open_ = jax.jit(jax.vmap(lambda clip: evaluate(jnp.zeros((HOPS, COUNT)), clip)))
    parts = [open_(wide({name: jnp.array(x[np.arange(i, i + 16) % count]) for name, x in clips.items()})) for i in range(0, count, 16)]
    before = [np.concatenate([np.asarray(x) for x in column])[:count] for column in zip(*parts)]
    slopes = jax.value_and_grad(loss_of(evaluate))

    @jax.jit
    def update(weights, first, second, clip, before, alone, clean, rate, step):
        value, slope = slopes(weights, clip, before, alone, clean)
        norm = jnp.sqrt(sum((x**2).sum() for x in slope.values()))
        slope = jax.tree.map(lambda x: jnp.where(jnp.isfinite(norm), x * jnp.minimum(1, 3 / (norm + 1e-9)), 0), slope)
        # Adam (Kingma & Ba 2015).
        first = jax.tree.map(lambda m, x: .9 * m + .1 * x, first, slope)
        second = jax.tree.map(lambda v, x: .98 * v + .02 * x**2, second, slope)
        moved = jax.tree.map(lambda w, m, v: w - rate * m / (1 - .9**step) / (jnp.sqrt(v / (1 - .98**step)) + 1e-8), weights, first, second)
        return moved, first, second, value

    weights = beginning()
    first, second = ({name: np.zeros_like(x) for name, x in weights.items()} for _ in range(2))
    mean, order = weights, np.zeros(0, int)
    take = lambda source, rows: {name: x[rows] for name, x in source.items()}
    for step in range(1, STEPS + 1):
        way = step / STEPS
        if len(order) < BATCH:
            order = random.permutation(count)
        rows, order = order[:BATCH], order[BATCH:]
        rate = RATE_OF_LEARNING * (.5 * (1 + np.cos(np.pi * way)) + .003) * min(1, step / 20)
        weights, first, second, value = update(
            weights, first, second, take(clips, rows), [x[rows] for x in before],
            take(alone, random.choice(len(alone["power"]), 3)), take(clean, random.choice(len(clean["power"]), 3)),
            np.float32(rate), np.float32(step))
        mean = weights if way < .3 else jax.tree.map(lambda a, b: a + .008 * (b - a), mean, weights)
        if step % 50 == 0:
            print(f"step {step}: {float(value):.3f}", file=sys.stderr, flush=True)
    return {name: np.asarray(x) for name, x in mean.items()}


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


def main():
    weights = learn(*clips(*sys.argv[1:3]))
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
