# Listening programs, volume and tone: shown, chosen, turned within limits, remembered.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
printf '[device]\ncapture = "nosuchdevice"\nplayback = "nosuchdevice"\n' >"$configuration"
remembered=$STATE_DIRECTORY/programs.json
heard() { # JQ-CONDITION on the status report's program
  "$auricle" status --json | jq -e ".program | $1" >/dev/null || complain "expected $1, found $("$auricle" status --json | jq -c .program)"
}

# Without a daemon the table is there, and the rest says what to do. What is wrong is wrong first.
expect 0 'noise reduction' "$auricle" programs
grep -q 'No daemon runs' output
"$auricle" programs --json | jq -e '.schema == 100 and (.programs | length) == 6 and (.heard | not)
  and all(.quantities[]; .reason != "") and (.programs[] | select(.word == "music") | .values.noise_reduction_db == 0)' >/dev/null
expect 69 'auricle start' "$auricle" use music
expect 69 'auricle start' "$auricle" volume up
expect 69 'auricle start' "$auricle" tone
expect 64 'expected quiet, conversation-in-noise, music, outdoors, television, loud or automatic' "$auricle" use jazz
expect 64 "found no program called ''" "$auricle" use ''
# Names as they are printed will do, which without a daemon is as far as it goes.
for name in 'conversation in noise' 'Television and Telephone' 'TELEVISION AND'; do
  expect 69 'auricle start' "$auricle" use "$name"
done
expect 64 '' "$auricle" use
expect 64 '"exit_status":64' "$auricle" use jazz --json
for wrong in loud 3 +61 ++2 +nan -inf 1e9 -x; do expect 64 'expected up, down, reset' "$auricle" volume "$wrong"; done
expect 64 'expected bright, soft, reset' "$auricle" tone up
expect 64 'expected up, down, reset' "$auricle" volume up down

# The first choice, then another, by the beginning of its name.
daemon
until_true state_is waiting-for-device
heard '.chosen == "quiet" and .in_force == "quiet" and .volume.value_db == 0 and .tone.value_db == 0'
expect 0 'Program  ' "$auricle" status
expect 0 'Program: television and telephone.' "$auricle" use 'Television and telephone'
expect 0 'Program: loud places.' "$auricle" use loud
expect 0 'Program: conversation in noise.' "$auricle" use 'conversation in noise'
heard '.chosen == "conversation-in-noise"'
expect 0 'Program: conversation in noise.' "$auricle" use conv
tr '\n' ' ' <output | grep -q 'The change is heard when sound begins, which it does by itself' || complain 'expected when the change is heard'
heard '.chosen == "conversation-in-noise"'
expect 0 'In force: conversation in noise' "$auricle" programs
grep -qE '^\* +conversation-in-noise' output

# Without a prescription: softer only, treble against bass by 6 dB.
expect 0 'Volume: −2 dB.' "$auricle" volume down
expect 0 'Volume: −5 dB.' "$auricle" volume -3
expect 0 'Volume: −4 dB.' "$auricle" volume +1 --json
expect 0 'it may be turned from −20 to 0 dB' "$auricle" volume
absent 'is heard'
expect 0 'Volume: as prescribed. That is the limit: it may be turned from −20 to 0 dB.' "$auricle" volume +10
expect 0 'Volume: −20 dB. That is the limit' "$auricle" volume -60
expect 0 'Volume: −18 dB.' "$auricle" volume up
expect 0 'Tone: +2 dB.' "$auricle" tone bright
expect 0 'Tone: +6 dB. That is the limit' "$auricle" tone +9
expect 0 'Tone: +5.5 dB.' "$auricle" tone -0.5
heard '.volume.value_db == -18 and .tone.value_db == 5.5'
[ "$("$auricle" tone reset --json | jq .program.tone.value_db)" = 0 ]

# Each program has its own.
expect 0 'Program: music.' "$auricle" use music
heard '.chosen == "music" and .volume.value_db == 0'
expect 0 'Volume: −1.5 dB.' "$auricle" volume -1.5
expect 0 'As turned for it: volume −18 dB' "$auricle" use conversation
expect 0 'Automatic: the program follows what is heard; now' "$auricle" use auto
heard '.chosen == "automatic" and .in_force == "conversation-in-noise" and (.reason | test("hears nothing while sound is off"))'
expect 0 'automatic, now conversation in noise' "$auricle" status

# With bands by which no surroundings are told that is told.
usual=$(cat "$configuration")
printf '%s\n[hearing]\nbands = [250, 500, 1000, 2000, 4000]\n' "$usual" >"$configuration"
expect 0 '' "$auricle" reload
heard '.reason == "cannot tell the surroundings, for hearing.bands has no band from 4200 Hz on: stays with conversation in noise"'
expect 0 'Automatic, but the surroundings cannot be told, for hearing.bands has no band from 4200 Hz on: it stays with' "$auricle" use auto
sed -i 's/4000]/4000, 6000]/' "$configuration"
expect 0 '' "$auricle" reload
expect 0 'Automatic: the program follows what is heard; now' "$auricle" use auto
printf '%s\n' "$usual" >"$configuration"
expect 0 '' "$auricle" reload

# Kept for its owner's eyes, through reload and kill -9.
[ "$(stat -c %a "$remembered")" = 600 ]
expect 0 'Nothing has changed' "$auricle" reload
jq -e '. == {schema: 101, applied: [], reopened: [], refused: [], restart_needed: [], notes: []}' <("$auricle" reload --json) >/dev/null ||
  complain 'expected a report'
jq -e '.schema == 101 and .message != "" and .feedback.notes == []' <("$auricle" fit feedback --show --json) >/dev/null ||
  complain 'expected the form that a test has'
heard '.chosen == "automatic"'
expect 0 'As turned for it: volume −1.5 dB' "$auricle" use music
# Sound goes before memory: after 0.3 s of a disk that does not answer, the answer comes without it.
is_remembered() { jq -e '.program == "music"' "$remembered" >/dev/null; }
until_true is_remembered
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
daemon
until_true state_is waiting-for-device
heard '.chosen == "music" and .volume.value_db == -1.5'

# While it is turned again and again, a kill leaves the file whole: one of the two.
for _ in 1 2 3 4 5; do
  (for _ in 1 2 3 4 5 6 7 8 9; do "$auricle" use quiet; "$auricle" use music; done >/dev/null 2>&1) &
  sleep 0.1
  kill -KILL "$daemon"
  wait "$daemon" 2>/dev/null || true
  wait
  jq -e '.schema == 100 and (.program == "quiet" or .program == "music")' "$remembered" >/dev/null
  daemon
  until_true state_is waiting-for-device
done

is_whole_again() { [[ "$("$auricle" status)" != *'content that cannot be understood'* ]]; }
# A file that cannot be understood is said, put aside, and the first choice is worn.
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
for content in '{"schema":100,"program":"music"' '' '{"schema":300,"program":"music","adjustments":{}}' \
  '{"schema":100,"program":"music","adjustments":{"music":{"volume_db":1e300,"tone_db":0}}}'; do
  printf '%s' "$content" >"$remembered"
  daemon
  until_true state_is waiting-for-device
  heard '.chosen == "quiet" and .volume.value_db == 0'
  grep -q "program, volume and tone are forgotten: $remembered has content that cannot be understood" daemon.log
  [ "$(cat "$remembered.damaged")" = "$content" ]
  expect 0 'content that cannot be understood' "$auricle" status
  expect 0 'Program: outdoors.' "$auricle" use out
  # A busy disk may take longer than the answer waits.
  until_true is_whole_again
  daemon_end
done
daemon
until_true state_is waiting-for-device
heard '.chosen == "outdoors" and .notes == []'

# A name that no file can take: it is heard, and said that it is not kept, once in the log too.
rm "$remembered"
mkdir "$remembered"
# A busy disk may take longer to refuse it than the answer waits.
not_remembered() { "$auricle" use "$1" | tr '\n' ' ' | grep -F 'This is not remembered after the daemon ends'; }
for program in quiet music; do
  until_true not_remembered $program
  heard ".chosen == \"$program\""
done
[ "$(grep -c 'warning: this is not remembered after the daemon ends' daemon.log)" -eq 1 ] || complain 'expected one line of the log'
rmdir "$remembered"
expect 0 'Program: outdoors.' "$auricle" use out
until_true is_whole_again
heard '.notes == []'

# A folder that nothing can be written to: it is heard, and said that it is not kept. Root may write anywhere.
if [ "$(id -u)" -ne 0 ]; then
  chmod 500 "$STATE_DIRECTORY"
  until_true not_remembered quiet
  heard '.chosen == "quiet"'
  chmod 700 "$STATE_DIRECTORY"
  expect 0 'Program: quiet.' "$auricle" use quiet
  absent 'not remembered'
fi

# A prescription decides how far volume and tone may be turned.
export XDG_DATA_HOME=$home/data
echo 'four words are enough' >pass
sign=(--passphrase-file pass --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --yes)
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >/dev/null
"$auricle" clinic card clinic.txt >/dev/null
"$auricle" rx make --audiogram N3 --volume 0..0 -o fixed.txt "${sign[@]}" >/dev/null 2>&1
"$auricle" rx make --audiogram N3 --environment music --volume -10..4 --tone -3..3 -o music.txt "${sign[@]}" >/dev/null 2>&1
"$auricle" trust add clinic.txt --fingerprint "$("$auricle" rx show clinic.txt --json | jq -r .fingerprint)" >/dev/null
expect 0 'Volume: −8 dB.' "$auricle" volume -8
expect 0 'In force from now' "$auricle" rx scan --yes fixed.txt
heard '.volume.value_db == 0 and .volume.most_db == 0 and .volume.least_db == 0'
expect 0 'The prescription does not let it be turned' "$auricle" volume down
expect 0 'In force from now' "$auricle" rx scan --yes music.txt
expect 0 'Volume: +4 dB. That is the limit: it may be turned from −10 to +4 dB.' "$auricle" volume +9
expect 0 'Tone: −3 dB. That is the limit' "$auricle" tone -9
expect 0 'In force' "$auricle" rx use quiet
expect 0 'to hear by that one: auricle rx use music' "$auricle" use music
expect 0 'Program: outdoors.' "$auricle" use outdoors
absent 'auricle rx use'

# The same on the socket itself: what is wrong is refused by name.
ask() { printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":%s}\n' "$1" "$2" | socat -t 180 - "UNIX-CONNECT:$socket"; }
ask program.use '{"program":"jazz"}' | grep -q 'found \\"jazz\\", expected quiet'
ask program.use '{}' | grep -q 'program: found nothing, expected a text'
ask program.volume '{"change_db":"loud"}' | grep -q 'change_db: found a text, expected a number'
ask program.volume '{"change_db":1e9}' | grep -q -- '-32602'
ask program.tone '{}' | grep -q 'expected one'
ask program.list 'null' | jq -e '.error.code == -32602 and (.error.message | startswith("params: found null, expected an object"))' >/dev/null
daemon_end

# A recording by a program.
cp /usr/share/sounds/alsa/Front_Center.wav talk.wav
expect 0 'Program: music.' "$auricle" listen talk.wav aided.wav --audiogram N3 --program mus
expect 64 'found no program called jazz' "$auricle" listen talk.wav aided.wav --audiogram N3 --program jazz
"$auricle" listen talk.wav aided.wav --audiogram N3 --program automatic --overwrite --json |
  jq -e '.programs == [{"program":"quiet","from_seconds":0}]' >/dev/null
