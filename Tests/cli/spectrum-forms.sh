# Spectra of a rendering say the same in every form: recording, JSON, CSV, a
# terminal with and without colours.
# Three tones of 60 dB SPL are judged by the rule's formula, a voice through compression by what the recording has.
set -euo pipefail
auricle=$PROGRAMS/auricle

python3 - <<'PYTHON'
import array, math, wave
with wave.open("tones.wav", "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(44100)
    # Each 40 dB below a sine of full scale, which stands for 100 dB SPL.
    sample = lambda n: sum(math.sin(2 * math.pi * hertz * n / 44100) for hertz in (250, 1000, 4000)) / 100
    file.writeframes(array.array("h", (round(32767 * sample(n)) for n in range(3 * 44100))).tobytes())
PYTHON
"$auricle" listen tones.wav aided.wav --audiogram N3 --rule NAL-R --full-scale 100 --spectrum tones.jsonl -q
"$auricle" listen tones.wav aided.wav --audiogram N3 --rule NAL-R --full-scale 100 --spectrum tones.csv --overwrite -q
"$auricle" listen /usr/share/sounds/alsa/Front_Center.wav aided.wav --audiogram N3 --spectrum voice.jsonl --overwrite -q
for name in tones voice; do
  "$auricle" spectrum "$name.jsonl" --json >"$name.json"
  "$auricle" spectrum "$name.jsonl" --csv >"$name.again.csv"
  NO_COLOR=1 "$auricle" spectrum "$name.jsonl" >"$name.plain"
  "$auricle" spectrum "$name.jsonl" --color always >"$name.coloured"
done
python3 - <<'PYTHON'
import csv, json, math, re, statistics

def mean(frames, side, *path):
    """Mean of a band's decibels, as the terminal shows gain; of levels by power; without silence and the rise from it."""
    frames = [frame for frame in frames if all(abs(gain) < 0.05 for gain in frame[side]["gain"]["parts_db"]["ramp"])
              and max(frame[ear]["input"]["level_db_spl"] for ear in ("left", "right")) > -50]
    columns = zip(*(value_at(frame[side], path) for frame in frames))
    by_power = path[0] != "gain" or path[1] == "level_db_spl"
    power = lambda column: 10 * math.log10(statistics.fmean(10 ** (level / 10) for level in column))
    return [power(column) if by_power else statistics.fmean(column) for column in columns]

def value_at(report, path):
    for key in path:
        report = report[key]
    return report

def expect(found, expected, tolerance, words):
    assert abs(found - expected) <= tolerance, f"{words}: found {found}, expected {expected} within {tolerance}"

# NAL-R (Byrne and Dillon 1986): X + 0.31 threshold + k, X a twentieth of the sum at 500, 1000 and 2000 Hz; N3 (Bisgaard 2010).
nal_r = {250: 6.25 + 0.31 * 35 - 17, 1000: 6.25 + 0.31 * 40 + 1, 4000: 6.25 + 0.31 * 60 - 2}
shown = ("125", "250", "500", "1k", "1k5", "2k", "3k", "4k", "6k", "8k")
hertz = {word: int(word.replace("1k5", "1500").replace("k", "000")) for word in shown}

for name in ("tones", "voice"):
    frames = [json.loads(line) for line in open(f"{name}.json")]
    recorded = [json.loads(line) for line in open(f"{name}.jsonl")][1:]
    bands = frames[0]["frequencies"]["bands_hz"]
    strip = lambda frame: {key: frame[key] for key in ("left", "right", "time_seconds")}
    assert [strip(frame) for frame in frames] == [strip(frame) for frame in recorded], name

    rows = list(csv.DictReader(open(f"{name}.again.csv")))
    assert len(rows) == len(frames) * 2 * len(bands), f"{name}: {len(rows)} rows"
    for frame, first in zip(frames, range(0, len(rows), 2 * len(bands))):
        for row in rows[first:first + 2 * len(bands)]:
            side, band = frame[row["ear"]], bands.index(int(float(row["band_hz"])))
            for column, path in {"input_db_spl": ("input", "bands_db_spl"), "output_db_spl": ("output", "bands_db_spl"),
                                 "target_db": ("gain", "target_db"), "applied_db": ("gain", "applied_db"),
                                 "prescription_db": ("gain", "parts_db", "prescription")}.items():
                assert float(row[column]) == value_at(side, path)[band], f"{name}: {row}"
            parts = sum(part[band] for part in side["gain"]["parts_db"].values())
            # 23 figures, each rounded to a hundredth.
            expect(parts, float(row["applied_db"]), 0.1 + 23 * 0.005, f"{name}, parts at {row['band_hz']} Hz")

    plain = open(f"{name}.plain").read()
    coloured = open(f"{name}.coloured").read()
    assert "\x1b" not in plain and "\x1b" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain, f"{name}: colours change the words"
    for side in ("left", "right"):
        part = plain[plain.index(f"{side.capitalize()} ear"):]
        table = {}
        for line in part.splitlines():
            figures = re.findall(r"(?<= )[−-]?[0-9.]+(?= |$)", line[17:])
            if len(figures) == len(shown):
                table.setdefault(line[:17].strip(), [float(figure.replace("−", "-")) for figure in figures])
        for row, path in {"Level, dB SPL": ("gain", "level_db_spl"), "Target gain, dB": ("gain", "target_db"),
                          "Applied gain, dB": ("gain", "applied_db")}.items():
            means = mean(frames, side, *path)
            for word, figure in zip(shown, table[row]):
                # The recording is rounded to a hundredth, the terminal to a tenth.
                expect(figure, means[bands.index(hertz[word])], 0.07, f"{name}, terminal, {side} ear, {row} at {word}")
        if name == "tones":
            for tone, gain in nal_r.items():
                band = bands.index(tone)
                # The first second has the ramp.
                for frame in frames[25:]:
                    expect(value_at(frame[side], ("input", "bands_db_spl"))[band], 60, 0.5, f"input at {tone} Hz")
                    expect(value_at(frame[side], ("output", "bands_db_spl"))[band], 60 + gain, 1, f"output at {tone} Hz")
                    expect(value_at(frame[side], ("gain", "applied_db"))[band], gain, 0.1, f"gain at {tone} Hz")
    if name == "tones":
        # Of another run: FFTW may have chosen another plan for the way back to sound, which shows in the last digits.
        for one, other in zip(csv.DictReader(open("tones.csv")), rows, strict=True):
            for column in one:
                found, expected = (float(row[column]) if column != "ear" else len(row["ear"]) for row in (one, other))
                expect(found, expected, 0.02 if expected > -20 else 1, f"tones.csv, {column} at {one['band_hz']} Hz")
    print(f"{name}: {len(frames)} spectra, the same in every form")
PYTHON

# 25 spectra a second, also where an interval is no whole number of blocks: 256 frames are 5.8 ms.
"$auricle" listen tones.wav aided.wav --audiogram N3 --rule NAL-R --full-scale 100 --block 256 --spectrum blocks.jsonl --overwrite -q
jq -se '.[1:] | (last.time_seconds - first.time_seconds) / (length - 1) | . > 0.0395 and . < 0.0405' blocks.jsonl >/dev/null || {
  echo "expected 0.04 s between two spectra, found $(jq -s '.[1:] | (last.time_seconds - first.time_seconds) / (length - 1)' blocks.jsonl)"
  exit 1
}

# The terminal says what the average leaves out, and its legend.
grep -q ' are left out: silence, the rise from it, or a measurement' voice.plain
grep -q '^: microphone  # ear$' tones.plain

# A line whose lists are not of one length is damaged, as one that is cut off.
sed '10s/"applied_db":\[[^,]*,/"applied_db":[/' tones.jsonl >damaged.jsonl
"$auricle" spectrum damaged.jsonl --json 2>note | wc -l | grep -qx 8
grep -q 'damaged.jsonl is cut off or damaged after spectrum 8' note

# Words of a recording of somebody else's reach a terminal without the control characters of C1 and DEL, as JSON too.
jq -c 'if has("time_seconds") then .scene = "\u009b31m\u007f" else . end' tones.jsonl >steering.jsonl
"$auricle" spectrum steering.jsonl --json >steering.json
if LC_ALL=C grep -qP '\xc2[\x80-\x9f]|\x7f' steering.json; then echo 'expected no control characters of C1'; exit 1; fi
jq -se 'length > 0 and all(.scene == "\u009b31m\u007f")' steering.json >/dev/null || { echo 'expected the words as they are'; exit 1; }

# Nor is a file that is there already, whichever it is; and a table is told from a recording.
for names in 'again.wav tones.jsonl' 'aided.wav again.jsonl'; do
  status=0
  "$auricle" listen tones.wav "${names% *}" --spectrum "${names#* }" --audiogram N3 -q 2>note || status=$?
  [ "$status" = 73 ] && grep -q 'give --overwrite' note && [ ! -e again.wav ] && [ ! -e again.jsonl ] || { echo "exit $status: $(cat note)"; exit 1; }
done
status=0
"$auricle" spectrum tones.csv >/dev/null 2>note || status=$?
[ "$status" = 65 ] && grep -q 'tones.csv: This is a table of spectra' note || { echo "exit $status: $(cat note)"; exit 1; }

# A recording is not replaced unasked, and on a full disk what fitted is kept.
"$auricle" spectrum tones.jsonl --record copy.jsonl >said
grep -Eq '^Wrote [0-9]+ spectra to copy.jsonl' said
status=0
"$auricle" spectrum tones.jsonl --record copy.jsonl 2>note || status=$?
[ "$status" = 73 ] && grep -q 'give --overwrite' note || { echo "exit $status: $(cat note)"; exit 1; }
"$auricle" spectrum tones.jsonl --record copy.jsonl --overwrite >said

# Nor one that another program makes meanwhile: what lies behind a pipe's 64 KiB is written once the recording has begun.
status=0
"$auricle" spectrum <(head -n -1 tones.jsonl; echo theirs >race.jsonl; tail -n 1 tones.jsonl) --record race.jsonl >said 2>note || status=$?
[ "$status" = 73 ] && grep -q 'race.jsonl: This file exists already' note && [ "$(cat race.jsonl)" = theirs ] ||
  { echo "made meanwhile: exit $status: $(cat note)"; exit 1; }
# A pipe, a device and a folder are no files that a recording could become.
mkfifo pipe.jsonl
ln -s /dev/full device.jsonl
mkdir folder.jsonl
for name in pipe device folder; do
  for more in '' --overwrite; do
    status=0
    "$auricle" spectrum tones.jsonl --record "$name.jsonl" ${more:+"$more"} >said 2>note || status=$?
    [ "$status" = 73 ] && grep -Eq "$name.jsonl: This is a (pipe or a device|folder)" note ||
      { echo "$name $more: exit $status: $(cat note)"; exit 1; }
  done
done
[ -p pipe.jsonl ] && [ -L device.jsonl ] && [ -d folder.jsonl ]
# Pictures of both kinds likewise.
for kind in '' --spectrogram; do
  "$auricle" spectrum tones.jsonl ${kind:+"$kind"} --picture shown.svg --overwrite >said
  before=$(sha256sum shown.svg)
  status=0
  "$auricle" spectrum tones.jsonl ${kind:+"$kind"} --picture shown.svg >said 2>note || status=$?
  [ "$status" = 73 ] && grep -q 'shown.svg: This file exists already' note && [ "$(sha256sum shown.svg)" = "$before" ] ||
    { echo "picture $kind: exit $status: $(cat note)"; exit 1; }
done
if grep -q '<image' shown.svg; then echo 'expected areas in place of pixels, which viewers blend'; exit 1; fi
mkdir folder.png
status=0
"$auricle" spectrum tones.jsonl --picture folder.png >said 2>note || status=$?
[ "$status" = 73 ] && grep -q 'folder.png: This is a folder' note || { echo "exit $status: $(cat note)"; exit 1; }

# Words of a recording that are longer than any daemon's are damage, and no picture waits for them.
jq -c 'if has("time_seconds") then .scene = "W" * 20000 else . end' tones.jsonl >wordy.jsonl
status=0
timeout 10 "$auricle" spectrum wordy.jsonl --picture wordy.png >said 2>note || status=$?
[ "$status" = 65 ] && grep -q 'wordy.jsonl: There is no whole spectrum in it' note || { echo "exit $status: $(cat note)"; exit 1; }
cat >full.sh <<'FULL'
mount -t tmpfs -o size=256k none small || exit 99
status=0
"$1" spectrum tones.jsonl --record small/part.jsonl 2>note || status=$?
cp small/part.jsonl part.jsonl
exit "$status"
FULL
mkdir small
status=0
unshare -Urm bash full.sh "$auricle" || status=$?
[ "$status" = 74 ] && grep -Eq 'No space is left on its disk. [0-9]+ spectra until then are kept in small/part.jsonl' note ||
  { echo "full disk: exit $status: $(cat note)"; exit 1; }
"$auricle" spectrum part.jsonl >/dev/null 2>note
grep -q 'is cut off or damaged' note
