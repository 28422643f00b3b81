# The live loop with the whole chain is at most 1.0 ms later than a bare ALSA read-write loop with the same settings in the
# same run, and at most 6 ms in all at the default settings (44.1 kHz, 3 periods of 64 frames).
#
# Capture and playback are two clients of the laboratory's JACK: a late cycle while they start lets either begin a period
# ahead, so that a loop, bare or not, has two or three periods in the devices for as long as it lives. Both loops say
# which, and what is compared is what they take beyond it.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"

rate=44100
jack_start $rate 64

median() { sort -n | awk '{ values[NR] = $1 } END { print values[int((NR + 1) / 2)] }'; }

measure() { # bare|aid -> appends "delay in ms, frames that the devices hold" to its table
  local kind=$1 loop delay frames
  "$PROGRAMS/live-benchmark" "$kind" lat 4 >"$kind.txt" &
  loop=$!
  sleep 1.2
  delay=$(jack_delay 2)
  wait "$loop" || { cat "$kind.txt" >&2; exit 1; }
  frames=$(sed -nE 's/.* ([0-9]+) frames by .*/\1/p' "$kind.txt")
  [ -n "$delay" ] && [ -n "$frames" ] || { echo "$kind: no delay was measured" >&2; cat "$kind.txt" >&2; exit 1; }
  echo "$delay $frames" >>"$kind.table"
}

for _ in $(seq "${ROUNDS:-5}"); do
  measure bare
  measure aid
done

cat bare.txt aid.txt
for kind in bare aid; do echo "$kind, ms and frames in the devices: $(tr '\n' ';' <"$kind.table")"; done
beyond() { awk -v rate=$rate '{ print $1 - 1000 * $2 / rate }' "$1.table" | median; }
bare=$(beyond bare)
aid=$(beyond aid)
whole=$(cut -d' ' -f1 aid.table | median)
echo "beyond the devices: bare $bare ms, whole chain $aid ms; in all $whole ms; late cycles of the laboratory: $(jack_xruns)"
awk -v bare="$bare" -v aid="$aid" -v whole="$whole" 'BEGIN {
  if (aid - bare > 1.0) { print "the chain adds " aid - bare " ms: more than 1.0 ms"; exit 1 }
  if (whole > 6.0) { print "the loop takes " whole " ms: more than 6 ms"; exit 1 }
}'
