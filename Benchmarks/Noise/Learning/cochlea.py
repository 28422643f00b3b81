"""The steps of pyclarity's ear that lie before the reduction, channel by channel."""
import numba, numpy as np, scipy.signal as ss
import ear as quick
from audiograms import levels
from clarity.evaluator.haspi import eb
from voices import FULL_SCALE
from .chain import COUNT, EDGES, RATE
from .prescription import gains

MODEL_RATE, CHANNELS = 24_000, 32
CHANNEL_CENTRES = eb.center_frequency(CHANNELS)
WIDEST = eb.loss_parameters(np.full(6, 100), CHANNEL_CENTRES)[1]


def losses(ear=None):
    """eb.loss_parameters of an ear, or of one that hears normally: loss of outer hair cells, width, knee and ratio of compression,
    loss of inner hair cells."""
    return eb.loss_parameters(levels(ear) if ear else np.zeros(6), CHANNEL_CENTRES)


def static(ear):
    """Losses of outer and inner hair cells, knee and ratio of compression in each channel."""
    ohc, _, knee, ratio, ihc = losses(ear)
    return np.array([ohc, knee, ratio, ihc], np.float32)


def compressed(envelope, control, ohc, knee, ratio):
    """Envelope behind outer hair cells, dB."""
    return envelope - ohc - (np.clip(control, knee, 100) - knee) * (1 - 1 / ratio)


def channels(x, parameters):
    """Each channel's number, width, envelope, and controlling envelope at 24 kHz, both dB SPL, and the envelope compressed."""
    x = ss.resample_poly(np.concatenate([x, np.zeros(RATE // 20)]), 80, 147)
    middle = eb.middle_ear(x, MODEL_RATE)
    control, envelope, motion = (np.zeros(len(middle)) for _ in range(3))
    for n, centre in enumerate(CHANNEL_CENTRES):
        quick.filtered(middle, WIDEST[n], centre, MODEL_RATE, control, motion, False)
        width = eb.bandwidth_adjust(control, parameters[1][n], WIDEST[n], FULL_SCALE)
        quick.filtered(middle, width, centre, MODEL_RATE, envelope, motion, False)
        e, c = (FULL_SCALE + 20 * np.log10(np.maximum(v, 1e-9)) for v in (envelope, control))
        ohc, _, knee, ratio, _ = (p[n] for p in parameters)
        yield n, width, e, c, compressed(e, c, ohc, knee, ratio)


def band_shares(widths, ear):
    """Share of each band's power in each channel, behind NAL-R. - Shape: channels × bands."""
    f = np.arange(10, 12000, 10.)
    band = np.searchsorted(EDGES[1:-1], f)
    wide = (24.7 + CHANNEL_CENTRES / 9.26449) * 1.019 * widths
    power = 1 / (1 + ((f - CHANNEL_CENTRES[:, None]) / wide[:, None]) ** 2) ** 4
    means = np.array([power[:, band == b].mean(1) if (band == b).any() else np.zeros(CHANNELS) for b in range(COUNT)]).T
    return (means * 10 ** (gains(ear) / 10)).astype(np.float32)


def group_delay(width, centre):
    """Of the gammatone filter, samples."""
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
