# The live loop with the whole chain is at most 1.0 ms later than a bare ALSA read-write loop with the same settings in the
# same run, and at most 6 ms in all at the default settings (44.1 kHz, 3 periods of 64 frames).
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"

jack_start 44100 64

measure() { # bare|aid -> the median of three medians, ms
  local kind=$1 round delays=()
  for round in 1 2 3; do
    "$PROGRAMS/live-benchmark" "$kind" lat 5 >"$kind.txt" &
    local loop=$!
    sleep 1.5
    delays+=("$(jack_delay 3)")
    wait "$loop"
  done
  printf '%s\n' "${delays[@]}" | sort -n | sed -n 2p
}

bare=$(measure bare)
aid=$(measure aid)
cat bare.txt aid.txt
echo "bare loop $bare ms, with the whole chain $aid ms, late cycles of the laboratory: $(jack_xruns)"
[ -n "$bare" ] && [ -n "$aid" ] || { echo "no delay was measured" >&2; exit 1; }
awk -v bare="$bare" -v aid="$aid" 'BEGIN {
  if (aid - bare > 1.0) { print "the chain adds " aid - bare " ms: more than 1.0 ms"; exit 1 }
  if (aid > 6.0) { print "the loop takes " aid " ms: more than 6 ms"; exit 1 }
}'
