"""Steady noises, each made by its spectrum, and the spectrum of a sound changed as a microphone changes it."""
import numpy as np, scipy.signal as ss
from .chain import RATE

# Long-term average spectrum of speech (Byrne et al. 1994): third octaves, Hz and dB.
THIRDS = np.array([63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000,
                   10000, 12500, 16000.])
LTASS = np.array([38.6, 43.5, 54.4, 57.7, 56.8, 60.2, 60.3, 59.0, 62.1, 62.1, 60.5, 56.8, 53.7, 53.0, 52.0, 48.7, 48.1, 46.8, 45.6, 44.5,
                  44.3, 43.7, 43.4, 41.3, 40.7])


def speech_spectrum(f):
    """Density of LTASS, dB."""
    return np.interp(np.log(np.maximum(f, 20)), np.log(THIRDS), LTASS - 10 * np.log10(THIRDS))


def ltass(count, random):
    """Noise of the long-term spectrum of speech."""
    f = np.fft.rfftfreq(count, 1 / RATE)
    gain = speech_spectrum(f)
    return np.fft.irfft(np.fft.rfft(random.standard_normal(count)) * 10 ** (gain / 20) * ((f > 56) & (f < 17800)), count)


def equalised(x, random, spread=3.):
    """Through another microphone: an uneven response and a tilt."""
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 30)), np.log([50, 200, 500, 1000, 2000, 4000, 8000, 20000]), random.normal(0, spread, 8))
    gain += random.uniform(-spread, spread) * np.log2(np.maximum(f, 50) / 1000)
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))


def coloured_voice(x, random):
    """Of another colour, smoothly: a tilt of up to 6 dB from 250 Hz to 6 kHz, and three parts, an octave wide, raised or lowered by up to 4 dB."""
    f = np.log2(np.maximum(np.fft.rfftfreq(len(x), 1 / RATE), 30))
    gain = np.interp(f, np.log2([250, 6000]), random.uniform(-3, 3) * np.array([-1, 1]))
    for _ in range(3):
        gain += random.uniform(-4, 4) * np.exp(-4 * np.log(2) * (f - np.log2(random.uniform(200, 7000)))**2)
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))


def shaped(like, random):
    """Noise of another sound's spectrum."""
    f, power = ss.welch(like, RATE, nperseg=2048)
    spectrum = np.fft.rfft(random.standard_normal(len(like)))
    return np.fft.irfft(spectrum * np.sqrt(np.interp(np.fft.rfftfreq(len(like), 1 / RATE), f, power)), len(like))


def coloured(count, random):
    """Noise that falls to high frequencies, from not at all to brown."""
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


def harmonic(count, random):
    """Noise in narrow bands at the harmonics of a voice: what `shaped` makes of a single vowel."""
    f, fundamental, width = np.fft.rfftfreq(count, 1 / RATE), random.uniform(80, 320), random.uniform(8, 40)
    apart = (f / fundamental + .5) % 1 - .5
    comb = np.exp(-.5 * (apart * fundamental / width) ** 2) + 10 ** random.uniform(-4, -1)
    gain = speech_spectrum(f) + random.uniform(-6, 3) * np.log2(np.maximum(f, 60) / 500)
    return np.fft.irfft(np.fft.rfft(random.standard_normal(count)) * np.sqrt(comb) * 10 ** (gain / 20), count)


def any_background(like, random):
    """Noise such as recordings have: of a room, of an amplifier, or what is left of the sound's own spectrum."""
    which = random.random()
    return coloured(len(like), random) if which < .5 else ltass(len(like), random) if which < .75 else shaped(like, random)
