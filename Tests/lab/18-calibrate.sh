# Earphones calibrated by questions on a terminal, by a script that types what a meter shows; left in the middle, nothing is kept.
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

# Left: nothing is kept, and it says how far it came.
status=0
person 'Do you measure in=y' 'Put the left earphone=' 'Tone 1 of 24=94' 'Tone 2 of 24=84' 'Tone 3 of 24=stop' || status=$?
[ "$status" -eq 1 ] || complain "left: expected 1, found $status"
tr '\r\n' '  ' <output | grep -q 'It was left after 2 readings' || complain 'expected how far it came'
[ ! -e earphone.json ]

# The whole way, with a digit too many and a level that does not fall with the tone.
answers=('Do you measure in=y')
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
# After each refusal the same tone comes again.
person "${answers[@]}" 'Keep this=y' 'Use it from now on=y' || complain "calibrate: exit $?"
jq -e '.device.status == "verified" and (.measurement.readings | length) == 24 and .transducer == "er3a"' earphone.json >/dev/null ||
  complain 'expected 24 readings'
grep -q 'earphone.json' "$configuration"
for words in 'expected 30 to 120' 'expected 84 ± 1'; do
  tr -s '\r\n ' '   ' <output | grep -q "$words" || complain "expected '$words'"
done
# On a plugin nothing holds the volume.
expect 0 'counts as provisional: sound goes through a plugin or a sound server (lat)' "$auricle" check
