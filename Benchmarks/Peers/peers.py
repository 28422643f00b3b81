"""Auricle against what Debian has instead: one machine, one run, one input, one target."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

import chains
import companders
import criteria
import live
import options as choice
import plugins
import servers
import signals
import tables
import target
import work

NOTHING = 69  # sysexits: what must hold could not be judged


def candidates(options):
    auricle = os.path.join(options.programs, "auricle")
    ours = [
        chains.Auricle(auricle, options.audiogram, criteria.OURS, does="compression, output limit"),
        chains.Auricle(auricle, options.audiogram, "Auricle, noise program", "conversation-in-noise",
                       "the same, noise and wind reduction, clatter, expansion, feedback canceller, link of the ears"),
    ]
    plugin = plugins.LSP()
    peers = [companders.Sox(), companders.FFmpegCompand(), companders.FFmpegEqualizer(), plugin, plugins.Calf(), plugins.Zam(),
             servers.PipeWirePlugin(plugin), servers.PipeWireEqualizer()]
    if options.only:
        words = options.only.lower().split(",")
        chosen = [peer for peer in peers if any(word in peer.name.lower() for word in words)]
        if not chosen:
            names = ", ".join(peer.name for peer in peers)
            print(f"peers: found --only {options.only}, expected a word of one of these names: {names}", file=sys.stderr)
            sys.exit(choice.USAGE)
        peers = chosen
    return ours, peers


def row(chain, settings, gains, wanted, ours):
    found = {
        "name": chain.name, "package": chain.package, "bands": chain.bands, "does": chain.does, "ours": ours,
        "compresses": chain.compresses, "gains": gains.round(2).tolist(),
    }
    if chain.reaches_target:
        error = gains - wanted
        found |= {"error_rms": [float(v) for v in np.sqrt(np.mean(error**2, axis=1))],
                  "rms": float(np.sqrt(np.mean(error**2))), "worst": float(np.max(np.abs(error)))}
    return found


def check_levels(found, verified):
    """The laboratory of `auricle verify` has other code for the same measurement: both must find the same gain of Auricle."""
    # The phases of their noises differ, which moves a compressor's reading by a tenth.
    worst = float(np.max(np.abs(found - verified)))
    if worst > 0.3:
        raise SystemExit(f"peers: Auricle's gain is found {worst:.2f} dB beside that of auricle verify: levels here are wrong")


def main():
    options = choice.parsed()
    ours, peers = candidates(options)
    skipped, fits = {}, []

    def told(text):
        if sys.stderr.isatty():
            print(f"\r{text:<40}", end="", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as folder:
        wanted, verified = target.prescribed(ours[0].program, options.audiogram)
        for chain in ours + peers:
            if reason := chain.missing():
                skipped[chain.name] = reason
                continue
            told(f"fitting {chain.name}")
            try:
                settings, gains = chain.fitted(wanted, folder)
            except work.Failed as failure:
                skipped[chain.name] = str(failure)
                continue
            fits.append((chain, settings, row(chain, settings, gains, wanted, chain in ours)))
        check_levels(np.array(fits[0][2]["gains"]), verified)
        rows = [row for _, _, row in fits]
        if all(row["ours"] for row in rows):
            tables.say_skipped(skipped)
            return NOTHING
        worked = work.measured([fit[:2] for fit in fits if fit[0].works_on_files], options.runs, folder, told)
        for entry in rows:
            if entry["name"] not in worked:
                continue
            times = worked[entry["name"]]["cpu"]
            entry |= {"cpu": work.median(times), "cpus": sorted(times), "per_band": work.median(times) / entry["bands"],
                      "memory": work.median(worked[entry["name"]]["memory"])}
        bare = {}
        if reason := "--no-live was given" if options.no_live else live.missing():
            skipped["live loops"] = reason
        else:
            bare = add_live(fits, options, skipped, folder)
    told("")
    return answer(options, rows, bare, wanted, skipped)


def add_live(fits, options, skipped, folder):
    """Adds what was measured live to the rows.

    - Returns: The bare loops' figures.
    """
    lines = []
    for chain, settings, entry in fits:
        if reason := chain.live_missing():
            skipped[f"{chain.name}, live"] = reason
        else:
            lines.append((chain.name, *chain.live(settings, folder)))
    found = live.beyond(live.run(options.programs, lines, options.runs), {line[0]: line[1] for line in lines})
    skipped |= {f"{line[0]}, live": "no delay was measured" for line in lines if "delay" not in found.get(line[0], {})}
    for _, _, entry in fits:
        entry |= {("live_" + key if key in ("cpu", "memory") else key): value
                  for key, value in found.get(entry["name"], {}).items()}
        if "live_cpu" in entry:
            entry["live_per_band"] = entry["live_cpu"] / entry["bands"]
    return {name: found[name] for name in (live.BARE_ALSA, live.BARE_JACK) if name in found}


def machine(rows):
    """Processor, system, load and the packages' versions."""
    with open("/proc/cpuinfo") as file:
        model = next((line.split(":")[1].strip() for line in file if line.startswith("model name")), "unknown processor")
    packages = sorted({row["package"] for row in rows if not row["ours"]})
    versions = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *packages], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True).stdout.split("\n")
    load = " ".join(f"{value:.1f}" for value in os.getloadavg())
    return (f"{model}, {os.cpu_count()} processors, Linux {os.uname().release}, load {load} at the end; "
            f"{', '.join(filter(None, versions))}.")


def answer(options, rows, bare, wanted, skipped):
    with open(options.document) as file:
        document = file.read()
    checks = criteria.checks(rows, document)
    unmeasured = criteria.unmeasured(rows)
    result = {"rows": rows, "bare": bare, "skipped": skipped, "checks": checks, "not_judged": unmeasured,
              "levels_db_spl": signals.LEVELS, "machine": machine(rows), "frequencies_hz": signals.centres().round(1).tolist(),
              "target_db": wanted.round(2).tolist()}
    if options.json:
        print(json.dumps(result, indent=1))
    else:
        print(tables.text(result))
        tables.say_skipped(skipped)
    if options.write:
        write(options.document, result, tables.text(result))
    unexplained = [check for check in checks if not check["explained"]]
    for check in unexplained:
        print(f"FAIL: {check['measure']}: {check['peer']} has less, and {os.path.basename(options.document)} has no reason and "
              "next step for it", file=sys.stderr)
    if unexplained:
        return 1
    # What was not judged has not passed.
    return NOTHING if set(criteria.MUSTS) & set(unmeasured) else 0


def write(document, result, text):
    import picture

    place = os.path.splitext(document)[0]
    picture.draw(result, place + ".png")
    tables.replace(document, f"![Work, delay, memory and gain error]({os.path.basename(place)}.png)\n\n{text}")


if __name__ == "__main__":
    sys.exit(main())
