"""Multiband compressors that are plugins: ffmpeg is their host for files, jalv in JACK."""

import shutil

import numpy as np

import lv2
import signals
from chains import ATTACK, FIXED, RELEASE, Chain
from companders import EIGHT, ffmpeg


class Plugin(Chain):
    """A multiband compressor with threshold, ratio and make-up gain for each band; ffmpeg is its host for files."""

    program = "ffmpeg"
    lowest = -60.0  # dB, lowest threshold
    greatest = 36.0  # dB, greatest make-up gain
    raised = 20.0  # dB of gain in front, so that soft speech lies above the lowest threshold
    lowered = 12.0  # dB behind, less than which no band needs; the make-up gain takes nothing away

    def missing(self):
        return super().missing() or lv2.missing(self.uri, self.package)

    def knobs(self, settings):
        """Threshold, ratio and make-up gain of each band: the straight line nearest to its three gains."""
        for levels, gains in zip(self.levels(), settings):
            slope, middle = np.polyfit(levels - levels[1], gains - FIXED + self.lowered, 1)
            slope = min(0.0, max(slope, -0.9))
            threshold = max(self.lowest, levels[0] + self.raised - 3)
            makeup = middle + slope * (threshold - self.raised - levels[1])
            yield threshold, 1 / (1 + slope), min(max(makeup, 0), self.greatest)

    def command(self, source, result, settings):
        controls = "|".join(f"{symbol}={value:.6g}" for symbol, value in self.limited(settings).items())
        return ffmpeg(source, result, f"lv2=p={lv2.escaped(self.uri)}:c={controls}")

    def limited(self, settings):
        return lv2.limited_controls(self.uri, self.controls(settings))

    def live_missing(self):
        return "" if shutil.which("jalv") else "jalv is not installed (package jalv)"

    def live(self, settings, folder):
        """jalv, a host with nothing else in it."""
        controls = [part for symbol, value in self.limited(settings).items()
                    for part in ("-c", f"{symbol}={value:.6g}")]
        return "jack", ["jalv", "-x", "-n", "peer", *controls, self.uri]


class LSP(Plugin):
    name, package, edges = "LSP multiband compressor", "lsp-plugins-lv2", EIGHT
    uri = "http://lsp-plug.in/plugins/lv2/mb_compressor_stereo"
    does = "compression, one knee a band; meters"
    mode = 1

    def controls(self, settings):
        values = {"g_in": lv2.factor(self.raised), "g_out": lv2.factor(-self.raised - self.lowered), "mode": self.mode}
        # No weighting of the level, and no spectra, which are for its window.
        values |= {"envb": 0, "ife_l": 0, "ofe_l": 0, "ife_r": 0, "ofe_r": 0}
        for band, (threshold, ratio, makeup) in enumerate(self.knobs(settings)):
            if band:
                values |= {f"cbe_{band}": 1, f"sf_{band}": self.edges[band - 1]}
            values |= {f"al_{band}": lv2.factor(threshold), f"cr_{band}": ratio, f"mk_{band}": lv2.factor(makeup),
                       f"kn_{band}": 1, f"at_{band}": 1000 * ATTACK, f"rt_{band}": 1000 * RELEASE, f"scm_{band}": 1}
        return values


class Calf(Plugin):
    name, package, edges = "Calf multiband compressor", "calf-plugins", signals.centres([-4, -2, 0])
    uri = "http://calf.sourceforge.net/plugins/MultibandCompressor"
    does = "compression, one knee a band; meters"
    mode = 0

    def controls(self, settings):
        values = {f"freq{n}": edge for n, edge in enumerate(self.edges)}
        values |= {"level_in": lv2.factor(self.raised), "level_out": lv2.factor(-self.raised - self.lowered), "mode": self.mode}
        for band, (threshold, ratio, makeup) in enumerate(self.knobs(settings)):
            values |= {f"threshold{band}": lv2.factor(threshold), f"ratio{band}": ratio, f"makeup{band}": lv2.factor(makeup),
                       f"knee{band}": 1, f"attack{band}": 1000 * ATTACK, f"release{band}": 1000 * RELEASE,
                       f"bypass{band}": 0, f"detection{band}": 0}
        return values


class Zam(Plugin):
    name, package, edges = "ZaMultiCompX2", "zam-plugins", (450.0, 1400.0)
    uri = "urn:zamaudio:ZaMultiCompX2"
    does = "compression, one knee a band; meters"
    greatest, raised, lowered = 30.0, 0.0, 4.0

    def controls(self, settings):
        values = {"xover1": self.edges[0], "xover2": self.edges[1], "stereodet": 1, "globalgain": -self.lowered}
        for band, (threshold, ratio, makeup) in enumerate(self.knobs(settings), start=1):
            values |= {f"thr{band}": threshold, f"rat{band}": ratio, f"mak{band}": makeup, f"kn{band}": 0,
                       f"att{band}": 1000 * ATTACK, f"rel{band}": 1000 * RELEASE, f"toggle{band}": 1}
        return values

    def command(self, source, result, settings):
        """As a LADSPA plugin: its LV2 form wants more of a host than ffmpeg is. The controls are the same, in the same order."""
        controls = "|".join(f"c{n}={value:.6g}" for n, value in enumerate(lv2.values(self.uri, self.controls(settings))))
        return ffmpeg(source, result, f"ladspa=f=ZaMultiCompX2-ladspa:p=ZaMultiCompX2:c={controls}")
