# `auricle verify`: the shipped default meets its limits, a broken one is named, and wrong input is told. Each run measures, which takes seconds of the
# processor, so one shows as much as it can.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export XDG_DATA_HOME=$home/data XDG_STATE_HOME=$home/state

expect 0 '"counts":' "$auricle" verify --audiogram N3 --json -o report.pdf
absent 'Wrote'
[ "$(pdfinfo report.pdf | sed -n 's/^Pages: *//p')" = 2 ]
[ "$(stat -c %a report.pdf)" = 600 ]
pdftotext -raw report.pdf report.txt
grep -q '30 limits met, none broken; 1 not judged: Self-generated noise' report.txt || complain 'expected the verdict on paper'
grep -q "^Measured $(date +%Y-%m-)" report.txt || complain 'expected date and version on paper'
# The microphone's noise is not stated, so its limit is neither met nor broken.
jq -e '[.limits[] | select(.name == "Self-generated noise") | .verdict] | length > 0 and all(. == "not judged")' output >/dev/null ||
  complain 'expected noise not to be judged'
jq -e '.schema == 201 and .block_latency_source == "configuration" and .met == false and .counts == {"met":30,"broken":0,"not_judged":1}' output >/dev/null || complain 'expected no verdict of all limits'
grep -q 'read in no text: from memory' report.txt || complain 'expected the marked limits to be explained'
jq -e '.ears | length == 2 and all(.[]; .attack_seconds < 0.006)' output >/dev/null

# Broken on purpose: the exit status is 1 and the limit is named. That a file was written is told on standard output, also of such an aid.
found=0
jq '.name = "李"' "$REPOSITORY/Prescriptions/N3.json" >li.json
"$auricle" verify --audiogram li.json --device-latency 12 -o report.pdf --overwrite >output 2>caution || found=$?
[ "$found" -eq 1 ] && [ "$(tail -1 output)" = 'Wrote report.pdf.' ] || complain "exit $found, expected the report to be named"
grep -q 'broken: Latency' output || complain 'expected the limit to be named'
# No frequency of a limit is cut off; letters that the report cannot show are told.
pdftotext -layout report.pdf report.txt
if grep -q '…' report.txt; then complain "expected whole names, found $(grep '…' report.txt)"; fi
grep -q 'ANSI/CTA-2051 .* Distortion and noise, 800 Hz at 70 dB SPL ' report.txt || complain "expected the frequency, found $(cat report.txt)"
grep -q 'the typeface of the report has no 李; a box is printed instead. The audiogram holds the whole name' caution ||
  complain "expected the caution, found $(cat caution)"
expect 1 '30 limits met, 1 broken: Self-generated noise.' "$auricle" verify --audiogram N4 --microphone-noise 30
grep -q 'not of a coupler' output || complain 'expected what the figures are not'
# Without a summary the file is not named either.
"$auricle" verify --audiogram N3 --quiet -o quiet.pdf >output 2>/dev/null || complain 'expected success'
[ ! -s output ] && [ -s quiet.pdf ] || complain 'expected a report and no words'
# A microphone by its data sheet, quiet enough for this loss: everything is judged then.
expect 0 '31 limits met, none broken.' "$auricle" verify --audiogram N2 --microphone-noise -10
expect 1 '500 Hz at 100 dB SPL' "$auricle" verify --audiogram N3 --microphone-level 90

# Nothing prescribed, then the configuration's audiogram.
expect 0 'Not fitted: nothing is amplified' "$auricle" verify
grep -q 'no prescription, not fitted' output || complain 'expected no rule to be named'
grep -q 'none broken; 1 not judged: Self-generated noise. The aid amplifies nothing' output || complain 'expected the verdict to say what it is worth'

# What is prescribed is the rule's at every frequency, not what one band makes of it.
printf '[hearing]\nbands = [1000]\n' >"$configuration"
expect 1 'broken: Gain less target' "$auricle" verify --audiogram N3

# The configuration's audiogram. A calibration that was made with another device of ALSA's counts no more than in `auricle check`.
calibrated() { # DEVICE
  echo "{\"device\": {\"device\": \"$1\", \"status\": \"provisional\", \"source\": \"data sheet\"}, \"channels\": [132]}" \
    >"$XDG_CONFIG_HOME/auricle/microphone.json"
  cat >"$configuration" <<TOML
[device]
capture = "null"
playback = "null"
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N2.json"
[calibration.microphone]
file = "microphone.json"
[calibration.earphone]
full-scale-level = 110
source = "data sheet"
status = "provisional"
TOML
}
calibrated hw:CARD=Gone
expect 0 'gain held to 20 dB' "$auricle" check
"$auricle" verify >answer.txt || true
grep -q 'Gain is held to 20 dB until both ends are calibrated' answer.txt || complain "another device: expected the hold, found $(head -12 answer.txt)"
grep -q "the configuration's audiogram" answer.txt || complain 'expected the configuration to be followed'
grep -q 'gain is held to 20 dB until microphone and earphone' answer.txt || complain 'expected the reason beside the figure'
calibrated null:
expect 0 'gain as prescribed' "$auricle" check

# The sample stands in for the end alone that is not calibrated.
sed -i '/^\[calibration.earphone\]/,$d' "$configuration"
"$auricle" verify --audiogram N3 >answer.txt || true
grep -q 'Microphone: full scale is 132 dB SPL (provisional, null:' answer.txt || complain "expected the calibration, found $(head -12 answer.txt)"
grep -q 'Earphone: full scale is 113.7 dB SPL right' answer.txt || complain "expected the sample's earphone, found $(head -12 answer.txt)"
if grep -q 'Gain is held' answer.txt; then complain 'expected no hold'; fi
rm "$configuration"

# An answer that nobody can read is no answer.
for written in /dev/full ""; do
  found=0
  if [ -n "$written" ]; then "$auricle" programs >"$written" 2>output || found=$?; else
    "$auricle" programs --json >&- 2>output || found=$?
  fi
  [ "$found" -eq 74 ] || complain "answer into '$written': expected 74, found $found"
  grep -q 'The answer cannot be written' output || complain 'expected it to be said'
done
# A reader that leaves early is no fault: no words, and no end but by its signal.
{ "$auricle" programs 2>output || [ $? -eq 141 ]; } | head -1 >/dev/null
[ ! -s output ] || complain 'expected no words'

# A report for which there is no room: its table is told, before that; the former report stands. Mounting needs a name space
# of its own, which is as good as root's for this.
mkdir disk
cat >full.sh <<'FULL'
mount -t tmpfs -o size=16k none disk || exit 99
echo 'what stood there' >disk/report.pdf
"$1" verify -o disk/report.pdf --overwrite --json >figures.json 2>errors.json
echo $? >status.txt
"$1" verify --audiogram N3 --device-latency 12 -o disk/report.pdf --overwrite >broken.txt 2>&1
echo $? >>status.txt
cat disk/report.pdf >left.txt
ls -A disk >>left.txt
FULL
unshare -m bash full.sh "$auricle" || unshare -Urm bash full.sh "$auricle"
# That it cannot be written is said by the exit status even where a limit is broken: 1 would be taken for the whole of it.
[ "$(tr '\n' ' ' <status.txt)" = '74 74 ' ] || complain "full disk: found exit $(cat status.txt)"
grep -A 9 'broken: Latency' broken.txt | tail -1 | grep -q 'No room is left for the picture' ||
  complain "full disk: expected the broken limit, then the refusal, found $(tail -3 broken.txt)"
jq -e '.rule == "none" and .counts.broken == 0 and (.ears | length == 2)' figures.json >/dev/null || complain 'full disk: expected the figures'
jq -e '.errors[0].subject == "disk/report.pdf" and .exit_status == 74' errors.json >/dev/null || complain "$(cat errors.json)"
printf 'what stood there\nreport.pdf\n' | cmp -s - left.txt || complain "on the full disk: $(cat left.txt)"

expect 66 "found '', which is neither" "$auricle" verify --audiogram ''
expect 64 "'': The name does not end in .pdf" "$auricle" verify --audiogram N3 -o ''
expect 64 'does not end in .pdf' "$auricle" verify --audiogram N3 -o report.png
expect 66 'neither a file nor one of' "$auricle" verify --audiogram N9
expect 64 'expected one of NAL-R' "$auricle" verify --audiogram N3 --rule NAL-NL9
expect 64 'needs --audiogram' "$auricle" verify --rule NAL-R
expect 64 '40 to 180 dB SPL' "$auricle" verify --audiogram N3 --earphone-level 300
expect 64 '0 to 1000 ms' "$auricle" verify --audiogram N3 --device-latency -1
expect 73 'is no folder' "$auricle" verify --audiogram N3 -o nowhere/report.pdf
# A patient's report that is there stays, and a folder is told, both before anything is measured.
before=$(sha256sum report.pdf)
expect 73 'report.pdf: This file exists already. Choose another name, or give --overwrite to replace it.' \
  "$auricle" verify --audiogram N1 -o report.pdf
[ "$(sha256sum report.pdf)" = "$before" ] || complain 'expected the former report'
mkdir folder.pdf
expect 73 'folder.pdf: This is a folder, not a file' "$auricle" verify --audiogram N1 -o folder.pdf --overwrite

# Beside an aid that runs, its devices count, and not what the configuration asks for by now.
printf '[device]\ncapture = "null"\nplayback = "null"\nperiod = 256\n' >"$configuration"
ordinary_daemon
until_true state_is running
sed -i 's/256/64/' "$configuration"
"$auricle" verify --json >answer.json || true
jq -e '.block_frames == 256 and (.block_latency_source | startswith("running"))' answer.json >/dev/null ||
  complain "expected the running aid's period, found $(jq -c '[.block_frames, .block_latency_source]' answer.json)"
"$auricle" verify --audiogram N3 --json >answer.json || true
jq -e '.block_frames == 64 and .block_latency_source == "configuration"' answer.json >/dev/null ||
  complain "expected the configuration's period, found $(jq -c '[.block_frames, .block_latency_source]' answer.json)"
daemon_end
