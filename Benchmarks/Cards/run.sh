#!/usr/bin/env bash
# Time from a card's picture to words, and to new sound, with a daemon on JACK's dummy sound card and without one.
# Medians of RUNS (15) runs of whole commands, process start included; each scan is of another card.
# Usage: run.sh FOLDER_OF_PROGRAMS
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
repository=$(cd "$(dirname "$0")/../.." && pwd)
auricle=$programs/auricle
runs=${RUNS:-15}
folder=$(mktemp -d)
cd "$folder"
source "$repository/Tests/lab/jack.bash"
daemon=
finish() {
  [ -z "$daemon" ] || kill "$daemon" 2>/dev/null || true
  jack_stop
  rm -rf "$folder"
}
trap finish EXIT

mkdir -p run
chmod 700 run
export HOME=$folder XDG_DATA_HOME=$folder/data RUNTIME_DIRECTORY=$folder/run AURICLE_SOCKET=$folder/run/control.sock
unset AURICLE_CONFIG NOTIFY_SOCKET

# Cards of two audiograms in turn, so that each scan changes the gain.
echo 'four words are enough' >pass
"$auricle" clinic init --name 'Bench Clinic' --passphrase-file pass >log
"$auricle" clinic card clinic.png >log
fingerprint=$("$auricle" rx show clinic.png --json | jq -r .fingerprint)
for number in $(seq "$runs"); do
  [ $((number % 2)) -eq 0 ] && audiogram=N3 || audiogram=N4
  "$auricle" rx make --audiogram "$audiogram" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    -o "$number.png" --yes --passphrase-file pass >log 2>&1 || { cat log; exit 1; }
done

milliseconds() { # START END, as $EPOCHREALTIME
  echo $(((${2/./} - ${1/./}) / 1000))
}
median() { sort -n "$1" | sed -n "$((($(wc -l <"$1") + 1) / 2))p"; }
spread() { echo "$(median "$1") ms ($(sort -n "$1" | head -n 1) to $(sort -n "$1" | tail -n 1))"; }
result=0
report() { # WHAT FILE LIMIT
  printf '%-52s %s, must be ≤ %d ms\n' "$1" "$(spread "$2")" "$3"
  [ "$(median "$2")" -le "$3" ] || { echo "  more than $3 ms"; result=1; }
}

# Without a daemon.
export STATE_DIRECTORY=$folder/alone
"$auricle" trust add clinic.png --fingerprint "$fingerprint" >log
for number in $(seq "$runs"); do
  start=$EPOCHREALTIME
  "$auricle" rx show "$number.png" >log
  milliseconds "$start" "$EPOCHREALTIME" >>show
  start=$EPOCHREALTIME
  "$auricle" rx scan --yes "$number.png" >log
  milliseconds "$start" "$EPOCHREALTIME" >>alone.times
done
"$auricle" rx list --json | jq -e ".in_force.serial == $runs" >log

# With one, which plays the delay meter's tones: until the gain that is heard is another.
# Periods of 6 ms: after one that was late the gain rises anew, and of shorter ones a shared machine makes some late.
jack_start 44100 256
export STATE_DIRECTORY=$folder/state
jack_calibration >auricle.toml
"$programs/auricled" --config auricle.toml >daemon.log 2>&1 &
daemon=$!
for attempt in $(seq 100); do
  [ "$("$auricle" status --json 2>/dev/null | jq -r .state.name)" != running ] || break
  sleep 0.1
done
"$auricle" trust add clinic.png --fingerprint "$fingerprint" >log

# One connection for all questions: a process for each would be most of what is measured.
coproc control { socat - "UNIX:$AURICLE_SOCKET"; }
status() { # -> $serial, $gain at 2 kHz, left
  local line
  echo '{"jsonrpc":"2.0","id":1,"method":"status"}' >&"${control[1]}"
  read -r line <&"${control[0]}"
  serial=none gain=none
  [[ ! $line =~ \"serial\":([0-9]+) ]] || serial=${BASH_REMATCH[1]}
  [[ ! $line =~ \"centre_hz\":2000(\.0)?,\"gain_db\":([-0-9.]+) ]] || gain=${BASH_REMATCH[2]}
}
# A louder gain comes at 20 dB a second at most, beginning slowly (ProgramPace), so it counts from the least difference that is heard:
# half a decibel (Miller 1947, J. Acoust. Soc. Am. 19:609, from memory: 0.4 dB of white noise).
is_other() { # GAIN GAIN, dB
  local difference=$(($(thousandths "$1") - $(thousandths "$2")))
  [ "${difference#-}" -ge 500 ]
}
is_louder() { [ "$(thousandths "$1")" -gt "$(thousandths "$2")" ]; }
thousandths() { printf '%.0f' "${1}e3"; }
# The way to the card before has ended, and the gain follows the sound again.
settled() {
  sleep 2
  status
  [ "$gain" != none ] || { echo "status tells no gain"; exit 1; }
}
settled
for number in $(seq "$runs"); do
  former=$gain
  start=$EPOCHREALTIME
  "$auricle" rx scan --yes "$number.png" >log
  until status && [ "$serial" = "$number" ] && [ "$gain" != none ] && is_other "$gain" "$former"; do
    [ "$(milliseconds "$start" "$EPOCHREALTIME")" -lt 5000 ] ||
      { echo "card $number is not heard: serial $serial, $former dB before, $gain dB now"; exit 1; }
  done
  milliseconds "$start" "$EPOCHREALTIME" | tee -a heard >>"$(is_louder "$gain" "$former" && echo louder || echo softer)"
  settled
done

report 'rx show card.png' show 200
report 'rx scan card.png, a daemon plays, until it is heard' heard 300
echo "  of them to a louder gain $(spread louder), to a softer one $(spread softer)"
report 'rx scan card.png, no daemon' alone.times 300
echo "late cycles of the sound card: $(jack_xruns)"
exit "$result"
