"""Checks of what measures: each expected value is a formula's or a table's."""

import os
import struct
import tempfile

import numpy as np

import delay
import pipewire
import signals


def levels():
    """The noise has the table's levels in third octaves, and a gain is found as it was made."""
    noise = signals.noise(70)
    power = np.abs(np.fft.rfft(noise[-signals.PERIOD :, 0])) ** 2 / signals.PERIOD**2 * 2
    frequencies = np.fft.rfftfreq(signals.PERIOD, 1 / signals.RATE)
    for step, wanted in zip(signals.SPEECH_STEPS, signals.SPEECH_LEVELS):
        low, high = signals.centres([step - 0.5, step + 0.5])
        found = 10 * np.log10(power[(frequencies >= low) & (frequencies < high)].sum()) + signals.SINE + signals.INPUT_SCALE
        # Bins of 0.67 Hz: the edges of the lowest bands cut off a few per cent.
        assert abs(found - wanted) < 0.3, (step, found, wanted)
        assert abs(signals.speech_level(low, high, 70) - wanted) < 1e-6, step
    # Gain between files, and the scale of the ear beside that of the microphone.
    found = signals.gains(noise, noise * 0.5)
    assert np.allclose(found, 20 * np.log10(0.5) + signals.OUTPUT_SCALE - signals.INPUT_SCALE), found


def files():
    """What was written is read, in each width; another rate and another file are refused."""
    sound = signals.stereo(np.linspace(-1, 0.9, 100))
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sound.wav")
        signals.write(path, sound)
        assert np.allclose(signals.read(path), sound, atol=2**-24)
        for width in (2, 3):
            values = np.round(sound * (2 ** (8 * width - 1) - 1)).astype("<i4")
            body = values.reshape(-1, 1).view(np.uint8).reshape(-1, 4)[:, :width].tobytes()
            form = struct.pack("<HHIIHH", 1, 2, signals.RATE, signals.RATE * 2 * width, 2 * width, 8 * width)
            with open(path, "wb") as file:
                file.write(b"RIFF" + struct.pack("<I", 0) + b"WAVEfmt " + struct.pack("<I", 16) + form + b"data"
                           + struct.pack("<I", len(body)) + body)
            assert np.allclose(signals.read(path), sound, atol=2.0 ** (2 - 8 * width)), width
        for content, rate in ((b"", signals.RATE), (b"RIFF....WAVE", signals.RATE), (open(path, "rb").read(), 48_000)):
            with open(path, "wb") as file:
                file.write(content)
            try:
                signals.read(path, rate)
            except ValueError:
                continue
            raise AssertionError(f"{content[:12]} was read")


def delays():
    """A shift is found to a hundredth of a frame, through a change of sign and a gain too; another sound is not found."""
    sent, other = signals.noise(65, 3)[:, 0], signals.noise(65, 3, seed=12)[:, 0]
    for frames in (1, 192, 5000):
        heard = -0.3 * np.concatenate([np.zeros(frames), sent[:-frames]])
        assert abs(delay.delay(sent, heard) * signals.RATE - frames) < 0.01, frames
    assert delay.delay(sent, other) is None
    assert delay.delay(sent, np.zeros(len(sent))) is None


def equalizer():
    """One peaking filter has its gain at its centre and none far away."""
    gains = np.zeros(len(pipewire.FREQUENCIES))
    gains[4] = 12
    found = pipewire.response(gains, -3, [pipewire.FREQUENCIES[4], 20])
    assert np.allclose(found, [9, -3], atol=0.05), found


if __name__ == "__main__":
    levels()
    files()
    delays()
    equalizer()
