# `auricle start` while a daemon is on its way to its end: whichever of its questions finds that one gone, it begins the next one.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
daemon
until_true state_is waiting-for-device
"$auricle" status --json >status.json
daemon_end
mkdir -p -m 700 "${socket%/*}"

# One that answers some questions by its status, and hangs up at the next one, behind its socket's end; prints that one. Asked for sound, which it
# no longer begins, it says that it is stopped.
cat >ending.py <<'PYTHON'
import json, os, socket, sys
path, answers = sys.argv[1], int(sys.argv[2])
place = socket.socket(socket.AF_UNIX)
place.bind(path + ".new")
place.listen()
# Nobody finds a socket on which it does not listen yet.
os.rename(path + ".new", path)
client = place.accept()[0]
isStopped = False
for line in client.makefile():
    request = json.loads(line)
    if answers == 0: break
    answers -= 1
    result = json.load(open("status.json"))
    isStopped = isStopped or request["method"] == "start"
    if isStopped: result["state"]["name"] = "stopped"
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": result}
    client.sendall(json.dumps(answer).encode() + b"\n")
print(request["method"], flush=True)
os.unlink(path)
place.close()
PYTHON
begins() { # ANSWERS QUESTION OPTION...: that finds it gone
  local ending
  python3 ending.py "$socket" "$1" >question &
  ending=$!
  helpers+=("$ending")
  until_true test -S "$socket"
  expect 75 'Waiting' "$auricle" start "${@:3}"
  wait "$ending"
  [ "$(cat question)" = "$2" ] || complain "expected $2 to find no daemon, found $(cat question)"
  expect 0 'no sound device is called nosuchdevice' "$auricle" status
  expect 0 'Sound is off.' "$auricle" stop
  until_true test ! -e "$socket"
}
begins 0 start
# Of a configuration that is named it is asked first whether it is the daemon's.
begins 0 status --config "$configuration"
begins 1 start --config "$configuration"
# A start that it answers is one that it does not begin: the sound is asked for until it has gone.
begins 1 status
begins 3 status
# Of a daemon that stays, another one is refused.
echo >other.toml
daemon
until_true state_is waiting-for-device
expect 64 'Leave the option out, or stop the daemon first' "$auricle" start --config other.toml
daemon_end
