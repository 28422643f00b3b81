"""What is prescribed for an ear: NAL-R, linear, as NALRules.swift has it; and what the network reads of ear and prescription."""
import functools
import numpy as np
from audiograms import FREQUENCIES, levels
from .chain import CENTRES, RATE

# Level that counts as 0, dB; parts of 1 that a decibel counts; least and greatest that is counted.
AUDIBLE_ORIGIN, AUDIBLE_SCALE, LEAST_AUDIBLE, GREATEST_AUDIBLE = 20, .05, -1.5, 2.5


@functools.cache
def gains(ear):
    """Gain of NAL-R in each band, dB."""
    nine = np.array([250, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000.])
    loss = np.interp(np.log(nine), np.log(FREQUENCIES), levels(ear))
    gain = np.maximum(0, .15 * np.mean(levels(ear)[1:4]) + .31 * loss + np.array([-17, -8, -3, 1, 1, -1, -2, -2, -2]))
    points, values = np.concatenate([[50, 125], nine]), np.concatenate([[0, gain[0]], gain])
    return np.interp(np.log(CENTRES), np.log(points), values)


@functools.cache
def aided_threshold(ear):
    """By how much what enters must be louder in each band to be audible than for an ear that hears normally, dB: hearing level less
    gain."""
    return np.interp(np.log(CENTRES), np.log(FREQUENCIES), levels(ear)) - gains(ear)


def hearing(ear):
    """`aided_threshold` as the network reads it."""
    return np.clip((aided_threshold(ear) - AUDIBLE_ORIGIN) * AUDIBLE_SCALE, LEAST_AUDIBLE, GREATEST_AUDIBLE).astype(np.float32)


def prescribed(x, ear):
    """The sound behind NAL-R: what lies between the bands' centres is linear over log frequency."""
    f = np.fft.rfftfreq(len(x), 1 / RATE)
    gain = np.interp(np.log(np.maximum(f, 20)), np.log(CENTRES), gains(ear))
    return np.fft.irfft(np.fft.rfft(x) * 10 ** (gain / 20), len(x))
