# What every command shares: one form of errors, --json with a schema, pipes as files, a prompt that ends at Ctrl-C, answers that
# are not lost, and times and names in one form.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data
speech=/usr/share/sounds/alsa/Front_Center.wav
n3=$REPOSITORY/Prescriptions/N3.json
one_line() { [ "$(wc -l <output)" -eq 1 ] || complain 'expected one line'; }

# Errors of the parser and of the commands have one form; a name that is nearly right is recognised at every level.
expect 64 'auricle: command line: auricle rx has no command scna. Did you mean: auricle rx scan' "$auricle" rx scna
one_line
expect 64 'auricle: command line: auricle has no command nosuch. See: auricle --help' "$auricle" help nosuch
one_line
expect 64 "auricle: command line: Unknown option '--newest'. See: auricle rx list --help" "$auricle" rx list --newest
one_line
expect 64 "auricled: command line: Unknown option '--last'. See: auricled --help" "$auricled" --last
one_line
# A role is for those who ask a daemon, not for the daemon itself.
expect 64 '--as is for commands that ask a daemon' "$auricle" run --as developer
expect 64 '"exit_status":64' "$auricle" listen one.wav --json
jq -e '.errors[0].subject == "command line" and .schema == 100' output >/dev/null || complain 'expected JSON'
expect 0 'USAGE: auricle rx scan' "$auricle" help rx scan

# Nothing of Swift's is shown, a full disk is one, and the exit status says which error it was.
(umask 077 && echo 'four words are enough' >pass)
"$auricle" clinic init --name 'City Hearing Clinic' --passphrase-file pass >output
sign=(--given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' --passphrase-file pass)
expect 73 'nowhere/x.png: It cannot be written: no such file or directory' \
  "$auricle" rx make --audiogram N3 -o nowhere/x.png "${sign[@]}" --yes --quiet
absent cannotWrite
mkdir small
cat >full.sh <<'FULL'
mount -t tmpfs -o size=4k none small || exit 99
exec "$1" clinic card small/c.pdf
FULL
expect 74 'small/c.pdf: No room is left for the picture' unshare -Urm bash full.sh "$auricle"
absent diskFull
expect 64 '--number: found 0, expected 1 or more' "$auricle" rx show --number 0
expect 66 'nothere.book: There is no such file' "$auricle" book restore nothere.book --passphrase-file pass
# One that this user may not reach is not called missing; a pipe is no backup.
mkdir shut
mkfifo queue
chmod 000 shut
as_user=()
[ "$(id -u)" -ne 0 ] || as_user=(setpriv --bounding-set=-dac_override,-dac_read_search)
expect 77 'shut/kept.book: found no permission to read it' \
  "${as_user[@]}" "$auricle" book restore shut/kept.book --passphrase-file pass
absent 'no such file'
chmod 700 shut
expect 65 'queue: found something that is not a file, expected a file' "$auricle" book restore queue --passphrase-file pass
expect 73 '/nonexistent/x: There is no folder /nonexistent' "$auricle" book backup /nonexistent/x --passphrase-file pass
cp "$speech" talk.wav
expect 64 'talk.wav: This is not a socket' "$auricle" status --socket talk.wav

# Neither the environment nor the words of the command line depend on files of /proc. Without the words nothing is done, and that is said.
expect 0 '' "$auricle" config set device.period=128
cat >unreadable.sh <<'UNREADABLE'
mount --bind /dev/null "/proc/$$/$1" || exit 99
shift
exec "$@"
UNREADABLE
without() { # STATUS TEXT FILE COMMAND...: with that file of /proc empty
  local status=$1 text=$2
  shift 2
  expect "$status" "$text" unshare -Urm bash unreadable.sh "$@"
}
without 0 'period = 128' environ "$auricle" config show
without 71 'The words of the command line cannot be read' maps "$auricle" version
without 71 'The words of the command line cannot be read' maps "$auricled" --version

# An answer that cannot be written is no success.
for words in 'config reference' 'completions bash' '--help' 'rx make --help' '--version'; do
  # shellcheck disable=SC2086
  expect 74 'standard output: The answer cannot be written' sh -c '"$0" "$@" >/dev/full' "$auricle" $words
done

# Every answer in JSON has a schema.
json() { # COMMAND...: exits with 0 and answers with one object
  expect 0 '' "$auricle" "$@" --json
  jq -e '.schema >= 100' output >/dev/null || complain "$*: expected a schema"
}
json version
json config show
json config reference
json completions fish
json devices
json programs
json stop
json clinic card clinic.png
json check "$n3"
json listen talk.wav aided.wav --audiogram N3
json rx make --audiogram N3 -o N3.png "${sign[@]}" --yes
json clinic pass developer --holder 'A. Dev' -o pass.txt --passphrase-file pass
json clinic pass bind --given Eve --family Other --born 1960-01-01 -o bind.txt --passphrase-file pass
fingerprint=$("$auricle" rx show clinic.png --json | jq -r .fingerprint)
json trust add clinic.png --fingerprint "$fingerprint"
json trust list
json rx scan N3.png --yes
json rx list
json rx show
json rx sheet N3.png -o page.pdf
json audit show
json audit verify
json book backup kept.book --passphrase-file pass
json book restore kept.book --passphrase-file pass
expect 0 '"resourceType"' "$auricle" rx export --json

# A card on standard output stands there alone, and in JSON within the answer: either can be read again.
alone() { # KIND COMMAND...
  "$auricle" "${@:2}" >alone.txt 2>output
  [ "$(wc -l <alone.txt)" -eq 1 ] && [ -s output ] || complain "${*:2}: expected the card alone, and the words beside it"
  "$auricle" rx show alone.txt --json | jq -e --arg kind "$1" '.kind == $kind' >output || complain "${*:2}: expected a card"
  "$auricle" "${@:2}" --json >answer.json 2>output
  [ ! -s output ] || complain "${*:2}: expected an answer alone"
  jq -e '.schema >= 100' answer.json >output && jq -r .card answer.json >alone.txt || complain "${*:2}: expected one object"
  "$auricle" rx show alone.txt --json | jq -e --arg kind "$1" '.kind == $kind' >output || complain "${*:2}: expected its card"
}
alone clinic clinic card -
alone developer-pass clinic pass developer --holder 'A. Dev' -o - --passphrase-file pass
alone prescription rx make --audiogram N3 -o - "${sign[@]}" --yes

# Without a daemon nothing is heard, and nothing says so.
expect 0 'In force from now: number 1, for quiet' "$auricle" rx use quiet || true
"$auricle" rx list >output
absent 'heard now'
grep -q 'in force' output || complain 'expected what is in force'

# A name of a prescription may be its beginning; one that is unknown is answered with those that are known.
"$auricle" rx make --audiogram N4 --environment music -o music.txt "${sign[@]}" --yes --quiet >output 2>&1
[ ! -s output ] || complain 'expected no word of a quiet command'
expect 0 'In force from now: number 2, for music' "$auricle" rx scan --yes music.txt
expect 0 'In force from now: number 1, for quiet' "$auricle" rx use qui
expect 64 'There is no prescription for musik, only for music and quiet. Did you mean music?' "$auricle" rx use musik

# With --yes the prescription goes to standard output, so that a script can silence it.
"$auricle" rx make --audiogram N3 -o again.png "${sign[@]}" --yes 2>output >summary
[ ! -s output ] || complain 'expected nothing on standard error'
grep -q Ada summary

# A trial is signed for the times that the documents name.
for time in 1s 15d; do
  expect 64 "--trial: found $time, expected 1m to 14d" \
    "$auricle" rx make --audiogram N3 --trial "$time" -o trial.txt "${sign[@]}" --yes
done

# A recording by the prescription in force, or by a card.
expect 73 'aided.wav: This file exists already. Choose another name, or give --overwrite to replace it.' \
  "$auricle" listen talk.wav aided.wav
expect 0 'Wrote aided.wav' "$auricle" listen talk.wav aided.wav --overwrite
# Which one of the book's was heard is said.
grep -q '^Heard through: the prescription in force, number 1 (serial 1).$' output || complain 'expected the prescription'
card=$("$auricle" listen talk.wav by-card.wav --card N3.png --json | jq .left.output_level_db_spl)
audiogram=$("$auricle" listen talk.wav by-audiogram.wav --audiogram N3 --json | jq .left.output_level_db_spl)
# Two plans of FFTW round otherwise on the way back to sound, by less than this.
jq -en "$card - $audiogram | fabs < 0.001" >output || complain "by the card $card dB, by its audiogram $audiogram dB"
# Attack, release and greatest output are the configuration's, of a card too; options go before them, and an audiogram's fitting asks neither.
printf '[hearing]\nattack = "100 ms"\nrelease = "1 s"\n[safety]\nmaximum-output = 70\n' >slow.toml
output_level() { "$auricle" listen talk.wav aided.wav --overwrite --json "$@" | jq .left.output_level_db_spl; }
is_level() { jq -en "$2 - $3 | fabs < 0.001" >output || complain "$1: $2 dB, expected $3 dB"; }
in_force=$(output_level --attack 100 --release 1000 --limit 70)
jq -en "$card - $in_force > 1" >output || complain "slow and limited to 70 dB SPL: $in_force dB, expected less than $card dB"
is_level 'slow.toml' "$(AURICLE_CONFIG=$PWD/slow.toml output_level)" "$in_force"
is_level 'slow.toml, a card' "$(AURICLE_CONFIG=$PWD/slow.toml output_level --card N3.png)" "$in_force"
is_level 'slow.toml, options' "$(AURICLE_CONFIG=$PWD/slow.toml output_level --attack 5 --release 50 --limit 111)" "$card"
is_level 'slow.toml, an audiogram' "$(AURICLE_CONFIG=$PWD/slow.toml output_level --audiogram N3)" "$audiogram"
expect 64 'give one of them' "$auricle" listen talk.wav aided.wav --audiogram N3 --card N3.png
expect 64 'a prescription has its own rule' "$auricle" listen talk.wav aided.wav --rule NAL-R
expect 65 'This card is not a prescription' "$auricle" listen talk.wav aided.wav --card clinic.png
printf '%s' "$("$auricle" clinic card -)" >own.txt

# No progress where nobody watches it.
"$auricle" listen talk.wav aided.wav --audiogram N3 --overwrite 2>output >/dev/null
[ ! -s output ] || complain 'expected no progress'

# The table of programs fits a terminal.
"$auricle" programs >output
[ "$(LC_ALL=C.UTF-8 wc -L <output)" -le 80 ] || complain 'expected at most 80 columns'

# Pipes as files, and names that are not UTF-8.
expect 0 'a good audiogram file' bash -c '"$0" check --audiogram <(cat "$1")' "$auricle" "$n3"
expect 0 'Signed' bash -c '"$0" rx make --audiogram <(cat "$1") -o piped.png --passphrase-file <(cat pass) "${@:2}"' \
  "$auricle" "$n3" "${sign[@]:0:8}" --yes
expect 0 'Ada' bash -c '"$0" rx show <(cat music.txt)' "$auricle"
mkfifo named
expect 65 'named: found something that is not a file' "$auricle" rx show named
odd=$(printf 'odd\377.wav')
cp talk.wav "$odd"
expect 64 'is not UTF-8' "$auricle" listen "$odd" aided.wav --audiogram N3

# Devices: one line for each name that is not a card.
"$auricle" devices >output
[ "$(grep -c 'not asked' output)" -le 1 ] || complain 'expected the reason once'

# Times have one form: day, time and zone.
expect 0 'On trial until' "$auricle" rx try music --for 20m
for shown in 'rx list' 'audit show' 'rx show'; do
  # shellcheck disable=SC2086
  "$auricle" $shown >output
  grep -qE '[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2} [+-][0-9]{4}' output || complain "$shown: expected a time"
  if grep -E '[0-9]T[0-9]{2}:' output | grep -vq until; then complain "$shown: expected one form of times"; fi
done

# Ctrl-C ends a command that asks for a passphrase, as it ends any other, and leaves the terminal as it was. Ctrl-D is no answer.
cat >prompt.py <<'PYTHON'
import os, resource, signal, sys
from pseudoterminal import Program
def asked(key, ignored=()):
    """Types a key at the prompt; returns the exit status, whether the terminal shows what is typed, and what it showed."""
    program = Program(sys.argv[1:], prepare=lambda: [signal.signal(number, signal.SIG_IGN) for number in ignored])
    program.until(b"assphrase")
    program.until_hidden()
    program.type(key)
    return program.end(), program.echoes, program.shown
status, echoes, _ = asked(b"\x03")
assert status == -signal.SIGINT, status
assert echoes, "the terminal shows nothing"
status, echoes, _ = asked(b"\x1c")
assert status == -signal.SIGQUIT, status
status, echoes, shown = asked(b"\x04")
assert status == 64 and b"None was typed" in shown, (status, shown)
# A signal that is ignored, as nohup(1) has it, stays so: the question waits on.
status, echoes, shown = asked(b"\x03\x04", ignored=[signal.SIGINT])
assert status == 64 and b"None was typed" in shown, (status, shown)
# select(2) waits for no descriptor beyond 1023.
def crowd():
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 2048), most))
    while os.dup2(0, os.dup(0), inheritable=True) < 1100:
        pass
program = Program(sys.argv[1:], prepare=crowd)
status = program.end()
assert status == 71 and b"open files" in program.shown, (status, program.shown)
print("asked")
PYTHON
expect 0 'asked' python3 prompt.py "$auricle" rx make --audiogram N3 -o asked.png "${sign[@]:0:8}" --yes

# Whether sound flows, as the manual asks it in a script.
question=$(grep -F '= running ]' "$REPOSITORY/docs/man/auricle.1")
if PATH=$PROGRAMS:$PATH bash -c "$question" 2>output; then complain 'no daemon runs: expected no'; fi
