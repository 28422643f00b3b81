"""What is prescribed for an ear: NAL-R, linear, as NALRules.swift has it."""
import numpy as np
from audiograms import EARS, FREQUENCIES
from .chain import CENTRES, RATE


def nalr(ear):
    """Gain of NAL-R in each band, dB."""
    nine = np.array([250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000.])
    loss = np.interp(np.log(nine), np.log(FREQUENCIES), EARS[ear])
    gain = np.maximum(0, .15 * np.mean(EARS[ear][1:4]) + .31 * loss + np.array([-17, -8, -3, 1, 1, -1, -2, -2, -2]))
    points, values = np.concatenate([[50, 125], nine]), np.concatenate([[0, gain[0]], gain])
    return np.interp(np.log(CENTRES), np.log(points), values)


GAINS = {ear: nalr(ear) for ear in EARS}


def prescribed(x, ear):
    """The sound behind NAL-R: what lies between the bands' centres is linear over log frequency."""
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 20)), np.log(CENTRES), GAINS[ear])
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))
