# A daemon that finds its book in another process's hands: it asks again, and hears then by what would have been in force
# without the race; until then its status and its log say why nothing is amplified.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
lock=$STATE_DIRECTORY/book/book.lock

# No sound card: the daemon waits for one, and tells by what would be heard.
cat >"$configuration" <<TOML
[device]
capture = "nowhere"
playback = "nowhere"
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N3.json"
TOML

# A book that holds a trusted clinic and no prescription: the configuration's audiogram is in force.
echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null 2>&1
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null

fitted() { "$auricle" status --json | jq -e '.fitting.fitted and .prescription.serial == null' >/dev/null; }
begun() { # as a person types it, whatever the states are
  "$auricle" stop >/dev/null || true
  "$auricle" start >/dev/null 2>&1 || true
}

begun
until_true fitted
# The former one may still have it.
begun
until_true fitted

# The lock is refused to a daemon for so many milliseconds from when it first asks: once, while a start is patient, about as
# long as its patience lasts, and longer. A byte of the file REFUSALS stands for each refusal, by whomever.
cat >refused.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
int flock(int descriptor, int operation) {
  static int (*system_flock)(int, int);
  static struct timespec first;
  if (!system_flock) system_flock = (int (*)(int, int))dlsym(RTLD_NEXT, "flock");
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  path[length < 0 ? 0 : length] = 0;
  if (!strstr(path, "/book.lock") || strcmp(program_invocation_short_name, "auricled") != 0) return system_flock(descriptor, operation);
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int is_first = first.tv_sec == 0;
  if (is_first) first = now;
  long passed = (now.tv_sec - first.tv_sec) * 1000 + (now.tv_nsec - first.tv_nsec) / 1000000;
  long refused_for = atol(getenv("REFUSED_FOR"));
  int result = -1;
  errno = EWOULDBLOCK;
  if (refused_for == 0 || (!is_first && passed >= refused_for)) result = system_flock(descriptor, operation);
  if (result != 0) {
    int code = errno;
    int file = open(getenv("REFUSALS"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (write(file, "x", 1) != 1) abort();
    close(file);
    errno = code;
  }
  return result;
}
C
clang -shared -fPIC -o refused.so refused.c
log=$STATE_DIRECTORY/auricled.log
export REFUSALS=$PWD/refusals
# The answer to a stop comes after half a second, the daemon's end after another half at most.
stopped() {
  "$auricle" stop >/dev/null
  until_true test ! -e "$socket"
  rm -f "$REFUSALS"
  : >"$log"
}
refused_start() { REFUSED_FOR=$1 LD_PRELOAD=$PWD/refused.so "$auricle" start >/dev/null 2>&1 || true; }
was_refused() { [ -s "$REFUSALS" ] || complain "$1: expected the lock to be refused, found that it was not"; }
for milliseconds in 1 300 500 1500; do
  stopped
  refused_start "$milliseconds"
  until_true fitted
  was_refused "$milliseconds ms"
done
grep -qF 'has the book open' "$log" || complain 'expected the log to say why nothing was amplified'

# Held by another process around the whole change of daemons, and so long after the first refusal.
for seconds in 0.1 0.6 1; do
  stopped
  rm -f held
  flock -o "$lock" sh -c 'touch held; until [ -s "$REFUSALS" ]; do sleep 0.01; done; sleep "$0"' "$seconds" &
  holder=$!
  helpers+=("$holder")
  until_true test -e held
  refused_start 0
  until_true fitted
  was_refused "$seconds s"
  wait "$holder"
done

# Held for good: nothing is amplified, and status and log say why; it is followed as soon as it is free.
stopped
flock -o "$lock" sleep 600 &
holder=$!
helpers+=("$holder")
until_true sh -c '! flock -n "$0" true' "$lock"
"$auricle" start >/dev/null 2>&1 || true
expect 0 'has the book open' "$auricle" status
grep -qF 'nothing is amplified' output
grep -qF 'has the book open' "$log"
# Its sleep first, which would keep whoever reads this script's output waiting.
end_children "$holder"
kill "$holder" 2>/dev/null || true
until_true fitted
expect 0 'Fitting' "$auricle" status
absent 'has the book open'
grep -qF 'prescription: as the configuration says' "$log"
"$auricle" stop >/dev/null
