# Started by the first client: the listening socket comes from a service manager. What is not that one socket is refused by name.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/activation.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
mkdir -p -m 700 "${socket%/*}"

# MARK: - The manager's own program, until the first client

if command -v systemd-socket-activate >/dev/null; then
  settings=()
  for name in XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_STATE_HOME STATE_DIRECTORY RUNTIME_DIRECTORY AURICLE_SOCKET; do
    settings+=("--setenv=$name")
  done
  by_manager() { # OPTION...
    # Here, not by the program in the background: what the last one wrote is no sign of this one.
    : >daemon.log
    systemd-socket-activate "${settings[@]}" "$@" "$auricled" >daemon.log 2>&1 </dev/null &
    daemon=$!
  }
  refused_after_call() { # STATUS TEXT
    local found=0
    wait "$daemon" || found=$?
    daemon=
    cp daemon.log output
    tr '\n' ' ' <output >flat
    [ "$found" -eq "$1" ] && grep -qF -- "$2" flat || complain "expected exit $1 and '$2', found exit $found"
    [ ! -e "$socket.lock" ]
  }
  by_manager -l "$socket"
  until_true grep -q Listening daemon.log
  # Nothing runs before somebody asks; whoever does is answered, not refused.
  [ ! -e "$socket.lock" ]
  # Who would refuse a running aid starts none: setup names what keeps the socket, and a calibration begins.
  # The end of the input at the first question.
  at_terminal=(python3 "$REPOSITORY/Tests/lab/pseudoterminal.py" '\x04')
  expect 75 'Stop it: systemctl --user stop auricled.socket auricled' \
    "${at_terminal[@]}" "$auricle" setup --config "$configuration"
  for end in earphone microphone; do
    expect 1 'It was left after 0' "${at_terminal[@]}" "$auricle" calibrate "$end"
  done
  [ ! -e "$socket.lock" ]
  waits() { "$auricle" status | grep -q 'no sound device is called nosuchdevice'; }
  until_true waits
  [ "$("$auricle" status --json | jq .daemon.pid)" = "$daemon" ]
  [ "$(stat -c %a "$socket")" = 600 ]
  expect 75 "found it already running, PID $daemon" "$auricled"
  expect 75 "found an aid that runs, process $daemon, expected none" \
    "${at_terminal[@]}" "$auricle" setup --config "$configuration"
  expect 75 "found an aid that runs, process $daemon, expected none" "${at_terminal[@]}" "$auricle" calibrate earphone
  # The socket is not the daemon's to take away: the next client starts the next daemon.
  daemon_end
  [ -S "$socket" ]
  [ ! -e "$socket.lock" ]

  rm "$socket"
  by_manager -l "$socket" -l "$home/run/second.sock"
  until_true grep -q second.sock daemon.log
  expect 69 'the daemon hung up' "$auricle" status
  refused_after_call 78 'found 2 sockets, expected one listening Unix stream socket'
  rm -f "$socket"
  by_manager --datagram -l "$socket"
  until_true grep -q Listening daemon.log
  echo x | socat - "UNIX-SENDTO:$socket"
  refused_after_call 78 'found a socket of another kind, expected one listening Unix stream socket'
  rm -f "$socket"
else
  echo 'not tried: sockets of systemd-socket-activate, which is not installed'
fi

# MARK: - What no manager should pass on

one='expected one listening Unix stream socket. Give auricled.socket one ListenStream= with a path.'
for kind in tcp deaf packets file; do
  expect 78 "found a socket of another kind, $one" /usr/bin/python3 pass.py "$kind" "$auricled"
  rm -f "$socket"
done
expect 78 'found LISTEN_PID and LISTEN_FDS that cannot be read, ' /usr/bin/python3 pass.py garbage "$auricled"
rm "$socket"
# What has the number by then is a library's, or nothing.
expect 78 'socket from the service manager: found ' /usr/bin/python3 pass.py closed "$auricled"
rm "$socket"
expect 78 'found a socket of another path from the service manager' env PLACE="$home/run/else.sock" /usr/bin/python3 pass.py elsewhere "$auricled"
[ -S "$home/run/else.sock" ]
[ ! -e "$socket.lock" ]
expect 78 "was taken away, expected it in its place. Run: systemctl --user restart auricled.socket" /usr/bin/python3 pass.py gone "$auricled"
if [ "$(id -u)" = 0 ]; then
  expect 77 'found user 64001 as its owner, expected user 0. Set SocketUser=' /usr/bin/python3 pass.py strangers "$auricled"
  rm "$socket"
fi
# Passed to another process, and only inherited: the daemon makes its own. Nobody answers on the one that lies there.
PLACE=$home/run/others.sock /usr/bin/python3 pass.py others "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true state_is waiting-for-device
daemon_end
[ ! -e "$socket" ]
