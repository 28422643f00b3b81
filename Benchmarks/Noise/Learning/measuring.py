"""Clips: of each mixture two halves, with all that HASPI and HASQI find in them before the reduction."""
from typing import NamedTuple
import numpy as np
from .chain import HOPS, band_powers, ratios
from .cochlea import band_shares, static
from .hearing import FINE, impaired
from .mixtures import is_wide, mixtures
from .prescription import gains, hearing
from .references import CEPSTRA, counted, intelligibility_reference, long_term, quality_reference


class Measured(NamedTuple):
    """What `criteria` needs of a mixture, by name."""
    hops: dict         # a row per hop
    parts: dict        # FINE rows per hop
    whole: dict        # the same at all times
    clean: np.ndarray  # powers of the speech alone, from which is told how loud it is in the long term


def measured(mixture):
    speech, around, ear, half = mixture.speech, mixture.around, mixture.ear, np.float16
    power = band_powers(speech + around)
    normal, delays, marks = intelligibility_reference(speech)
    heard = impaired(speech + around, ear, delays, marks)
    quality = quality_reference(speech, ear, heard.delays)
    hops = dict(
        powers=heard.powers.transpose(1, 0, 2).astype(half), power=power.astype(np.float32), speech=band_powers(speech).astype(np.float32),
        noise=band_powers(around).astype(np.float32), ratios=ratios(power, mixture.lead).astype(half),
        cepstra=quality.cepstra.astype(half), tiles=quality.tiles, moments=quality.moments)
    parts = dict(
        heard=heard.found.transpose(1, 0, 2).astype(half), clipped=heard.clipped.transpose(1, 0, 2).astype(half),
        normal=(normal @ CEPSTRA).astype(half), kept=counted(normal))
    whole = dict(
        shares=band_shares(heard.widths, ear), static=static(ear), later=np.rint(heard.later).astype(np.int32),
        prescription=(10 ** (gains(ear) / 10)).astype(np.float32), hearing=hearing(ear))
    return Measured(hops, parts, whole, quality.powers)


def clip(mixture, found, half, wide):
    """One half of what was measured; None: too little speech."""
    coarse, fine = (slice(half * n, (half + 1) * n) for n in (HOPS, FINE * HOPS))
    kept = found.parts["kept"][fine]
    if kept.sum() < FINE * HOPS / 3:
        return None
    result = {name: x[coarse] for name, x in found.hops.items()} | {name: x[fine] for name, x in found.parts.items()} | found.whole
    result |= dict(
        spectrum=long_term(found.clean[:, coarse], mixture.ear).astype(np.float32), order=np.argsort(~kept, kind="stable").astype(np.int16),
        kept=np.arange(FINE * HOPS) < kept.sum(), kind=mixture.kind, ratio=mixture.ratio, first=half == 0)
    return result | dict(talker=mixture.talker, sudden=mixture.lead > 0 and half == 0) if wide else result


def make_part(path, part, sounds):
    """Clips of a part, into a file."""
    found = {}
    for mixture in mixtures(part, sounds):
        both = measured(mixture)
        for half in (0, 1):
            for name, x in (clip(mixture, both, half, is_wide(part)) or {}).items():
                found.setdefault(name, []).append(x)
    np.savez(path, **{name: np.array(x) for name, x in found.items()})


def talkers(part, sounds):
    """Number of each clip's talker in a part, as if none had been left out."""
    return [mixture.talker for mixture in mixtures(part, sounds) for _ in range(2)]
