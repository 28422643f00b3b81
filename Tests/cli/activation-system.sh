# The system's daemon with a service manager's socket: who may connect, and what they may, is as with a socket of its own.
set -euo pipefail
source "$REPOSITORY/Tests/cli/system.bash"
own_mounts
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/auth.bash"
source "$REPOSITORY/Tests/cli/activation.bash"
trap 'clean_up; rm -rf /tmp/auricle-64002' EXIT
people
install -d -o auricle -g auricle -m 750 /run/auricle
install -d -o auricle -g auricle -m 700 /run/state
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >/run/auricle.toml
env -u AURICLE_SOCKET -u XDG_RUNTIME_DIR -u LD_PRELOAD -C / PLACE=/run/auricle/control.sock AS=auricle RUNTIME_DIRECTORY=/run/auricle \
  STATE_DIRECTORY=/run/state /usr/bin/python3 "$PWD/pass.py" system /run/programs/auricled --config /run/auricle.toml >daemon.log 2>&1 </dev/null &
daemon=$!
tried() { expect "$2" "$3" "${person[@]}" --reuid "$1" --regid "$1" "${@:4}"; } # USER STATUS TEXT COMMAND...
# The manager's socket was open to all; the daemon narrows it, lets in whom it would let in, and tells people apart.
until_true waits
[ "$(stat -c '%a %U' /run/auricle/control.sock)" = '660 auricle' ]
tried wes 0 'Muted' /run/programs/auricle mute
tried ada 0 'waiting for a device' /run/programs/auricle status
steps ada watch >output 2>&1 || complain 'expected an answer'
grep -q '^spectrum.watch -32001' output || complain 'expected a refusal to somebody without a role'
# A socket that somebody else has put where a daemon of the wearer's would have its own is passed over; who names it is warned.
rm -rf /tmp/auricle-64002
as ida /usr/bin/python3 -c 'import os, socket
os.mkdir("/tmp/auricle-64002")
socket.socket(socket.AF_UNIX).bind("/tmp/auricle-64002/control.sock")'
tried wes 0 'waiting for a device' /run/programs/auricle status
tried wes 0 '' /run/programs/auricle mute
tried wes 77 'do not trust what answers there' /run/programs/auricle status --socket /tmp/auricle-64002/control.sock
rm -r /tmp/auricle-64002
# A socket of the wearer's own that nobody serves does not hide the system's aid that plays, where that is set up and has their prescription.
own_left() { as wes /usr/bin/python3 -c 'import os, socket
os.mkdir("/tmp/auricle-64002")
socket.socket(socket.AF_UNIX).bind("/tmp/auricle-64002/control.sock")'; }
own_left
tried wes 69 'a socket whose daemon has gone' /run/programs/auricle mute
# A stop does not call that silence.
tried wes 0 'An aid on /run/auricle/control.sock may play all the same: auricle stop --socket /run/auricle/control.sock' \
  /run/programs/auricle stop
grep -q 'No daemon runs on /tmp/auricle-64002/control.sock\.' output || complain 'expected the socket that was looked at'
mkdir -p /run/systemd/system
cp "$REPOSITORY/Installation/usr/lib/systemd/system/auricled.service" /run/systemd/system
tried wes 0 'Muted' /run/programs/auricle mute
tried wes 0 'waiting for a device' /run/programs/auricle status
tried wes 69 'Start it: auricle start.' /run/programs/auricle mute --socket /tmp/auricle-64002/control.sock
# The desktop's program finds it as commands do, where a daemon that was killed has left its lock too. 2^22 is the greatest number of a process.
as wes sh -c 'echo 4194305 >/tmp/auricle-64002/control.sock.lock'
ln /run/programs/auricle /run/programs/auricle-desktop
as wes dbus-run-session -- /run/programs/auricle-desktop >desktop.log 2>&1 </dev/null &
agent=$!
helpers+=("$agent")
until_true grep -qF 'connected to /run/auricle/control.sock' desktop.log
end_children "$agent"
wait "$agent" 2>/dev/null || true
rm -r /tmp/auricle-64002 /run/systemd/system
# Who may not look into the folder finds no daemon of their own, and is told whom the system's answers.
tried ida 69 'no daemon runs' /run/programs/auricle status
tried ida 69 'The system may have one, for root and members of group auricle' /run/programs/auricle status
tried ida 0 'answers root and members of group auricle alone' /run/programs/auricle stop
tried ida 69 "The system's daemon is for root and members of group auricle" /run/programs/auricle mute
daemon_end
[ -S /run/auricle/control.sock ]
[ ! -e /run/auricle/control.sock.lock ]
# Setup would start it by its socket and says how to keep it off; as root it would keep what the service's user may not read.
on_terminal=(/usr/bin/python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)')
tried wes 75 'Stop it: sudo systemctl stop auricled.socket auricled' "${on_terminal[@]}" /run/programs/auricle setup
tried root 77 'then systemctl enable --now auricled' \
  "${on_terminal[@]}" /run/programs/auricle setup --config /etc/auricle/auricle.toml
[ ! -e /run/auricle/control.sock.lock ]
[ ! -e /var/lib/auricle/setup.json ]

# Where the service has been set up and is off, advice names it to who has no prescription of their own, and root begins no aid beside it.
mkdir -p /run/systemd/system
cp "$REPOSITORY/Installation/usr/lib/systemd/system/auricled.service" /run/systemd/system
mount -t tmpfs tmpfs /var/lib
tried wes 69 "Start the system's aid with: sudo systemctl start auricled" /run/programs/auricle status
tried wes 69 "Start the system's aid: sudo systemctl start auricled" /run/programs/auricle mute
as wes /run/programs/auricle doctor >output 2>&1 || [ $? -eq 1 ]
grep -qF "Start the system's aid: sudo systemctl start auricled" output || complain 'expected doctor to name the service'
tried root 69 "Start the system's aid: systemctl start auricled" /run/programs/auricle start
[ ! -e /run/auricle/control.sock.lock ]
# Nor does who has none of their own, unless they ask for another.
tried wes 69 'To begin another on purpose: auricle start --config FILE' /run/programs/auricle start
[ ! -e /tmp/auricle-64002 ]
# One that has the socket's lock and does not answer is not off.
printf '#!/bin/sh\nn=0\nwhile [ $n -lt 600 ]; do sleep 0.1; n=$((n + 1)); done\n' >/run/programs/auricled-hung
chmod +x /run/programs/auricled-hung
/run/programs/auricled-hung &
hung=$!
until_true grep -qs auricled-hung "/proc/$hung/comm"
echo "$hung" >/run/auricle/control.sock.lock
tried root 69 'a socket whose daemon has gone' /run/programs/auricle start
kill "$hung"
rm /run/auricle/control.sock.lock
# Their own left socket is mended by their own aid, whatever the system has.
own_left
tried wes 69 'Start it with: auricle start' /run/programs/auricle status
rm -r /tmp/auricle-64002
# To whom the system's aid is closed, their own is the one.
tried ida 69 'Start it with: auricle start' /run/programs/auricle status

# A daemon that was killed leaves its lock, which may be read by its user alone. By a socket that a service manager keeps the desktop's
# program of somebody else begins no other; it asks where the lock is held.
rm -f /run/auricle/control.sock
/usr/bin/python3 -c 'import os, socket
kept = socket.socket(socket.AF_UNIX)
kept.bind("/run/auricle/control.sock")
os.chmod("/run/auricle/control.sock", 0o666)
kept.listen()
print("kept", flush=True)
kept.accept()
print("asked", flush=True)' >kept.log &
helpers+=("$!")
until_true grep -q kept kept.log
echo 4194305 >/run/auricle/control.sock.lock
chown auricle:auricle /run/auricle/control.sock.lock
chmod 600 /run/auricle/control.sock.lock
as wes dbus-run-session -- /run/programs/auricle-desktop >desktop.log 2>&1 </dev/null &
agent=$!
helpers+=("$agent")
looks() { pgrep -u 64002 -x auricle-desktop; }
until_true looks
# It looks after 0.5 s, 1 s and 2 s.
sleep 4
! grep -q asked kept.log || complain 'expected that nobody is asked'
looks >/dev/null
# Nor do the figures for monitoring, below the /proc that their unit shows them.
shown=$(sed -nE 's/^ProtectProc=(.*)/hidepid=\1/p; s/^ProcSubset=pid/subset=pid/p' \
  "$REPOSITORY/Installation/usr/lib/systemd/system/auricle-metrics.service" | paste -sd,)
below=(unshare --mount sh -c 'mount -t proc -o "$0" proc /proc && exec "$@"' "$shown")
if "${below[@]}" true 2>/dev/null; then
  expect 0 'auricle_up 0' "${below[@]}" "${person[@]}" --reuid wes --regid wes /run/programs/auricle metrics --socket /run/auricle/control.sock
  ! grep -q asked kept.log || complain 'expected that the figures ask nobody'
else
  echo "not tried: metrics below its unit's /proc, no mount of $shown"
fi
flock -n /run/auricle/control.sock.lock sleep 600 &
helpers+=("$!")
until_true grep -q asked kept.log
end_children "$agent"
wait "$agent" 2>/dev/null || true
