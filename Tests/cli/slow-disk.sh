# A disk that does not answer for twenty seconds: the watchdog is fed, status, mute and programs are answered, what needs the
# disk is refused; afterwards everything is as it should be. And a wall clock that is set back.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
printf '[device]\ncapture = "nowhere"\nplayback = "nowhere"\n' >"$configuration"

# The file "stalled" holds up every fsync; the number in CLOCK_STEP is added to the time while there is the file "stepped".
cat >disk.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static void wait_for_disk(void) {
  while (access(getenv("STALLED"), F_OK) == 0) usleep(10000);
}
int fsync(int descriptor) {
  int (*system_call)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return system_call(descriptor);
}
int fdatasync(int descriptor) {
  int (*system_call)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return system_call(descriptor);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*system_call)(clockid_t, struct timespec *);
  if (!system_call) system_call = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = system_call(clock, now);
  const char *step = getenv("STEPPED");
  if (!result && clock == CLOCK_REALTIME && access(step, F_OK) == 0) now->tv_sec += 700;
  const char *back = getenv("SET_BACK");
  if (!result && clock == CLOCK_REALTIME && access(back, F_OK) == 0) now->tv_sec -= 3600;
  return result;
}
C
clang -shared -fPIC -o disk.so disk.c
export STALLED=$PWD/stalled STEPPED=$PWD/stepped SET_BACK=$PWD/set-back

echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null 2>&1
"$auricle" clinic card clinic.txt >/dev/null
for audiogram in N3 N4 N5; do
  "$auricle" rx make --audiogram "$audiogram" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    --yes --passphrase-file pass -o "$audiogram.txt" >/dev/null 2>&1
done
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
"$auricle" rx scan --yes N3.txt >/dev/null
"$auricle" rx scan --yes N4.txt >/dev/null
expect 0 'On trial until' "$auricle" rx try 1 --for 10m

in_force() { "$auricle" status --json | jq -e ".prescription.serial == $1" >/dev/null; }
fed() { grep -o 'WATCHDOG=1' messages | wc -l; }

socat -u UNIX-RECV:"$home/notify" CREATE:messages &
helpers+=("$!")
until_true test -S "$home/notify"
LD_PRELOAD=$PWD/disk.so NOTIFY_SOCKET=$home/notify WATCHDOG_USEC=400000 daemon
until_true grep -q 'READY=1' messages
until_true in_force 1

# The trial ends, which the book has to write, and the disk does not answer.
touch stalled stepped
before=$(fed)
status_says() { "$auricle" status | tr '\n' ' ' | grep -qF "$1"; }
until_true status_says 'The disk has not answered for'
until_true grep -q 'error: The disk has not answered for' daemon.log
# What was before the trial is heard at its end all the same.
grep -q 'prescription: serial 2' daemon.log || complain 'expected the former prescription'
expect 0 'Muted' "$auricle" mute
expect 0 'Program: music' "$auricle" use music
expect 75 'it does not answer' "$auricle" rx scan --yes N5.txt
kill -HUP "$daemon"
expect 0 'Not muted' "$auricle" unmute
expect 75 'it does not answer' "$auricle" reload
expect 0 'The disk has not answered for' "$auricle" status
sleep 12
# Five a second were asked for: a quarter of them leaves room for a busy machine, and none is what a wait would leave.
[ $(($(fed) - before)) -ge 15 ] || complain "expected a fed watchdog, found $(($(fed) - before)) beats in 20 s"
expect 0 'music' "$auricle" status

# It answers: what was waiting is done, what was refused is not.
rm stalled
until_true grep -q 'notice: the disk answers again' daemon.log
until_true grep -q 'configuration read again' daemon.log
expect 0 'music' "$auricle" status
absent 'has not answered'
[ "$("$auricle" rx list --json | jq '.prescriptions | length')" = 2 ]
until_true grep -q '"program":"music"' "$STATE_DIRECTORY/programs.json"

# A clock that is set back by an hour: the time that the daemon has been up goes on.
touch set-back
sleep 1
expect 0 ', up ' "$auricle" status
absent 'up 0 s'
jq -e '.daemon.now_unix_seconds > .daemon.started_unix_seconds + 10 and
  .daemon.now_unix_seconds > .state.since_unix_seconds + 10' <("$auricle" status --json) >/dev/null
rm set-back

# The end does not wait for it either.
touch stalled
expect 0 'Program: quiet' "$auricle" use quiet
kill -TERM "$daemon"
gone() { ! kill -0 "$1" 2>/dev/null; }
until_true gone "$daemon"
wait "$daemon"
daemon=
[ ! -e "$socket" ]
rm stalled
expect 0 'The audit trail is whole' "$auricle" audit verify

# A device that appears while the disk does not answer: sound begins, and FFTW's plans are kept when it does.
rm -f "$STATE_DIRECTORY/wisdom"
printf '[device]\ncapture = "lat"\nplayback = "lat"\n' >"$configuration"
# Its name is known from now on.
jack_start 44100 64
jack_stop
LD_PRELOAD=$PWD/disk.so daemon
until_true state_is waiting-for-device
touch stalled
jack_start 44100 64
until_true state_is running
[ ! -e "$STATE_DIRECTORY/wisdom" ]
rm stalled
until_true test -s "$STATE_DIRECTORY/wisdom"

# While sound flows the disk does not answer for twenty seconds: not a period is lost that the laboratory was not late for,
# nothing is opened anew, and whoever needs the disk is told so.
answers() { grep -c 'notice: the disk answers again' daemon.log || true; }
answered() { [ "$(answers)" -gt "$before" ]; }
for attempt in 1 2 3 4 5; do
  others=
  before=$(answers)
  # Another one than before, which the disk has to keep.
  [ $((attempt % 2)) -eq 1 ] && program=quiet || program=music
  jack_begin
  touch stalled
  since=$SECONDS
  while [ $((SECONDS - since)) -lt 20 ]; do
    expect 0 "Program: $program" "$auricle" use "$program"
    expect 75 'it does not answer' "$auricle" reload
    expect 75 'it does not answer' "$auricle" rx scan --yes N5.txt
    state_is running || others=1
  done
  rm stalled
  until_true answered
  jack_end 'a disk of 20 s'
  if jack_counts "$attempt"; then break; fi
done
[ -z "$others" ] || complain 'a disk of 20 s: expected the state to stay running'
daemon_end
