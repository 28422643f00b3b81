"""Recordings of the learning voices, kept decoded."""
import functools, hashlib, os
import numpy as np
import voices

EARLY = 28  # learning voices of the clips before mixtures.NEWER
FOLDER = None  # where decoded ones are kept


def keep_in(folder):
    global FOLDER
    FOLDER = folder
    os.makedirs(folder, exist_ok=True)


@functools.lru_cache(maxsize=4000)
def recording(path):
    """What is spoken in it; empty: too short."""
    name = f"{FOLDER}/{hashlib.sha256(path.encode()).hexdigest()}.npy"
    if not os.path.exists(name):
        x = voices.spoken(voices.decoded(path))
        np.save(name, np.zeros(0, np.float32) if x is None else x.astype(np.float32))
    return np.load(name).astype(float)


@functools.cache
def learning(sounds):
    """Rows of voices.tsv."""
    return voices.of("learn", sounds)
