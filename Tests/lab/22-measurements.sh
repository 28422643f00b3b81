# A study's measurement by the aid itself: `q today` begins the aid's own match at a terminal, the earphones play, a person accepts the tone, and what
# the aid's record says is kept and exported. Where no aid runs, and in a room that is not heard, the task stays due.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
companion=${COMPANION:-$PROGRAMS/auricle-companion}
if [ ! -x "$companion" ]; then
  echo "not tried: 22-measurements, there is no $companion; make run-companion builds it"
  exit 0
fi
export COMPANION_AURICLE=$auricle TZ=UTC

# The week of tinnitus with its loudness match alone, open the whole day; of one trial.
cp -r "$REPOSITORY/Companion/Studies/tinnitus-week" study
jq '.tasks = [.tasks[] | select(.id == "loudness") | .schedule.windows = [{opens: "00:00", closes: "00:00"}] | .measurement.settings.trials = 2]
  | .["data-types"] |= map(select(.id == "measurements")) | .questionnaires = [] | .dictionary = []' \
  "$REPOSITORY/Companion/Studies/tinnitus-week/study.json" >study/study.json
rm -r study/questionnaires
expect 0 '0 errors, 0 warnings' "$companion" study check study
expect 0 'day 1 is' "$companion" study begin study --database c.db

# A person at a terminal: answers the questions, and while the aid's screen asks, presses Enter: as loud as the tinnitus.
cat >person.py <<'PYTHON'
import sys, time
from pseudoterminal import Program
lines, program = [line.encode() + b"\r" for line in sys.argv[1].split("/")], Program(sys.argv[2:])
place, pressed = 0, 0.0
while program.read(0.05):
    # Not behind the aid's screen, where a key would answer the next question.
    screen = program.shown[place:].rpartition(b"\x1b[?1049l")[2]
    if lines and program.shown[place:].rstrip().endswith(b"] >"):
        place = len(program.shown)
        program.type(lines.pop(0))
    elif b"p pause" in screen and b"trial" in screen and time.monotonic() - pressed > 1.5:
        pressed = time.monotonic()
        program.type(b"\r")
status = program.end()
print(program.text)
sys.exit(status)
PYTHON
today() { timeout 600 python3 person.py "$1" "$companion" q today --database c.db >output 2>&1 || complain "q today: $1"; }
says() { tr -s '\r\n ' ' ' <output | grep -qF -- "$1" || complain "expected '$1'"; }

# No aid.
today yes/left
says 'Not measured:'
says 'auricle start'
says 'It stays due until'

# The aid, with a threshold of its own: a hearing test of one tone, by an ear that listens.
jack_start 44100 256
jack_ears >"$configuration"
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.room { type jack name room playback_ports { 0 system:playback_1 1 system:playback_2 } }
CONF
daemon
until_true state_is waiting-for-device
"$auricle" stop >/dev/null
until_true state_is stopped
jack_listen timeout 300 python3 "$REPOSITORY/Tests/lab/ear.py" "$socket" \
  '{"order": {"name": "hearing-test", "method": "bayesian", "ears": ["left"], "frequencies": [1000], "signal": "tone"}}' \
  '{"left": {"1000": 20}, "right": {"1000": 20}}' 120 '{"1000": 5.5}' >tested.json || complain "no threshold: $(cat tested.json)"
"$auricle" stop >/dev/null
until_true state_is stopped

# Somebody listens, and the room has 30 dB SPL of noise.
jack_listen timeout 2400 cat >/dev/null &
helpers+=("$!")
python3 -c '
import random, struct, sys
random.seed(1)
level = 10 ** ((30 - 120) / 20)
while True: sys.stdout.buffer.write(struct.pack("<2f", *[random.gauss(0, level)] * 2) * 1)
' 2>/dev/null | aplay -q -D room -t raw -f FLOAT_LE -c 2 -r 44100 2>aplay.log &
helpers+=("$!")
until_true sh -c 'jack_lsp | grep -qx room:out_001'
# By the configuration, not by jack_connect again and again: where a client comes or goes while a process opens two, JACK 1.9.21 may leave one of
# these asleep until it is opened anew (its list of semaphores is one for the whole process).
sed -i 's/name microphones capture_ports .*/name microphones capture_ports { 0 room:out_000 1 room:out_001 } }/' "$ALSA_CONFIG_PATH"
today yes/right
# A busy machine may let the sound card of software stand still for seconds: the match then breaks off, and is gone on with.
for _ in 1 2 3; do
  ! grep -q 'Stopped before its end: .*the sound device' output || today yes/yes
done
says 'Measured, and kept: 1000 Hz'
says 'calibration provisional'
says 'done loudness of your tinnitus'

# What was kept is what the aid's record says, and the aid works it out again.
expect 0 'measured.csv' "$companion" q export -o data --database c.db
record=$("$auricle" match history --json | jq -r '[.records[] | select(.name == "loudness")][-1].record')
grep -qF ",$record," data/measurements.csv || complain "expected $record, found $(cat data/measurements.csv)"
level=$("$auricle" match history --json | jq '[.records[] | select(.name == "loudness")][-1].result.loudness.level')
[ "$(grep -c "level,$level,dB HL" data/measured.csv)" -eq 1 ] || complain "expected $level dB HL, found $(cat data/measured.csv)"
expect 0 'all as recorded, and so is the result' "$auricle" match replay "$record"
# The reason why there was none, and the result.
[ "$(wc -l <data/measurements.csv)" -eq 3 ] || complain "expected 2 rows, found $(cat data/measurements.csv)"
cat data/measured.csv
daemon_end
