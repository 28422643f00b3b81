# auricle-desktop in a session of its own: a message bus, a notification server, BlueZ, and a daemon whose device is not there. What a
# person sees: why the aid is silent, the button that helps, the daemon's death, a battery; and what the daemon learns of the earphones.
set -euo pipefail
# One bus stands for the session's and the machine's.
if [ -z "${DBUS_SESSION_BUS_ADDRESS:-}" ] || [ -z "${DESKTOP_INSIDE:-}" ]; then
  DESKTOP_INSIDE=yes exec dbus-run-session -- bash "$0"
fi
export DBUS_SYSTEM_BUS_ADDRESS=$DBUS_SESSION_BUS_ADDRESS
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
unset DBUS_STARTER_ADDRESS DBUS_STARTER_BUS_TYPE
desktop=$PROGRAMS/auricle-desktop
configure() { printf '[device]\ncapture = "%s"\nplayback = "%s"\n' "$1" "$1" >"$configuration"; }
configure nosuchdevice

start_desktop() {
  "$desktop" >>desktop.log 2>&1 </dev/null &
  agent=$!
  helpers+=("$agent")
}
serve() {
  /usr/bin/python3 "$REPOSITORY/Tests/cli/notifications.py" "$home/asked" &
  server=$!
  helpers+=("$server")
  until_true grep -q '"ready"' asked
}
in_vain=
asked() {
  local lines
  # It is asked for again and again; jq looks at what has changed since.
  mapfile -d '' lines <asked
  [ "$1${lines[*]-}" != "$in_vain" ] || return 1
  if jq -e -s "$1" asked >/dev/null; then return; fi
  in_vain=$1${lines[*]-}
  return 1
}
last() { jq -r -s "map(select(.call == \"notify\")) | last | $1" asked; }

# Words of its own.
expect 0 'USAGE: auricle-desktop' "$desktop" --help
expect 0 "$("$auricle" --version)" "$desktop" --version
expect 64 'See: auricle-desktop --help' "$desktop" --nonsense
expect 69 'message bus of the session' env -u XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent "$desktop"

# Neither a daemon nor a server: it waits, and a daemon that never ran is no alarm.
start_desktop
daemon
until_true "$auricle" status --json
# Told when a server comes, which is after the silence has been due.
until_true state_is waiting-for-device
sleep 4
serve
until_true asked 'any(.[]; .call == "notify")'
[ "$(last .summary)" = 'Hearing aid silent: it waits for a device' ]
last .body | grep -q 'nosuchdevice'
[ "$(last .urgency) $(last '.actions | length') $(last .expiry)" = '1 0 0' ]
[ "$(jq -s 'map(select(.call == "notify")) | length' asked)" = 1 ]

# A stop by a person: the same notification, quietly, with a button, which does what it says.
"$auricle" stop >/dev/null
until_true asked 'map(select(.call == "notify")) | last | .summary == "Hearing aid off" and .urgency == 0 and .replaces == 1'
[ "$(last '.actions | join(" ")')" = 'start Start' ]
busctl --user call org.freedesktop.Notifications /org/freedesktop/Notifications org.example.Test Press us 1 start >/dev/null
until_true state_is waiting-for-device
until_true asked 'map(select(.call == "notify")) | last | .urgency == 1 and .replaces == 1'

# Sound: the notification is closed, and the daemon is told which earphones there are.
jack_calibration >"$configuration"
"$auricle" reload >/dev/null
until_true state_is running
until_true asked 'last | .call == "close" and .number == 1'
until_true sh -c '"$0" status --json | jq -e ".earphones != null"' "$auricle"
[ "$("$auricle" status --json | jq -c .earphones)" = \
  '{"address":"04:5D:4B:00:11:22","connection":"bluetooth","modalias":"bluetooth:v004Cp200Ed0C20","name":"Test Buds"}' ]
if grep -q 'Test Buds' daemon.log; then exit 1; fi

# A trial, of the shortest time that there is; what follows happens meanwhile.
echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null 2>&1
"$auricle" clinic card clinic.txt >/dev/null
for audiogram in N3 N4; do
  "$auricle" rx make --audiogram "$audiogram" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    --yes --passphrase-file pass -o "$audiogram.txt" >/dev/null 2>&1
done
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
for audiogram in N3 N4; do "$auricle" rx scan --yes "$audiogram.txt" >/dev/null 2>&1; done
expect 0 'On trial until' "$auricle" rx try 1 --for 1m

# A daemon that is killed, and does not come back.
kill -KILL "$daemon"
wait "$daemon" || true
daemon=
until_true asked 'map(select(.call == "notify")) | last | .summary == "Hearing aid silent: it has ended unexpectedly" and .urgency == 2 and .replaces == 0'
[ "$(last '.actions | length')" = 0 ]
# Another one takes its place, and is muted: that is told.
daemon
until_true "$auricle" mute
until_true asked 'map(select(.call == "notify")) | last | .summary == "Hearing aid muted" and .urgency == 0'
[ "$(last '.actions | join(" ")')" = 'unmute Unmute' ]
until_true sh -c '"$0" status --json | jq -e ".earphones != null"' "$auricle"

# Battery of earphones.
busctl --user call org.bluez /org/bluez/hci0/dev_04_5D_4B_00_11_22 org.example.Test Charge y 15
until_true asked 'any(.[]; .summary == "Earphones'"'"' battery low: 15 %")'
jq -e -s 'map(select(.summary == "Earphones'"'"' battery low: 15 %")) | length == 1 and (.[0].body | startswith("Test Buds"))' asked >/dev/null

# The trial is over at its time, also of a daemon that was started again meanwhile. The wait begins when half of it has passed, so that it
# is long enough on a busy machine.
sleep 30
until_true asked 'any(.[]; .summary == "Hearing aid: the trial is over" and .urgency == 1)'

# The server is started again: what is wanted is shown again. BlueZ is another one too, and its earphones are charged.
kill "$server"
wait "$server" || true
mv asked before
serve
until_true asked 'map(select(.call == "notify") | .replaces) == [0, 0]'

# Nothing of a prescription, ever.
if cat before asked | grep -iE 'audiogram|dB HL|clinic|threshold|Ada|Example|number 1'; then exit 1; fi

# An orderly end closes what is shown.
kill "$agent"
wait "$agent"
until_true asked 'map(select(.call == "close")) | length == 2'
daemon_end

# From the desktop's menu: where a command fails, a notification says why until it is closed, and the exit status is the command's.
"$desktop" mute >pressed.log 2>&1 </dev/null &
agent=$!
helpers+=("$agent")
until_true asked 'map(select(.call == "notify")) | last | .summary == "Hearing aid not muted" and .urgency == 2 and .replaces == 0'
last .body | grep -q 'found no daemon there, expected a running auricled'
busctl --user call org.freedesktop.Notifications /org/freedesktop/Notifications org.freedesktop.Notifications CloseNotification u \
  "$(last .number)" >/dev/null
status=0
wait "$agent" || status=$?
[ "$status" -eq 69 ]
grep -q 'auricle-desktop: .*no daemon there' pressed.log
# One that comes to what the menu says ends at once, without a word.
shown=$(jq -s 'map(select(.call == "notify")) | length' asked)
pressed() { # ACTION
  "$desktop" "$1" >pressed.log 2>&1 </dev/null || complain "$1: expected exit 0, found $?: $(cat pressed.log)"
  [ ! -s pressed.log ] || complain "$1: expected no words, found $(cat pressed.log)"
}
pressed stop
daemon
until_true "$auricle" status
pressed mute
daemon_end
[ "$(jq -s 'map(select(.call == "notify")) | length' asked)" = "$shown" ] || complain 'expected no further notification'
# Sound takes the notification of its lack along.
configure nosuchdevice
daemon
until_true state_is waiting-for-device
"$desktop" start >pressed.log 2>&1 </dev/null &
agent=$!
helpers+=("$agent")
until_true asked 'map(select(.call == "notify")) | last | .summary == "Hearing aid: no sound" and .replaces == 0'
number=$(last .number)
jack_calibration >"$configuration"
"$auricle" reload >/dev/null
status=0
wait "$agent" || status=$?
[ "$status" -eq 75 ] || complain "expected exit 75, found $status: $(cat pressed.log)"
until_true asked "any(.[]; .call == \"close\" and .number == $number)"
daemon_end
# Where nobody shows a notification, nothing is waited for: it would be ten minutes.
kill "$server"
wait "$server" || true
expect 69 'no daemon there' timeout 300 "$desktop" mute
# Without a desktop there is the reason all the same.
expect 69 'no daemon there' env -u XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent "$desktop" mute

# A bus that takes connections and answers none is given some seconds, and holds up nobody's end.
/usr/bin/python3 -c 'import socket, time
bus = socket.socket(socket.AF_UNIX)
bus.bind("silent")
bus.listen()
time.sleep(600)' &
helpers+=("$!")
until_true listens silent
silent=unix:path=$PWD/silent
expect 69 'no daemon there' env DBUS_SESSION_BUS_ADDRESS="$silent" "$desktop" mute
DBUS_SESSION_BUS_ADDRESS=$silent DBUS_SYSTEM_BUS_ADDRESS=$silent daemon
until_true "$auricle" status
expect 0 'Sound is off.' "$auricle" stop --daemon
timeout 180 tail --pid="$daemon" -f /dev/null || complain 'expected the daemon to end beside a bus that does not answer'
wait "$daemon"
daemon=

# A bus that ends is told, for the service manager to start it again.
dbus-daemon --session --nofork --print-address=1 >address &
bus=$!
helpers+=("$bus")
until_true grep -q unix: address
status=0
DBUS_SESSION_BUS_ADDRESS=$(cat address) "$desktop" >ended.log 2>&1 &
agent=$!
helpers+=("$agent")
until_true sh -c 'busctl --address="$(cat address)" list --no-pager | grep -q auricle-desktop'
kill "$bus"
wait "$agent" || status=$?
[ "$status" -eq 69 ]
grep -q 'It has ended' ended.log
