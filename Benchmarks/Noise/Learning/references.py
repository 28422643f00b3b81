"""What HASPI and HASQI compare with: the speech alone in a normal ear, and behind NAL-R in the impaired one."""
from typing import NamedTuple
import numpy as np, scipy.signal as ss
from .chain import HOP, RATE
from .cochlea import CHANNEL_CENTRES, CHANNELS, MODEL_RATE, adapted, channels, compressed, group_delay, losses, static
from .hearing import FINE, KNOTS, TAPS, adaptation, by_hops, impaired, rough
from .transforms import through

AUDIBLE = 2.5  # dB SL, from which HASPI and HASQI count a moment


def cepstra():
    """Five cosines across channels. - Shape: channels × 5."""
    rows = np.array([np.cos(j * np.pi * np.arange(CHANNELS) / (CHANNELS - 1)) for j in range(6)])
    return (rows / np.sqrt((rows**2).sum(1, keepdims=True)))[1:].T.astype(np.float32)


CEPSTRA = cepstra()


def intelligibility_reference(speech):
    """HASPI's reference: what a normal ear makes of the speech, dB (shape: FINE·hops × channels), and each channel's delay and
    what others are aligned with."""
    parameters, count = losses(), FINE * (len(speech) // HOP)
    result, delays, marks = np.zeros((count, CHANNELS), np.float32), np.zeros(CHANNELS), []
    b, a = ss.butter(1, 800 / (.5 * MODEL_RATE))
    for n, width, envelope, _, behind in channels(speech, parameters):
        # What compresses is smoothed; a healthy ear compresses so much that this counts.
        behind = envelope + 20 * np.log10(ss.lfilter(b, a, 10 ** ((behind - envelope) / 20)) + 1e-30)
        delays[n] = group_delay(width, CHANNEL_CENTRES[n])
        heard = np.maximum(adapted(np.maximum(behind - parameters[4][n], 0), MODEL_RATE), 0)
        result[:, n] = by_hops(heard, count, delays[n], TAPS)
        marks.append(rough(behind))
    return result, delays, marks


class QualityReference(NamedTuple):
    cepstra: np.ndarray  # hops × 5
    tiles: np.ndarray    # those that count: hops × channels
    moments: np.ndarray  # those that count: hops
    powers: np.ndarray   # of envelope and control, dB; 2 × hops × channels


def quality_reference(speech, ear, delays):
    """HASQI's reference: the speech behind NAL-R in the impaired ear."""
    alone = impaired(speech, ear, delays, knots=KNOTS[:1])
    heard = through(alone.found[0], adaptation(2 * alone.found.shape[1])) + alone.clipped[0]
    heard = np.maximum(heard, 0).reshape(-1, FINE, CHANNELS).mean(1)
    smooth = ss.oaconvolve(heard, blur()[:, None], "same", axes=0)
    return QualityReference(smooth @ CEPSTRA, smooth > AUDIBLE, counted(smooth), alone.powers)


def blur():
    """HASQI's windows of 16 ms."""
    window = np.hanning(int(round(.016 * RATE / HOP)) + 2)[1:-1]
    return window / window.sum()


def counted(envelopes):
    """Moments that are no silence."""
    return 20 * np.log10((10 ** (envelopes / 20)).mean(1)) > AUDIBLE


def long_term(powers, ear):
    """eb.convert_rms_to_sl."""
    ohc, knee, ratio, ihc = static(ear)
    e, c = (10 * np.log10(np.mean(10 ** (x.astype(float) / 10), 0) + 1e-12) for x in powers)
    return np.maximum(compressed(np.maximum(e, 0), c, ohc, knee, ratio) - ihc, 0)
