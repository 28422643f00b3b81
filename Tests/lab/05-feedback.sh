# The feedback test on a loop that is known: what the card plays comes back to its own capture unchanged, |F| = 0 dB. The
# gain is then held below 0 dB, a daemon plays the test in place of what it amplifies and sounds again, however the test ends,
# and what was measured is kept.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
card() {
  jack_start 44100 256
  # A card that hears itself, left by left and right by right: playback begins after capture, and connects itself to it.
  cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.loop {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 system:capture_1 1 system:capture_2 } }
  playback.pcm { type jack name earphones playback_ports { 0 microphones:in_000 1 microphones:in_001 } }
}
CONF
}
card
kept=$STATE_DIRECTORY/feedback.json

configure() { # CAPTURE
  cat >"$configuration" <<TOML
[device]
capture = "$1"
playback = "$1"
period = 256
clock = "shared"
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N3.json"
[safety]
ramp = "200 ms"
TOML
}
configure loop

# Nothing measured yet.
expect 0 'Left: not measured' "$auricle" fit feedback --show
expect 0 'Forgotten' "$auricle" fit feedback --clear
expect 64 'exclude each other' "$auricle" fit feedback --show --clear
expect 64 '' "$auricle" fit feedback --ear middle

measure() { # STATUS TEXT OPTION...
  local status=$1 text=$2 found=0
  shift 2
  timeout 120 "$auricle" fit feedback "$@" >output 2>&1 || found=$?
  [ "$found" -eq "$status" ] || complain "fit feedback $*: expected exit $status, found $found"
  grep -qF -- "$text" output || complain "fit feedback $*: expected '$text'"
}

# A server that another program keeps from its turn drops blocks and tells nobody: that reads as noise, or as a delay that
# moves. The test itself takes a run once more then; where even that did not find a quiet moment (exit 75), three attempts, and two more where
# the last found none and the server was late in it.
patient() { # COMMAND...
  local attempt cycles found
  for attempt in 1 2 3 4 5; do
    found=0
    cycles=$(jack_xruns)
    "$@" || found=$?
    [ "$found" -ne 0 ] || return 0
    echo "attempt $attempt: $(tail -n 1 output)"
    [ "$attempt" -lt 3 ] || { [ "$found" -eq 75 ] && [ "$(jack_xruns)" -gt "$cycles" ]; } || break
  done
  complain "$*: no result in $attempt attempts"
}
tested() { timeout 180 "$auricle" fit feedback "$@" >output 2>&1; }

# Without a daemon. |F| = 0 dB in every band: no more gain than −6 dB, and the prescription is held.
whole() {
  tested --json && jq -e '.schema == 101 and ([.feedback.left, .feedback.right] | all(
    (.path.bands | length == 20 and all(.[]; .greatest_gain_db < -5 and .greatest_gain_db > -7 and .held and .feedback_found))
    and .path.rate_hz == 44100 and .path.delay_seconds > 0.001 and .path.delay_seconds < 0.05))' output >/dev/null
}
patient whole
[ "$(stat -c %a "$kept")" = 600 ]
jq -c '[.left, .right][] | {delay_seconds, device_delay_seconds}' "$kept"
expect 0 'gain held' "$auricle" fit feedback --show

# With a daemon that sounds: silent for the test, then heard again with what was measured then.
daemon
until_true state_is running
# The devices tell their delay once they run, and the canceller begins with the path then.
held() {
  "$auricle" status --json >status.json
  jq -e '.feedback.left.path.these_devices and (.meters.left.bands | all(
    .gain_db < (if .centre_hz >= 2000 and .centre_hz <= 4000 then 5 else -5 end)))' status.json
}
until_true held
expect 0 'gain held' "$auricle" status
# After a drop-out the loop may be another one: the canceller looks where the devices say that it is.
lost=$("$auricle" status --json | jq .meters.xruns.lost_seconds)
# Half a second without a period is a standstill, which the stream is begun anew for.
dropped() {
  kill -STOP "${jack_processes[-1]}"
  sleep 0.5
  kill -CONT "${jack_processes[-1]}"
  sleep 0.5
  "$auricle" status --json | jq -e ".meters.xruns.lost_seconds > $lost"
}
until_true dropped
followed() {
  "$auricle" status --json >status.json
  jq -e '(.latency.loop_seconds - .latency.chain_seconds - .feedback.loop_delay_seconds) | fabs < 0.001' status.json
}
until_true followed
expect 0 'Forgotten' "$auricle" fit feedback --clear
[ ! -e "$kept" ]
expect 0 'not measured' "$auricle" status
"$auricle" mute >/dev/null
patient tested --ear left
grep -qF 'Kept; it limits the gain from now on.' output || complain 'expected it to be kept'
until_true state_is muted
jq -e '.left and (.right | not)' "$kept" >/dev/null
"$auricle" status --json | jq -e '.feedback.left.path and (.feedback.right.path | not) and .feedback.loop_delay_seconds > 0' >/dev/null ||
  complain 'expected the left path and the loop delay'

# A shell gives programs in the background no Ctrl-C, and what is ignored stays so.
interruptible() {
  exec python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' "$@"
}

# Ended by a person, or by whatever gives it no time to say so: the sound that was on comes back at once, the status and the log say why it was
# off, and nothing is kept.
silent_no_more() { ! state_is waiting-for-device; }
# The status says why the test under way ended, in words and for programs; nothing of it was kept.
broken_off() { # REASON
  expect 0 "The feedback test of process $test broke off: $1. Nothing of it is kept." "$auricle" status
  "$auricle" status --json >output
  jq -e --arg reason "$1" ".procedure.pid == $test and .procedure.reason == \$reason" output >/dev/null ||
    complain "expected the reason '$1'"
  [ "$(sha256sum "$kept")" = "$before" ]
}
begin() { # a test that plays; its number is $test
  local attempt
  for attempt in $(seq 5); do
    # The words of the former one are not those of this one.
    : >played
    interruptible "$auricle" fit feedback >played 2>&1 &
    test=$!
    until_true grep -q 'Keep still' played
    "$auricle" status >output
    grep -q "silent since.*a feedback test is under way, process $test; sound comes back when it ends" output ||
      complain 'expected the status to say what is under way'
    "$auricle" status --json >output
    jq -e ".procedure.pid == $test and .procedure.name == \"feedback\" and (.procedure.ended_unix_seconds | not)" output \
      >/dev/null || complain 'expected the test in the status'
    sleep 2.5
    # On a busy machine the sound card may be so late that the test gives up by itself.
    if kill -0 "$test" 2>/dev/null; then return; fi
    until_true silent_no_more
  done
  cp played output
  complain 'expected a test that plays for 2.5 s, found none in five'
}
ended() { # EXIT TEXT: how the command ended
  local found=0
  wait "$test" || found=$?
  cp played output
  [ "$found" -eq "$1" ] || complain "expected exit $1, found $found"
  grep -qF -- "$2" output || complain "expected '$2'"
}
"$auricle" unmute >/dev/null
before=$(sha256sum "$kept")
# A person has seen it end.
begin
kill -INT "$test"
ended 130 'ended before there was a result'
[ "$(sha256sum "$kept")" = "$before" ]
until_true state_is running
begin
kill -KILL "$test"
began=$(date +%s%N)
until_true state_is running
echo "killed to sound: $((($(date +%s%N) - began) / 1000000)) ms"
ended 137 ''
broken_off 'it was ended from outside'
grep -q "process $test broke off: it was ended from outside.*What sounded before sounds again" daemon.log
# The devices stayed open: nothing was opened for a test.
"$auricle" status --json | jq -e '.devices != null' >/dev/null
# A pulled terminal it is told of.
begin
kill -HUP "$test"
ended 143 'ended before there was a result'
until_true state_is running
expect 0 'Feedback' "$auricle" status
absent 'feedback test'
"$auricle" status --json | jq -e '.procedure == null' >/dev/null
# A wearer who wants silence has it.
begin
"$auricle" mute >/dev/null
ended 75 'feedback test: the aid was muted meanwhile.'
until_true state_is muted
broken_off 'the aid was muted meanwhile'
"$auricle" unmute >/dev/null
until_true state_is running
begin
expect 0 'Sound is off.' "$auricle" stop
ended 75 'feedback test: the aid was stopped meanwhile.'
state_is stopped
broken_off 'the aid was stopped meanwhile'
"$auricle" start >/dev/null
until_true state_is running
# Limits and levels that change are not those of the test; a program is.
for attempt in $(seq 5); do
  begin
  "$auricle" use music >/dev/null
  "$auricle" volume +1 >/dev/null 2>&1 || true
  # On a busy machine it may have given up by itself, for a sound card that was late.
  ! kill -0 "$test" 2>/dev/null || break
  cp played output
  [ "$attempt" -lt 5 ] || complain 'expected the test to go on after a change of program and volume, in one of five'
  until_true state_is running
done
printf 'maximum-output = 100\n' >>"$configuration"
"$auricle" reload >/dev/null
ended 75 'feedback test: the configuration changed meanwhile. Measure again.'
until_true state_is running
broken_off 'the configuration changed meanwhile'
# A device that goes: the reason, and sound when it is there again.
begin
jack_stop
ended 75 'feedback test: '
until_true state_is waiting-for-device
"$auricle" status --json | jq -e ".procedure.pid == $test and .procedure.reason != null" >/dev/null
card
until_true state_is running
# A daemon without sound opens its devices for the test alone.
"$auricle" stop >/dev/null
: >played
interruptible "$auricle" fit feedback >played 2>&1 &
test=$!
until_true grep -q 'Keep still' played
expect 0 "feedback, process $test, since" "$auricle" status
state_is stopped
kill -INT "$test"
ended 130 'ended before there was a result'
closed() { "$auricle" status --json | jq -e '.state.name == "stopped" and .devices == null and .procedure == null'; }
until_true closed
"$auricle" start >/dev/null
until_true state_is running
# A command that is suspended holds nothing up: the test ends by itself, and the command finds its end.
begin
kill -STOP "$test"
until_true state_is running
kill -CONT "$test"
found=0
wait "$test" || found=$?
[ "$found" -eq 0 ] || [ "$found" -eq 75 ] || complain "expected exit 0 or 75, found $found"
before=$(sha256sum "$kept")
# A client of protocol 1.2 is told what has taken the place of what it calls.
printf '{"jsonrpc":"2.0","id":1,"method":"feedback.borrow"}\n' | socat -t 180 - "UNIX:$socket" >output
grep -q 'ended with protocol 1.2, expected \\"feedback.measure\\"' output || complain 'expected the successor'
# A configuration that the daemon does not use is not measured with.
cp "$configuration" other.toml
expect 64 'with which the daemon measures' "$auricle" fit feedback --config other.toml
expect 64 'with which the daemon runs' "$auricle" start --config other.toml
# A daemon that ends with its sound stays for the test, and so does its mute.
daemon_end
expect 0 'Sound is on.' "$auricle" start
number=$("$auricle" status --json | jq .daemon.pid)
"$auricle" mute >/dev/null
begin
kill -KILL "$test"
until_true state_is muted
wait "$test" || true
[ "$("$auricle" status --json | jq .daemon.pid)" = "$number" ]
# One that is killed takes the test with it; the next one begins as the former one was.
begin
kill -KILL "$number"
ended 69 'the daemon hung up'
until_true state_is muted
[ "$("$auricle" status --json | jq .daemon.pid)" != "$number" ]
expect 0 'Sound is off.' "$auricle" stop
until_true test ! -e "$socket"

# Another device than the one that was measured: limits, is not cancelled by, and is said. 
configure lat
daemon
until_true state_is running
# Known once the devices have told their delay.
another() { "$auricle" status | grep -q 'with another device or rate'; }
until_true another
"$auricle" status --json | jq -e '.feedback.left.path.these_devices == false and (.meters.left.bands | all(.gain_db < -5))' >/dev/null ||
  complain 'expected the limit of the other device'
daemon_end

# What cannot be measured is said.
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
measure 75 'nosuchdevice'
printf '{' >"$kept"
expect 0 'content that cannot be understood' "$auricle" fit feedback --show
[ -e "$kept.damaged" ]
