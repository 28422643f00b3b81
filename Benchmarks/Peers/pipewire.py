"""PipeWire's filter-chain: its configuration, and an equaliser of its built-in filters whose response is known by formula."""

import numpy as np

import signals

FREQUENCIES = [250, 375, 500, 750, 1000, 1500, 2000, 3000, 4000, 6000]  # Hz, of the audiogram
QUALITY = 1.4  # of each filter: about an octave wide, as the frequencies lie

SERVER = """
context.properties = {
    core.daemon = true
    core.name = pipewire-0
    default.clock.rate = 44100
    default.clock.quantum = 64
    default.clock.min-quantum = 64
    default.clock.max-quantum = 64
    default.clock.allowed-rates = [ 44100 ]
}
context.spa-libs = {
    audio.convert.* = audioconvert/libspa-audioconvert
    api.alsa.* = alsa/libspa-alsa
    support.* = support/libspa-support
}
context.modules = [
    { name = libpipewire-module-rt args = { nice.level = -11 rt.prio = 60 } flags = [ ifexists nofail ] }
    { name = libpipewire-module-protocol-native }
    { name = libpipewire-module-metadata }
    { name = libpipewire-module-spa-node-factory }
    { name = libpipewire-module-client-node }
    { name = libpipewire-module-access }
    { name = libpipewire-module-adapter }
    { name = libpipewire-module-link-factory }
%s
]
context.objects = [
    { factory = metadata args = { metadata.name = default } }
%s
]
"""

DEVICE = """
    { factory = adapter args = {
        factory.name = api.alsa.pcm.%s
        node.name = card_%s
        media.class = Audio/%s
        api.alsa.path = card
        api.alsa.period-size = 64
        audio.format = F32LE
        audio.rate = 44100
        audio.channels = 2
        audio.position = [ FL FR ]
        node.suspend-on-idle = false
        resample.disable = true
        channelmix.disable = true
        adapter.auto-port-config = { mode = dsp monitor = false control = false position = preserve }
    } }"""

CHAIN = """
    { name = libpipewire-module-filter-chain args = {
        node.description = peer
        audio.rate = 44100
        audio.channels = 2
        audio.position = [ FL FR ]
        filter.graph = {
            nodes = [ %s ]
            links = [ %s ]
            inputs = [ %s ]
            outputs = [ %s ]
        }
        capture.props = { node.name = peer_in node.autoconnect = false node.passive = true
            adapter.auto-port-config = { mode = dsp monitor = false control = false position = preserve } }
        playback.props = { node.name = peer_out node.autoconnect = false node.passive = true
            adapter.auto-port-config = { mode = dsp monitor = false control = false position = preserve } }
    } }"""


def server(chain):
    devices = DEVICE % ("source", "source", "Source") + DEVICE % ("sink", "sink", "Sink")
    return SERVER % (chain, devices)


def equalizer(gains, level):
    """The built-in filters in a row, once for each ear."""
    nodes, links, last = [], [], None
    steps = [("level", "mixer", {"Gain 1": 10 ** (level / 20)}, "In 1")]
    steps += [(f"band{n}", "bq_peaking", {"Freq": frequency, "Q": QUALITY, "Gain": gain}, "In")
              for n, (frequency, gain) in enumerate(zip(FREQUENCIES, gains))]
    for name, label, controls, port in steps:
        values = " ".join(f'"{key}" = {value:.4f}' for key, value in controls.items())
        nodes.append(f"{{ type = builtin name = {name} label = {label} control = {{ {values} }} }}")
        if last:
            links.append(f'{{ output = "{last}:Out" input = "{name}:{port}" }}')
        last = name
    return CHAIN % (" ".join(nodes), " ".join(links), '"level:In 1"', f'"{last}:Out"')


def plugin(uri, controls):
    """An LV2 plugin of two channels."""
    values = " ".join(f"{symbol} = {float(value):.6g}" for symbol, value in controls.items())
    node = f'{{ type = lv2 name = peer plugin = "{uri}" control = {{ {values} }} }}'
    return CHAIN % (node, "", '"peer:in_l" "peer:in_r"', '"peer:out_l" "peer:out_r"')


def response(gains, level, frequencies):
    """Gain of the equaliser, dB: R. Bristow-Johnson's peaking filter, which PipeWire's biquad.c takes from the same cookbook."""
    z = np.exp(-2j * np.pi * np.asarray(frequencies) / signals.RATE)
    total = np.full(len(z), float(level))
    for frequency, gain in zip(FREQUENCIES, gains):
        amplitude, w = 10 ** (gain / 40), 2 * np.pi * frequency / signals.RATE
        alpha = np.sin(w) / (2 * QUALITY)
        above = (1 + alpha * amplitude) - 2 * np.cos(w) * z + (1 - alpha * amplitude) * z**2
        below = (1 + alpha / amplitude) - 2 * np.cos(w) * z + (1 - alpha / amplitude) * z**2
        total += 20 * np.log10(np.abs(above / below))
    return total


def fitted(wanted):
    """(gains of the filters, level of all) that come nearest to `wanted`, dB at the judged third octaves."""
    frequencies = signals.centres()
    values = np.zeros(len(FREQUENCIES) + 1)
    for _ in range(20):
        error = wanted - response(values[:-1], values[-1], frequencies)
        slopes = []
        for n in range(len(values)):
            moved = values.copy()
            moved[n] += 0.1
            slopes.append((response(moved[:-1], moved[-1], frequencies) - wanted + error) / 0.1)
        # A little weight on the size keeps neighbours from working against each other.
        matrix = np.vstack([np.array(slopes).T, 0.03 * np.eye(len(values))])
        values = values + np.linalg.lstsq(matrix, np.append(error, -0.03 * values), rcond=None)[0]
    return values[:-1], values[-1]
