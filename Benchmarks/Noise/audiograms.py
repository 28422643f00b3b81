"""Audiograms of the ears for which noise reduction is learnt and by which it is scored."""
import numpy as np

FREQUENCIES = np.array([250, 500, 1000, 2000, 4000, 6000])
# Bisgaard 2010, and two ears outside that set: as flat as can be, and a fall of 45 dB per octave (own choice).
EARS = {"N2": [20, 20, 25, 35, 45, 50], "N3": [35, 35, 40, 50, 60, 65], "N4": [55, 55, 55, 65, 75, 80],
        "flat": [50] * 6, "steep": [15, 15, 20, 65, 85, 90]}
