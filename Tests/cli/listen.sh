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
# A sign belongs to the number: no option begins with it.
refuses 64 "--block: found -5, expected 16 to 1024 frames" "$auricle" listen "$speech" aided.wav --audiogram N3 --block -5
refuses 64 "--attack: found -5 ms, expected 5 to 2000 ms" "$auricle" listen "$speech" aided.wav --audiogram N3 --attack -5
refuses 64 "expected 1 to 3" "$auricle" listen "$speech" aided.wav --audiogram N3 --ratio -2
refuses 64 "--full-scale: found 39 dB SPL, expected 60 to 180 dB SPL" "$auricle" listen "$speech" aided.wav --audiogram N3 --full-scale 39
refuses 64 "--full-scale: found 59.9 dB SPL, expected 60 to 180 dB SPL" "$auricle" listen "$speech" aided.wav --audiogram N3 --full-scale 59.9
refuses 64 "--full-scale: found nan dB SPL, expected 60 to 180 dB SPL" "$auricle" listen "$speech" aided.wav --audiogram N3 --full-scale nan
# 62 dB below a full-scale sine, at 140 dB SPL: full scale would be at 202.
python3 - <<'WAVE'
import struct, wave
file = wave.open("soft.wav", "wb")
file.setparams((1, 2, 44100, 0, "NONE", ""))
file.writeframes(b"".join(struct.pack("<h", 18 if n // 22 % 2 else -18) for n in range(44100)))
file.close()
WAVE
refuses 64 "--level: found a recording whose full scale would be 20" "$auricle" listen soft.wav aided.wav --audiogram N3 --level 140
grep -qE 'expected 60 to 180 dB SPL\. This recording takes --level 11[0-9](\.[0-9])? or less\.$' message.txt || fail "no level that it takes: $(cat message.txt)"
rm soft.wav
# A square wave of half of full scale lies 3 dB below a full-scale sine, so at 40 dB SPL full scale would be at 43.
python3 - <<'WAVE'
import struct, wave
file = wave.open("loud.wav", "wb")
file.setparams((1, 2, 44100, 0, "NONE", ""))
file.writeframes(b"".join(struct.pack("<h", 16384 if n // 22 % 2 else -16384) for n in range(44100)))
file.close()
WAVE
refuses 64 "--level: found a recording whose full scale would be 43" "$auricle" listen loud.wav aided.wav --audiogram N3 --level 40
least=$(grep -oE 'takes --level [0-9.]+ or more' message.txt | grep -oE '[0-9.]+')
"$auricle" listen loud.wav aided.wav --audiogram N3 --level "$least" >out.txt 2>err.txt || fail "--level $least, which it was told to take: $(cat err.txt)"
rm -f loud.wav aided.wav
# A WAV file of floating-point numbers, 4410 frames of 1e38.
python3 - <<'WAVE'
import struct
data = struct.pack("<f", 1e38) * 4410
head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, 1, 44100, 176400, 4, 32, b"data", len(data))
open("huge.wav", "wb").write(head + data)
WAVE
refuses 65 "huge.wav: found samples whose level is 763 dB above full scale" "$auricle" listen huge.wav aided.wav --audiogram N3
# With a full scale that is stated the rendering is silence, and says why.
"$auricle" listen huge.wav aided.wav --audiogram N3 --full-scale 100 >out.txt 2>err.txt || fail "huge.wav: exit $?: $(cat err.txt)"
tr '\n' ' ' <out.txt | grep -qF 'Caution: huge.wav has samples that are infinite, not numbers or far beyond any sound, in ' || fail "silence is not told: $(cat out.txt)"
grep -q ', silence out (loudest' out.txt || fail "no silence: $(cat out.txt)"
rm huge.wav aided.wav
# Noise in which every 50th sample is not a number, and a file of infinities.
python3 - <<'WAVE'
import random, struct
def write(name, samples):
    data = b"".join(struct.pack("<f", sample) for sample in samples)
    head = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 3, 1, 44100, 176400, 4, 32, b"data", len(data))
    open(name, "wb").write(head + data)
random.seed(48)
write("nan.wav", [random.uniform(-0.1, 0.1) if n % 50 else float("nan") for n in range(44100)])
write("infinite.wav", [float("inf")] * 4410)
WAVE
nan='nan.wav has samples that are infinite, not numbers or far beyond any sound, in '
"$auricle" listen nan.wav aided.wav --audiogram N3 --quiet 2>err.txt || fail "nan.wav: exit $?: $(cat err.txt)"
grep -qF "caution: $nan" err.txt || fail "silence is not told: $(cat err.txt)"
"$auricle" listen nan.wav aided.wav --audiogram N3 --json --overwrite >out.txt 2>/dev/null || fail "nan.wav: exit $?"
jq -e --arg nan "$nan" '.cautions | any(startswith($nan) and contains(" of each ear"))' out.txt >/dev/null ||
  fail "silence is not told: $(cat out.txt)"
"$auricle" listen "$speech" aided.wav --audiogram N3 --stream nan.wav --overwrite >out.txt 2>/dev/null || fail "a stream of nan.wav: exit $?"
tr '\n' ' ' <out.txt | grep -qF "Caution: $nan" || fail "a stream's silence is not told: $(cat out.txt)"
refuses 65 "infinite.wav: Beside samples that are infinite or not numbers it has no sound above −90 dB FS." \
  "$auricle" listen infinite.wav other.wav --audiogram N3
rm nan.wav infinite.wav aided.wav
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

# Names in the wrong order, and whatever is there already: nothing is replaced unasked.
cp "$speech" mine.wav
printf 'mine\n' >mine.png
refuses 73 "mine.wav: This file exists already" "$auricle" listen aided.wav mine.wav --audiogram N3
refuses 73 "mine.png: This file exists already" "$auricle" listen "$speech" aided.wav --audiogram N3 --picture mine.png
cmp -s "$speech" mine.wav || fail "the recording was replaced"
[ "$(cat mine.png)" = mine ] || fail "the picture was replaced"
nothing_else mine.png mine.wav
"$auricle" listen "$speech" mine.wav --audiogram N3 --picture mine.png --overwrite >out.txt 2>/dev/null || fail "--overwrite"
grep -q '^Wrote mine.wav and mine.png: ' out.txt || fail "not all that was written is named: $(cat out.txt)"
grep -q '^Heard through: Bisgaard N3.$' out.txt || fail "the audiogram is not named: $(cat out.txt)"
"$auricle" listen "$speech" mine.wav --audiogram N3 --picture mine.png --spectrum mine.csv --overwrite --json >out.txt 2>/dev/null
jq -e '.output == "mine.wav" and .picture == "mine.png" and .spectrum == "mine.csv" and .hearing == "Bisgaard N3"' out.txt >/dev/null ||
  fail "not all that was written is named: $(cat out.txt)"
rm mine.wav mine.png mine.csv

# A recording whose end is missing: a WAV file that is shorter than it states, and a FLAC file that states two hours.
head -c 20000 "$speech" >cut.wav
"$auricle" listen cut.wav aided.wav --audiogram N3 >out.txt 2>/dev/null || fail "cut off: exit $?"
tr '\n' ' ' <out.txt | grep -qF "Caution: cut.wav is cut off: it has 20000 of the $(stat -c %s "$speech") bytes that it states." ||
  fail "the missing end is not told: $(cat out.txt)"
"$auricle" listen cut.wav aided.wav --audiogram N3 --overwrite --quiet 2>err.txt || fail "cut off: exit $?"
grep -q 'cut.wav is cut off' err.txt || fail "the missing end is not told: $(cat err.txt)"
"$auricle" listen "$speech" cut.flac --audiogram N3 >out.txt 2>/dev/null
if grep -q 'cut off' out.txt; then fail "a whole recording is called cut off: $(cat out.txt)"; fi
# A FLAC file ends within a frame then, which its library tells as damage.
head -c $(($(stat -c %s cut.flac) / 2)) cut.flac >half.flac
"$auricle" listen half.flac aided.wav --audiogram N3 --overwrite >out.txt 2>err.txt || fail "FLAC cut in halves: exit $?: $(cat err.txt)"
tr '\n' ' ' <out.txt | grep -qF 'Caution: half.flac is cut off: it states 1.43 s and ends after ' || fail "the missing end is not told: $(cat out.txt)"
"$auricle" listen "$speech" aided.wav --audiogram N3 --stream half.flac --overwrite >out.txt 2>err.txt || fail "cut stream: exit $?: $(cat err.txt)"
tr '\n' ' ' <out.txt | grep -qF 'Caution: half.flac is cut off: it states 1.43 s and ends after ' || fail "the missing end is not told: $(cat out.txt)"
rm half.flac
python3 - <<'FLAC'
data = bytearray(open("cut.flac", "rb").read())
# STREAMINFO follows 8 bytes; 36 bits of it are the number of frames (RFC 9639, 8.2).
frames = 7200 * 48000
data[21] = data[21] & 0xF0 | frames >> 32
data[22:26] = (frames & 0xFFFFFFFF).to_bytes(4, "big")
open("cut.flac", "wb").write(data)
FLAC
"$auricle" listen cut.flac aided.wav --audiogram N3 --overwrite >out.txt 2>/dev/null || fail "FLAC cut off: exit $?"
tr '\n' ' ' <out.txt | grep -qF "Caution: cut.flac is cut off: it states 7200.00 s and ends after 1.43 s." ||
  fail "the missing end is not told: $(cat out.txt)"
# So is what is streamed meanwhile, within the recording's length.
"$auricle" listen "$speech" aided.wav --audiogram N3 --stream cut.wav --overwrite >out.txt 2>/dev/null || fail "cut stream: exit $?"
tr '\n' ' ' <out.txt | grep -qF "Caution: cut.wav is cut off: it has 20000 of the " || fail "the missing end is not told: $(cat out.txt)"
python3 - "$speech" <<'TWICE'
import sys, wave
with wave.open(sys.argv[1]) as speech, wave.open("twice.wav", "wb") as twice:
    twice.setparams(speech.getparams())
    words = speech.readframes(speech.getnframes())
    twice.writeframes(words + words)
TWICE
"$auricle" listen twice.wav aided.wav --audiogram N3 --stream cut.flac --overwrite >out.txt 2>/dev/null || fail "cut stream: exit $?"
tr '\n' ' ' <out.txt | grep -qF "Caution: cut.flac is cut off: it states 7200.00 s and ends after 1.43 s." ||
  fail "the missing end is not told: $(cat out.txt)"
"$auricle" listen "$speech" aided.wav --audiogram N3 --stream twice.wav --overwrite >out.txt 2>/dev/null || fail "stream: exit $?"
if grep -q 'cut off' out.txt; then fail "a whole stream is called cut off: $(cat out.txt)"; fi
rm cut.wav cut.flac twice.wav aided.wav

# An audiogram without a name of its own is named as it was given.
printf '%s\n' ear,frequency,threshold left,500,40 left,1000,45 left,2000,50 right,500,40 right,1000,45 right,2000,50 >table.csv
"$auricle" listen "$speech" aided.wav --audiogram table.csv >out.txt 2>/dev/null || fail "a table: exit $?"
grep -q '^Heard through: table.csv.$' out.txt || fail "the audiogram is not named: $(cat out.txt)"
"$auricle" listen "$speech" aided.wav --audiogram table.csv --overwrite --json >out.txt 2>/dev/null
jq -e '.hearing == "table.csv"' out.txt >/dev/null || fail "the audiogram is not named: $(cat out.txt)"
rm table.csv aided.wav

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
"$1" listen "$2" disk/aided.wav --audiogram N3 --overwrite >out.txt 2>err.txt
echo $? >status.txt
(cd disk && grep -H . *) >left.txt
ls -A disk >>left.txt
FULL
own_disk full.sh "$auricle" "$speech"
[ "$(cat status.txt)" = 74 ] || fail "full disk: exit $(cat status.txt): $(cat err.txt)"
grep -q "disk/aided.wav: There is not enough room: it needs" err.txt || fail "full disk: $(cat err.txt)"
printf 'aided.wav:what stood there\naided.wav\n' | cmp -s - left.txt || fail "on the full disk: $(cat left.txt)"

# A disk that is too small for the picture, which comes last: the sound of the run that failed is gone, and one that stood there stays.
cat >small.sh <<'SMALL'
mount -t tmpfs -o size=4k none disk || exit 99
"$1" listen "$2" aided.wav --audiogram N3 --picture disk/aided.png >out.txt 2>err.txt
echo $? >status.txt
SMALL
own_disk small.sh "$auricle" "$speech"
[ "$(cat status.txt)" = 74 ] || fail "no room for the picture: exit $(cat status.txt): $(cat err.txt)"
grep -q 'disk/aided.png' err.txt || fail "no room for the picture: $(cat err.txt)"
[ ! -e aided.wav ] || fail "the sound of a run that failed is there"
sed -i 's/ >out.txt/ --overwrite&/' small.sh
echo 'what stood there' >aided.wav
own_disk small.sh "$auricle" "$speech"
[ "$(cat status.txt)" = 74 ] && [ -s aided.wav ] || fail "exit $(cat status.txt), and what was replaced is gone: $(cat err.txt)"
rm aided.wav

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
"$1" listen long.wav disk/aided.wav --audiogram N3 --overwrite >out.txt 2>err.txt &
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
rm -rf disk full.sh small.sh killed.sh kill.txt status.txt left.txt long.wav

mkdir demo
"$auricle" demo --folder demo >demo.txt 2>/dev/null || fail "demo: exit $?"
[ "$(wc -l <demo.txt)" -eq 5 ] || fail "the demonstration does not say it in five lines: $(cat demo.txt)"
[ "$(ls demo | tr '\n' ' ')" = "aided.png aided.wav unaided.wav " ] || fail "demo wrote $(ls demo)"
# It replaces nothing unasked, and makes the folder that it is told.
rm demo/unaided.wav
refuses 73 "demo/aided.wav: This file exists already" "$auricle" demo --folder demo
[ ! -e demo/unaided.wav ] || fail "a demonstration was begun"
"$auricle" demo --folder demo --overwrite >demo.txt 2>/dev/null || fail "demo --overwrite: exit $?"
"$auricle" demo --folder made/here >demo.txt 2>/dev/null || fail "demo in a new folder: exit $?"
[ "$(ls made/here | tr '\n' ' ')" = "aided.png aided.wav unaided.wav " ] || fail "demo wrote $(ls made/here)"

exit $failed
