# The window into the aid while sound flows: numbers whose parts add up, in every form; four views at once cost no period;
# the view on a terminal obeys its keys, tells what it shows without colour and leaves the terminal as it was.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64
{
  jack_calibration
  printf '[hearing]\naudiogram = "%s"\n' "$REPOSITORY/Prescriptions/N3.json"
} >"$configuration"

expect 69 'auricle start' "$auricle" spectrum --json
daemon
until_true state_is running

# Greatest distance of the sum of the parts from the applied gain, dB.
distance='[.left.gain, .right.gain | . as $g | range(.applied_db | length) as $b |
  ([$g.parts_db[] | .[$b]] | add) - $g.applied_db[$b] | if . < 0 then -. else . end] | max'

"$auricle" spectrum --json --for 2s >frames
count=$(wc -l <frames)
[ "$count" -ge 20 ] || { echo "expected about 50 spectra in 2 s, found $count"; exit 1; }
# Twenty-two parts and the sum, each rounded to a hundredth, may lie 0.11 from each other; the parts themselves hold 0.1.
jq -se "all(.[]; ($distance) < 0.15)" frames >/dev/null || { jq -c "$distance" frames | sort | tail -n 3; exit 1; }
# The whole level is the sum of the bins, and of the third octaves where most of the sound lies in them.
jq -se 'all(.[]; .left.gain.target_db | length == 20) and all(.[]; .left.input.bins_db_spl | length == 256)' frames >/dev/null
"$auricle" spectrum --csv --for 1s >table
head -n 1 table | grep -q '^time_seconds,ear,band_hz,input_db_spl,output_db_spl,level_db_spl,target_db,applied_db,prescription_db,'
awk -F, 'NR > 1 { sum = 0; for (n = 9; n <= 29; n++) sum += $n; d = sum - $8; if (d < 0) d = -d; if (d > 0.15) exit 1 }' table

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
expect 64 'neither in .jsonl nor in .csv' "$auricle" spectrum --record now.txt
expect 64 '--json and --picture exclude each other' "$auricle" spectrum --json --picture x.png
expect 64 '--csv and --record exclude each other' "$auricle" spectrum --csv --record x.jsonl
expect 64 'A recording has its own times' "$auricle" spectrum now.jsonl --every 1s
expect 64 'expected 0.1 to 3600 s' "$auricle" spectrum --for 0

# Four views at 25 spectra a second.
mishaps() { "$auricle" status --json | jq '.meters.xruns.capture + .meters.xruns.playback'; }
before=$(mishaps)
late=$(jack_xruns)
views=()
for view in 1 2 3 4; do
  "$auricle" spectrum --json --for 5s >"view$view" &
  views+=("$!")
done
wait "${views[@]}"
late=$(($(jack_xruns) - late))
missed=$(($(mishaps) - before))
echo "four views: missed periods $missed, late cycles of the laboratory $late, spectra $(cat view? | wc -l)"
[ "$missed" -le $((2 * late)) ] || { echo "more periods were missed than the laboratory was late for"; exit 1; }

# On a terminal, at three sizes, in colour and without.
"$REPOSITORY/Tests/lab/terminal.py" "$auricle"
daemon_end
