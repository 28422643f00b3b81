"""LV2 plugins as lilv-utils describes them: their controls in the order of their ports."""

import functools
import re
import shutil
import subprocess


def missing(uri, package):
    if not shutil.which("lv2info"):
        return "lv2info is not installed (package lilv-utils)"
    return "" if ports(uri) else f"the plugin is not installed (package {package})"


@functools.cache
def ports(uri):
    """Symbol → (default, least, greatest) of each control that a user sets, in order."""
    text = subprocess.run(["lv2info", uri], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    found = {}
    for port in re.split(r"\n\s*Port \d+:", text)[1:]:
        if "#ControlPort" not in port or "#InputPort" not in port:
            continue
        symbol = re.search(r"Symbol:\s*(\S+)", port)[1]
        found[symbol] = tuple(number(port, name) for name in ("Default", "Minimum", "Maximum"))
    return found


def number(port, name):
    found = re.search(rf"{name}:\s*(\S+)", port)
    return float(found[1]) if found else None


def limited_controls(uri, wanted):
    """The wanted controls within what the plugin accepts."""
    known = ports(uri)
    if unknown := set(wanted) - set(known):
        raise ValueError(f"{uri}: no control {', '.join(sorted(unknown))}")
    return {symbol: limited(value, *known[symbol][1:]) for symbol, value in wanted.items()}


def values(uri, wanted):
    """Values of all controls in the order of their ports; the defaults of those that are not wanted."""
    wanted = limited_controls(uri, wanted)
    return [wanted.get(symbol, limited(default, least, greatest))
            for symbol, (default, least, greatest) in ports(uri).items()]


def escaped(text):
    """For ffmpeg's options, twice: once for the option and once for the graph."""
    return text.replace(":", "\\\\:")


def limited(value, least, greatest):
    value = 0.0 if value is None else float(value)
    if least is not None:
        value = max(value, least)
    return value if greatest is None else min(value, greatest)


def factor(decibels):
    return 10 ** (decibels / 20)
