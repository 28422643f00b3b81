"""Companders and equalisers that come with programs for sound files; through ALSA they play live too."""

import numpy as np

import signals
from chains import ATTACK, FIXED, RELEASE, Chain

CARD = "plug:card"  # live.bash; these programs open no card of floating-point samples
# Edges between bands, Hz: two third octaves for each of eight bands. Sox and ffmpeg take more, and then come less near to the
# target (sixteen: 3.8 dB instead of 0.6): their crossovers are as wide as a band.
EIGHT = signals.centres([-5.5, -3.5, -1.5, 0.5, 2.5, 4.5, 6.5])
# Frequencies at which an equaliser is told its gain: as many as there are third octaves.
SIXTEEN = signals.centres(np.arange(-6.5, 8))


class Sox(Chain):
    name, package, program, edges = "sox mcompand", "sox", "sox", EIGHT
    does = "compression, three knees a band; clips at full scale"

    def command(self, source, result, settings):
        return ["sox", "-V1", "-D", source, "-b", "32", result, *self.effect(settings)]

    def live_missing(self):
        return ""

    def live(self, settings, folder):
        """The smallest buffer, bytes, with which it does not lose the card's pace."""
        return "alsa", ["sox", "-V1", "-D", "--buffer", "1024", "-t", "alsa", CARD, "-t", "alsa", CARD, *self.effect(settings)]

    def effect(self, settings):
        parts = ["mcompand"]
        for band, (levels, gains) in enumerate(zip(self.levels(), settings)):
            parts.append(f"{ATTACK},{RELEASE} " + self.curve(levels, gains))
            if band < len(self.edges):
                parts.append(f"{self.edges[band]:.0f}")
        return parts

    @staticmethod
    def curve(levels, gains):
        return "1:" + ",".join(f"{x:.2f},{y:.2f}" for x, y in knots(levels, gains))


class FFmpegCompand(Chain):
    name, package, program, edges = "ffmpeg mcompand", "ffmpeg", "ffmpeg", EIGHT
    does = "compression, three knees a band; clips at full scale"

    def command(self, source, result, settings):
        return ffmpeg(source, result, self.effect(settings))

    def live_missing(self):
        return ""

    def live(self, settings, folder):
        return "alsa", ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-fflags", "nobuffer", "-f", "alsa", "-sample_rate",
                        str(signals.RATE), "-channels", "2", "-i", CARD, "-af", self.effect(settings), "-f", "alsa", CARD]

    def effect(self, settings):
        parts = []
        for levels, gains, edge in zip(self.levels(), settings, [*self.edges, 22_000]):
            curve = ",".join(f"{x:.2f}/{y:.2f}" for x, y in knots(levels, gains))
            parts.append(f"{ATTACK},{RELEASE} 1 {curve} {edge:.0f}")
        return f"mcompand=args='{' | '.join(parts)}'"


class FFmpegEqualizer(Chain):
    name, package, program, edges = "ffmpeg firequalizer", "ffmpeg", "ffmpeg", SIXTEEN
    does = "one gain for all levels; clips at full scale"
    compresses = False

    def command(self, source, result, settings):
        entries = ";".join(f"entry({np.log2(frequency / 20):.4f},{gain - FIXED:.2f})"
                           for frequency, gain in zip(signals.centres(range(-7, 9)), settings[:, 1]))
        return ffmpeg(source, result, f"firequalizer=scale=loglog:min_phase=on:gain_entry='{entries}'")


def ffmpeg(source, result, graph):
    return ["ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-y", "-i", source, "-af", graph, "-c:a", "pcm_s32le", result]


def knots(levels, gains):
    """Points of a compander's curve, dB in and out: one gain below soft speech, 2:1 above loud speech, never above 0 dB."""
    points = [(-120.0, -120 + gains[0] - FIXED)]
    points += [(level, level + gain - FIXED) for level, gain in zip(levels, gains)]
    last = points[-1]
    points.append((0.0, last[1] - last[0] / 2))
    return [(x, min(0.0, y)) for x, y in points]
