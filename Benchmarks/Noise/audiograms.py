"""Audiograms of the ears for which noise reduction is learnt and by which it is scored."""
import numpy as np

FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000])
# Bisgaard 2010, and two ears outside that set: as flat as can be, and a fall of 45 dB per octave (own choice).
EARS = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80],
        "flat": [50] * 6, "steep": [15, 15, 20, 65, 85, 90]}

# Ears that noise reduction is learnt for besides: the rest of Bisgaard's set.
OTHERS = {"N1": [10, 10, 10, 15, 30, 40], "N5": [65, 70, 75, 80, 80, 80], "S1": [10, 10, 10, 15, 55, 70],
          "S2": [20, 20, 25, 55, 95, 95], "S3": [30, 35, 60, 75, 80, 85]}


def levels(ear):
    """Hearing levels at FREQUENCIES, dB, of an ear's name; or those given."""
    return np.array((EARS | OTHERS)[ear] if isinstance(ear, str) else ear, float)
