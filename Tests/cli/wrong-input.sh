# Files that are wrong or missing: one clear message, the right exit status, nothing begun.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
sample=$REPOSITORY/Prescriptions/N3.json

# A configuration with an unknown key names the nearest right one, in every program that reads it.
printf '[device]\nperoid = 64\n' >"$configuration"
for program in "$auricled" "$auricle run" "$auricle check" "$auricle config show" "$auricle start"; do
  # shellcheck disable=SC2086
  expect 78 "$configuration:2: found the unknown key device.peroid" $program
  grep -qF 'Did you mean "period"?' output || complain "expected the nearest key"
done
expect 1 'bad      configuration' "$auricle" doctor
test ! -e "$socket"

# Every problem is told, not only the first.
printf '[device]\nperiod = 8\nrate = 22050\n' >"$configuration"
expect 78 "$configuration:2: found device.period = 8 frames, expected 16 to 1024" "$auricled"
grep -qF "$configuration:3: found" output || complain "expected the second problem"
expect 78 '"exit_status":78' "$auricle" check --json
jq -e '.errors | length == 2' output >/dev/null

# A time that no level window can follow.
printf '[hearing]\nattack = "2 ms"\n' >"$configuration"
expect 78 "$configuration:2: found hearing.attack = \"2 ms\", expected 0.005 to 0.5 s" "$auricled"

# The configuration that was named is not there.
expect 66 "nowhere.toml: found no such file" "$auricled" --config nowhere.toml
expect 66 "nowhere.toml: found no such file" "$auricle" check nowhere.toml

# The audiogram that the configuration names is not there, or has a bad point.
printf '[hearing]\naudiogram = "mine.json"\n' >"$configuration"
place=$XDG_CONFIG_HOME/auricle
expect 66 "$place/mine.json: found no such file, expected the audiogram that $configuration:2 names" "$auricled"
sed 's/"1000": [0-9]*/"1000": 200/' "$sample" >"$place/mine.json"
grep -q '"1000": 200' "$place/mine.json"
line=$(grep -n '"1000": 200' "$place/mine.json" | head -n 1 | cut -d: -f1)
# What is not a terminal may be a log: there the daemon names place and kind.
expect 65 "$place/mine.json:$line: found a level out of range. Its content is not for a log: auricle check" "$auricled"
absent 200
# script(1) reads a terminal to its end; socat stops when the program does, and may lose its last words.
timeout 20 script -qec "$auricled" /dev/null </dev/null >output 2>&1 || true
grep -qF "mine.json:$line: found left ear, air conduction of 200 dB HL at 1000 Hz, expected -10 to 120" output ||
  complain 'expected the whole story on a terminal'
expect 65 "mine.json:$line: found left ear, air conduction of 200 dB HL" "$auricle" check "$place/mine.json"
expect 65 "mine.json:$line" "$auricle" check
echo '{"format": "auricle-audiogram", "version": 1, "left": {"air": {"1000": 40}}, "right": {}}' >"$place/mine.json"
expect 65 "mine.json: found too few frequencies for the rule in the left ear" "$auricled"
expect 1 'left: 1000 Hz; missing for fitting by a NAL rule: one at or below 500 Hz, one at or above 2000 Hz' "$auricle" check "$place/mine.json"
grep -q 'right: not tested' output
expect 1 'missing for fitting' "$auricle" check --json "$place/mine.json"
jq -e '.exit_status == 1' output >/dev/null
sed 's/"version": 1/"version": 2/' "$sample" >"$place/mine.json"
expect 65 'found version 2, expected 1' "$auricle" check "$place/mine.json"
echo 'not JSON' >"$place/mine.json"
expect 65 "mine.json:1: found a text that is not JSON" "$auricled"

# Calibrations: missing, of another shape, an earphone nobody knows.
printf '[calibration.microphone]\nfile = "mic.json"\n' >"$configuration"
expect 66 "mic.json: found no such file, expected the calibration that $configuration:2 names" "$auricled"
echo '{"device": {"device": "m", "status": "verified"}, "channels": ["loud"]}' >"$place/mic.json"
expect 65 "mic.json: found channels" "$auricled"
printf '[calibration.earphone]\ntransducer = "HAD 200"\n' >"$configuration"
expect 78 "$configuration:2: found \"HAD 200\", which has no reference thresholds here, expected one of" "$auricled"
printf '[calibration.earphone]\ntransducer = "HDA 200"\n' >"$configuration"
expect 0 'good' "$auricle" check

cp "$configuration" good.toml
# What was wrong before is no reason to refuse a change above it, which moves its line: one key after the other is put right.
printf '[device]\nrate = 48000\n[calibration.microphone]\nfile = "gone-mic.json"\n[hearing]\naudiogram = "gone.json"\n' >"$configuration"
expect 0 'device.period. A running aid follows after: auricle reload.' "$auricle" config set device.period=128
expect 66 "gone.json: found no such file, expected the audiogram that $configuration:7 names" "$auricle" check
expect 0 '' "$auricle" config unset calibration.microphone.file
expect 66 "other.json: found no such file" "$auricle" config set hearing.audiogram=other.json
# A name without a folder starts from the folder of the command.
cp "$sample" "$place/N1.json"
cd "$place"
expect 0 'hearing.audiogram' "$auricle" config set hearing.audiogram=N1.json
cd "$home"
grep -q '^audiogram = "/.*/config/auricle/N1.json"$' "$configuration"
if grep -qF '/./' "$configuration"; then complain 'expected no such path'; fi
expect 0 'good, fitted' "$auricle" check
cp good.toml "$configuration"

# A table without a line, a table of another name, and the name of a standard audiogram.
: >empty.csv
expect 65 'empty.csv: found no text, expected a header row' "$auricle" check empty.csv
printf 'ear;frequency;threshold\nleft;500;40\nleft;2000;50\n' >table.txt
expect 78 'Where it is an audiogram: auricle check --audiogram table.txt' "$auricle" check table.txt
expect 0 'a good audiogram file' "$auricle" check --audiogram table.txt
expect 66 'n3: This is the name of a standard audiogram, and there is no such file to check' "$auricle" check n3
expect 66 'auricle listen and auricle rx make take it by its name: --audiogram N3.' "$auricle" check --audiogram N3

# Command lines.
expect 64 "Unknown option '--loud'" "$auricle" start --loud
# A value in another form has the form told.
expect 64 "The value '03.02.1950' is invalid for '--born <date>', expected year-month-day, as 1950-02-03." "$auricle" rx make --born 03.02.1950
expect 64 "The value '1950-02-30' is invalid for '--born <date>', expected a day of the calendar, from 1900 on." "$auricle" rx make --born 1950-02-30
expect 64 "The value '0m' is invalid for '--for <time>', expected 1s to 1000d." "$auricle" rx try --for 0m
expect 64 "The value '64,5' is invalid for '--block <block>'. See" "$auricle" listen a.wav b.wav --block 64,5
expect 64 "The value '20min' is invalid for '--for <time>', expected a whole number and a letter" "$auricle" rx try --for 20min
expect 64 "The value '65,5' is invalid for '--level <level>', expected a point before the decimals, as 65.5." "$auricle" listen a.wav b.wav --level 65,5
# A word that no command has goes to the program of studies where that lies beside, which a build of it does: this one lies by itself.
mkdir alone
alone=$PWD/alone/auricle
ln -L "$auricle" "$alone" 2>/dev/null || cp -L "$auricle" "$alone"
expect 64 'auricle has no command stat. Did you mean: auricle status' "$alone" stat
expect 64 'auricle has no command mut. Did you mean: auricle mute' "$alone" mut
expect 64 'Did you mean: auricle reload' "$alone" relaod
expect 64 'auricle has no command xyzzy. See: auricle --help' "$alone" xyzzy
expect 0 'USAGE' "$auricle" help status
expect 64 "Unexpected argument 'now'" "$auricled" now
expect 64 'See: auricle completions --help' "$auricle" completions tcsh

# What is right is called so.
expect 0 'a good audiogram file' "$auricle" check "$sample"
grep -qE '^left: 250, .*4000.* Hz; average of 500, 1000 and 2000 Hz [0-9.]+ dB HL' output
grep -q '^right: 250' output
# A byte-order mark in front, as some programs write it.
{ printf '\xEF\xBB\xBF' && cat "$sample"; } >marked.json
expect 0 'a good audiogram file' "$auricle" check marked.json
printf '%s\n' ear,frequency,threshold,conduction,masked,response left,500,40,air,no,yes left,2000,60,air,yes,yes \
  left,4000,110,air,no,no left,1000,20,bone,no,yes >all.csv
expect 0 'no response at 4000 Hz; masked at 2000 Hz; bone conduction at 1000 Hz' "$auricle" check all.csv
{ sed -n 2p output | grep -q '^right: not tested' && sed -n 3p output | grep -q '^left: 500'; } ||
  complain 'expected the right ear before the left'
grep -qF 'average of 500, 1000 and 2000 Hz 50 dB HL (1000 Hz was not tested and is taken from the neighbours)' output ||
  complain 'expected the frequency that was not tested'
jq -e '.ears.left.bone == [{frequency_hz: 1000, masked: false, response: true, threshold_db_hl: 20}]' \
  <("$auricle" check --json all.csv) >/dev/null || complain 'expected bone conduction'
# The same for programs. The average is worked out here, from the file.
average=$(jq '[.left.air["500"], .left.air["1000"], .left.air["2000"]] | add / 3' "$sample")
jq -e --argjson average "$average" --slurpfile sample "$sample" '.schema == 104 and .verdict == "good" and .cautions == []
  and all(.ears[]; .fittable) and (.ears | keys == ["left", "right"])
  and (.ears.left.average_db_hl - $average | fabs < 1e-9)
  and (.ears.left.thresholds | map({key: (.frequency_hz | tostring), value: .threshold_db_hl}) | from_entries
    == $sample[0].left.air)' <("$auricle" check --json "$sample") >/dev/null || complain 'expected the ears'
rm "$configuration"
expect 0 'no configuration file, defaults: good, not fitted' "$auricle" check
jq -e '.schema == 104 and .file == "" and .fitted == false and .cautions == []' <("$auricle" check --json) >/dev/null || complain 'expected the verdict'
jq -e '.schema == 101 and .message != "" and .feedback.notes == []' <("$auricle" fit feedback --show --json) >/dev/null ||
  complain 'expected the form that a test has'
"$auricle" config reference >"$configuration"
expect 0 "$configuration: good" "$auricle" check
tr -d '\n#' <"$configuration" | grep -q 'Anything but "none" at both ends lifts the hold of 20 dB on gain'
printf '[hearing]\naudiogram = "%s"\n' "$sample" >"$configuration"
expect 0 'good, fitted, gain held to 20 dB until both ends are calibrated' "$auricle" check
jq -e '.fitted and .gain_cap_db == 20' <("$auricle" check --json) >/dev/null || complain 'expected the hold of 20 dB'
# A word alone lifts nothing: a level and its source are asked for, with an example; written, they lift the hold.
cp "$configuration" held.toml
for end in microphone earphone; do printf '[calibration.%s]\nstatus = "provisional"\n' $end >>"$configuration"; done
expect 78 'calibration.earphone.status = "provisional" without full-scale-level and source' "$auricle" check
grep -q 'such as full-scale-level = 111 and source = "data sheet' output || complain 'expected an example'
cp held.toml "$configuration"
for end in microphone earphone; do
  printf '[calibration.%s]\nfull-scale-level = 110\nsource = "data sheet"\nstatus = "provisional"\n' $end >>"$configuration"
done
expect 0 'good, fitted, gain as prescribed' "$auricle" check
"$auricle" config reference >"$configuration"
expect 0 'device.period = 64' "$auricle" config show
expect 0 "device.period = 64  # $configuration:" "$auricle" config show --origin
jq -e --arg file "$configuration" '.schema == 100 and .file == $file and .values["device.period"] == 64
  and .values["device.format"] == "auto" and (.origins | not)' <("$auricle" config show --json) >/dev/null ||
  complain 'expected the values'
jq -e --arg file "$configuration:" '.origins["device.period"] | startswith($file)' \
  <("$auricle" config show --json --origin) >/dev/null || complain 'expected the origins'
expect 0 'auricle 0.' "$auricle" version
jq -e '.protocol.major == 1' <("$auricle" version --json) >/dev/null
for shell in bash zsh fish; do expect 0 unmute "$auricle" completions "$shell"; done
bash -n <("$auricle" completions bash)

# No command has begun anything.
test ! -e "$socket"
