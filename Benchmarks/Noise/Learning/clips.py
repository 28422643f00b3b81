"""All clips: made by two processes where they are not there, and read from their files."""
import concurrent.futures, os, sys
import numpy as np
from audiograms import EARS
from . import recordings
from .alone import make_alone, make_falls
from .cochlea import static
from .joined import Joined, mapped
from .measuring import make_part, talkers
from .mixtures import NEWER, PARTS, VARIED, WIDER, has_more_rooms
from .prescription import hearing

LEAST_MOMENTS, LEAST_LOUDNESS = 100, 1  # of a clip that an ear hears
ASKED = ("N2", "N3", "N4")  # ears for which the gain in ratio is asked for in full
LARGE = 50_000  # bytes of a clip's array, from which on it stays in its file

ALONE, FALLS = "alone.npz", "falls.npz"  # noise alone

# 500 Hz to 4 kHz; mean of what the network reads of an ear there, beyond which a loss is severe: N4, steep.
MIDDLE, SEVERE = slice(3, 14), .5


def clips(sounds, folder):
    """Clips, with the number of each one's talker, what the network reads of its ear, whether that is a severe loss and whether the
    gain in ratio is asked for in full; and noise alone."""
    recordings.keep_in(f"{folder}/recordings")
    names = [f"{folder}/part-{part}.npz" for part in range(PARTS)]
    make_missing([(f"{folder}/{ALONE}", None), (f"{folder}/{FALLS}", None), *zip(names, range(PARTS))], sounds)
    parts = [mapped(name) for name in names]
    found = {name: joined([part[name] for part in parts]) for name in parts[0] if name != "hearing"}
    # Parts before WIDER say neither who talks nor that a clip starts after silence, which none does.
    early = talkers_before_wider(sounds, folder)
    assert len(early) == sum(len(part["kind"]) for part in parts[:WIDER])
    found["talker"] = np.concatenate([early, *(part["talker"] for part in parts[WIDER:])])
    found["sudden"] = np.concatenate([np.zeros(len(early), bool), *(part["sudden"] for part in parts[WIDER:])])
    # Parts before NEWER do not say what the network reads of the ear, which is one of EARS.
    before = sum(len(part["kind"]) for part in parts[:NEWER])
    found["hearing"] = np.concatenate([read_of(found["static"][:before]), *(part["hearing"] for part in parts[NEWER:])])
    numbers = np.repeat(np.arange(PARTS), [len(part["kind"]) for part in parts])
    found["newer"], found["varied"], found["roomy"] = numbers >= NEWER, numbers >= VARIED, has_more_rooms(numbers)
    found["severe"] = found["hearing"][:, MIDDLE].mean(1) > SEVERE
    found["asked"] = np.any([of_ear(found["static"], ear) for ear in ASKED], 0)
    return audible(found), dict(np.load(f"{folder}/{ALONE}")) | dict(np.load(f"{folder}/{FALLS}"))


def joined(arrays):
    """As one: from their files where they are large."""
    large = arrays[0][0].nbytes > LARGE
    return Joined(arrays) if large else np.concatenate(arrays)


def make_missing(files, sounds):
    """Of files and the part of each (None: noise alone, by the file's name), those that are not there."""
    jobs = [(name, part, sounds, recordings.FOLDER) for name, part in files if not os.path.exists(name)]
    if jobs:
        with concurrent.futures.ProcessPoolExecutor(2) as pool:
            list(pool.map(make, jobs))


def make(job):
    name, part, sounds, folder = job
    recordings.keep_in(folder)
    if part is not None:
        make_part(name, part, sounds)
    else:
        (make_falls if name.endswith(FALLS) else make_alone)(name, sounds)
    print(f"made {name}", file=sys.stderr, flush=True)


def talkers_before_wider(sounds, folder):
    path = f"{folder}/talkers.npy"
    if not os.path.exists(path):
        np.save(path, [x for part in range(WIDER) for x in talkers(part, sounds)])
    return np.load(path)


def read_of(statics):
    """What the network reads of each of the ears, one of EARS."""
    own = {ear: static(ear) for ear in EARS}
    return np.array([hearing(min(own, key=lambda ear: np.abs(x - own[ear]).max())) for x in statics])


def of_ear(statics, ear):
    """Which of the clips that ear hears."""
    own = static(ear)
    return np.array([np.abs(x - own).max() < 1e-3 for x in statics])


def audible(found):
    """Not what a severe loss does not hear."""
    heard = (found["moments"].sum(1) >= LEAST_MOMENTS) & (found["spectrum"].sum(1) > LEAST_LOUDNESS)
    return {name: x.chosen(heard) if isinstance(x, Joined) else x[heard] for name, x in found.items()}
