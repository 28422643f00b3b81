"""PipeWire's filter-chain as a chain, live alone."""

import os

import numpy as np

import pipewire
import signals
from chains import FIXED, Chain


class PipeWire(Chain):
    """The desktop's sound server with one filter-chain, on the card that Auricle has too; it has no form for files."""

    package, program = "pipewire", "pipewire"
    works_on_files = False

    def live_missing(self):
        return ""

    def live(self, settings, folder):
        path = os.path.join(folder, self.name.replace(" ", "-") + ".conf")
        with open(path, "w") as file:
            file.write(pipewire.server(self.graph(settings)))
        return "pipewire", [path]


class PipeWireEqualizer(PipeWire):
    name, bands, compresses = "biquads in PipeWire", len(pipewire.FREQUENCIES), False
    does = "one gain for all levels"

    def fitted(self, wanted, folder):
        settings = pipewire.fitted(wanted[1] - FIXED)
        return settings, np.array([pipewire.response(*settings, signals.centres()) + FIXED] * len(wanted))

    def graph(self, settings):
        return pipewire.equalizer(*settings)


class PipeWirePlugin(PipeWire):
    """A plugin in PipeWire, with the settings and gains that were found where it works on files."""

    def __init__(self, plugin):
        self.plugin, self.name = plugin, f"{plugin.name} in PipeWire"
        self.edges, self.does = plugin.edges, plugin.does

    def missing(self):
        return super().missing() or ("" if self.plugin.found else f"{self.plugin.name} was not fitted")

    def graph(self, settings):
        return pipewire.plugin(self.plugin.uri, self.plugin.limited(settings))

    def fitted(self, wanted, folder):
        return self.plugin.found
