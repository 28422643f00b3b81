# What a hearing test has found is shown whatever becomes of its files and of its record: a folder of a file's name is refused before it begins, on a
# full disk each file fails for itself, of a record that cannot be shown the result is told without what it alone tells, and a result that the disk does
# not take is told as left, and is.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/procedures.bash"
printf '%s\n' "$devices" "$earphone" >"$configuration"
daemon
until_true state_is running

mkdir folder.json folder.png full
expect 73 'folder.json: This is a folder, not a file' "$auricle" hearing-test --output folder.json
expect 73 'folder.png: This is a folder, not a file' "$auricle" hearing-test --picture folder.png

# Broad noise is the same at each frequency: it has one threshold and makes no audiogram, which is said before it begins.
expect 64 'Leave out --output, or take --signal narrow-noise' "$auricle" hearing-test --signal broad-noise --frequency 1000 --output broad.json
expect 64 'Leave out --picture, or take --signal narrow-noise' "$auricle" hearing-test --signal broad-noise --frequency 1000 --picture broad.png
expect 64 'found broad-noise at 8 frequencies' "$auricle" hearing-test --signal broad-noise

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

# A result that cannot be synchronised is taken away again: what is told as left can be gone on with.
cat >disk.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int fdatasync(int descriptor) {
  static const char result[] = "\"line\":\"end\"}\n";
  char path[64], end[sizeof result] = "";
  snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
  int file = access(getenv("FAILING"), F_OK) == 0 ? open(path, O_RDONLY) : -1;
  if (file >= 0) {
    if (lseek(file, 1 - (off_t)sizeof result, SEEK_END) >= 0 && read(file, end, sizeof result - 1) < 0) end[0] = 0;
    close(file);
    if (strcmp(end, result) == 0) {
      errno = EIO;
      return -1;
    }
  }
  int (*system_call)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  return system_call(descriptor);
}
C
clang -shared -fPIC -o disk.so disk.c
rm "$records"/*
export FAILING=$PWD/failing
LD_PRELOAD=$PWD/disk.so daemon
until_true state_is running
touch failing
terminal 74 'What was answered is kept; go on with: --resume' '\r' match loudness --tinnitus left --threshold 20 --no-room
grep -qF 'Writing fails' output || complain 'expected why'
expect 0 'left; go on with: --resume' "$auricle" match history
rm failing
terminal 0 'Loudness at 1000 Hz, right ear: 25 dB HL' x match loudness --resume last
expect 0 'loudness' "$auricle" match history
absent 'go on with'
daemon_end
