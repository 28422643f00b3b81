"""Live chains: what live.sh measures, and the list it is given."""

import os
import shutil
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
FIELDS = ("delay", "cpu", "memory", "shared", "late")
BARE_ALSA, BARE_JACK = "bare ALSA", "bare JACK"
ROUTES = {"auricle": BARE_ALSA, "alsa": BARE_ALSA, "pipewire": BARE_ALSA, "jack": BARE_JACK}


# JACK knows eight servers of a machine, those that were killed among them until somebody clears its list; two run here. In a memory of
# its own the list is empty.
ALONE = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o mode=1777 none /dev/shm && exec "$@"', "live"]


def may_be_alone():
    """Root may, where the machine lets it."""
    return subprocess.run([*ALONE, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def missing():
    for program, package in (("jackd", "jackd2"), ("jack_iodelay", "jackd2"), ("jq", "jq")):
        if not shutil.which(program):
            return f"{program} is not installed (package {package})"
    return ""


def run(programs, lines, rounds):
    """Name → medians of FIELDS and the spread of the delay; a chain of which nothing was measured is left out.

    `lines`: triples of name, route and command.
    """
    text = "".join("\t".join([name, route, *command]) + "\n" for name, route, command in lines)
    command = [os.path.join(HERE, "live.sh"), programs, str(rounds)]
    done = subprocess.run(
        [*ALONE, *command] if may_be_alone() else command, input=text, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True)
    sys.stderr.write(done.stderr)
    if done.returncode != 0:
        sys.stderr.write(f"live.sh: exit {done.returncode}\n")
    return medians(done.stdout)


def medians(text):
    values = {}
    for line in text.splitlines():
        name, *fields = line.split("\t")
        if len(fields) != len(FIELDS):
            continue
        entry = values.setdefault(name, {})
        for field, value in zip(FIELDS, fields):
            entry.setdefault(field, []).append(float(value) if value else None)
    return {name: summary(fields) for name, fields in values.items()}


def summary(fields):
    """Medians over the rounds in which the server was not late; over all of them where it always was."""
    undisturbed = [n for n, late in enumerate(fields["late"]) if not late and fields["delay"][n] is not None]
    rounds = undisturbed or range(len(fields["late"]))
    kept = {field: [found[n] for n in rounds if found[n] is not None] for field, found in fields.items()}
    result = {field: statistics.median(found) for field, found in kept.items() if found}
    if kept["delay"]:
        result |= {"delays": sorted(kept["delay"]), "undisturbed": len(undisturbed)}
    return result


def beyond(found, routes):
    """Adds to each chain what it takes beyond the bare loop of its own route: ms, and seconds of the processor per second."""
    for name, route in routes.items():
        bare, own = found.get(ROUTES[route], {}), found.get(name)
        if not own:
            continue
        own["route"] = ROUTES[route]
        for field, key in (("delay", "beyond"), ("cpu", "cpu_beyond")):
            if field in bare and field in own:
                own[key] = own[field] - bare[field]
    return found
