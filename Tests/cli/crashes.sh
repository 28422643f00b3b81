# A daemon that a signal ends: one line of the log says which and where, and whoever began it with `auricle start` has it
# again, from silence and as it was. A mute stays, a stop is final, and a daemon that ends again and again is given up.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
rate=44100
jack_start $rate 64
# What would go to the left earphone goes to whoever records.
cat >>asound.conf <<'CONF'
pcm.taped {
  type jack
  capture_ports { 0 jack_delay:out 1 jack_delay:out }
  playback_ports { 0 tape:in_000 1 system:playback_2 }
}
pcm.tape { type jack name tape capture_ports { 0 system:capture_1 } }
CONF
configure() { printf '[device]\ncapture = "%s"\nplayback = "%s"\n[safety]\nramp = "2 s"\n' "$1" "$1" >"$configuration"; }

log=$STATE_DIRECTORY/auricled.log
worker() { "$auricle" status --json | jq .daemon.pid; }
guardian() { sed -n 2p "$socket.lock"; }
last_lines() { grep -c 'error: the sound has ended: ' "$log" || true; }
is_gone() { ! grep -qsv '^[0-9]* (.*) Z' "/proc/$1/stat"; }
# The daemon's process has another number than OLD, and sound flows.
is_another() { # OLD
  state_is "${2:-running}" && [ "$(worker)" != "$1" ]
}

# Each signal leaves one line, with its name, in words, who sent it and where it found the program; the exit status is its own.
configure nosuchdevice
ends_by() { # NAME WORDS
  local found=0 number=$daemon
  kill "-$1" "$number"
  daemon=
  wait "$number" || found=$?
  [ "$found" -eq $((128 + $(kill -l "$1"))) ] || complain "$1: expected it as the exit status, found $found"
  [ "$(grep -c 'the sound has ended' daemon.log)" -eq 1 ] || { cat daemon.log >&2; complain "$1: expected one line"; }
  grep 'the sound has ended' daemon.log >output
  grep -qF "the sound has ended: $2 (SIG$1) sent by process $$ of user $(id -u), control thread" output ||
    complain "$1: expected its name, words and sender"
  grep -qE ', program counter [A-Za-z0-9_.-]+\+?0x[0-9a-f]+' output || complain "$1: expected an address of code"
}
while read -r name words; do
  daemon
  until_true state_is waiting-for-device
  ends_by "$name" "$words"
  grep -qE '^[0-9-]{10}T[0-9:]{8}[+-][0-9]{4} error: ' output || complain "$name: expected time and level"
done <<'SIGNALS'
ILL illegal instruction
TRAP trap
SEGV invalid memory access
BUS memory that cannot be read
FPE arithmetic error
ABRT abort
SYS forbidden system call
QUIT quit
ALRM alarm
USR2 user signal 2
SIGNALS
# The time is the one of the line before, and the address one of the program or a library, for addr2line(1).
[ "$(cut -c1-13 output)" = "$(grep -v 'the sound has ended' daemon.log | tail -n 1 | cut -c1-13)" ] ||
  [ "$(date +%M)" = 00 ] || complain 'expected local time'
# For the journal with its priority.
: >daemon.log
JOURNAL_STREAM=$(stat -c %d:%i daemon.log) daemon
until_true state_is waiting-for-device
ends_by SEGV 'invalid memory access'
grep -q '^<3>the sound has ended' output || complain 'expected a syslog priority'

# Begun by auricle start: sound is there again after each of three crashes; the fourth within a minute ends it, with the reason.
configure lat
expect 0 'Sound is on.' "$auricle" start
# Before the first of the starts of which three are allowed in a minute.
first=$SECONDS
count=0
for name in SEGV ILL ABRT; do
  old=$(worker)
  kill "-$name" "$old"
  count=$((count + 1))
  until_true is_another "$old"
  [ "$(last_lines)" -eq "$count" ] || complain "$name: expected one line more"
  grep -qF "SIG$name) and is started again, at most 3 times a minute" "$log" || complain "$name: expected the log to say why"
done
expect 0 'after a crash (abort, SIGABRT), 3 times so far' "$auricle" status
"$auricle" status --json | jq -e '.daemon.restart.count == 3 and (.daemon.restart.reason == "abort, SIGABRT")' >/dev/null
old=$(worker)
begun=$(guardian)
gone_or_another() { is_gone "$begun" || [ "$(head -n 1 "$socket.lock")" != "$old" ]; }
while :; do
  kill -KILL "$old"
  until_true gone_or_another
  if is_gone "$begun"; then break; fi
  # On a machine that took a minute for three starts the fourth is one of the next three, which follow at once.
  [ $((SECONDS - first)) -ge 60 ] || complain 'expected no fourth start within a minute'
  old=$(head -n 1 "$socket.lock")
done
grep -q 'sent by somebody or because memory ran out) and is not started again: that was done 3 times within 60 s' "$log"
expect 69 'Sound is off: no daemon runs' "$auricle" status
grep -qF "The last one ended unexpectedly. The reason is in: $log" output || complain 'expected where to read why'
[ -z "$(jack_lsp | grep -i '^alsa' || true)" ] || complain 'expected no sound'

# After a kill -9, from silence along the ramp, without a burst: recorded until both are over.
configure taped
recorded() {
  rm -f tape.raw
  arecord -q -D tape -t raw -f FLOAT_LE -c 1 -r $rate --buffer-time=2000000 --period-time=50000 tape.raw 2>arecord.log &
  recorder=$!
  helpers+=("$recorder")
  until_true sh -c 'jack_lsp | grep -qx tape:in_000'
  expect 0 'Sound is on.' "$auricle" start
  sleep 3.5
  old=$(worker)
  kill -KILL "$old"
  until_true is_another "$old"
  grep -q 'SIGKILL, sent by somebody or because memory ran out) and is started again' "$log"
  sleep 3
  kill "$recorder"
  wait "$recorder" || true
}
cat >judge.py <<'PYTHON'
import array, sys
rate, ramp = int(sys.argv[1]), 2.0
with open("tape.raw", "rb") as file:
    samples = array.array("f", file.read())
step = rate // 100
# In steps of 16 bits.
peaks = [int(max(map(abs, samples[n:n + step])) * 32768) for n in range(0, len(samples) - step, step)]
steady = sorted(peaks)[int(len(peaks) * 0.9)]
assert steady > 100, f"expected sound, found at most {steady}"
# Two starts: the first sound, and the sound after the longest silence since. That is about 0.1 s; an underrun of a
# busy machine is shorter.
first = next(n for n, peak in enumerate(peaks) if peak > 1)
silent, longest, again = 0, 0, first
for n in range(first, len(peaks)):
    if peaks[n] > 1 and silent > longest:
        longest, again = silent, n
    silent = silent + 1 if peaks[n] <= 1 else 0
print(f"sound begins at {first / 100} s, and after {longest / 100} s of silence at {again / 100} s; peak when steady {steady}")
assert first > 0 and longest >= 3, "expected sound to begin twice, each time after silence"
assert again + ramp * 100 < len(peaks), "expected the whole of the second ramp"
starts = [first, again]
for start in starts:
    for n in range(start, min(start + int(ramp * 100), len(peaks))):
        # Its end of the 10 ms. A busy machine loses sound while the ramp goes on, up to 0.3 s is allowed for.
        x = min(1, (n - start + 2) / 100 / ramp + 0.15)
        # 3x^2 - 2x^3, and a quarter for what the level itself varies by.
        most = 1.25 * steady * x * x * (3 - 2 * x) + 2
        assert peaks[n] <= most, f"{(n - start) / 100} s after {start / 100} s: found {peaks[n]}, expected at most {most:.0f}"
PYTHON
# A server that was late lost sound, and the recording with it: once more then.
for attempt in 1 2 3 4 5; do
  cycles=$(jack_xruns)
  recorded
  if python3 judge.py $rate >judged 2>&1; then break; fi
  tail -n 1 judged
  { [ "$attempt" -lt 5 ] && { [ "$(jack_xruns)" -gt "$cycles" ] || grep -q overrun arecord.log; }; } || { cat judged arecord.log; exit 1; }
  expect 0 'Sound is off' "$auricle" stop
  until_true test ! -e "$socket"
  until_true sh -c '! jack_lsp | grep -q "^tape"'
done
cat judged

# A configuration file that is wrong by now does not keep the sound from coming back; the one in force stays in force.
# It ends with a stop: whoever starts then is told what is wrong.
configure lat
expect 0 'In force after a short mute' "$auricle" reload
printf '[devices]\n' >"$configuration"
expect 78 'unknown key devices' "$auricle" reload
old=$(worker)
kill -SEGV "$old"
until_true is_another "$old"
grep -q 'error: .*found the unknown key devices' "$log" || complain 'expected the log to say what is wrong'
grep -q 'error: the configuration that was in force before the daemon was ended stays in force' "$log"
expect 0 'The configuration file is not in force; the one from before the crash is.' "$auricle" status
expect 0 'Correct the file, then: auricle reload. ' "$auricle" start
[ "$("$auricle" status --json | jq -r .devices.playback.name)" = lat ] || complain 'expected the former device'
# It is said until the file is mended, and no longer.
expect 78 'unknown key devices' "$auricle" reload
expect 0 'The configuration file is not in force' "$auricle" status
configure lat
"$auricle" reload >output
"$auricle" status >output
! grep -q 'The configuration file is not in force' output || complain 'expected nothing of the former file'
printf '[devices]\n' >"$configuration"
expect 0 'Sound is off' "$auricle" stop
until_true test ! -e "$socket"
[ ! -e "$socket.configuration" ] || complain 'expected nothing to be kept'
expect 78 'unknown key devices' "$auricle" start
configure lat
expect 0 'Sound is on.' "$auricle" start

# One that is gone by then stays in force too: defaults do not have the limit that somebody chose.
sed -i 's/^ramp/maximum-output = 85\nramp/' "$configuration"
expect 0 'safety.maximum-output' "$auricle" reload
mv "$configuration" gone.toml
old=$(worker)
kill -KILL "$old"
until_true is_another "$old"
"$auricle" status --json | jq -e '.fitting.maximum_output_db_spl == 85' >/dev/null || complain 'expected the limit from before the crash'
expect 0 'The configuration file is not in force; the one from before the crash is.' "$auricle" status
expect 0 'Put it back, then: auricle reload.' "$auricle" status
mv gone.toml "$configuration"
expect 0 '' "$auricle" reload
"$auricle" status >output
absent 'is not in force'
# Devices that a reload was refused: those before it are in use again after the crash, and why is told.
sed -i 's/^playback.*/&\nrate = 48000/' "$configuration"
expect 69 'Refused: device.rate' "$auricle" reload
until_true state_is running
old=$(worker)
kill -KILL "$old"
until_true is_another "$old"
expect 0 'so the former ones still are: lat does not run at 48000 Hz' "$auricle" status
"$auricle" status --json | jq -e '.devices.playback.rate_hz == 44100' >/dev/null || complain 'expected the former rate'
expect 0 'Sound is off' "$auricle" stop
until_true test ! -e "$socket"
configure lat
expect 0 'Sound is on.' "$auricle" start

# A mute stays through a crash, and ends with a stop.
expect 0 'Muted' "$auricle" mute
old=$(worker)
kill -SEGV "$old"
until_true is_another "$old" muted
grep -q 'notice: muted, as before the daemon was ended' "$log"
expect 0 'Sound is on.' "$auricle" unmute
# A start while it is being started again finds that one.
old=$(worker)
begun=$(guardian)
kill -KILL "$old"
expect 0 'Sound is on.' "$auricle" start
[ "$(guardian)" = "$begun" ] || complain 'expected no second one'
# A stop while it is being started again is one: nothing comes back.
expect 0 'Sound is off' "$auricle" stop
until_true is_gone "$begun"
expect 0 'Sound is on.' "$auricle" start
begun=$(guardian)
expect 0 'Muted' "$auricle" mute
kill -KILL "$(worker)"
expect 0 'Sound is off' "$auricle" stop
until_true is_gone "$begun"
sleep 1
expect 69 'Sound is off: no daemon runs' "$auricle" status
[ -z "$(jack_lsp | grep -i '^alsa' || true)" ] || complain 'expected no sound'
[ ! -e "$socket.muted" ] || complain 'expected the mute to end'

# A stop of a daemon that stays outlasts its crash: a service manager starts it again, and it begins stopped, with the reason.
daemon
until_true state_is running
expect 0 'Sound is off.' "$auricle" stop
[ -e "$socket.stopped" ] || complain 'expected the stop to be kept'
kill -KILL "$daemon"
wait "$daemon" || true
daemon
until_true state_is stopped
"$auricle" status --json | jq -r .state.reason >output
grep -q 'it was stopped before the daemon crashed' output || complain 'expected the reason'
expect 0 'Sound is on.' "$auricle" start
[ ! -e "$socket.stopped" ] || complain 'expected the stop to end'
# It ends with the daemon, where that ends in order.
expect 0 'Sound is off.' "$auricle" stop
daemon_end
[ ! -e "$socket.stopped" ] || complain 'expected the stop to end with the daemon'
daemon
until_true state_is running
daemon_end

# A guardian that does not answer is not taken for one that has gone: nobody is told that sound is off.
expect 0 'Sound is on.' "$auricle" start
begun=$(guardian)
kill -STOP "$begun"
kill -KILL "$(worker)"
expect 75 'did not end within 3 s' "$auricle" stop
kill -CONT "$begun"
until_true is_gone "$begun"

# What ends by itself is not started again, and its exit status is the guardian's; so is a daemon that is told to end.
expect 0 'Sound is on.' "$auricle" start
old=$(worker)
begun=$(guardian)
kill -TERM "$begun"
until_true is_gone "$begun"
is_gone "$old" || complain 'expected the daemon to end with the guardian'
! grep -q 'started again' "$log" || complain 'expected no start'
printf '[devices]\n' >"$configuration"
found=0
"$auricled" --guarded >output 2>&1 || found=$?
[ "$found" -eq 78 ] || complain "expected 78, found $found"
# Without a guardian sound goes on; then commands reach the daemon itself.
configure lat
expect 0 'Sound is on.' "$auricle" start
old=$(worker)
kill -KILL "$(guardian)"
sleep 0.2
[ "$(worker)" = "$old" ] && state_is running || complain 'expected sound to go on'
expect 0 'Sound is off.' "$auricle" stop
until_true is_gone "$old"
