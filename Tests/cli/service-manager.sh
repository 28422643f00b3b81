# What a service manager is told: ready when the wait is declared, the state in words, fed watchdog, the end.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"

socat -u UNIX-RECV:"$home/notify" CREATE:messages &
listener=$!
helpers+=("$listener")
until_true test -S "$home/notify"
NOTIFY_SOCKET=$home/notify WATCHDOG_USEC=400000 daemon
until_true grep -q 'READY=1' messages
grep -q 'STATUS=waiting for a device: no sound device is called nosuchdevice' messages
# Twice as often as asked: at least three in a second.
beats() {
  local before
  before=$(grep -o 'WATCHDOG=1' messages | wc -l)
  sleep 1
  [ $(($(grep -o 'WATCHDOG=1' messages | wc -l) - before)) -ge 3 ]
}
until_true beats
"$auricle" stop >/dev/null
until_true grep -q 'STATUS=stopped' messages
daemon_end
until_true grep -q 'STOPPING=1' messages
kill "$listener"
