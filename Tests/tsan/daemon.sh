# The whole daemon under ThreadSanitizer: start, reload, a card, programs, a feedback test, a device that is lost and comes
# back, stop and start, and the end. $PROGRAMS holds an auricled built with --sanitize=thread; commands are the shipped ones
# where $COMMANDS says so. Suppressed are C libraries, each by its name, and the count of references of Swift's runtime.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
auricle=${COMMANDS:-$PROGRAMS}/auricle
export XDG_DATA_HOME=$home/data

# JACK hands over between its own threads and processes by futexes in shared memory, and ALSA's jack plugin with it; FFTW's
# plans are made under a lock whose slow path, and memory is given back by a count of references, that are in Swift's runtime.
# None of these is built with the sanitizer.
cat >suppressions <<'LIST'
race:libjack.so
race:libasound.so
race:libasound_module_pcm_jack.so
race:libfftw3f.so
race:_swift_release_dealloc
LIST
# JACK cancels its threads in the middle of a read; one that the sanitizer ignores just then would end the process.
export TSAN_OPTIONS="history_size=7 ignore_interceptors_accesses=0 ignore_noninstrumented_modules=0 halt_on_error=0 exitcode=66 suppressions=$PWD/suppressions log_path=$PWD/report"

jack_start 44100 1024
cat >"$configuration" <<TOML
[device]
capture = "lat"
playback = "lat"
period = 1024
TOML
echo 'four words are enough' >pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null 2>&1
"$auricle" clinic card clinic.txt >/dev/null
for audiogram in N2 N3; do
  "$auricle" rx make --audiogram "$audiogram" --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    --yes --passphrase-file pass -o "$audiogram.txt" >/dev/null 2>&1
done

daemon
until_true state_is running
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
"$auricle" rx scan --yes N2.txt >/dev/null
"$auricle" rx scan --yes N3.txt >/dev/null
"$auricle" rx revert >/dev/null
for program in music quiet automatic; do "$auricle" use "$program" >/dev/null; done
"$auricle" mute >/dev/null
"$auricle" unmute >/dev/null
printf '[safety]\nmaximum-output = 100\n' >>"$configuration"
"$auricle" reload >/dev/null
kill -HUP "$daemon"
kill -USR1 "$daemon"
for _ in 1 2 3 4 5 6 7 8; do
  for _ in 1 2 3 4 5; do "$auricle" status >/dev/null; done &
  helpers+=("$!")
done
# Late cycles are the sanitizer's, ten times slower; the way through the test counts, not its figures.
timeout 120 "$auricle" fit feedback >feedback.txt 2>&1 || true
until_true state_is running

# The device goes and comes back.
jack_stop
until_true state_is waiting-for-device
jack_start 44100 1024
until_true state_is running

"$auricle" stop >/dev/null
until_true state_is stopped
"$auricle" start >/dev/null || true
until_true state_is running
# Tests that are killed, and muted, in the middle.
"$auricle" fit feedback >/dev/null 2>&1 &
test=$!
sleep 1
kill -KILL "$test" 2>/dev/null || true
until_true state_is running
"$auricle" fit feedback >/dev/null 2>&1 &
test=$!
sleep 1
"$auricle" mute >/dev/null
wait "$test" || true
"$auricle" unmute >/dev/null
until_true state_is running
found=0
daemon_end || found=$?
! compgen -G 'report*' >/dev/null || { cat report*; exit 1; }
[ "$found" -eq 0 ] || complain "expected exit 0 of the daemon, found $found"
