# Debug mode of a running aid, by a developer with a clinic's pass: changed for a while, shown everywhere, compared, and undone
# by every end; the audit trail has both ends; a wearer alone does not get in.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64
jack_fitted >"$configuration"
: >nothing
printf 'four words are enough\n' >pass
chmod 600 pass
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" clinic pass developer --holder 'A. Dev' -o pass.txt --passphrase-file pass >/dev/null

expect 69 'auricle start' "$auricle" debug --run nothing
daemon
until_true state_is running
expect 64 'no terminal to type on' "$auricle" debug
expect 77 'expected audiologist or developer' "$auricle" debug --run nothing
expect 0 'Debug mode is off' "$auricle" debug --end
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
"$auricle" rx scan --yes pass.txt >/dev/null

# Every line is answered; the first that is refused ends it, and with it what was changed.
cat >lines <<'LINES'
# A stage, a number, a threshold.
stage noise-reduction off
set attack 20ms
set threshold right 2000 +5
compare prescribed
compare
show
end
LINES
expect 0 'Changed: right ear, 2000 Hz: threshold +5 dB; attack 20 ms; without noise reduction.' "$auricle" debug --run lines
expect 0 'Debug mode is off: sound is as prescribed.' "$auricle" debug --run - <lines
for line in 'set threshold right 1234 5|expected a measured one' 'set attack 10|expected 0.005 to 2 s' \
  'stage echo off|expected noise-reduction' 'set atack 1|Did you mean attack?' 'stage tinnitus-sound off|nothing of it' \
  'dance|All of them: help' 'set threshold up 1 1|expected left or right'; do
  echo "${line%%|*}" >wrong
  expect 64 "${line##*|}" "$auricle" debug --run wrong
  "$auricle" status --json | jq -e '.debug == null' >/dev/null
done

# While it is on, every view says so; the connection's end undoes it.
changed() { "$auricle" status --json | jq -e ".debug.changes | tostring | contains(\"$1\")" >/dev/null; }
off() { "$auricle" status --json | jq -e '.debug == null' >/dev/null; }
printf 'stage compression off\nwait 600s\n' | "$auricle" debug --json --run - >answers &
session=$!
until_true changed 'without compression'
expect 0 'Debug mode' "$auricle" status
"$auricle" spectrum --json --for 1s >frames
jq -se 'all(.[]; .debug == ["without compression"])' frames >/dev/null
jq -se 'all(.[]; .left.gain.parts_db | .lag + .spread + .link | map(if . < 0 then -. else . end) | max < 0.02)' frames >/dev/null
"$auricle" spectrum --record now.csv --for 0.5s >/dev/null
awk -F, 'NR > 1 && $NF != 1 { exit 1 }' now.csv
expect 75 'another one, process' "$auricle" debug --run lines
kill -KILL "$session"
wait "$session" 2>/dev/null || true
until_true off
jq -se '.[1].debug.changes == ["without compression"]' answers >/dev/null

# Mute, the time, another process.
for end in "$auricle mute" "until_true off" "$auricle debug --end"; do
  printf 'stage compression off\nwait 600s\n' | "$auricle" debug --for "$([ "${end%% *}" = until_true ] && echo 20s || echo 10m)" --run - >answers &
  session=$!
  until_true changed 'without compression'
  $end >/dev/null
  off
  kill -KILL "$session"
  wait "$session" 2>/dev/null || true
  "$auricle" unmute >/dev/null
  until_true state_is running
done

"$auricle" audit show --json >trail
jq -e '[.lines[] | select(.action == "debug-began")] | length > 5 and all(.[]; .role == "developer" and .proof == "pass")' trail >/dev/null
jq -e '[.lines[] | select(.action == "debug-ended").subject] | contains(["its connection has ended", "on command",
  "the aid was muted", "its time is over"])' trail >/dev/null
"$auricle" audit verify >/dev/null
daemon_end
