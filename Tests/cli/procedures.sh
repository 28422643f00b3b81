# Hearing tests and matches as far as they can be seen without sound: what has to be done first, orders and keys that are refused, and
# records that were left, cut off, damaged or edited. ALSA's null device takes sound as fast as it comes, so a match lasts a moment.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
source "$REPOSITORY/Tests/cli/procedures.bash"

# One request: its answer is in `output`. A caller that has sent everything has ended, and so has what it began.
call() { # METHOD PARAMETERS
  printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' "$1" "$2" | socat -t 180 - "UNIX:$socket" >output
}
refused() { # CODE TEXT METHOD PARAMETERS
  call "$3" "$4"
  jq -e --argjson code "$1" --arg text "$2" '.error.code == $code and (.error.message | contains($text))' output >/dev/null ||
    complain "$3 $4: expected error $1 and '$2'"
}
# The card never lets the aid wait, which then takes a whole processor: where no sound is asked for there is none.
rest() { "$auricle" stop >/dev/null; }
sound() {
  "$auricle" start >/dev/null
  until_true state_is running
}
tried() { # EXIT-STATUS TEXT METHOD PARAMETERS
  refused -32000 "$2" "$3" "$4"
  jq -e --argjson status "$1" '.error.data.exit_status == $status' output >/dev/null || complain "$3 $4: expected exit status $1"
}

# No daemon, and no terminal.
for command in hearing-test 'match loudness --tinnitus left' 'match history' 'match export' 'match replay'; do
  # shellcheck disable=SC2086
  expect 69 'auricle start' "$auricle" $command
done

# What has to be done first.
loudness='{"order": {"name": "loudness", "ear": "left", "threshold": 20}}'
order() { jq -c ".order += $1" <<<"$loudness"; }
echo "$devices" >"$configuration"
daemon
until_true state_is running
expect 0 'No matches and no hearing tests yet' "$auricle" match history
expect 64 'terminal: found none, expected one with keys. Without one a program runs a procedure over the control socket by procedure.start' \
  setsid --wait "$auricle" hearing-test
expect 64 '--ear left or --ear right' "$auricle" match loudness --tinnitus both
tried 69 'found an earphone that is not calibrated' procedure.start "$loudness"
terminal 69 'Calibrate it first' x hearing-test --no-room
printf '%s\n' "$devices" "$earphone" | sed '/^transducer/d' >"$configuration"
expect 0 '' "$auricle" reload
tried 69 'no reference thresholds for the earphone' procedure.start "$loudness"
printf '%s\n' "$devices" "${earphone/hda200/free-field}" >"$configuration"
expect 0 '' "$auricle" reload
tried 69 'found free-field, sound of a loudspeaker, which both ears hear, expected earphones' procedure.start "$loudness"
printf '%s\n' "$devices" "$earphone" >"$configuration"
expect 0 '' "$auricle" reload
until_true state_is running
expect 0 'Muted' "$auricle" mute
tried 69 'Take the mute back first: auricle unmute' procedure.start "$loudness"
expect 0 '' "$auricle" unmute
until_true state_is running
if person "$(order '{room: {threshold: 45, passes: 5, release: 43, rise: 8, confirmations: 2, adaptation: 0.05, help_after: 12}}')"; then
  complain 'expected no quiet room without a calibrated microphone'
fi
jq -e '.error.exit_status == 69 and (.error.remedy | contains("--no-room"))' output >/dev/null || complain 'expected what to do'
for order in '{"name": "loudness", "ear": "left"}' '{"name": "masking", "ear": "left", "frequency": 4000}' '{"name": "pitch", "ear": "left"}'; do
  if person "{\"order\": $order}"; then complain "$order: expected a threshold to be asked for"; fi
  jq -e '.error.exit_status == 69 and (.error.remedy | startswith("Measure "))' output >/dev/null || complain "$order: expected the test"
done
if person '{"order": {"name": "inhibition", "ear": "left", "threshold": 20}}'; then complain 'expected a masking level to be asked for'; fi
grep -q 'auricle match masking' output || complain 'expected the search'
# Threshold above what may be played: 85 dB SPL are 79.5 dB HL by this earphone.
if person "$(order '{threshold: 80}')"; then complain 'expected no match above 85 dB SPL'; fi
grep -q 'cannot be measured safely' output || complain 'expected the reason'

# Orders that nobody can carry out name what is wrong.
printf '%s\n' "$devices" "$earphone" "$microphone" >"$configuration"
expect 0 '' "$auricle" reload
rest
wrong() { refused -32602 "$1" procedure.start "$2"; }
wrong 'order: found neither' '{}'
wrong 'order: found both' "$(jq -c '.resume = "x"' <<<"$loudness")"
wrong 'found 20 Hz, expected 125 to 16000 Hz' "$(order '{frequency: 20}')"
wrong 'expected 125 to 16000 Hz' '{"order": {"name": "hearing-test", "frequencies": [1000, 1e300]}}'
wrong 'found broad-noise for a loudness match' "$(order '{signal: "broad-noise"}')"
wrong 'found broad-noise at 8 frequencies' '{"order": {"name": "hearing-test", "signal": "broad-noise"}}'
wrong 'found 940 dB HL, expected -10 to 120 dB HL' "$(order '{threshold: 940}')"
wrong 'dB HL, expected -10 to 120 dB HL' "$(order '{masking: -1e300}')"
wrong 'empty or names one twice' '{"order": {"name": "hearing-test", "ears": []}}'
wrong 'empty or names one twice' '{"order": {"name": "hearing-test", "ears": ["left", "left"]}}'
wrong 'found 30 frequencies, expected at most 24' "{\"order\": {\"name\": \"hearing-test\", \"frequencies\": $(jq -nc '[range(30) | . * 100 + 200]')}}"
wrong 'each one once' '{"order": {"name": "hearing-test", "frequencies": [1000, 1000]}}'
wrong 'found 0 trials, expected 1 to 20' "$(order '{trials: 0}')"
wrong 'found no ear, expected left or right' '{"order": {"name": "loudness"}}'
room='{threshold: 45, passes: 5, release: 43, rise: 8, confirmations: 2, adaptation: 0.05, help_after: 12}'
for part in 'threshold = 10' 'release = 50' 'rise = 0' 'adaptation = 2' 'passes = 0' 'confirmations = 601'; do
  wrong 'found a room' "$(order "{room: ($room | .$part)}")"
done
for order in '{"name": "audiogram"}' '{}' '{"name": "loudness", "ear": "third"}' '{"name": "loudness", "ear": "left", "trials": 1.5}' \
  '{"name": "loudness", "ear": "left", "room": {"threshold": 45}}'; do
  refused -32602 order procedure.start "{\"order\": $order}"
done
refused -32602 order procedure.start '{"order": 3}'
tried 77 "Louder ones are the audiologist's" procedure.start '{"order": {"name": "hearing-test", "highest": 100}}'

# Keys.
refused -32602 'key: found "hear"' procedure.answer '{"key": "hear"}'
refused -32602 'value: found nothing, expected a number' procedure.answer '{"key": "turn"}'
refused -32602 value procedure.answer '{"key": "turn", "value": 1e300}'
tried 69 'no procedure under way' procedure.answer '{"key": "heard"}'
call procedure.stop '{}'
jq -e '.result.state.name' output >/dev/null || complain 'expected nothing to stop'

# The null device's microphone delivers silence, which is no quiet room: it waits, of one connection, until somebody ends it.
sound
mkfifo open
{ printf '{"jsonrpc":"2.0","id":1,"method":"procedure.start","params":%s}\n' "$(order "{room: $room}")"; cat open; } |
  socat -t 180 - "UNIX:$socket" >waiting &
helpers+=("$!")
exec 3>open
until_true grep -q waiting-for-quiet waiting
# A pause meanwhile stays, whatever is heard of the room, until a key takes it back; one that is asked for again is told again.
press() { printf '{"jsonrpc":"2.0","id":2,"method":"procedure.answer","params":{"key":"%s"}}\n' "$1" >&3; }
paused() { [ "$(grep -c '"phase":"paused"' waiting)" -ge "$1" ]; }
last_is() { grep '"phase":' waiting | tail -n 1 | grep -qF "\"phase\":\"$1\""; }
for count in 1 2; do
  press pause
  until_true paused "$count"
  # On this device windows of the room come much faster than one a second.
  sleep 0.5
  last_is paused || complain "expected that pause $count stays, found $(grep '"phase":' waiting | tail -n 1)"
done
paused 3 && complain 'expected that each pause is told once'
press resume
until_true last_is waiting-for-quiet
tried 77 'one of this connection' procedure.answer '{"key": "accept"}'
tried 75 'one at a time' procedure.start "$loudness"
call procedure.stop '{}'
until_true grep -q '"phase":"broken"' waiting
exec 3>&-
expect 0 'The loudness match of process' "$auricle" status
rm "$records"/*

# A match by the command, whose trials begin 5 dB above the threshold, 8 dB below the first match and 8 dB above the second; and one that is left and gone on with.
terminal 0 'Loudness at 1000 Hz, right ear: 25 dB HL, 5 dB above your threshold of 20 dB HL' '\r' match loudness --tinnitus left --threshold 20 --no-room
# Enter alone finds the beginnings, which is no match.
grep -qF 'Most trials ended at their first tone, which proves nothing: match once more.' output || complain 'expected that nothing is proved'
first=$("$auricle" match history --json | jq -r '.records[0].record')
expect 0 '25.0 dB HL, 5.0 dB SL, not turned' "$auricle" match history
# A key that comes when the last trial has just ended keeps no result back.
terminal 0 'Loudness at 1000 Hz, right ear: 25 dB HL' '\r\r' match loudness --tinnitus left --threshold 20 --no-room
rm "$records/$("$auricle" match history --json | jq -r '.records[1].record').jsonl"
terminal 130 'go on with: --resume' q match loudness --tinnitus left --threshold 20 --no-room
expect 0 'left; go on with: --resume' "$auricle" match history
expect 64 'leave out --tinnitus and --room' "$auricle" match loudness --tinnitus left --resume last --room 40
terminal 0 'Loudness at 1000 Hz, right ear' '\r' match loudness --resume last
expect 0 'Loudness, right ear, 1000 Hz        2 ' "$auricle" match history
absent 'go on with'
terminal 64 'none that was left' x match loudness --resume last
# Whose microphone delivers nothing goes on without it, which the record says.
terminal 130 'go on with: --resume' q match loudness --tinnitus left --threshold 20
terminal 0 'Loudness at 1000 Hz, right ear' '\r' match loudness --resume last --no-room
unheard=$records/$("$auricle" match history --json | jq -r '.records[-1].record').jsonl
grep -q '"line":"resumed","reason":"without listening to the room"' "$unheard" || complain 'expected the room to be left out, and a line of it'
rm "$unheard"
# In the background no key reaches it: nothing begins.
kept=$(find "$records" -type f | wc -l)
expect 64 'runs in the background' python3 "$REPOSITORY/Tests/lab/pseudoterminal.py" '' /bin/bash -c \
  'set -m; "$0" match loudness --tinnitus left --threshold 20 --no-room & wait $!' "$auricle"
[ "$(find "$records" -type f | wc -l)" -eq "$kept" ]
if person "{\"resume\": \"$first\"}"; then complain 'expected that a match is finished once'; fi
jq -e '.error.exit_status == 64' output >/dev/null || complain 'expected what it is'
person '{"order": {"name": "masking", "ear": "left", "threshold": 20}}' present absent absent absent || complain 'expected a masking level'
person '{"order": {"name": "inhibition", "ear": "left", "threshold": 20}}' rate=100 || complain 'expected the masking level to be found'
# Where that is a level or below the inhibition behind it says so.
"$auricle" match history --json | jq -e '(.records | map({(.name): .result}) | add)
  | .masking.masking.level_or_below | type == "boolean"' >/dev/null || complain 'expected whether the masking level may be lower'
"$auricle" match history --json | jq -e '(.records | map({(.name): .result}) | add)
  | .masking.masking.level_or_below == .inhibition.inhibition.masking_or_below' >/dev/null || complain 'expected the same of the inhibition'
person '{"order": {"name": "bandwidth", "ear": "left", "frequency": 4000, "threshold": 20}}' rate=80 rate=20 rate=50 || complain 'expected a bandwidth'
expect 0 'bandwidth' "$auricle" match history
# The result for a program, while the screen is the terminal's.
expect 0 '' python3 terminal.py '\r' /bin/sh -c '"$0" match loudness --tinnitus left --threshold 20 --no-room --json >result.json' "$auricle"
jq -e '.result.loudness.level == 25 and .tinnitus_side == "left"' result.json >/dev/null || complain 'expected the result as JSON alone'
rm "$records/$(jq -r .record result.json).jsonl"
# A key that says nothing is answered with those that do.
hints=$(timeout 180 python3 - "$auricle" <<'PYTHON'
import sys
from pseudoterminal import Program
program = Program([sys.argv[1], "match", "loudness", "--tinnitus", "left", "--threshold", "20", "--no-room"])
while b"Keys that count" not in program.shown and program.read(0.05):
    if b"trial 1 of 3" in program.shown: program.type(b"x")
program.type(b"q")
program.end()
print(program.text)
PYTHON
)
for words in 'trial 1 of 3' 'Keys that count: ↑ or +'; do
  grep -qF "$words" <<<"$hints" || complain "expected '$words' on the screen"
done
rm "$records/$("$auricle" match history --json | jq -r '[.records[] | select(.ended_unix_seconds == null)][0].record').jsonl"
[ "$(stat -c %a "$records")" = 700 ]
[ "$(stat -c %a "$records"/* | sort -u)" = 600 ]

# Worked out again, all as they were.
rest
for record in "$records"/*; do
  record=${record##*/}
  expect 0 'all as recorded, and so is the result' "$auricle" match replay "${record%.jsonl}"
done

# Where lines are counted (Tests/coverage) a daemon writes them at its own end: before one is killed.
daemon_end
daemon
until_true state_is running

# Killed in the middle, the caller or the daemon, a match goes on behind the last answer.
for killed in caller daemon; do
  python3 person.py "$socket" '{"order": {"name": "loudness", "ear": "left", "threshold": 20}}' turn=1 turn=-1 >endless 2>&1 &
  helpers+=("$!")
  until_true sh -c '[ "$(cat "$0"/*-loudness*.jsonl | grep -c "\"value\":-1.*\"line\":\"answer\"")" -gt 5 ]' "$records"
  left=$("$auricle" match history --json | jq -r '[.records[] | select(.ended_unix_seconds == null)][0].record')
  case $killed in
    caller)
      kill -KILL "$!"
      until_true sh -c '"$0" status --json | jq -e ".procedure.ended_unix_seconds != null"' "$auricle"
      ;;
    daemon)
      kill -KILL "$daemon"
      wait "$daemon" 2>/dev/null || true
      daemon
      until_true state_is running
      ;;
  esac
  answered=$(grep -c '"line":"answer"' "$records/$left.jsonl")
  person "{\"resume\": \"$left\"}" accept || complain "$killed: expected it to go on"
  # Three matches end it; nothing that was answered is asked again.
  [ "$(grep -c '"line":"answer"' "$records/$left.jsonl")" -eq $((answered + 3)) ] || complain "$killed: expected three answers more than $answered"
  expect 0 'all as recorded, and so is the result' "$auricle" match replay "$left"
  rm "$records/$left.jsonl"
done

# As a table: of one's own alone.
rest
expect 0 '2 matches written' "$auricle" match export --output matches.csv --dictionary columns.csv
[ "$(stat -c %a matches.csv columns.csv | sort -u)" = 600 ]
[ "$(wc -l <matches.csv)" -eq 3 ]
[ "$(($(head -1 matches.csv | tr -cd , | wc -c) + 2))" -eq "$(wc -l <columns.csv)" ]
grep -q "^$first," matches.csv
# Nobody turned a tone of either.
[ "$(grep -c ',flagged,not_turned,' matches.csv)" -eq 2 ] || complain "expected two flags, found $(cat matches.csv)"
# Another table of the same name stays, unless it is to be replaced.
cp matches.csv former.csv
expect 73 'give --overwrite to replace it' "$auricle" match export --output matches.csv --study-code P7
expect 73 'columns.csv: This file exists already' "$auricle" match export --output new.csv --dictionary columns.csv
[ ! -e new.csv ]
cmp matches.csv former.csv
expect 64 'also reads or writes this file' "$auricle" match export --output same.csv --dictionary same.csv
"$auricle" match export --output matches.csv --overwrite --json >export.json
jq -e --arg first "$first" '.schema == 100 and .files == ["matches.csv"] and .message == "2 matches written: matches.csv."
  and .columns[0] == "task_run_id" and (.rows | length) == 2 and ([.rows[][0]] | index($first) != null)
  and (.columns | length) as $count | all(.rows[]; length == $count)' export.json >/dev/null || complain 'expected what was written, and the table'
"$auricle" match export --study-code P7 >study.csv
grep -q '^P7-0,' study.csv
if grep -E 'null|T[0-9]{2}:[0-9]{2}:' study.csv >output; then complain 'expected neither a device nor an instant'; fi

# Records that were not written so.
base=$records/$first.jsonl
edited() { # NAME [JQ-FILTER [LINES]]: the first match under another name, its first line edited
  { head -1 "$base" | jq -c ".content.identifier = \"$1\" | ${2:-.}"; sed -n "2,$((${3:-9999} + 1))p" "$base"; } >"$records/$1.jsonl"
  chmod 600 "$records/$1.jsonl"
}
edited cut . 3
printf '{"line":"answer","con' >>"$records/cut.jsonl"
edited damaged
sed -i '3s/.*/{"line":"nothing"}/' "$records/damaged.jsonl"
: >"$records/empty.jsonl"
echo 'no record' >"$records/not a record.jsonl"
ln -s /dev/zero "$records/endless.jsonl"
expect 0 'left; go on with: --resume cut' "$auricle" match history
# Listed by its ends; its middle is read when it is opened. What has no beginning is named.
grep -q 'left out: empty: it is damaged' output || complain 'expected the empty file by name'
"$auricle" match history --json | jq -e '[.records[].record] | length == 7 and index("cut") != null' >/dev/null
tried 65 'damaged.jsonl:3: found a line that is no part of a record' procedure.show '{"record": "damaged"}'
tried 65 'found no beginning' procedure.show '{"record": "empty"}'
sound
for name in ../x '' ../procedures/cut 'a/b' 'cut.jsonl' '..' "$(printf 'a%.0s' {1..81})"; do
  tried 64 'expected a name as auricle match history shows it' procedure.show "{\"record\": \"$name\"}"
  if person "{\"resume\": \"$name\"}"; then complain "$name: expected no such record"; fi
done
tried 66 'nothere' procedure.show '{"record": "nothere"}'
person '{"resume": "cut"}' accept || complain 'expected it to go on behind its last whole line'
jq -es 'map(.line) | index("resumed") != null and .[-1] == "end"' "$records/cut.jsonl" >/dev/null || complain 'expected whole lines'
expect 0 'all as recorded' "$auricle" match replay cut

# A residual inhibition that was left in the time after its noise begins anew: how the tinnitus came back cannot be asked for later.
base=$records/$("$auricle" match history --json | jq -r '.records[] | select(.name == "inhibition") | .record').jsonl
edited returning . $(($(grep -n '"line":"answer"' "$base" | sed -n '2s/:.*//p') - 1))
person '{"resume": "returning"}' rate=100 || complain 'expected the noise once more'
jq -es 'map(.line) | (index("restarted") as $place | index("resumed") < $place and $place < rindex("answer")) and .[-1] == "end"' \
  "$records/returning.jsonl" >/dev/null || complain 'expected it to begin anew'
jq -es 'map(select(.line == "presented") | .content) | . as $sounds | map(select(.step == $sounds[0].step)) | length == 2' \
  "$records/returning.jsonl" >/dev/null || complain "expected the noise twice: $(cat "$records/returning.jsonl")"
rest
expect 0 'all as recorded, and so is the result' "$auricle" match replay returning
rm "$records/returning.jsonl"
base=$records/$first.jsonl

# Worked out again, what was edited comes out otherwise.
edited level
sed -i '/"line":"presented"/s/"level":25/"level":26/' "$records/level.jsonl"
expect 1 'asks for another sound' "$auricle" match replay level
edited samples
sed -i 's/"digest":"."/"digest":"0"/; s/"digest":"[0-9a-f]*"/"digest":"0123456789abcdef"/' "$records/samples.jsonl"
expect 1 'has other samples' "$auricle" match replay samples
edited result
sed -i '$s/"level":[0-9.]*/"level":70/' "$records/result.jsonl"
expect 1 'The result comes out otherwise' "$auricle" match replay result
edited answers
sed -i 's/"answer":"accept"/"answer":"first"/' "$records/answers.jsonl"
expect 65 'an answer to step' "$auricle" match replay answers
sound
# With its first answer; a sound that was played again before it has a line of its own.
edited resumed . "$(grep -n -m 1 '"line":"answer"' "$base" | cut -d : -f 1)"
sed -i 's/"answer":"accept"/"answer":"first"/' "$records/resumed.jsonl"
if person '{"resume": "resumed"}'; then complain 'expected no way on'; fi
jq -e '.error.exit_status == 65' output >/dev/null || complain 'expected that it is damaged'
edited other '.content.calibration.sensitivity.left = 110' 3
if person '{"resume": "other"}'; then complain 'expected the same calibration to be asked for'; fi
grep -q 'another earphone or calibration' output || complain 'expected the reason'
# At another rate its sounds would have other samples; and what was heard counts for sounds that its answers lead to alone.
edited faster '.content.device.rate_hz = 96000' 3
if person '{"resume": "faster"}' accept; then complain 'expected the same rate to be asked for'; fi
jq -e '.error.exit_status == 69 and (.error.expected | startswith("96000 Hz"))' output >/dev/null || complain 'expected the rate'
# Answers of before a month and those of today would be one result.
edited stale '.content.at -= 31 * 86400' 3
if person '{"resume": "stale"}' accept; then complain 'expected no way on behind a month'; fi
jq -e '.error.exit_status == 69 and (.error.found | contains("days ago")) and .error.remedy == "Begin anew."' output >/dev/null || complain 'expected the age'
expect 0 'left too long ago to go on with' "$auricle" match history
rm "$records/stale.jsonl"
edited louder . "$(grep -n -m 1 '"line":"presented"' "$base" | cut -d : -f 1)"
sed -i '/"line":"presented"/s/"level":25/"level":26/' "$records/louder.jsonl"
if person '{"resume": "louder"}' accept; then complain 'expected no way on behind another sound'; fi
jq -e '.error.exit_status == 69 and (.error.found | startswith("another sound at step"))' output >/dev/null || complain 'expected the sound'

# A hearing test that nobody answers: its record is read again by everything that needs it. One that was edited is not gone on with above
# 90 dB HL by a wearer, and gaps beyond all sense end nothing.
person '{"order": {"name": "hearing-test", "ears": ["left"], "frequencies": [1000], "method": "bayesian"}}' || complain 'expected a result'
test=$("$auricle" match history --json | jq -r '[.records[] | select(.name == "hearing-test")][-1].record')
expect 0 '1 threshold' "$auricle" match history
expect 0 'all as recorded, and so is the result' "$auricle" match replay "$test"
base=$records/$test.jsonl
edited above '.content.plan.plan.limits.left[1].highest = 110 | .content.order.highest = 110' 1
if person '{"resume": "above"}'; then complain 'expected no tones above 90 dB HL for a wearer'; fi
jq -e '.error.exit_status == 77' output >/dev/null || complain 'expected that it is not permitted'
edited gap '.content.plan.plan.gap = [1, 1e300]' 1
person '{"resume": "gap"}' || true
"$auricle" status >/dev/null
base=$records/$first.jsonl

# What was edited is not gone on with: levels are worked out anew from what is known.
for change in '.content.plan.plan.range.ceiling = 105' '.content.plan.plan.range.threshold = 60' '.content.plan.plan.trial_count = 0' \
  '.content.order.threshold = 60' '.content.order.trials = 1'; do
  edited plan "$change" 3
  if person '{"resume": "plan"}' accept; then complain "$change: expected no way on"; fi
  jq -e '.error.exit_status == 69 or .error.exit_status == 65' output >/dev/null || complain "$change: expected a refusal"
done
edited late '.content.at = 1e300'
expect 0 "$first" "$auricle" match history
expect 0 "$first" "$auricle" match export
for rate in 2000000000 9000000000000000000; do
  edited rate ".content.device.rate_hz = $rate"
  expect 65 rate "$auricle" match replay rate
done
edited foreign '.content.identifier = "../\u001b[31mx"'
expect 0 '' "$auricle" match history
absent $'\e'

# Tones of a pitch and a likeness match are as loud as the tinnitus by a measured audiogram, here of a record that was edited; a key brings sounds once more.
measured=$records/$test.jsonl
jq -c 'if .line == "end" then .content.hearing_test.thresholds |=
  [.[0] as $found | (500, 1000, 2000, 4000, 8000) as $frequency | $found | .frequency = $frequency | .level = 30 | .has_response = true]
  else . end' "$measured" >edited.jsonl
cat edited.jsonl >"$measured"
person '{"order": {"name": "pitch", "ear": "left"}}' again first second || complain 'expected a pitch'
jq -e '.result.pitch.frequency | . >= 500 and . <= 8000' output >/dev/null || complain 'expected a frequency within those that were measured'
person '{"order": {"name": "likeness", "ear": "left"}}' again rate=80 rate=20 rate=50 || complain 'expected a likeness'
jq -e '.result.likeness.profile.tones | length > 5 and all(.[]; .ratings.ratings | length == 3)' output >/dev/null || complain 'expected three ratings of each tone'
for record in "$records"/*-{pitch,likeness}.jsonl; do
  record=${record##*/}
  expect 0 'all as recorded, and so is the result' "$auricle" match replay "${record%.jsonl}"
done

# A picture of a match replaces none unasked, which is said before it begins.
echo mine >likeness.png
mkdir folder.png
profile=(match pitch --likeness --tinnitus left --ear left --no-room)
expect 73 'likeness.png: This file exists already' "$auricle" "${profile[@]}" --picture likeness.png
expect 73 'folder.png: This is a folder, not a file' "$auricle" "${profile[@]}" --picture folder.png
[ "$(cat likeness.png)" = mine ]
# Asked to, it does. Each sound is rated when the screen has its number, and once more where the number stays: a rating counts once its sound has begun.
cat >rating.py <<'PYTHON'
import re, sys, time
from pseudoterminal import Program
program, rated, due = Program(sys.argv[1:]), [], 0.0
while program.read(0.1):
    number = re.findall(rb"rating \d+ of", program.shown)[-1:]
    if number and (number != rated[-1:] or time.monotonic() > due):
        rated += number if number != rated[-1:] else []
        due = time.monotonic() + 0.5
        program.type((b"80\r", b"20\r", b"50\r")[len(rated) % 3])
print(program.text)
sys.exit(program.end())
PYTHON
expect 0 'Record: ' python3 rating.py "$auricle" "${profile[@]}" --picture likeness.png --overwrite
[ "$(head -c 8 likeness.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || complain 'expected a picture in the place of the former file'

# The log has no level of anybody's hearing.
if grep -E '[0-9] dB (HL|SL)' daemon.log | grep -v '90 dB HL at most' >output; then complain 'expected no threshold in the log'; fi

# The daemon is as it was.
"$auricle" status --json | jq -e '.state.name == "running"' >/dev/null
daemon_end
