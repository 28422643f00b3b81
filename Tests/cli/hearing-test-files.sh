# What a hearing test has found is shown whatever becomes of its files and of its record: a folder of a file's name is refused before it begins, on a
# full disk each file fails for itself, and of a record that cannot be shown the result is told without what it alone tells.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/procedures.bash"
printf '%s\n' "$devices" "$earphone" >"$configuration"
daemon
until_true state_is running

mkdir folder.json folder.png full
expect 73 'folder.json: This is a folder, not a file' "$auricle" hearing-test --output folder.json
expect 73 'folder.png: This is a folder, not a file' "$auricle" hearing-test --picture folder.png

# A test of one tone, which nobody hears.
test=(hearing-test --ear left --frequency 1000 --method bayesian --no-room)
tell='neither the room nor what was not tested is told'
cat >full.sh <<'FULL'
mount -t tmpfs -o size=4k none full || exit 99
head -c 4096 /dev/zero >full/filler || true
exec "$@"
FULL
tested() { # STATUS TEXT OPTION...
  expect "$1" "$2" python3 terminal.py x "$(command -v unshare)" -Urm bash full.sh "$auricle" "${test[@]}" "${@:3}"
  grep -q 'Levels: ' output || complain 'expected the result'
  absent "$tell"
}
tested 74 'auricle: full/hearing.png: No room is left for the picture' --output hearing.json --picture full/hearing.png
grep -q 'Written: hearing.json' output && [ -s hearing.json ] || complain 'expected the audiogram'
tested 74 'auricle: full/hearing.json: No space is left on its disk' --output full/hearing.json --picture hearing.png
grep -q 'Written: hearing.png' output && [ -s hearing.png ] || complain 'expected the picture'
tested 74 'auricle: full/hearing.json: No space is left on its disk' --output full/hearing.json --picture full/hearing.png
grep -q 'auricle: full/hearing.png: ' output || complain 'expected both failures'

# Between command and daemon: hands everything on, and damages or removes the record when it is asked for.
cat >between.py <<'PYTHON'
import json, os, socket, sys, threading
path, daemon, records, deed = sys.argv[1:]
place = socket.socket(socket.AF_UNIX)
place.bind(path + ".new")
place.listen()
# Nobody finds a socket on which it does not listen yet.
os.rename(path + ".new", path)
client, aid = place.accept()[0], socket.socket(socket.AF_UNIX)
aid.connect(daemon)
def answer():
    while data := aid.recv(65536): client.sendall(data)
threading.Thread(target=answer, daemon=True).start()
for line in client.makefile("rb"):
    request = json.loads(line)
    if request["method"] == "procedure.show":
        record = f"{records}/{request['params']['record']}.jsonl"
        lines = open(record).read().split("\n")
        if deed == "damaged":
            lines[2] = '{"line":"nothing"}'
            with open(record, "w") as file: file.write("\n".join(lines))
        else: os.unlink(record)
        with open(deed, "w") as file: file.write(record)
    aid.sendall(line)
PYTHON
unshown() { # DEED LEVELS
  python3 between.py "$home/run/$1.sock" "$socket" "$records" "$1" >between.log 2>&1 &
  helpers+=("$!")
  until_true test -S "$home/run/$1.sock"
  AURICLE_SOCKET=$home/run/$1.sock terminal 0 "auricle: caution: $tell" x "${test[@]}" --output "$1.json" --picture "$1.png"
  grep -qE "Levels: $2: they may be some dB off" output || complain "$1: expected the result, with '$2'"
  [ -s "$1.json" ] && [ -s "$1.png" ] || complain "$1: expected audiogram and picture"
  rm -f "$(cat "$1")"
}
# In a list the ends of a record are read alone: the calibration is known still.
unshown damaged '.*, calibration provisional'
unshown removed 'unknown, calibration none'
daemon_end
