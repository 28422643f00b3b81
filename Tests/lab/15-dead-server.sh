# The sound server ends, or hangs, while the aid and the stream have devices of it open: the daemon stays, says why it is silent,
# and sounds again with the next server; a server that hangs does not keep the daemon from its end.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
server_starts() {
  jack_start 44100 256
  sed -n '/^pcm.lat /,/^}/s/^pcm.lat /pcm.other /; /^pcm.other /,/^}/p' "$ALSA_CONFIG_PATH" >other
  cat other >>"$ALSA_CONFIG_PATH"
}
server_starts
jack_fitted | sed 's/^playback = "lat"$/&\nperiod = 256\nstream = "lat"/' >"$configuration"
daemon
until_true state_is running
stream_is() { "$auricle" status --json | jq -e --arg state "$1" '.stream.state == $state' >/dev/null; }
flows() { stream_is playing || stream_is silent; }
"$auricle" stream on >output
until_true flows

for _ in 1 2 3; do
  # Its clients as well: the delay meter.
  for process in "${jack_processes[@]}"; do kill -KILL "$process"; done
  for process in "${jack_processes[@]}"; do wait "$process" 2>/dev/null || true; done
  until_true state_is waiting-for-device
  until_true stream_is waiting
  sleep 1
  kill -0 "$daemon"
  server_starts
  until_true state_is running
  until_true flows
done
"$auricle" status --json | jq -e '.meters.xruns.device_reopens >= 3' >/dev/null || complain "expected three reopenings"

# Killed while a device is being opened, by the stream or for a trial of others: libjack frees at the next opening whatever the process
# still has of a dead server.
for delay in 0 0.01 0.03; do
  for change in 'stream off' 'route use --output other'; do
    # shellcheck disable=SC2086
    timeout 20 "$auricle" $change >output 2>&1 </dev/null &
    change_process=$!
    if [ "$change" = 'stream off' ]; then
      wait "$change_process" || true
      timeout 20 "$auricle" stream on >output 2>&1 &
      change_process=$!
    fi
    sleep "$delay"
    for process in "${jack_processes[@]}"; do kill -KILL "$process"; done
    for process in "${jack_processes[@]}"; do wait "$process" 2>/dev/null || true; done
    wait "$change_process" || true
    until_true state_is waiting-for-device
    kill -0 "$daemon" || complain "killed $delay s after '$change': the daemon has ended"
    server_starts
    until_true state_is running
    until_true flows
  done
done

# It hangs while the aid sounds: it is told that the device cannot be closed, and once the server goes on the aid sounds again.
is_told() {
  "$auricle" status --json | jq -e --arg words "$1" '.state.name == "waiting-for-device" and (.state.reason | contains($words))' >/dev/null
}
kill -STOP "${jack_processes[-1]}"
until_true is_told "does not close"
kill -CONT "${jack_processes[-1]}"
until_true state_is running
until_true flows

# It hangs: neither the stream's nor the aid's device can be closed, and the daemon ends all the same.
kill -STOP "${jack_processes[-1]}"
sleep 1.5
begin=$EPOCHREALTIME
status=0 ended=0
"$auricle" stop --daemon >output 2>&1 || status=$?
is_gone() { ! grep -qsv '^[0-9]* (.*) Z' "/proc/$daemon/stat"; }
until_true is_gone
wait "$daemon" || ended=$?
daemon=
awk -v a="$begin" -v b="$EPOCHREALTIME" -v status="$status" -v ended="$ended" \
  'BEGIN { printf "ended in %.2f s with %d, the command with %d\n", b - a, ended, status }'
# From 128 on it is a signal that ended it.
[ "$ended" -lt 128 ] || complain "expected the daemon to end by itself, found exit $ended"
# Whoever begins while it hangs is told so, and hears once it goes on.
expect 1 'its sound server may hang' timeout 30 "$auricle" doctor
daemon
until_true "$auricle" status
until_true is_told "does not open"
kill -CONT "${jack_processes[-1]}"
until_true state_is running
daemon_end
