# A card that is scanned while sound flows: within a minute the gain is that of the new prescription (how soon it is heard is printed, and measured by
# `make bench`, Cards), the aid runs all the while, and no period is missed that the laboratory was not late for.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
jack_start 44100 64

echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.png >/dev/null
fingerprint=$("$auricle" rx show clinic.png --json | jq -r .fingerprint)
gains() { jq -c '[.meters.left.bands[] | select(.centre_hz >= 500 and .centre_hz <= 4000) | .gain_db]' "$1"; }
serial=0
card() { # AUDIOGRAM -> card.png with the next serial
  serial=$((serial + 1))
  "$auricle" rx make --audiogram "$1" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    -o card.png --overwrite --yes --passphrase-file pass >/dev/null 2>&1
}

# Calibrated, else every gain would be held to 20 dB; the input is the delay meter's steady tones.
jack_calibration >"$configuration"
daemon
until_true state_is running
"$auricle" trust add clinic.png --fingerprint "$fingerprint" >/dev/null
card N1
"$auricle" rx scan --yes card.png
# Gains are told from the first block on.
has_gains() { "$auricle" status --json >first.json && [ "$(gains first.json)" != '[]' ]; }
until_true has_gains
sleep 1

# Everything the daemon says of its state from now on, and its gains twenty times a second. The sleep outlives the script:
# it must not hold the messages' pipe, or whoever reads that waits for it.
(
  echo '{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"topics":["state","meters"],"interval_seconds":0.05}}'
  sleep 600
) 2>/dev/null | socat - "UNIX:$socket" >told &
helpers+=("$!")
until_true grep -q '"method":"meters"' told

# Its states of the lines after the first $seen.
states() { tail -n +$((seen + 1)) told | grep '"method":"state"'; }
not_running() { states | grep -v '"name":"running"'; }
runs_again() { not_running && states | tail -n 1 | grep -q '"name":"running"'; }
seen=0
# Mean difference of the gains of two status reports, dB.
change() { jq -n --argjson a "$(gains "$1")" --argjson b "$(gains "$2")" '[$a, $b] | transpose | map(.[1] - .[0]) | add / length'; }

# The laboratory is late now and then by itself. An attempt in which it was not decides; on a machine that never leaves it
# in peace, every missed period must be one of its own.
for attempt in 1 2 3 4 5; do
  [ $((attempt % 2)) -eq 1 ] && audiogram=N5 || audiogram=N1
  jack_begin
  card "$audiogram"
  sleep 0.5
  "$auricle" status --json >before.json
  start=$(date +%s%N)
  "$auricle" rx scan --yes card.png
  until
    "$auricle" status --json >after.json
    took=$((($(date +%s%N) - start) / 1000000))
    jq -e ".prescription.serial == $serial" after.json >/dev/null &&
      jq -en "$(change before.json after.json) | fabs > 5" >/dev/null
  do [ "$took" -lt 60000 ] || { echo "the new prescription is not heard"; exit 1; }; done
  sleep 0.5
  "$auricle" status --json >settled.json
  jack_end "$audiogram heard after $took ms; gain changed by $(change before.json settled.json) dB"
  jq -e ".prescription.serial == $serial and .fitting.fitted" settled.json >/dev/null || { cat settled.json; exit 1; }
  if ! jack_counts "$attempt"; then
    until_true runs_again
    seen=$(wc -l <told)
    continue
  fi
  # The state was never another one, not even for a moment.
  if not_running; then echo "the state left running"; exit 1; fi
  # How long it takes until it is heard: make bench, Cards.
  if [ "$late" -eq 0 ]; then break; fi
done
[ "$late" -eq 0 ] || echo "The laboratory was late in every attempt."

if not_running; then echo "the state left running"; exit 1; fi
[ "$(jq -r 'select(.method == "meters") | .method' told | wc -l)" -ge 20 ]
daemon_end
