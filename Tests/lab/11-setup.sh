# From nothing to safe sound by `auricle setup` alone, on a terminal, by a script that takes three seconds for an answer; and left
# and resumed.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
# The tests may run as root, who names the file.
setup=("$auricle" setup --input lat --output lat --config "$configuration")
export AURICLE_CONFIG=$configuration
: >"$configuration"

# Without a terminal one sentence, and nothing is written.
expect 64 'There is no terminal to ask on' "${setup[@]}"
[ ! -s "$configuration" ]
[ ! -e "$STATE_DIRECTORY/setup.json" ]

# A card of a clinic that this device does not know yet.
echo 'four words are enough' >pass
chmod 600 pass
expect 0 'Made the key' env XDG_CONFIG_HOME="$PWD/clinic" "$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass
expect 0 'Signed' env XDG_CONFIG_HOME="$PWD/clinic" "$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 \
  --prescriber 'Dr. B. Ear' --passphrase-file pass --yes -o card.png
expect 0 '' env XDG_CONFIG_HOME="$PWD/clinic" "$auricle" clinic card clinic.png

person() { # SECONDS QUESTION=ANSWER...
  local seconds=$1 split=()
  shift
  python3 "$REPOSITORY/Tests/lab/person.py" "$seconds" "$@" -- "${setup[@]}" >output 2>&1
}

# Left at each step, it goes on there; what was answered is not asked again.
left() { # STEP QUESTION=ANSWER...
  local status=0
  person 0.3 "${@:2}" || status=$?
  [ "$status" -ne 0 ] && [ "$status" -ne 2 ] || complain "left in $1: expected the status of an interruption, found $status"
  "$auricle" check >/dev/null || complain "left in $1: the configuration is not whole"
}
left devices 'Press Enter to begin.=^C'
grep -q 'playback = "lat"' "$configuration"
left loudness 'Press Enter to begin.=' 'It begins=^C'
grep -q 'maximum-output' "$configuration" && complain "a loudness that nobody confirmed was written"
rm -f "$STATE_DIRECTORY/setup.json"
: >"$configuration"

# The whole way. On a busy machine the sound may break off, and its tone begin anew: then it is softer after that time, and the person, who does
# not hear it, is told so.
answers=('Press Enter to begin.=' 'It begins=@26' 'Find the loudness once more?=<2' 'first sound=left' 'second sound=right'
  'calibration of the earphones=' 'Picture or PDF=clinic.png' 'exactly this fingerprint=y' 'Picture or PDF=card.png' '[y/N]=y' 'Measure now=n' 'Start it now=')
person 3 "${answers[@]}" || complain "setup: exit $?"
# Broken between words, what its steps say as commands of their own too; an answer is typed behind its question, and a path stays whole.
python3 - <<'PYTHON' || complain 'expected lines that fit a terminal of 80 columns'
import re, sys
for line in open("output", encoding="utf-8"):
    # Without marks of colour.
    line = re.sub(r"\x1b\[[0-9;]*m", "", line).rstrip()
    if len(line) > 80 and " " in line[:80] and not line.endswith(("clinic.png", "card.png")):
        sys.exit(f"{len(line)} columns: {line}")
PYTHON
echo "setup: $(tail -n 1 output), of them the card's questions included"
[ "$(printf '%s\n' "${answers[@]}" | grep -vc '=<')" -le 12 ]
"$auricle" status --json >status.json
jq -e '.state.name == "running" and .fitting.fitted and .prescription.serial != null' status.json >/dev/null ||
  complain "expected fitted sound"
jq -e '.done == []' "$STATE_DIRECTORY/setup.json" >/dev/null

# Beside an aid that runs it asks nothing.
status=0
person 0 || status=$?
[ "$status" -eq 75 ] && grep -q 'an aid that runs' output || complain "beside an aid: expected 75, found $status"
expect 0 'Sound is off' "$auricle" stop --daemon
