#!/usr/bin/env python3
"""Learns the weights of the noise model and writes Sources/Sound/HearingDSP/Noise/NoiseWeights.swift to standard output.

    python3 Benchmarks/Noise/train.py SOUNDS CLIPS [WEIGHTS.npz [BEGUN.npz]] > Sources/Sound/HearingDSP/Noise/NoiseWeights.swift

SOUNDS: the Debian packages of voices.tsv's learning set, unpacked (run.sh). CLIPS: a folder for the clips made of them, some 270 MB
for every 50 mixtures; those that are there are not made again, also when what makes them has changed. WEIGHTS.npz: the weights are
written there, too, and meanwhile beside it. BEGUN.npz: weights to go on from, in place of a beginning at random.

Needs numpy, scipy, numba, soundfile, ffmpeg, pyclarity 0.9.0 and JAX (pip install jax, a wheel for CPUs). Seeds are fixed. Voices by
which noise reduction is chosen and judged have no part in it. What is learnt by stands in Learning/criteria.py and Learning/loss.py."""
import sys


def main(sounds, folder, kept=None, begun=None):
    # Loaded where it is needed: the usage is told without any of it.
    from Learning.clips import clips
    in_noise, alone = clips(sounds, folder)
    # Loaded where it is needed: processes that make clips are forked, and JAX's threads would not survive that.
    from Learning.learn import learn
    from Learning.weights_file import save, swift
    weights = learn(in_noise, alone, sounds, kept, begun)
    if kept:
        save(kept, weights)
    print(swift(weights))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4, 5):
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
