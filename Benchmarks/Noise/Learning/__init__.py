"""What train.py learns the weights of the noise model with.

- Sounds: recordings, talkers, rooms, spectra, noises, mixtures.
- What is known before the reduction, computed once and kept: noise_power, chain, prescription, cochlea, hearing, references, measuring,
  alone, clips, joined.
- What is learnt by, in JAX: transforms, behind, intelligibility, quality, criteria, network, mixture_loss, loss, material, learn.
- What is written: weights_file."""
import os, sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "..", "..", "Quality")]
