"""The noise in each band while somebody talks, as NoisePower finds it: at the rate of hops."""
import numba, numpy as np

# NoisePower and NoiseBands say what these are, and why.
MEMORY, UPWARD, SMOOTHING, HANGOVER, FLOOR_SMOOTHING, FLOOR_PART, FLOOR_PARTS = .1, .25, .012, .03, .03, .3, 8
PRIOR, NEIGHBOURS, POOLED, USUAL, MOST_FREEDOM = 2., .5, 3., .3, 16
COUNTED = 2  # minima that are less than the one that counts
FILLING, BEGINNING = .012, .08
SILENCE = 1e-16
# dB per unit of the fluctuation of a hop's power, and of that smoothed over FLOOR_SMOOTHING; dB that the floor stays below.
BIAS, FLOOR_BIAS, BELOW = 2.35, 9.8, 2.

HANN_TIME = .514  # of the window that a power is taken over, (sum w^2)^2 / sum w^4


def fluctuation(shares):
    """Standard deviation over mean of a hop's power of even noise in each band: neighbouring bins of a Hann window are correlated by
    2/3, those beyond by 1/6 (Harris 1978, Proc. IEEE 66:51). `shares`: of bins in bands."""
    beside = lambda by: (shares[by:] * shares[:len(shares) - by]).sum(0)
    squares = beside(0) + 2 * (4 / 9 * beside(1) + 1 / 36 * beside(2))
    # The lowest ones also with those below 0 Hz.
    first, second, third = shares[:3]
    squares += first**2 + 2 * 4 / 9 * first * second + 1 / 36 * (second**2 + 2 * first * third)
    return np.sqrt(squares) / shares.sum(0)


class NoiseBands:
    """Constants of bands whose powers are of windows of `lengths` samples, at a rate and hop."""

    def __init__(self, widths, fluctuations, lengths, rate, hop):
        time = HANN_TIME * lengths / rate
        self.freedom = np.clip(.5 * widths * (time + 2 * SMOOTHING), 1, MOST_FREEDOM)
        self.bias = 10 ** (BIAS * fluctuations / 10)
        smoothed = fluctuations * np.sqrt(time / (time + 2 * FLOOR_SMOOTHING))
        self.floor = 10 ** ((FLOOR_BIAS * smoothed - BELOW) / 10)
        share = lambda time: 1 - np.exp(-hop / rate / time)
        self.shares = np.array([share(MEMORY), share(SMOOTHING), share(FLOOR_SMOOTHING), np.exp(-hop / rate / HANGOVER)])
        self.hops = np.array([round(t * rate / hop) for t in (FILLING, BEGINNING, FLOOR_PART)])

    def noise(self, power):
        """Of hops × bands of band powers."""
        return followed(power, self.freedom, self.bias, self.floor, self.shares, self.hops, 10 ** (PRIOR / 10))


@numba.njit
def followed(power, freedom, bias, low, shares, hops, prior):
    memory, smoothing, slowly, hangover = shares
    filling, beginning, part = hops
    count, bands = power.shape
    result = np.zeros((count, bands), np.float32)
    noise, smooth, slow, exponent, likely, held, floor = np.zeros((7, bands))
    least, minima, at = np.full(bands, 1e30), np.zeros((FLOOR_PARTS, bands)), 0
    for t in range(count):
        found = power[t] + SILENCE
        if t < filling + beginning:
            if t < filling:
                noise[:] = found
            else:
                noise += (found - noise) / (t - filling + 1)
            smooth[:], slow[:] = noise, noise
            result[t] = noise
            if t == filling + beginning - 1:
                noise /= bias
            continue
        smooth += smoothing * (found - smooth)
        slow += slowly * (found - slow)
        least = np.minimum(least, slow)
        if (t - filling - beginning + 1) % part == 0:
            minima[at % FLOOR_PARTS] = least
            least[:] = 1e30
            at += 1
            for band in range(bands):
                floor[band] = np.sort(minima[:, band])[COUNTED] * low[band]
        floor = np.minimum(floor, slow * low)
        everywhere = POOLED * (likely.mean() - USUAL)
        for band in range(bands):
            value = freedom[band] * (smooth[band] / (noise[band] * bias[band]) * prior / (1 + prior) - np.log(1 + prior))
            exponent[band] = min(25., max(-25., value))
        for band in range(bands):
            # Bands at the ends have one neighbour, twice.
            below, above = (exponent[band - 1] if band else exponent[1]), (exponent[band + 1] if band + 1 < bands else exponent[bands - 2])
            likely[band] = 1 / (1 + np.exp(-(exponent[band] + NEIGHBOURS * (below + above) + everywhere)))
            held[band] = max(likely[band], held[band] * hangover)
            difference = found[band] - noise[band]
            weight = UPWARD * (1 - held[band]) if difference > 0 else 1 - likely[band]
            noise[band] = max(SILENCE, noise[band] + memory * weight * difference, floor[band] / bias[band])
            result[t, band] = noise[band] * bias[band]
    return result
