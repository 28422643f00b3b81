# `auricle listen` and `auricle demo`: the right way, and every wrong input of theirs: one clear message, the right exit
# status, nothing left behind.
set -uo pipefail

auricle=$PROGRAMS/auricle
speech=/usr/share/sounds/alsa/Front_Center.wav
n3=$REPOSITORY/Prescriptions/N3.json
failed=0

fail() { echo "FAILED: $*"; failed=1; }

# refuses STATUS WORDS COMMAND...: the command ends with STATUS and says WORDS, on standard error, in one line
refuses() {
  local status=$1 words=$2
  shift 2
  "$@" >out.txt 2>err.txt
  local got=$?
  grep -v 'rendering' err.txt >message.txt
  [ "$got" -eq "$status" ] || fail "exit $got instead of $status: $*: $(cat err.txt)"
  grep -qF -- "$words" message.txt || fail "no '$words' in: $(cat message.txt)"
  [ "$(wc -l <message.txt)" -eq 1 ] || fail "not one line: $(cat message.txt)"
  [ ! -s out.txt ] || fail "an answer beside a failure: $(cat out.txt)"
}

# nothing_else FILE...: the folder holds these files only, hidden ones included
nothing_else() {
  local found
  found=$(ls -A | grep -vxE 'out.txt|err.txt|message.txt' | sort | tr '\n' ' ')
  [ "$found" = "$*${*:+ }" ] || fail "left behind: $found (expected: $*)"
}

"$auricle" listen "$speech" aided.wav --audiogram "$n3" --json >figures.json 2>/dev/null || fail "listen: exit $?"
jq -e '.left.input_level_db_spl > 64.9 and .left.input_level_db_spl < 65.1' figures.json >/dev/null ||
  fail "the recording is not at the 65 dB SPL it stands for: $(cat figures.json)"
jq -e '.left.output_level_db_spl > .left.input_level_db_spl' figures.json >/dev/null || fail "N3 is not amplified"
jq -e '.right.output_level_db_spl <= 111 and .calibration_status == "provisional"' figures.json >/dev/null ||
  fail "limit or status: $(cat figures.json)"
rm -f figures.json aided.wav

"$auricle" listen "$speech" aided.flac --audiogram S2 --picture aided.svg >out.txt 2>/dev/null || fail "flac and svg"
[ -s aided.flac ] && grep -q '<svg' aided.svg || fail "no flac or no svg"
rm -f aided.flac aided.svg

# A configuration that is wrong is told as by other commands where it counts; a fitting by itself does not ask it.
printf '[safety]\nmaximum-output = 300\n' >wrong.toml
refuses 78 "wrong.toml:2: found" env AURICLE_CONFIG="$PWD/wrong.toml" "$auricle" listen "$speech" aided.wav
refuses 66 "missing.toml: found no such file" env AURICLE_CONFIG=missing.toml "$auricle" listen "$speech" aided.wav
nothing_else wrong.toml
AURICLE_CONFIG=wrong.toml "$auricle" listen "$speech" aided.wav --audiogram N3 >out.txt 2>err.txt ||
  fail "beside a wrong configuration: exit $?: $(cat err.txt)"
rm wrong.toml aided.wav

refuses 66 "missing.wav: found no such file" "$auricle" listen missing.wav aided.wav --audiogram N3
nothing_else
refuses 65 "It is not a sound file" "$auricle" listen "$n3" aided.wav --audiogram N3
nothing_else
refuses 66 "missing.json" "$auricle" listen "$speech" aided.wav --audiogram missing.json
nothing_else
refuses 66 "found N9, which is neither a file nor one of N1…N7, S1…S3" "$auricle" listen "$speech" aided.wav --audiogram N9
sed 's/"1000": 40/"1000": 400/' "$n3" >bad.json
refuses 65 "1000" "$auricle" listen "$speech" aided.wav --audiogram bad.json
grep -qE 'bad.json:[0-9]+: found left ear, air conduction of 400 dB HL at 1000 Hz' message.txt || fail "the bad point is not named: $(cat message.txt)"
nothing_else bad.json
rm bad.json
refuses 64 "expected one of NAL-R" "$auricle" listen "$speech" aided.wav --audiogram N3 --rule NAL-NL9
refuses 64 "1 to 3" "$auricle" listen "$speech" aided.wav --audiogram N3 --ratio 7
refuses 64 "no other has a ratio to choose" "$auricle" listen "$speech" aided.wav --audiogram N3 --rule CAMEQ --ratio 2
refuses 64 "give one of them" "$auricle" listen "$speech" aided.wav --audiogram N3 --level 65 --full-scale 100
refuses 64 "--attack: found 0 ms, expected 5 to 2000 ms" "$auricle" listen "$speech" aided.wav --audiogram N3 --attack 0
refuses 64 "--release: found 1000000000 ms" "$auricle" listen "$speech" aided.wav --audiogram N3 --release 1e9
refuses 64 "--block: found 7, expected 16 to 1024 frames" "$auricle" listen "$speech" aided.wav --audiogram N3 --block 7
# A WAV file of floating-point numbers, 4410 frames of 1e38.
python3 - <<'WAVE'
import struct
data = struct.pack("<f", 1e38) * 4410
head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, 1, 44100, 176400, 4, 32, b"data", len(data))
open("huge.wav", "wb").write(head + data)
WAVE
refuses 65 "huge.wav: found samples whose level is 763 dB above full scale" "$auricle" listen huge.wav aided.wav --audiogram N3
rm huge.wav
python3 -c 'import wave; file = wave.open("empty.wav", "wb"); file.setparams((1, 2, 48000, 0, "NONE", "")); file.close()'
refuses 65 "empty.wav: It states no length, or an impossible one" "$auricle" listen empty.wav aided.wav --audiogram N3
rm empty.wav
refuses 64 "found 140, expected 60 to 120" "$auricle" listen "$speech" aided.wav --audiogram N3 --limit 140
refuses 64 "Formats are .wav and .flac" "$auricle" listen "$speech" aided.mp3 --audiogram N3
refuses 64 "Formats are .png, .svg and .pdf" "$auricle" listen "$speech" aided.wav --audiogram N3 --picture aided.gif
refuses 73 "is no folder" "$auricle" listen "$speech" aided.wav --audiogram N3 --picture nowhere/aided.png
refuses 73 "cannot be written" "$auricle" listen "$speech" nowhere/aided.wav --audiogram N3
nothing_else
cp "$speech" same.wav
refuses 64 "another file for the output" "$auricle" listen same.wav same.wav --audiogram N3
refuses 64 "another file for the output" "$auricle" listen same.wav ./same.wav --audiogram N3
cmp -s "$speech" same.wav || fail "the recording was changed"
rm same.wav

cp "$n3" own.wav
refuses 64 "another file for the output" "$auricle" listen "$speech" own.wav --audiogram own.wav
cmp -s "$n3" own.wav || fail "the audiogram was written over"
rm own.wav

# Disks of its own. Mounting needs a name space of its own, which is as good as root's for this.
# own_disk SCRIPT ARGUMENT...
own_disk() {
  mkdir -p disk
  unshare -m bash "$@" || unshare -Urm bash "$@" || fail "$1: no disk could be made"
}

# A disk that is too small: the sound that stood there stands.
cat >full.sh <<'FULL'
mount -t tmpfs -o size=64k none disk || exit 99
echo 'what stood there' >disk/aided.wav
"$1" listen "$2" disk/aided.wav --audiogram N3 >out.txt 2>err.txt
echo $? >status.txt
(cd disk && grep -H . *) >left.txt
ls -A disk >>left.txt
FULL
own_disk full.sh "$auricle" "$speech"
[ "$(cat status.txt)" = 74 ] || fail "full disk: exit $(cat status.txt): $(cat err.txt)"
grep -q "disk/aided.wav: There is not enough room: it needs" err.txt || fail "full disk: $(cat err.txt)"
printf 'aided.wav:what stood there\naided.wav\n' | cmp -s - left.txt || fail "on the full disk: $(cat left.txt)"

# Killed in the middle: nothing is left, not even hidden, and what stood there stands. On memory's file system, which takes
# files without a name; not every one does. Twenty minutes of sound take seconds, and a megabyte is there soon.
python3 - "$speech" <<'LONG'
import sys, wave
with wave.open(sys.argv[1]) as speech, wave.open("long.wav", "wb") as long:
    long.setparams(speech.getparams())
    words = speech.readframes(speech.getnframes())
    for _ in range(800):
        long.writeframes(words)
LONG
cat >killed.sh <<'KILLED'
mount -t tmpfs none disk || exit 99
echo 'what stood there' >disk/aided.wav
"$1" listen long.wav disk/aided.wav --audiogram N3 >out.txt 2>err.txt &
# Bash tells of the kill.
exec 2>kill.txt
# Until a megabyte of it is written to a file that has no name.
while kill -0 $!; do
  for descriptor in /proc/$!/fd/*; do
    case $(readlink "$descriptor") in "$PWD"/disk/*) ;; *) continue ;; esac
    [ "$(stat -Lc %s "$descriptor")" -gt 1000000 ] && kill -KILL $!
  done
done
wait $!
echo $? >status.txt
(cd disk && grep -H . *) >left.txt
ls -A disk >>left.txt
KILLED
own_disk killed.sh "$auricle"
[ "$(cat status.txt)" = 137 ] || fail "not killed: exit $(cat status.txt): $(cat err.txt)"
printf 'aided.wav:what stood there\naided.wav\n' | cmp -s - left.txt || fail "left by the killed: $(cat left.txt)"
rm -rf disk full.sh killed.sh kill.txt status.txt left.txt long.wav

mkdir demo
"$auricle" demo --folder demo >demo.txt 2>/dev/null || fail "demo: exit $?"
[ "$(wc -l <demo.txt)" -eq 5 ] || fail "the demonstration does not say it in five lines: $(cat demo.txt)"
[ "$(ls demo | tr '\n' ' ')" = "aided.png aided.wav unaided.wav " ] || fail "demo wrote $(ls demo)"

exit $failed
