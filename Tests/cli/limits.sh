# What the system grants a process: files that may not grow, few descriptors, core files. Sound goes on, and the message
# names the limit.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64
printf '[device]\ncapture = "lat"\nplayback = "lat"\n' >"$configuration"

# No file may grow: what was to be kept is not, which is told; sound goes on. The log lies behind a pipe.
"$auricled" 2> >(cat >daemon.log) >/dev/null </dev/null &
daemon=$!
until_true state_is running
prlimit --pid "$daemon" --fsize=0
expect 0 'Volume' "$auricle" volume -1
is_told() { "$auricle" status | grep -F 'programs.json: The file would exceed the limit of file size (ulimit -f)'; }
until_true is_told
"$auricle" mute >/dev/null
"$auricle" unmute >/dev/null
until_true state_is running
daemon_end
# A command says so, too, and is not killed.
found=0
bash -c 'ulimit -f 0; exec "$0" config show >big 2>/dev/null' "$auricle" || found=$?
[ "$found" -eq 74 ] || complain "expected 74, found $found"

# Fewer files than the daemon needs: it says how many there are and how many it takes.
for count in 8 16 32; do
  found=0
  bash -c "ulimit -n $count; exec \"\$0\"" "$auricled" >output 2>&1 || found=$?
  [ "$found" -eq 71 ] || complain "$count descriptors: expected 71, found $found"
  grep -qE "auricled: found a limit of $count open files, expected at least [0-9]+\. Raise it: ulimit -n" output ||
    complain "$count descriptors: expected the limit to be named"
done
needed=$(sed -E 's/.*expected at least ([0-9]+).*/\1/' output)
# So does start, whose daemon it is.
found=0
bash -c 'ulimit -n 32; exec "$0" start' "$auricle" >output 2>&1 || found=$?
[ "$found" -eq 71 ] || complain "expected 71, found $found"
grep -q 'a limit of 32 open files' output
# A soft limit alone is raised.
bash -c 'ulimit -Sn 16; exec "$0"' "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true state_is running
daemon_end
# Too little address space is told in the same way; with the least that is accepted JACK's client has room.
found=0
bash -c 'ulimit -v $((200 << 10)); exec "$0"' "$auricled" >output 2>&1 || found=$?
[ "$found" -eq 71 ] && grep -q 'found a limit of 200 MiB of address space, expected at least 1024 MiB' output ||
  complain "expected 71 and the limit, found $found"
bash -c 'ulimit -v $((1024 << 10)); exec "$0"' "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true state_is running
daemon_end
# Memory to be locked of a size that holds the daemon as it starts, and not its devices: nothing is locked, which is told, and it plays.
# Root is not bound by it unless the capability is taken away.
locking=(bash -c)
if [ "$(id -u)" -eq 0 ]; then locking=(setpriv --bounding-set -ipc_lock --inh-caps -ipc_lock bash -c); fi
if "${locking[@]}" 'ulimit -l 500000' 2>/dev/null; then
  "${locking[@]}" 'ulimit -l 500000; exec "$0"' "$auricled" >daemon.log 2>&1 </dev/null &
  daemon=$!
  until_true state_is running
  grep -q 'memory is not locked: .*RLIMIT_MEMLOCK is 500000 KiB' daemon.log || complain 'expected the limit to be named'
  daemon_end
else
  echo 'not tried: a limit of locked memory of 500000 KiB, the limit here is lower'
fi
# A limit that is set later: a device that does not open for it is not said to be missing.
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration.short"
daemon --config "$configuration.short"
until_true state_is waiting-for-device
size=$(sed -nE 's/^VmSize:[ \t]*([0-9]+) kB/\1/p' "/proc/$daemon/status")
prlimit --pid "$daemon" --as=$(((size + (64 << 10)) * 1024))
is_short() { "$auricle" status --json | jq -e '.state.reason | contains("too little address space, limit '$((size / 1024 + 64))' MiB (ulimit -v)")'; }
until_true is_short
daemon_end
# With just what is needed: 15 clients that say nothing more, and still one is served, devices are opened again, files written.
bash -c "ulimit -n $needed; exec \"\$0\"" "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true state_is running
for client in $(seq 15); do
  { echo '{"jsonrpc":"2.0","id":1,"method":"version"}'; exec sleep 30; } |
    socat -t 30 - "UNIX:$socket" >"answer.$client" &
  helpers+=("$!")
done
connected() { [ "$(cat answer.* | grep -c '"result"')" -eq 15 ]; }
until_true connected
sed -i 's/^capture/periods = 4\ncapture/' "$configuration"
expect 0 'device.periods' "$auricle" reload
until_true state_is running
expect 0 'olume' "$auricle" volume -1
# Of its own processes root alone may look.
if [ "$(id -u)" -eq 0 ]; then
  used=$(find "/proc/$daemon/fd" -type l | wc -l)
  echo "descriptors in use with 15 clients: $used of $needed"
  [ "$used" -lt "$needed" ]
fi
if grep -q 'too many open files' daemon.log; then complain 'expected no such words'; fi
daemon_end

# No core file, whatever the limit, and no other program of the same user reads its memory.
printf '[device]\ncapture = "nosuchdevice"\n' >"$configuration"
ulimit -c unlimited
as_user=()
if [ "$(id -u)" -eq 0 ]; then
  # Of root's processes everything is root's anyway.
  as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
  chmod 755 .
  chown -R 65534 run state config
fi
"${as_user[@]}" "$auricled" >daemon.log 2>&1 </dev/null &
daemon=$!
until_true "${as_user[@]}" test -S "$socket"
until_true sh -c '"$@" status' sh "${as_user[@]}" "$auricle"
[ "$(stat -c %u "/proc/$daemon/environ")" = 0 ] || complain 'expected its memory to be hidden'
grep -qE '^Max core file size +0 +0 ' "/proc/$daemon/limits" || complain 'expected no core file'
# It has the environment all the same, and keeps its files.
[ -d "$STATE_DIRECTORY" ]
grep -q "$socket" daemon.log
expect 0 'olume' "${as_user[@]}" "$auricle" volume -1
# A busy disk may take longer than the answer waits.
until_true test -e "$STATE_DIRECTORY/programs.json"
kill -SEGV "$daemon"
wait "$daemon" || true
daemon=
[ -z "$(find . -name 'core*')" ] || complain 'expected no core file'
