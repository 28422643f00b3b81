"""HASPI and HASQI as functions of the reduction that can be differentiated.

The envelopes of a mixture in pyclarity's ear do not depend on the reduction but for a factor per channel and time, so all that lies
before is computed once (measuring.py), and the rest (compression, threshold, adaptation, cepstra, rates of modulation, the ten
networks) in JAX. It reads a change of HASPI by the network as the original does, to 0.03 and mostly 0.01; see docs/noise.md."""
import jax.numpy as jnp
from .behind import channel_factors, gain_heard, heard_behind
from .chain import HOPS
from .cochlea import CHANNELS
from .hearing import FINE, adaptation
from .intelligibility import intelligibility_of
from .quality import quality_of
from .references import CEPSTRA
from .transforms import quick_length

RINGING, FINE_RINGING = 60, 380  # hops, and parts of them, that filters ring


def criteria(hops=HOPS):
    """A function of a clip's attenuation (hops × bands, dB) and of the clip: HASPI, its networks' mean logit, its ten correlations,
    and HASQI."""
    coarse, fine = quick_length(hops, RINGING), quick_length(FINE * hops, FINE_RINGING)
    response, intelligibility, quality = jnp.array(adaptation(fine)), intelligibility_of(hops, fine), quality_of(coarse)

    def evaluate(attenuation, clip):
        factor = channel_factors(attenuation, clip)
        heard = heard_behind(gain_heard(factor, clip), clip, response)
        return *intelligibility(heard @ CEPSTRA, clip), quality(heard.reshape(-1, FINE, CHANNELS).mean(1), factor, clip)

    return evaluate
