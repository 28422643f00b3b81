# What can happen to the prescription book: a folder that cannot be written, a full disk, a lost key, a damaged page, a clock
# that is wrong. Each has its message, loses nothing, and leaves the wearer with the last good prescription.
set -euo pipefail
# Disks of its own, for which a user need not be root where user namespaces are allowed.
if [ -z "${OWN_DISKS:-}" ] && unshare -rm true 2>/dev/null; then
  OWN_DISKS=1 exec unshare -rm bash "$0"
fi
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
book=$STATE_DIRECTORY/book
key=$book.key

# No sound card: the daemon waits for one, and tells by what would be heard.
printf '[device]\ncapture = "nowhere"\nplayback = "nowhere"\n' >"$configuration"
begin() {
  daemon "$@"
  until_true state_is waiting-for-device
}
in_force() { # SERIAL, or null
  expect 0 '' "$auricle" status --json
  jq -e ".prescription.serial == $1 and .state.name == \"waiting-for-device\"" output >/dev/null ||
    complain "expected serial $1 to be worn by a daemon that goes on"
}
tells() { # TEXT
  jq -r '.prescription.notes[]' output | tr '\n' ' ' | grep -qF -- "$1" || complain "expected the note '$1'"
}

examined() { # SUBJECT VERDICT: while no daemon runs
  "$auricle" doctor --json >output || [ $? -eq 1 ]
  jq -e "[.findings[] | select(.subject == \"$1\") | .verdict] == [\"$2\"]" output >/dev/null ||
    complain "expected doctor to call $1 $2"
}

echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
for audiogram in N3 N4 N5; do
  "$auricle" rx make --audiogram "$audiogram" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    --yes --passphrase-file pass -o "$audiogram.txt" >/dev/null 2>&1
done
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
"$auricle" rx scan --yes N3.txt >/dev/null
"$auricle" book backup kept.book --passphrase-file pass >/dev/null
cp -a "$STATE_DIRECTORY" whole

if [ -n "${OWN_DISKS:-}" ]; then
  # A folder that cannot be written.
  mount --bind "$STATE_DIRECTORY" "$STATE_DIRECTORY"
  mount -o remount,bind,ro "$STATE_DIRECTORY"
  expect 73 'it cannot be written' "$auricle" rx scan --yes N4.txt
  expect 73 'Nothing was changed; mount its disk writable.' "$auricle" rx scan --yes N4.txt
  begin
  in_force 1
  tells 'it cannot be written'
  expect 73 'Nothing was changed' "$auricle" rx scan --yes N4.txt
  in_force 1
  # Writable again: nobody has to start anything anew.
  mount -o remount,bind,rw "$STATE_DIRECTORY"
  expect 0 'In force from now: number 2' "$auricle" rx scan --yes N4.txt
  in_force 2
  expect 0 'The audit trail is whole' "$auricle" audit verify
  daemon_end
  umount "$STATE_DIRECTORY"

  # A disk that is full where the first card is scanned: once there is room a book is begun.
  mount -t tmpfs -o size=1m,mode=700 none "$STATE_DIRECTORY"
  dd if=/dev/zero of="$STATE_DIRECTORY/filling" bs=4096 2>/dev/null || true
  fingerprint=$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)
  expect 74 'no space is left' "$auricle" trust add clinic.txt --fingerprint "$fingerprint"
  expect 0 '' "$auricle" rx list
  rm "$STATE_DIRECTORY/filling"
  expect 0 '' "$auricle" trust add clinic.txt --fingerprint "$fingerprint"
  expect 0 '' "$auricle" rx scan --yes N3.txt
  umount "$STATE_DIRECTORY"

  # A disk with room for the key, and not for the book: the configuration's audiogram is heard, however often the first clinic is trusted,
  # and by the next daemon.
  cp "$configuration" before.toml
  printf '[hearing]\naudiogram = "%s"\n' "$REPOSITORY/Prescriptions/N3.json" >>"$configuration"
  fitted() {
    expect 0 '' "$auricle" status --json
    jq -e '.fitting.fitted and (.prescription.notes // []) == []' output >/dev/null ||
      complain "expected the configuration's audiogram on a disk with $pages free pages"
  }
  for pages in 1 2 4 6 8 12; do
    mount -t tmpfs -o size=1m,mode=700 none "$STATE_DIRECTORY"
    begin
    dd if=/dev/zero of="$STATE_DIRECTORY/filling" bs=4096 2>/dev/null || true
    truncate -s "-$((pages * 4096))" "$STATE_DIRECTORY/filling"
    for _ in 1 2; do
      expect 74 'no space is left' "$auricle" trust add clinic.txt --fingerprint "$fingerprint"
      fitted
    done
    [ -e "$key" ]
    # What an end cannot keep on such a disk is another matter.
    daemon_end || true
    begin
    fitted
    rm "$STATE_DIRECTORY/filling"
    expect 0 'is trusted' "$auricle" trust add clinic.txt --fingerprint "$fingerprint"
    fitted
    daemon_end
    umount "$STATE_DIRECTORY"
  done
  # Of a book that has a row nothing is believed but itself: with its key damaged and the note of its head taken away nothing is amplified.
  mount -t tmpfs -o size=1m,mode=700 none "$STATE_DIRECTORY"
  cp -a whole/. "$STATE_DIRECTORY"
  rm "$book/book.head"
  : >"$key"
  begin
  expect 0 '' "$auricle" status --json
  jq -e '(.fitting.fitted | not) and .prescription.serial == null' output >/dev/null || complain 'expected nothing amplified'
  tells 'expected a key of 32'
  daemon_end
  umount "$STATE_DIRECTORY"
  cp before.toml "$configuration"

  # A disk that is full.
  mount -t tmpfs -o size=1m,mode=700 none "$STATE_DIRECTORY"
  cp -a whole/. "$STATE_DIRECTORY"
  begin
  dd if=/dev/zero of="$STATE_DIRECTORY/filling" bs=4096 2>/dev/null || true
  expect 74 'no space is left' "$auricle" rx scan --yes N4.txt
  in_force 1
  expect 0 'Prescription 1 for quiet' "$auricle" rx show
  rm "$STATE_DIRECTORY/filling"
  expect 0 'In force from now: number 2' "$auricle" rx scan --yes N4.txt
  in_force 2
  expect 0 'The audit trail is whole' "$auricle" audit verify
  daemon_end
  umount "$STATE_DIRECTORY"

  # A backup on a disk that can only be read.
  mkdir stick
  cp kept.book stick
  mount --bind stick stick
  mount -o remount,bind,ro stick
  STATE_DIRECTORY=$PWD/from-stick expect 0 'Restored' "$auricle" book restore stick/kept.book --passphrase-file pass
  umount stick

  # A daemon that has a folder for itself, as PrivateTmp= gives one: what nobody finds there is no backup.
  mkdir shared
  printf '%s\n' "mount -t tmpfs none '$PWD/shared'" "exec '$auricled'" >private.sh
  unshare --mount bash private.sh >daemon.log 2>&1 </dev/null &
  daemon=$!
  until_true state_is waiting-for-device
  expect 73 'where its service alone sees it' "$auricle" book backup shared/kept.book --passphrase-file pass
  # The folder for backups is made.
  expect 0 'read it back' "$auricle" book backup "$STATE_DIRECTORY/backups/kept.book" --passphrase-file pass
  [ "$(stat -c %a "$STATE_DIRECTORY/backups")" = 700 ]
  daemon_end
else
  echo 'not tried: a book on read-only and full disks, no mounts of its own'
fi

fresh() { # the book as it was after the first card
  rm -rf "$STATE_DIRECTORY"
  cp -a whole "$STATE_DIRECTORY"
}

# A lost key: a daemon that runs has it still, and can save the book.
fresh
begin
rm "$key"
in_force 1
expect 0 'In force from now: number 2' "$auricle" rx scan --yes N4.txt
expect 0 'read it back' "$auricle" book backup saved.book --passphrase-file pass
daemon_end
expect 78 'the key is missing' "$auricle" rx list
# A card can be shown all the same: its clinic counts as unknown, with the reason.
expect 1 'No clinic counts as trusted, for the book cannot be asked' "$auricle" rx show N3.txt
begin
in_force null
tells 'the key is missing'
expect 78 'Put the key back, or restore a backup' "$auricle" rx scan --yes N5.txt
grep -q 'the key is missing' daemon.log
# Put back: the next command finds it.
cp -p whole/book.key "$key"
expect 0 'in force' "$auricle" rx list
in_force 2
daemon_end
# Or the book that was saved, in a place of its own.
rm "$key"
mv "$book" away
expect 0 'the audit trail is whole' "$auricle" book restore saved.book --passphrase-file pass
expect 0 'Prescription 2 for quiet' "$auricle" rx show

# Another book's key.
fresh
head -c 32 /dev/urandom >other
cat other >"$key"
expect 65 "the key is not this book's. Nothing was changed. Put the right one back, or restore a backup" "$auricle" rx list
begin
in_force null
daemon_end

# A damaged key: it is kept, and what is restored has a new one.
fresh
: >"$key"
expect 65 'found 0 bytes, expected a key of 32. Put the right one back, or restore a backup' "$auricle" rx list
begin
in_force null
tells 'restore a backup'
daemon_end
examined book bad
examined prescription warning
# A backup that does not open changes nothing.
echo 'other words than those' >others
expect 77 'the passphrase is wrong' "$auricle" book restore kept.book --passphrase-file others
truncate -s 268435457 large.book
expect 65 'found 268435457 bytes, expected at most 268435456' "$auricle" book restore large.book --passphrase-file pass
[ "$(stat -c %s "$key")" = 0 ]
[ ! -e "$key.before-restore-1" ]
expect 0 "$key.before-restore-1" "$auricle" book restore kept.book --passphrase-file pass
[ "$(stat -c '%a %s' "$key")" = '600 32' ]
expect 0 'Prescription 1 for quiet' "$auricle" rx show
examined book good
examined prescription good
begin
in_force 1
daemon_end

# A restore that is killed before anything is in its place leaves a device without a book as it was: no book is lost.
cat >kill.c <<'C'
#include <signal.h>
#include <unistd.h>
// The first folder that a restore makes for a copy of the database: by then the key is there.
char *mkdtemp(char *template) {
  kill(getpid(), SIGKILL);
  return template;
}
C
clang -shared -fPIC -o kill.so kill.c
rm -rf "$STATE_DIRECTORY"
expect 137 '' env LD_PRELOAD="$PWD/kill.so" "$auricle" book restore kept.book --passphrase-file pass
[ "$(stat -c '%a %s' "$key")" = '600 32' ]
cp -a "$STATE_DIRECTORY" killed
STATE_DIRECTORY=$PWD/killed expect 0 'No prescription was loaded yet' "$auricle" rx list
expect 0 'Restored' "$auricle" book restore kept.book --passphrase-file pass
absent 'is kept in'
expect 0 'Prescription 1 for quiet' "$auricle" rx show

# Nothing is restored beside a daemon, though it has no book, nor while another process has the book; before a passphrase is asked for.
expect 75 'has the book open' flock "$book/book.lock" "$auricle" book restore kept.book --passphrase-file nowhere
rm -rf "$STATE_DIRECTORY"
begin
expect 75 "found an aid that runs, process $daemon, expected none" "$auricle" book restore kept.book --passphrase-file nowhere
[ ! -e "$book" ]
# Another folder is restored into beside it where the commands' socket is another one.
elsewhere=(env STATE_DIRECTORY="$PWD/looked-at" AURICLE_CONFIG="$PWD/looked-at.toml")
expect 75 'found an aid that runs' "${elsewhere[@]}" "$auricle" book restore kept.book --passphrase-file pass
expect 0 'Restored' "${elsewhere[@]}" AURICLE_SOCKET="$home/run/nobody.sock" "$auricle" book restore kept.book --passphrase-file pass
daemon_end

# Nor beside one that is started while the passphrase is typed, where no book tells of it.
rm -rf "$STATE_DIRECTORY"
mkfifo words
"$auricle" book restore kept.book --passphrase-file - <words >late 2>&1 &
restoring=$!
exec 9>words
# The first look is over by then; where it is not, it finds the aid itself.
sleep 1
begin 9>&-
cat pass >&9
exec 9>&-
found=0
wait "$restoring" || found=$?
cp late output
[ "$found" -eq 75 ] || complain "expected exit 75 beside an aid that was started meanwhile, found $found"
grep -qF "found an aid that runs, process $daemon, expected none" output || complain 'expected the aid that was started meanwhile'
[ ! -e "$book" ] && [ ! -e "$key" ] || complain 'expected nothing restored'
daemon_end

# A backup may be named by a link, or come through a pipe.
rm -rf "$STATE_DIRECTORY"
ln -s kept.book linked.book
expect 0 'Restored' "$auricle" book restore linked.book --passphrase-file pass
expect 0 'Restored' bash -c '"$0" book restore <(cat kept.book) --passphrase-file pass' "$auricle"
expect 0 'Prescription 1 for quiet' "$auricle" rx show

# A pipe in the place of the database's journal keeps nobody waiting: the last good prescription is heard.
mkfifo -m 600 "$book/book.sqlite-journal"
expect 77 'book.sqlite-journal: found something that is not a file' "$auricle" rx list
begin
in_force 1
tells 'book.sqlite-journal: found something that is not a file'
daemon_end

# A key whose book is lost: once it is removed, as the message says, the daemon that runs plays by the configuration.
fresh
rm -r "$book"
begin
in_force null
tells 'found its key and no book'
rm "$key"
no_notes() { "$auricle" status --json | jq -e '(.prescription.notes // []) == []'; }
until_true no_notes
daemon_end

# A book that only trusts a clinic prescribes nothing: the configuration's audiogram counts, and a start without it is refused.
rm -rf "$STATE_DIRECTORY"
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
cp "$configuration" before.toml
printf '[hearing]\naudiogram = "gone.json"\n' >>"$configuration"
examined prescription bad
expect 66 'gone.json: found no such file' "$auricled"
cp before.toml "$configuration"

# The key as a credential of the service manager: it comes first, and without it the book stays shut.
fresh
mkdir -m 700 credentials
mv "$key" credentials/book-key
CREDENTIALS_DIRECTORY=$PWD/credentials begin
in_force 1
expect 0 'In force from now: number 2' "$auricle" rx scan --yes N4.txt
daemon_end
[ ! -e "$key" ]
expect 78 'the key is missing' "$auricle" rx list

# A damaged page, in the middle of the database.
fresh
pages=$(($(stat -c %s "$book/book.sqlite") / 4096))
for page in $(seq 1 $((pages - 1))); do
  head -c 1000 /dev/zero | tr '\0' '\377' | dd of="$book/book.sqlite" bs=1 seek=$((page * 4096)) conv=notrunc 2>/dev/null
done
cp "$book/book.sqlite" damaged
begin
in_force 1
tells 'damaged'
expect 65 'restore a backup' "$auricle" rx scan --yes N4.txt
in_force 1
cmp "$book/book.sqlite" damaged
grep -q 'damaged' daemon.log
daemon_end
expect 0 'The book that was there is kept in' "$auricle" book restore kept.book --passphrase-file pass
begin
in_force 1
expect 0 'In force from now: number 2' "$auricle" rx scan --yes N4.txt
daemon_end

# A wrong clock: seconds are added to what the system says.
cat >clock.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*system_clock)(clockid_t, struct timespec *);
  if (!system_clock) system_clock = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = system_clock(clock, now);
  if (!result && clock == CLOCK_REALTIME) now->tv_sec += atol(getenv("CLOCK_ERROR"));
  return result;
}
time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}
C
clang -shared -fPIC -o clock.so clock.c
at() { # SECONDS COMMAND... the command, under a clock that is wrong by so much
  local seconds=$1
  shift
  CLOCK_ERROR=$seconds LD_PRELOAD=$PWD/clock.so "$@"
}
fresh
expect 0 'number 2' "$auricle" rx scan --yes N4.txt
expect 0 'On trial until' "$auricle" rx try 1 --for 10m
at 0 begin
in_force 1
daemon_end
# Set forward: the trial is over, the former one returned.
at 700 begin
in_force 2
daemon_end
# Set back again: the trial stays over, and the daemon tells why.
at 0 begin
in_force 2
tells 'clock is'
daemon_end
at -86400 begin
in_force 2
tells 'behind the latest moment in the book'
expect 0 'In force from now: number 3' "$auricle" rx scan --yes N5.txt
in_force 3
daemon_end
expect 0 'The audit trail is whole' "$auricle" audit verify

# A trial that ends while nobody has the book open stands in the trail once it is opened.
fresh
expect 0 'number 2' "$auricle" rx scan --yes N4.txt
expect 0 'On trial until' "$auricle" rx try 1 --for 10m
at 700 expect 0 'time-passed' "$auricle" audit show --last 1

# An audiologist whose own key has ended is told before anything is shown or asked for.
"$auricle" clinic init --name 'Ended Clinic' --valid-until "$(date -d '10 days' +%F)" --clinic ended --passphrase-file pass >/dev/null
at $((30 * 86400)) expect 65 'The key of Ended Clinic ended on' "$auricle" rx make --audiogram N3 -o ended.txt --clinic ended \
  --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --passphrase-file nowhere
absent 'gain at 65 dB SPL'
at $((30 * 86400)) expect 65 'auricle clinic init --clinic FOLDER' "$auricle" clinic pass developer --holder Dev -o ended.txt \
  --clinic ended --passphrase-file nowhere
[ ! -e ended.txt ]
