"""HASPI v2 of cepstra in JAX: rates of modulation, and the ten networks."""
import jax, jax.numpy as jnp, numpy as np
from clarity.evaluator.haspi.ip import get_neural_net
from .chain import HOP, RATE
from .cochlea import MODEL_RATE
from .hearing import FINE

MODULATIONS = np.array([2, 6, 10, 16, 25, 40, 64, 100, 160, 256.])  # Hz
TAKEN_RATE = 2560  # Hz, which HASPI takes 24000/9 Hz for


def modulation_powers(length):
    """Squared response of HASPI's filters."""
    f, rows = np.fft.rfftfreq(length, HOP / FINE / RATE), []
    for index, rate in enumerate(MODULATIONS):
        half = int(np.floor(.24 * (1 if index < 2 else 10 / rate) * TAKEN_RATE / 2))
        window, q = np.hanning(2 * half + 1), np.arange(2 * half + 1) - half
        taps = window / window.sum() * (1 if index == 0 else 2 * np.cos(2 * np.pi * rate / TAKEN_RATE * q))
        rows.append((np.cos(2 * np.pi * np.outer(f * 9 / MODEL_RATE, q)) @ taps) ** 2)
    return np.array(rows, np.float32)


def own_noise(count):
    """HASPI's, 0.1 dB at 24000/9 Hz, with the same power per Hz: for the reference and for what is heard."""
    scale = .1 * np.sqrt(FINE * RATE / HOP / (MODEL_RATE / 9))
    return jnp.array(scale * np.random.default_rng(7).standard_normal((2, count, 5)), jnp.float32)


def intelligibility_of(hops, length):
    """Function of what is heard (cepstra, FINE·hops × 5) and of the clip: HASPI, its networks' mean logit, and its ten correlations.
    `length`: of transforms."""
    _, hidden, output, scale = get_neural_net()
    hidden, output = jnp.array(hidden, jnp.float32), jnp.array(output, jnp.float32)[..., 0]
    rates, jitter = jnp.array(modulation_powers(length)), own_noise(FINE * hops)

    def correlations(cepstra, clip):
        kept = clip["kept"][:, None]

        def spectrum(x):
            x = x[clip["order"]] * kept
            return jnp.fft.rfft(x - x.sum(0) / kept.sum() * kept, length, axis=0)

        x, y = spectrum(clip["normal"] + jitter[0]), spectrum(cepstra + jitter[1])
        power = lambda a, b: rates @ (a * jnp.conj(b)).real
        return jnp.abs(power(x, y) / jnp.sqrt(power(x, x) * power(y, y) + 1e-6)).mean(1)

    def intelligibility(cepstra, clip):
        found = correlations(cepstra, clip)
        inner = jax.nn.sigmoid(hidden[:, 0] + jnp.einsum("k,nkj->nj", found, hidden[:, 1:]))
        logits = output[:, 0] + (inner * output[:, 1:]).sum(1)
        return jax.nn.sigmoid(logits).mean() / scale, logits.mean(), found

    return intelligibility
