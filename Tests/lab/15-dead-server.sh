# The sound server ends, or hangs, while the aid and the stream have devices of it open: the daemon stays, says why it is silent,
# and sounds again with the next server; a server that hangs does not keep the daemon from its end.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
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
  jack_start 44100 256
  until_true state_is running
  until_true flows
done
"$auricle" status --json | jq -e '.meters.xruns.device_reopens >= 3' >/dev/null || complain "expected three reopenings"

# It hangs: neither the stream's nor the aid's device can be closed, and the daemon ends all the same.
kill -STOP "${jack_processes[-1]}"
sleep 1.5
begin=$EPOCHREALTIME
status=0
"$auricle" stop --daemon >output 2>&1 || status=$?
wait "$daemon" 2>/dev/null || true
daemon=
awk -v a="$begin" -v b="$EPOCHREALTIME" -v status="$status" 'BEGIN { printf "ended in %.2f s, status %d\n", b - a, status }'
kill -CONT "${jack_processes[-1]}"
