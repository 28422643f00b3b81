# `auricle start` while a daemon is on its way to its end: whichever of its questions finds that so, it begins the next one. Behind a start that a
# daemon took it begins none: one that ends then was stopped since.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
daemon
until_true state_is waiting-for-device
"$auricle" status --json >status.json
daemon_end
mkdir -p -m 700 "${socket%/*}"

# One that answers some questions by its status, and hangs up at the next one, behind its socket's end; prints that one. A start it refuses, and
# hangs up soon, or answers by a state.
cat >ending.py <<'PYTHON'
import json, os, socket, sys, time
path, answers, begun = sys.argv[1], int(sys.argv[2]), sys.argv[3]
place = socket.socket(socket.AF_UNIX)
place.bind(path + ".new")
place.listen()
# Nobody finds a socket on which it does not listen yet.
os.rename(path + ".new", path)
client = place.accept()[0]
state = None
for line in client.makefile():
    request = json.loads(line)
    if answers == 0: break
    answers -= 1
    answer = {"jsonrpc": "2.0", "id": request["id"]}
    if request["method"] == "start": state = begun
    if state == "refused":
        failure = {"subject": "auricled", "found": "The daemon is ending", "message": "auricled: The daemon is ending.", "exit_status": 69}
        answer["error"] = {"code": -32000, "message": failure["message"], "data": failure}
    else:
        answer["result"] = json.load(open("status.json"))
        if state: answer["result"]["state"]["name"] = state
    client.sendall(json.dumps(answer).encode() + b"\n")
    if state == "refused":
        time.sleep(0.3)
        break
print(request["method"], flush=True)
os.unlink(path)
place.close()
PYTHON
ending() { # ANSWERS START: in the background
  python3 ending.py "$socket" "$1" "$2" >question &
  ending=$!
  helpers+=("$ending")
  until_true test -S "$socket"
}
is_asked() { # QUESTION: its last one
  wait "$ending"
  [ "$(cat question)" = "$1" ] || complain "expected $1 to find no daemon, found $(cat question)"
}
begins() { # ANSWERS QUESTION OPTION...: that finds it gone, or ending
  ending "$1" refused
  expect 75 'Waiting' "$auricle" start "${@:3}"
  is_asked "$2"
  expect 0 'no sound device is called nosuchdevice' "$auricle" status
  expect 0 'Sound is off.' "$auricle" stop
  until_true test ! -e "$socket"
}
begins 0 start
# Of a configuration that is named it is asked first whether it is the daemon's.
begins 0 status --config "$configuration"
begins 1 start --config "$configuration"
# It may answer for a while, and refuses what would begin.
begins 1 start
begins 2 start --config "$configuration"
# A daemon that took the start and ended since, or was stopped before it answered, is followed by none.
for state in starting stopped; do
  ending 3 "$state"
  expect 69 'the daemon hung up' "$auricle" start
  is_asked status
  test ! -e "$socket" || complain "$state: expected no daemon after a stop"
done
# Of a daemon that stays, another one is refused.
echo >other.toml
daemon
until_true state_is waiting-for-device
expect 64 'Leave the option out, or stop the daemon first' "$auricle" start --config other.toml
daemon_end
