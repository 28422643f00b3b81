# Calls and music beside the microphones, on a real ALSA device: heard, shown and turned, no period of the microphones missed,
# their delay as before.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64

# A program that plays: a sine of amplitude 0.2, which is −14 dB FS.
play() {
  jack_simple_client tune >/dev/null 2>&1 </dev/null &
  tune=$!
  jack_processes+=("$tune")
  until_true sh -c 'jack_lsp | grep -qx tune:output1'
}
cat >>asound.conf <<'CONF'
pcm.tune {
  type jack
  capture_ports { 0 tune:output1 1 tune:output2 }
}
CONF

jack_fitted | sed 's/^playback = "lat"$/&\nstream = "tune"/' >"$configuration"
daemon
until_true state_is running
sleep 1
stream() { # JQ-CONDITION on the status report's stream
  "$auricle" status --json | jq -e ".stream | $1" >/dev/null
}
stream '.state == "off" and (.interruptions // 0) == 0' || complain "expected off, found $("$auricle" stream --json)"

# The stream is on, while a program plays and after it has ended; the delay of the microphones before and after is one.
heard() {
  local interruptions
  before=$(jack_delay)
  interruptions=$("$auricle" status --json | jq '.stream.interruptions // 0')
  play

  # On: heard at its level, the microphones lowered, and no period missed.
  jack_missed 'stream on' "$auricle" stream on
  until_true stream '.state == "playing" and (.input_level_dbfs | . > -15 and . < -13)'
  until_true stream '.microphones_lowered_now_db == 6'
  "$auricle" stream
  jack_missed 'turned' bash -c '"$0" stream -12; "$0" stream balance 3; "$0" stream up; sleep 2' "$auricle"
  stream '.level.value_db == -10 and .balance_db == 3' || complain "found $("$auricle" stream --json)"
  interrupted=$(($("$auricle" status --json | jq .stream.interruptions) - interruptions))

  # The program ends: silence in the stream, and the microphones are as they were, with the delay that they had.
  kill "$tune"
  wait "$tune" 2>/dev/null || true
  until_true stream '.state == "silent" and .microphones_lowered_now_db == 0'
  during=$(jack_delay)
  echo "delay: off $before ms, on $during ms; interruptions of the stream $interrupted"
  [ -n "$before" ] && [ -n "$during" ] || complain 'jack_iodelay heard nothing'
}
for attempt in 1 2 3 4 5; do
  cycles=$(jack_xruns)
  heard
  if [ "$interrupted" -eq 0 ] && awk -v a="$before" -v b="$during" 'BEGIN { exit !(a - b < 0.05 && b - a < 0.05) }'; then break; fi
  # A late cycle between the two readings moves one of them, and a server that stands still for a quarter of a second interrupts the stream.
  [ "$attempt" -lt 5 ] && [ "$(jack_xruns)" -gt "$cycles" ] ||
    complain "expected $before ms and no interruption, found $during ms and $interrupted"
  jack_missed 'once more' "$auricle" stream off
done

jack_missed 'stream off' "$auricle" stream off
stream '.state == "off"' || complain "expected off, found $("$auricle" stream)"

# A device without a clock: told, its thread stays free, and the aid goes on.
"$auricle" config set device.stream=null >output
"$auricle" reload >output
jack_missed 'a device without end' "$auricle" stream on
until_true stream '.state == "waiting" and (.reason | contains("without end"))'
"$auricle" stream off
stream '.state == "off"' || complain "expected off, found $("$auricle" stream)"
daemon_end
