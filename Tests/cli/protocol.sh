# The clients that the protocol's manual page shows, fifteen lines each but for the last, do against a daemon what the page says of them.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
client() { # NUMBER: the page's NUMBERth literal block, without what roff wants
  awk -v wanted="$1" '/^\.Bd -literal/ { number++; next } /^\.Ed/ { inside = 0; shown = number; next }
    number == wanted && shown < number' "$REPOSITORY/docs/man/auricle-protocol.7" |
    sed -e 's/\\(aq/'"'"'/g' -e 's/\\-/-/g' -e 's/\\e/\\/g'
}
client 2 >client.py
client 3 >client.sh
client 4 >client.swift
client 5 >test.py
[ "$(wc -l <client.py)" -eq 15 ]
[ "$(wc -l <client.sh)" -eq 15 ]
# What the library gives is public: it is enough for a program of no package.
"${SWIFT:-swift}c" -typecheck -swift-version 6 -Xcc -fmodule-map-file="$PROGRAMS/CLinux.build/module.modulemap" \
  -I "$PROGRAMS/Modules" client.swift

expect 1 'FileNotFoundError' python3 client.py "$socket"
daemon
until_true "$auricle" status --json
state=$("$auricle" status --json | jq -r .state.name)

is() { [ "$(cat "$1")" = "$2" ]; } # FILE LINES
python3 client.py "$socket" >python.out 2>&1 &
helpers+=("$!")
mkfifo open
sleep 600 >open &
helpers+=("$!")
bash client.sh "$socket" <open >shell.out 2>&1 &
helpers+=("$!")
until_true is python.out "$state"
until_true is shell.out "$state"
# Each shows the state, and subscribes then: of a change between the two it does not hear, so the sound is ended once more where either has not.
sleep 0.5
ends=0
ended_last() { [ "$(head -n 1 "$1")" = "$state" ] && [ "$(tail -n 1 "$1")" = stopped ]; } # FILE
both_hear_the_end() {
  [ "$ends" -eq 0 ] || "$auricle" start || true
  ends=$((ends + 1))
  "$auricle" stop | grep 'Sound is off' || return 1
  for _ in $(seq 50); do
    if ended_last python.out && ended_last shell.out; then return 0; fi
    sleep 0.1
  done
  return 1
}
until_true both_hear_the_end
for file in python.out shell.out; do
  [ "$ends" -gt 1 ] || is $file "$state"$'\n'stopped || { cp $file output; complain "expected $state and stopped"; }
done

# A refusal is said, in the daemon's words.
sed 's/call("status")/call("statsu")/' client.py >wrong.py
expect 1 'Did you mean "status"?' python3 wrong.py "$socket"
sed 's/call status/call statsu/' client.sh >wrong.sh
bash wrong.sh "$socket" </dev/null >output 2>&1 || true
grep -q 'Did you mean "status"?' output || complain 'expected the daemon'"'"'s words'
daemon_end

# A hearing test in which nobody presses a key, on ALSA's device that takes sound as fast as it comes: no tone is heard.
cat >"$configuration" <<TOML
[device]
capture = "null"
playback = "null"
[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"
TOML
ordinary_daemon
until_true state_is running
expect 0 'right 1000 90 False' python3 test.py "$socket"
[ "$(wc -l <output)" -eq 6 ] || complain 'expected two frequencies of each ear, the first of them twice'
expect 0 'Muted' "$auricle" mute
expect 1 'Take the mute back first' python3 test.py "$socket"
daemon_end
