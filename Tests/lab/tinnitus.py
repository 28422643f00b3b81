#!/usr/bin/env python3
"""A person with a tinnitus who is matched: hears what the earphone plays, and answers by the control socket.

Usage: arecord … | tinnitus.py SOCKET ORDER EAR [pause]

Standard input: both earphones, 44.1 kHz, 32-bit floats. ORDER: the procedure as procedure.start takes it, JSON; EAR: the one that hears.
Prints, as JSON, the last notice, and of each sound that was heard to its end its length, level, dB FS, and kind.

The tinnitus is a tone: likeness 80, narrow noise 40, broad noise 10. A sound 1.5 dB above the first one masks it. After a noise
that lasts it is at 50 per cent, and as usual from the second question on. Nothing is known here of the procedure's levels.

With `pause` a pause is asked for in the middle of the second sound, and a second of it must be silent; printed is how long the sound was.
"""
import array
import json
import math
import statistics
import sys

from ear import AUDIBLE, BLOCK, RATE, Daemon, ends_with

# Blocks of silence that end a sound: noise has none, and the least gap is 0.4 s.
GAP = 10
# Blocks of a sound at least: the shortest that is played has 1.5 s.
WHOLE = 100


def level(samples):
    power = sum(x * x for x in samples) / len(samples)
    return 10 * math.log10(2 * power) if power > 0 else -300.0


class Sound:
    """What was heard between two silences."""

    def __init__(self, blocks):
        steady = blocks[10:-10] or blocks
        samples = array.array("f")
        for block in steady:
            samples.extend(block)
        self.seconds = len(blocks) * BLOCK / RATE
        self.level = level(samples)
        crossings = sum(1 for a, b in zip(samples, samples[1:]) if a < 0 <= b) * RATE / len(samples)
        # A tone's blocks differ by the phase in which they are cut, a narrow noise's by its envelope: √(band · time) of it.
        spread = statistics.pstdev(level(block) for block in steady) if len(steady) > 1 else 0
        self.kind = "tone" if spread < 0.1 else "narrow" if abs(crossings - 4000) < 300 else "broad"

    def words(self):
        return {"seconds": round(self.seconds, 2), "level": round(self.level, 2), "kind": self.kind}


class Pause:
    """A pause in the middle of the second sound: asked for, a second of silence, and on."""

    # Blocks of a sound after which it is asked for; of silence, before its end is asked for.
    MIDDLE, SILENCE = 30, 100

    def __init__(self, daemon, isWanted):
        self.daemon, self.isWanted, self.isAskedFor, self.seconds, self.silent = daemon, isWanted, False, None, 0

    def hear(self, sounds, blocks, isAudible):
        """True while it lasts."""
        if not self.isWanted or len(sounds) < 1:
            return False
        if not self.isAskedFor:
            if len(blocks) == self.MIDDLE:
                self.daemon.ask("procedure.answer", key="pause")
                self.isAskedFor = True
            return False
        phase = self.daemon.notice["phase"]
        if phase in ("broken", "finished"):
            # The sound card of software broke off: a pause that had not begun is asked for once more.
            self.isAskedFor, self.isWanted = False, self.silent == 0
            return False
        if blocks:
            self.seconds = len(blocks) * BLOCK / RATE
        if phase != "paused":
            return True
        # Of the sound, what was on its way: GAP blocks of silence end it.
        if isAudible and self.silent > GAP:
            self.daemon.errors.append("a sound within a pause")
        self.silent = 0 if isAudible else self.silent + 1
        if self.silent == self.SILENCE:
            self.daemon.ask("procedure.answer", key="resume")
            self.isWanted = False
        return True


def main():
    path, order, ear = sys.argv[1:4]
    daemon = Daemon(path)
    pause = Pause(daemon, "pause" in sys.argv[4:])
    # The earphones find these ears only once they listen.
    sys.stdin.buffer.read(BLOCK * 8)
    daemon.ask("procedure.start", **json.loads(order))
    blocks, silence, sounds, asked, ratings, isNew = [], 0, [], None, 0, False
    # Step in which the sound that is heard began: one that the device broke off comes once more, as another step, and its rest is no answer to that.
    begun = None
    ends_with(lambda: {"notice": daemon.notice, "sounds": [sound.words() for sound in sounds], "blocks": len(blocks), "silence": silence,
                       "asked": asked, "errors": daemon.errors + ["ended by timeout(1)"]})
    # As in ear.py: a match that the sound card of software broke off is gone on with.
    resumptions = 3
    while True:
        data = sys.stdin.buffer.read(BLOCK * 8)
        if len(data) < BLOCK * 8 or not daemon.read() or daemon.errors:
            print(json.dumps({"notice": daemon.notice, "errors": daemon.errors}))
            return 1
        samples = array.array("f", data)
        channel = samples[0::2] if ear == "left" else samples[1::2]
        other = samples[1::2] if ear == "left" else samples[0::2]
        if level(other) > AUDIBLE:
            print(json.dumps({"errors": ["a sound in the other ear"]}))
            return 1
        if level(channel) > AUDIBLE:
            if not blocks:
                begun = daemon.notice and daemon.notice["step"]
            blocks.append(channel)
            silence = 0
        else:
            silence += 1
            if silence == GAP and blocks:
                # One that was broken off by an answer is none.
                if len(blocks) > WHOLE:
                    sounds.append(Sound(blocks))
                    isNew = daemon.notice is not None and daemon.notice["step"] == begun
                blocks = []
        notice = daemon.notice
        if notice is None or pause.hear(sounds, blocks, silence == 0):
            continue
        if notice["phase"] == "broken" and notice["error"]["exit_status"] == 75 and resumptions > 0:
            resumptions -= 1
            daemon.notice, asked, isNew = None, None, False
            daemon.ask("procedure.start", resume=notice["record"])
        elif notice["phase"] in ("finished", "broken"):
            print(json.dumps({"notice": notice, "sounds": [sound.words() for sound in sounds], "broken_off": pause.seconds}))
            return 0 if notice["phase"] == "finished" else 1
        if daemon.notice is None:
            continue
        # One answer to a step, once its sound was heard to the end; one that lasts until the answer comes again and again.
        if notice["phase"] not in ("sounding", "asking") or notice["step"] == asked:
            continue
        question = notice["question"]
        if question == "rating":
            if notice["phase"] != "asking":
                continue
            asked = notice["step"]
            daemon.ask("procedure.answer", key="rate", value=50 if ratings == 0 else 100)
            ratings += 1
        elif isNew:
            asked, isNew = notice["step"], False
            heard = sounds[-1]
            if question == "presence":
                daemon.ask("procedure.answer", key="absent" if heard.level > sounds[0].level + 1.5 else "present")
            elif question == "likeness":
                likeness = {"tone": 80, "narrow": 40, "broad": 10}[heard.kind]
                daemon.ask("procedure.answer", key="rate", value=likeness)


sys.exit(main())
