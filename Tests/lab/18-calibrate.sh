# Earphones calibrated by questions on a terminal, by a script that types what a meter shows; left in the middle, by a word, by Ctrl-C or by a
# terminal that is closed, what was read is kept, and the next run goes on behind it.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
export AURICLE_CONFIG=$configuration
printf '[device]\ncapture = "lat"\nplayback = "lat"\n' >"$configuration"
calibrate=("$auricle" calibrate earphone --by 'B. Ear' --transducer er3a -o "$PWD/earphone.json")

person() { # QUESTION=ANSWER...
  python3 "$REPOSITORY/Tests/lab/person.py" 0.2 "$@" -- "${calibrate[@]}" >output 2>&1
}

said() { # WORDS
  tr -s '\r\n ' '   ' <output | grep -qF -- "$1" || complain "expected '$1', found $(cat output)"
}
kept=$STATE_DIRECTORY/calibration-earphone.json

# Left: it says how far it came, and what is kept.
status=0
person 'Do you measure in=y' 'Put the left earphone=' 'Tone 1 of 24=94' 'Tone 2 of 24=84' 'Tone 3 of 24=stop' || status=$?
[ "$status" -eq 1 ] || complain "left: expected 1, found $status"
said 'It was left after 2 readings, the last of them left ear, 1000 Hz; they are kept for a day'
[ ! -e earphone.json ]
[ "$(stat -c %a "$kept")" = 600 ]

# Ctrl-C in the next run, while a tone sounds: one reading more is kept.
status=0
person 'Go on with it=y' 'Put the left earphone=' 'Tone 3 of 24=94' 'Tone 4 of 24=^C' || status=$?
[ "$status" -eq 130 ] || complain "Ctrl-C: expected 130, found $status"
said '2 of 24 tones, er3a in'
said 'It was left after 3 readings, the last of them left ear, 1500 Hz; they are kept for a day'
jq -e '(.earphone | length) == 3' "$kept" >/dev/null || complain 'expected three readings'

# Of another model it begins anew, and says why; nobody is asked.
status=0
former=("${calibrate[@]}")
calibrate=("${calibrate[@]/er3a/hda200}")
person 'Do you measure in=y' 'Put the left earphone=^C' || status=$?
[ "$status" -eq 130 ] || complain "another model: expected 130, found $status"
said 'It was left after 0 readings'
said 'It begins anew, for it was of er3a'
calibrate=("${former[@]}")

# Not gone on with: from the first tone.

# The whole way, with a digit too many and a level that does not fall with the tone.
answers=('Go on with it=n' 'Do you measure in=y')
for ear in left right; do
  answers+=("Put the $ear earphone=")
  for number in $(seq 1 12); do
    tone=$number
    [ $ear = left ] || tone=$((number + 12))
    level=94
    [ "$number" -ne 2 ] || level=84
    case $tone in
      2) answers+=('Tone 2 of 24=940' 'Tone 2 of 24=94' 'Tone 2 of 24=84') ;;
      *) answers+=("Tone $tone of 24=$level") ;;
    esac
  done
done
# After each refusal the same tone comes again. Left at the question behind the last tone, all readings are kept.
status=0
person "${answers[@]}" 'Keep this=^C' || status=$?
[ "$status" -eq 130 ] || complain "at the question behind the last tone: expected 130, found $status"
said 'It was left after 24 readings'
for words in 'expected 30 to 120' 'expected 84 ± 1'; do
  tr -s '\r\n ' '   ' <output | grep -q "$words" || complain "expected '$words'"
done
# Left at the last question, the calibration is written and not named, and nothing is left to go on with.
cp "$kept" whole.json
person 'Go on with it=y' 'Keep this=y' 'Use it from now on=^C' || complain "at the last question: exit $?"
said "The configuration is as it was; to use it: auricle config set calibration.earphone.file=$PWD/earphone.json"
[ ! -e "$kept" ]
if grep -q 'earphone.json' "$configuration"; then complain 'expected no such words'; fi
rm earphone.json
# Told to use it, it does not ask.
cp whole.json "$kept"
cp "$configuration" unnamed.toml
calibrate+=(--use)
person 'Go on with it=y' 'Keep this=y' || complain "told to use it: exit $?"
! grep -q 'Use it from now on' output || complain "asked although it was told: $(cat output)"
grep -q 'earphone.json' "$configuration" || complain 'expected the calibration in the configuration'
mv unnamed.toml "$configuration"
rm earphone.json
calibrate=("${former[@]}")
mv whole.json "$kept"
person 'Go on with it=y' 'Keep this=y' 'Use it from now on=y' || complain "calibrate: exit $?"
jq -e '.device.status == "verified" and (.measurement.readings | length) == 24 and .transducer == "er3a"' earphone.json >/dev/null ||
  complain 'expected 24 readings'
grep -q 'earphone.json' "$configuration"
[ ! -e "$kept" ]
# As the daemon says it.
said 'The calibration is provisional:'
said 'sound goes through a plugin or a sound server (lat), where the volume can be turned and nothing holds it.'
# On a plugin nothing holds the volume.
expect 0 'counts as provisional: sound goes through a plugin or a sound server (lat)' "$auricle" check
