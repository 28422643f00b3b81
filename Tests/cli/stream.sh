# Calls and music: turned on, off, up and down, within limits; shown, remembered, refused.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
devices='[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n'
printf "$devices" >"$configuration"

# What is wrong is wrong first, with and without a daemon.
expect 69 'auricle start' "$auricle" stream
expect 69 'auricle start' "$auricle" stream on
expect 69 'auricle start' "$auricle" stream balance -3
for wrong in loud 11 -41 ++2 0x1 nan 1e1 balance; do
  expect 64 'expected on, off, up, down, reset, a level of -40 to 10 dB, or balance and -20 to 20 dB' "$auricle" stream "$wrong"
done
expect 64 'found balance 21' "$auricle" stream balance 21
expect 64 'found on off' "$auricle" stream on off
expect 64 '"exit_status":64' "$auricle" stream loud --json

# Without a device of its own there is nothing to turn on.
daemon
until_true state_is waiting-for-device
expect 0 'Stream: none.' "$auricle" stream
expect 78 'device.stream: found no device that calls and music come from' "$auricle" stream on
"$auricle" status --json | jq -e '.stream | not' >/dev/null

# With one it is off until it is turned on.
printf "${devices}stream = \"hw:CARD=NoSuchCard\"\n[stream]\nmicrophones = 10\n" >"$configuration"
expect 0 'device.stream' "$auricle" reload
stream_is() { "$auricle" status --json | jq -e ".stream | $1" >/dev/null; } # JQ-CONDITION on the status report's stream
stream() { stream_is "$1" || complain "expected $1, found $("$auricle" status --json | jq -c .stream)"; }
stream '.state == "off" and .device == "hw:CARD=NoSuchCard" and .level.value_db == 0 and .microphones_lowered_db == 10'
expect 0 'Stream: off (hw:CARD=NoSuchCard), level 0 dB.' "$auricle" stream
expect 0 'Stream: on.' "$auricle" stream on
until_true stream_is '.state == "waiting" and (.reason | length) > 0'
expect 0 'Stream  ' "$auricle" status

# Level and balance, within the limits: without a prescription 0 dB is the highest.
expect 0 'Level: −2 dB.' "$auricle" stream down
expect 0 'Level: −6 dB.' "$auricle" stream -6
expect 0 'Level: −4 dB.' "$auricle" stream up
expect 0 'Level: 0 dB. That is the limit: it may be turned from −40 to 0 dB.' "$auricle" stream +5
expect 0 'Balance: right ear 3.0 dB softer.' "$auricle" stream balance -3
"$auricle" stream -9 --json | jq -e '.schema == 100 and .stream.level.value_db == -9 and .stream.balance_db == -3' >/dev/null

# Remembered, also on.
daemon_end
daemon
until_true state_is waiting-for-device
stream '.state == "waiting" and .level.value_db == -9 and .balance_db == -3'
expect 0 'Balance: both ears alike.' "$auricle" stream reset
expect 0 'Stream: off.' "$auricle" stream off
stream '.state == "off" and .level.value_db == 0'

# A crash may be its device's doing, so it stays off after one. An end that the daemon tells, here because its socket was taken away, is none.
expect 0 'Stream: on.' "$auricle" stream on
rm "$socket"
timeout 180 tail --pid="$daemon" -f /dev/null || complain 'expected an end after the socket was removed, found none'
found=0
wait "$daemon" || found=$?
[ "$found" -eq 75 ] || complain "expected exit 75, found $found"
daemon
until_true state_is waiting-for-device
stream '.state == "waiting"'
[ ! -e "$socket.ended" ] || complain 'expected the mark of the told end to go with the next start'
kill -KILL "$daemon"
wait "$daemon" || true
daemon
until_true state_is waiting-for-device
stream '.state == "off" and (.reason | contains("crashed"))'

# They may come by a Bluetooth link, though a microphone's is refused: here is no such plugin, or nothing at that address.
kill -KILL "$daemon"
wait "$daemon" || true
printf '[device]\ncapture = "null"\nplayback = "null"\nstream = "bluealsa:DEV=00:11:22:33:44:55,PROFILE=a2dp"\n' >"$configuration"
ordinary_daemon
until_true state_is running
expect 0 'Stream: on.' "$auricle" stream on
until_true stream_is '.state == "waiting" and (.reason | contains("bluealsa"))'
stream '.reason | contains("microphone") | not'
