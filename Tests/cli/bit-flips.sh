# One turned bit in the book's first two pages, in a cache or in a file of the state folder, and the whole daemon on
# a sound card made of software: it starts, sound flows, it says what it found, and the prescription stays in force.
#
# BIT_FLIPS (12 unless told) are drawn evenly from all bits. With them go the first flip of each outcome that
# differs from an undamaged folder's, found among BIT_FLIPS_SEARCHED bits (2,000 unless told; `all`), in
# processes without sound devices; at most BIT_FLIP_OUTCOMES of these (12 unless told) are drawn.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
trial=$PROGRAMS/mutation-trial
place=$(mktemp -d /dev/shm/auricle-flips-XXXXXX 2>/dev/null || mktemp -d)
mkdir -m 700 "$place/state"
export STATE_DIRECTORY=$place/state
trap 'clean_up; rm -rf "$place"' EXIT

"$trial" fixtures "$place/material"
"$trial" flips "${BIT_FLIPS_SEARCHED:-2000}" --fixtures "$place/material" --list outcomes \
  --failures "$REPOSITORY/.build/mutation-failures"
grep -q 'as before' outcomes
# Damage is found in each of these: a search that sees none would be blind.
for file in book/book.sqlite book/book.head book.key feedback.json programs.json; do
  grep -qF "$file: " outcomes || { echo "no flip in $file changed anything" >&2; exit 1; }
done
{
  "$trial" draw "${BIT_FLIPS:-12}" --fixtures "$place/material"
  # The first of each file, and of the others evenly.
  grep -v 'as before' outcomes | awk -F '\t' -v most="${BIT_FLIP_OUTCOMES:-12}" '
    { file = $3; sub(/: .*/, "", file) }
    !(file in seen) { seen[file]; print; most--; next }
    { line[++n] = $0 }
    END { m = n < most ? n : most; for (i = 0; i < m; i++) print line[int(i * n / m) + 1] }'
} >flips
jack_start 44100 64
cat >"$configuration" <<'TOML'
[device]
capture = "lat"
playback = "lat"
rate = 44100
[safety]
ramp = "50 ms"
TOML

undamaged=$("$trial" serial --fixtures "$place/material")
count=0
while IFS=$'\t' read -r number _ outcome; do
  "$trial" flip "$number" "$STATE_DIRECTORY" --fixtures "$place/material"
  daemon
  sounds() { kill -0 "$daemon" 2>/dev/null || complain "bit $number: the daemon ended: $(cat daemon.log)"; state_is running; }
  until_true sounds
  "$auricle" status --json >status.json
  if [[ $outcome == book.key:* ]]; then
    # Nobody can tell what was prescribed: nothing is amplified.
    jq -e '.prescription.serial == null and (.fitting.fitted | not)' status.json >output || complain "bit $number ($outcome)"
  else
    jq -e ".prescription.serial == $undamaged and .fitting.fitted" status.json >output || complain "bit $number ($outcome)"
  fi
  # What was found without devices is said with them, in the log or in the status.
  if [[ $outcome == *'note: '* ]]; then
    grep -qE 'error|warning' daemon.log ||
      jq -e '[.prescription.notes, .program.notes, .feedback.notes] | flatten | map(select(. != null)) | length > 0' \
        status.json >output || complain "bit $number says nothing of: $outcome"
  fi
  daemon_end || complain "bit $number: expected the daemon to end well"
  count=$((count + 1))
done <flips
echo "$count flips with the whole daemon"
