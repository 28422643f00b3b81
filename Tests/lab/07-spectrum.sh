# The window into the aid while sound flows: numbers whose parts add up, in every form; four views at once cost no period;
# the view on a terminal obeys its keys, tells what it shows without colour and leaves the terminal as it was.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64
jack_fitted >"$configuration"

expect 69 'auricle start' "$auricle" spectrum --json
daemon
until_true state_is running

# Greatest distance of the sum of the parts from the applied gain, dB.
distance='[.left.gain, .right.gain | . as $g | range(.applied_db | length) as $b |
  ([$g.parts_db[] | .[$b]] | add) - $g.applied_db[$b] | if . < 0 then -. else . end] | max'

# What a server loses, or a machine that lets the command wait, is no fault of the aid's: then once more, five times in all.
disturbed() { # ATTEMPT SECONDS: the command took longer than this since $began, or the server was late since $cycles
  local took
  until_true jack_regained
  took=$((($(date +%s%N) - began) / 1000000000))
  echo "attempt $1: $took s, late cycles of the laboratory $(($(jack_xruns) - cycles))"
  [ "$1" -lt 5 ] && { [ "$took" -ge "$2" ] || [ "$(jack_xruns)" -gt "$cycles" ]; }
}
for attempt in 1 2 3 4 5; do
  cycles=$(jack_xruns) began=$(date +%s%N) found=0
  "$auricle" spectrum --json --for 2s >frames || found=$?
  count=$(wc -l <frames)
  if [ "$found" -eq 0 ] && [ "$count" -ge 20 ]; then break; fi
  disturbed "$attempt" 3 || { echo "expected exit 0 and about 50 spectra in 2 s, found $found and $count"; exit 1; }
done
# Twenty-two parts and the sum, each rounded to a hundredth, may lie 0.11 from each other; the parts themselves hold 0.1.
jq -se "all(.[]; ($distance) < 0.15)" frames >/dev/null || { jq -c "$distance" frames | sort | tail -n 3; exit 1; }
# The whole level is the sum of the bins, and of the third octaves where most of the sound lies in them.
jq -se 'all(.[]; .left.gain.target_db | length == 20) and all(.[]; .left.input.bins_db_spl | length == 256)' frames >/dev/null
"$auricle" spectrum --csv --for 1s >table
head -n 1 table | grep -q '^time_seconds,ear,band_hz,input_db_spl,output_db_spl,level_db_spl,target_db,applied_db,prescription_db,'
# The parts are what stands between the applied gain and the estimate of feedback: the rise from silence is the last of them.
awk -F, 'NR == 1 { for (n = 1; n <= NF; n++) column[$n] = n }
  NR > 1 { sum = 0; for (n = column["applied_db"] + 1; n < column["feedback_estimate_db"]; n++) sum += $n
    d = sum - $column["applied_db"]; if (d < 0) d = -d; if (d > 0.15) { print "line " NR " of the table: parts " sum; exit 1 } }' table

# A recording, and what becomes of one that was cut off or is something else.
expect 0 'Wrote ' "$auricle" spectrum --record now.jsonl --for 1s
[ "$(stat -c %a now.jsonl)" = 600 ]
expect 0 'Left ear' "$auricle" spectrum now.jsonl
expect 0 'Wrote moment.png' "$auricle" spectrum now.jsonl --picture moment.png
head -c $(($(stat -c %s now.jsonl) - 100)) now.jsonl >cut.jsonl
expect 0 'is cut off or damaged' "$auricle" spectrum cut.jsonl
expect 65 'no recording of spectra' "$auricle" spectrum "$configuration"
sed '1s/"auricle_spectrum":1/"auricle_spectrum":2/' now.jsonl >newer.jsonl
expect 65 'Install the newer auricle' "$auricle" spectrum newer.jsonl
expect 66 'no such file' "$auricle" spectrum nothere.jsonl
expect 73 'give --overwrite' "$auricle" spectrum --record now.jsonl --for 1s
expect 0 'spectra to now.jsonl' "$auricle" spectrum --record now.jsonl --for 1s --overwrite
expect 64 'neither in .jsonl nor in .csv' "$auricle" spectrum --record now.txt
expect 64 '--json and --picture exclude each other' "$auricle" spectrum --json --picture x.png
expect 64 '--csv and --record exclude each other' "$auricle" spectrum --csv --record x.jsonl
expect 64 'A recording has its own times' "$auricle" spectrum now.jsonl --every 1s
expect 64 'expected 0.1 to 3600 s' "$auricle" spectrum --for 0

# Pictures of a stretch: the numbers of live sound lie beside them, and are those of a table.
expect 0 'Wrote course.png and course.jsonl' "$auricle" spectrum --spectrogram --picture course.png --for 2s
[ "$(stat -c %a course.png course.jsonl | sort -u)" = 600 ]
"$auricle" spectrum course.jsonl --csv >course.csv
[ "$(wc -l <course.csv)" -eq $((($(wc -l <course.jsonl) - 1) * 40 + 1)) ]
expect 0 'Wrote ear.svg' "$auricle" spectrum course.jsonl --spectrogram --ear left --picture ear.svg
grep -q 'width="595' ear.svg
expect 64 'Add --picture' "$auricle" spectrum --spectrogram
head -n 2 course.jsonl >one.jsonl
expect 65 'two spectra' "$auricle" spectrum one.jsonl --spectrogram --picture one.png

# Sound: by the wearer's leave alone, for one recording, as loud as its spectrum and without a gap.
sound=("$auricle" spectrum --record said.jsonl --sound said.wav --overwrite)
expect 77 'auricle recording allow' "${sound[@]}" --for 1s
[ ! -e said.jsonl ]
[ ! -e said-input.wav ]
expect 64 'Add --record' "$auricle" spectrum --sound said.wav
expect 64 'neither in .wav nor in .flac' "$auricle" spectrum --record said.jsonl --sound said.mp3
expect 64 'expected 1 to 300 s' "$auricle" recording allow --for 301s
whole_recording() {
  expect 0 'may be recorded once' "$auricle" recording allow --for 60s
  grep -q 'may be recorded' <<<"$("$auricle" status)" || complain 'expected the leave in the status'
  "$auricle" status --json | jq -e '.recording.until_unix_seconds > now and .recording.pid == null' >/dev/null ||
    complain 'expected the leave in the status for programs'
  cycles=$(jack_xruns) began=$(date +%s%N)
  timeout 180 "${sound[@]}" --for 3s >output 2>&1 || return 1
  tr '\n' ' ' <output | grep -qF 's of sound to said-input.wav and said-output.wav' || complain 'expected where the sound is'
  jq -e '.gaps == [] and .rate_hz == 44100 and .spectra == "said.jsonl" and .frames > 2.5 * 44100 and .ended == null' said.json >>output
}
for attempt in 1 2 3 4 5; do
  if whole_recording; then break; fi
  cat output said.json >recorded || true
  disturbed "$attempt" 4 || { cat recorded; exit 1; }
done
grep -q 'the permission to record the sound has ended: finished' daemon.log
# On a terminal nobody is asked where a leave stands.
expect 0 'may be recorded once' "$auricle" recording allow --for 60s
python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$auricle" spectrum --record spoken.jsonl --sound spoken.wav \
  --for 1s >terminal
grep -q 'Wrote' terminal
if grep -q 'Record everything' terminal; then complain 'expected no such words'; fi
[ "$(stat -c %a said.jsonl said.json said-input.wav said-output.wav | sort -u)" = 600 ]
python3 - <<'PYTHON'
import json, math, wave
note = json.load(open("said.json"))
spectra = [json.loads(line) for line in open("said.jsonl")][1:]
# The microphones here are flat: one level stands for the whole.
for ear in ["left", "right"]:
    assert note["scale"][ear]["input_bands_db_spl"] == [note["scale"][ear]["input_db_spl"] for _ in note["scale"]["bands_hz"]]
for name, full in [("input", lambda ear: note["scale"][ear]["input_db_spl"]), ("output", lambda ear: note["scale"][ear]["output_db_spl"][0])]:
    with wave.open(f"said-{name}.wav") as sound:
        assert sound.getnframes() == note["frames"] and sound.getnchannels() == 2 and sound.getframerate() == 44100
        data = sound.readframes(sound.getnframes())
    values = [int.from_bytes(data[n:n + 3], "little", signed=True) / 2**23 for n in range(0, len(data), 3)]
    for channel, ear in enumerate(["left", "right"]):
        power = sum(value * value for value in values[channel::2]) / note["frames"]
        level = 10 * math.log10(2 * power) + full(ear)
        told = 10 * math.log10(sum(10 ** (s[ear][name]["level_db_spl"] / 10) for s in spectra) / len(spectra))
        print(f"{ear} {name}: {level:.2f} dB SPL in the file, {told:.2f} in its spectrum")
        assert abs(level - told) < 0.1
PYTHON
# On a full disk the spectra are kept and the sound is given up, in a sentence.
mkdir small
cat >full.sh <<'FULL'
mount -t tmpfs -o size=512k none small || exit 99
found=0
"$1" spectrum --record small/said.jsonl --sound small/said.wav --for 20s || found=$?
ls small
exit "$found"
FULL
expect 0 '' "$auricle" recording allow --for 60s
expect 74 'spectra until then are kept in small/said.jsonl. The sound is lost.' unshare -Urm bash full.sh "$auricle"
absent diskFull
absent said-input.wav
# Muted, it says so and shows no parts.
"$auricle" mute >/dev/null
expect 0 'MUTED' "$auricle" spectrum --for 1s
absent ' prescription'
"$auricle" unmute >/dev/null
until_true state_is running
# One recording was one leave; taken back, muted and over it ends with what came until then.
expect 77 'auricle recording allow' "${sound[@]}" --for 1s
expect 0 '' "$auricle" recording allow --for 60s
"${sound[@]}" --for 60s >early 2>&1 &
early=$!
until_true sh -c '"$0" status --json | jq -e ".recording.pid != null"' "$auricle"
sleep 1
expect 75 'one at a time' "$auricle" recording allow
expect 0 'Nobody may record' "$auricle" recording forbid
wait "$early"
grep -q 'ended early: the wearer has withdrawn the permission' early
"$auricle" status --json | jq -e '.recording == null' >/dev/null
expect 0 '' "$auricle" recording allow --for 60s
"$auricle" mute >/dev/null
expect 75 'no sound to record' "$auricle" recording allow
"$auricle" unmute >/dev/null
until_true state_is running
expect 77 'auricle recording allow' "${sound[@]}" --for 1s

# Four views at 25 spectra a second.
for attempt in 1 2 3 4 5; do
  jack_begin
  views=() found=0
  for view in 1 2 3 4; do
    "$auricle" spectrum --json --for 5s >"view$view" &
    views+=("$!")
  done
  for view in "${views[@]}"; do wait "$view" || found=$?; done
  jack_end "four views, spectra $(cat view? | wc -l)"
  if jack_counts "$attempt"; then break; fi
done
[ "$found" -eq 0 ] || { echo "expected four views that end well, found exit $found"; exit 1; }

# On a terminal, at three sizes, in colour and without.
"$REPOSITORY/Tests/lab/terminal.py" "$auricle"
daemon_end
