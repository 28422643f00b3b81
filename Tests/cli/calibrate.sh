# A calibration from readings and recordings: what is measured is kept, what contradicts itself is told, and what is typed as verified
# without readings counts as provisional.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
export AURICLE_CONFIG=$configuration

expect 0 'Apple AirPods Pro (2nd generation)' "$auricle" calibrate profiles
grep -q '^airpods-pro-2 .* 113.7 dB SPL' output || complain 'expected the level at 1 kHz'
jq -e '.schema == 200 and (.profiles | length) == 7 and all(.profiles[]; .status == "provisional")
  and (.profiles[] | select(.name == "airpods-pro-2") | .levels[0]) == {frequency_hz: 125, full_scale_db_spl: 114.05}' \
  <("$auricle" calibrate profiles --json) >/dev/null || complain 'expected the profiles'

# A profile in the configuration lifts the hold on gain of its end, and nothing is better than provisional.
expect 0 '' "$auricle" config set calibration.earphone.profile=airpods-pro-2
expect 0 'provisional, Apple AirPods Pro (2nd generation), by: ResearchKit 3.2.0, by Apple; coupler not stated' \
  sh -c '"$0" doctor; true' "$auricle"
expect 0 '# calibration.earphone.full-scale-level is that of the profile airpods-pro-2' "$auricle" config show
jq -e '.values | has("calibration.microphone.status") and (has("calibration.earphone.full-scale-level") or has("calibration.earphone.status") | not)' \
  <("$auricle" config show --json) >/dev/null || complain 'expected no level beside the profile'
expect 64 'Did you mean "airpods-pro-1"' "$auricle" config set calibration.earphone.profile=airpod-pro-1
expect 78 'one of the two' "$auricle" config set calibration.earphone.full-scale-level=110
# A product that contradicts the profile's is refused, and so is one of another form.
expect 64 'usb:v046Dp0A4D' "$auricle" config set calibration.earphone.product=046d:0a4d
expect 78 'found usb:v046Dp0A4D, expected Apple AirPods Pro (2nd generation) (bluetooth:v004Cp2014 or' \
  "$auricle" config set calibration.earphone.product=usb:v046Dp0A4D
expect 0 '' "$auricle" config set calibration.earphone.product=bluetooth:v004Cp2014
expect 0 '' "$auricle" config unset calibration.earphone.profile calibration.earphone.product

# Readings as the manual shows them, of a device that is named.
expect 0 '' "$auricle" config set device.playback=hw:CARD=Aid,DEV=0
awk '/^ear,frequency,level,played/ { on = 1 } /^\.Ed/ { on = 0 } on' "$REPOSITORY/docs/man/auricle-calibration.7" >meter.csv
measure=("$auricle" calibrate earphone --by 'B. Ear' --transducer hda200 --date 2026-01-31)
expect 0 'The calibration is verified' "${measure[@]}" --readings meter.csv -o earphone.json
[ "$(stat -c %a earphone.json)" = 600 ]
jq -e '.device.status == "verified" and .device.date == "2026-01-31" and .measurement.examiner == "B. Ear" and .transducer == "hda200"
  and (.measurement.readings | length) == 10 and (has("sensitivity") | not)' earphone.json >/dev/null || complain 'expected the readings'
expect 73 'There is a file of this name' "${measure[@]}" --readings meter.csv -o earphone.json
expect 0 'named in' "${measure[@]}" --readings meter.csv --use
[ -f "$XDG_CONFIG_HOME/auricle/earphone-2026-01-31.json" ]
expect 0 'verified, hw:CARD=Aid,DEV=0 (Sennheiser HDA 200), 2026-01-31' sh -c '"$0" doctor; true' "$auricle"

# Without a name in the configuration the calibration's device is put back, which is away here; that of another one is left alone.
jq '.measurement.volumes = [{control: "Master", gain: {left: 0, right: 0}, on: true}]' earphone.json >volumes.json
printf '[calibration.earphone]\nfile = "%s"\n' "$PWD/volumes.json" >volumes.toml
expect 1 'Not as calibrated: its volume control Master cannot be read any more' "$auricle" calibrate volume --show --config volumes.toml
printf '[device]\nplayback = "hw:CARD=Other,DEV=0"\n' >>volumes.toml
expect 78 'found a calibration that was made with another device' "$auricle" calibrate volume --config volumes.toml

# Of a device that nobody names, on a machine without a card, nothing is verified.
if [ ! -e /dev/snd/pcmC0D0p ]; then
  : >unnamed.toml
  expect 0 'The calibration is provisional: no device is named, neither by device.playback nor by the calibration' \
    "${measure[@]}" --readings meter.csv -o unnamed.json --config unnamed.toml
  jq -e '.device.status == "provisional" and .device.source == "readings by B. Ear"' unnamed.json >/dev/null || complain 'expected it in the file'
  jq '.device.status = "verified"' unnamed.json >claimed.json
  printf '[calibration.earphone]\nfile = "%s"\n' "$PWD/claimed.json" >unnamed.toml
  expect 0 'counts as provisional: no device is named, neither by device.playback' "$auricle" check unnamed.toml
  at_terminal=(python3 "$REPOSITORY/Tests/lab/pseudoterminal.py" '\x04')
  for end in earphone microphone; do
    expect 69 'found no sound card with converters that captures and plays' "${at_terminal[@]}" "$auricle" calibrate "$end" --config unnamed.toml
  done
fi

# The commands that are told do it, whatever the configuration states before.
stated='[calibration.earphone]
full-scale-level = 110
transducer = "er3a"
status = "provisional"
source = "data sheet"
'
told() { # FILE: the commands in it, with this program
  sed 's/ && /\n/' "$1" | grep -oE 'auricle config (un)?set .*' | sed "s|^auricle|'$auricle'|; s|=NAME|=airpods-pro-2|" >told.sh
  [ "$(grep -c . told.sh)" -eq 2 ] || complain "expected two commands in: $(cat "$1")"
  bash -e told.sh
}
for way in measured profile; do
  printf '%s' "$stated" >stated.toml
  case $way in
    measured) AURICLE_CONFIG=$PWD/stated.toml "${measure[@]}" --readings meter.csv -o stated.json ;;
    profile) "$auricle" calibrate profiles ;;
  esac >way
  AURICLE_CONFIG=$PWD/stated.toml told way >output
  ! grep -qE "full-scale-level|transducer|status|source" stated.toml || complain "$way: found $(cat stated.toml)"
  grep -qE '^(file = ".*stated.json"|profile = "airpods-pro-2")$' stated.toml || complain "$way: found $(cat stated.toml)"
  expect 0 '' "$auricle" check stated.toml
done

# Kept, and not named where the configuration cannot be written: the measurement is not lost, and that it is not named is said.
mkdir fixed
printf '[device]\nplayback = "null"\n' >fixed/auricle.toml
cat >fixed.sh <<'FIXED'
mount --bind fixed fixed && mount -o remount,bind,ro fixed || exit 99
exec "$@"
FIXED
expect 77 "written: $PWD/kept.json; it is not named in the configuration." unshare -Urm bash fixed.sh \
  "${measure[@]}" --readings meter.csv -o kept.json --use --config fixed/auricle.toml
[ -f kept.json ]
cmp -s fixed/auricle.toml <(printf '[device]\nplayback = "null"\n')

# Beside a configuration below /etc it is for everybody to read, or the system's daemon, another user, could not.
cat >system.sh <<'SYSTEM'
mount -t tmpfs none /etc/default || exit 99
printf '[device]\nplayback = "null"\n' >/etc/default/auricle.toml
umask 077
"$@" && stat -c 'mode %a' /etc/default/*.json
SYSTEM
expect 0 'mode 644' unshare -Urm bash system.sh "${measure[@]}" --readings meter.csv --use --config /etc/default/auricle.toml

# A digit too many, a jump, no second level, no reading.
sed 's/94\.2/942/' meter.csv >digit.csv
expect 65 'digit.csv:3: found 942 dB SPL for a tone at −20 dB FS, expected 40 to 130' "${measure[@]}" --readings digit.csv -o x.json
[ ! -e x.json ]
sed 's/,95\.0,/,70.0,/' meter.csv >jump.csv
expect 0 'The calibration is provisional: left ear, 70 dB SPL at 2000 Hz after 94.2 at 1000 Hz' \
  "${measure[@]}" --readings jump.csv -o jump.json
# Behind a plugin it is provisional, with the reason, here and in the daemon.
printf '[device]\nplayback = "plugged"\n' >behind.toml
expect 0 'The calibration is provisional: sound goes through a plugin or a sound server (plugged), where the volume can be turned' \
  "${measure[@]}" --readings meter.csv -o behind.json --use --config behind.toml
expect 0 'counts as provisional: sound goes through a plugin or a sound server (plugged), where the volume can be turned' "$auricle" check behind.toml
grep -v -e '-30' meter.csv >single.csv
expect 0 'no second, softer tone of the left ear' "${measure[@]}" --readings single.csv -o single.json
cut -d, -f1-3 meter.csv >levels.csv
expect 65 'the level of the tones in dB FS' "${measure[@]}" --readings levels.csv -o x.json
expect 64 'the person who measured' "$auricle" calibrate earphone --readings meter.csv --transducer hda200
expect 64 'the coupler or ear simulator' "$auricle" calibrate earphone --readings meter.csv --by B
# A name with characters that steer a terminal, before anything is asked.
expect 64 '--by: found "B?", expected text on one line' "$auricle" calibrate earphone --by $'B\x1b'
expect 64 '--coupler: found "2?cc", expected text on one line' "$auricle" calibrate earphone --by B --coupler $'2\x07cc'
expect 64 '--by: found "B?", expected text on one line' "$auricle" calibrate microphone --by $'B\x1b'
expect 64 'Did you mean hda200' "$auricle" calibrate earphone --readings meter.csv --by B --transducer hda20
# A model in another coupler than that of its reference thresholds: 18 dB would be missing at 4 kHz.
expect 64 '--coupler: found 2 cm3, expected IEC 60318-4 (occluded-ear simulator), in which the reference thresholds of er3a hold' \
  "$auricle" calibrate earphone --readings meter.csv --by B --transducer er3a --coupler '2 cm3' -o x.json
# One of two couplers of a standard is not the other.
expect 64 'expected IEC 60318-5 (2 cm³, HA-2)' "$auricle" calibrate earphone --readings meter.csv --by B --transducer er3a-2cc \
  --coupler 'IEC 60318-5 (HA-1)' -o x.json
[ ! -e x.json ]
expect 0 'The calibration is verified' "$auricle" calibrate earphone --readings meter.csv --by B --transducer er3a --coupler 'iec 60318-4' -o short.json
jq -e '.transducer == "er3a"' short.json >/dev/null || complain 'expected the model of the same coupler'
expect 64 'There is no terminal to ask on' "$auricle" calibrate earphone
expect 64 'There is no terminal to ask on' "$auricle" calibrate microphone

# What nobody tells is not invented; a model that a file states has to be one, and the same as the configuration's.
expect 0 'nothing tells when another one is in use' "${measure[@]}" --readings meter.csv -o model.json
jq -e '.device | has("identity") | not' model.json >/dev/null || complain 'expected no model of a device that is not there'
jq '.device.identity = {products: ["usb:v046Dp0A4D"], name: "Headset"}' earphone.json >model.json
printf '[calibration.earphone]\nfile = "%s"\n' "$PWD/model.json" >"$configuration"
expect 0 'good' "$auricle" check
printf 'product = "usb:v046Dp0A4E"\n' >>"$configuration"
expect 78 'found usb:v046Dp0A4E, expected Headset (usb:v046Dp0A4D)' "$auricle" check
jq '.device.identity = {products: ["headset"]}' earphone.json >model.json
expect 65 'maker and product, such as usb:v046Dp0A4D' "$auricle" check
jq '.device.identity = {name: "a\u001b[2J"}' earphone.json >model.json
expect 65 'a name of another form' "$auricle" check

# Levels that do not follow from the readings beside them are refused; what is called verified without any is provisional.
jq '.sensitivity = {left: 111, right: 111}' earphone.json >altered.json
printf '[calibration.earphone]\nfile = "%s"\n' "$PWD/altered.json" >"$configuration"
expect 65 'which follows from the readings beside it' "$auricle" check
jq 'del(.measurement) | .sensitivity = {left: 111, right: 111}' earphone.json >altered.json
expect 0 'counts as provisional: it is called verified, and no readings are kept' "$auricle" check
printf '[calibration.earphone]\nfull-scale-level = 111\ndevice = "x"\ndate = 2026-01-31\nstatus = "verified"\n' >"$configuration"
expect 0 'counts as provisional: it is called verified, and no readings are kept' "$auricle" check
jq -e '.calibration_notes | length == 1' <("$auricle" check --json) >/dev/null || complain 'expected the note for programs'

# A microphone, by a recording of a calibrator.
python3 - <<'PYTHON'
import math, struct, wave
def tone(name, level, frequency=1000, channels=1, seconds=3, hum=None):
    with wave.open(name, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(48000)
        frames = bytearray()
        for n in range(48000 * seconds):
            t = n / 48000
            value = 10 ** (level / 20) * math.sin(2 * math.pi * frequency * t)
            if hum is not None:
                value += 10 ** (hum / 20) * math.sin(2 * math.pi * 50 * t)
            frames += struct.pack("<h", max(-32768, min(32767, round(32768 * value)))) * channels
        file.writeframes(frames)
tone("calibrator.wav", -26)
tone("right.wav", -28)
tone("hum.wav", -26, hum=-30)
tone("cut.wav", 3)
tone("other.wav", -26, frequency=250)
PYTHON
microphone=("$auricle" calibrate microphone --level 94 --by 'B. Ear')
expect 0 'full scale is 120.0 dB SPL at 1 kHz' "${microphone[@]}" --recording calibrator.wav -o microphone.json
if [ ! -e /dev/snd/pcmC0D0p ]; then
  expect 0 'The calibration is provisional: full scale is 120.0 dB SPL at 1 kHz, and no device is named, neither by device.capture' \
    "${microphone[@]}" --recording calibrator.wav -o unnamed-microphone.json
fi
printf '[device]\ncapture = "hw:CARD=Aid,DEV=0"\n' >named.toml
expect 0 'The calibration is verified: full scale is 120.0 dB SPL at 1 kHz.' \
  "${microphone[@]}" --recording calibrator.wav -o named-microphone.json --config named.toml
# Behind a plugin it is provisional, with the reason, here and in the daemon.
printf '[device]\ncapture = "plugged"\n' >behind-microphone.toml
expect 0 'The calibration is provisional: full scale is 120.0 dB SPL at 1 kHz, and sound comes through a plugin or a sound server (plugged)' \
  "${microphone[@]}" --recording calibrator.wav -o behind-microphone.json --use --config behind-microphone.toml
expect 0 'counts as provisional: sound comes through a plugin or a sound server (plugged), where the volume can be turned' \
  "$auricle" check behind-microphone.toml
jq -e '.measurement.readings == [{channel: 0, frequency: 1000, measured: -26, sound: 94}]' microphone.json >/dev/null || complain 'expected -26 dB FS'
expect 0 'full scale is 120.0 and 122.0 dB SPL' "${microphone[@]}" --recording calibrator.wav --recording right.wav --use
expect 65 'hum.wav, channel 0: found a tone of 1000 Hz only 4 dB above everything else' "${microphone[@]}" --recording hum.wav -o x.json
expect 65 'sound at full scale' "${microphone[@]}" --recording cut.wav -o x.json
expect 65 'other.wav' "${microphone[@]}" --recording other.wav -o x.json
expect 66 'no such file' "${microphone[@]}" --recording none.wav -o x.json
expect 64 '70 to 130 dB SPL' "$auricle" calibrate microphone --level 940 --by B --recording calibrator.wav
expect 64 '5 Hz' "$auricle" calibrate microphone --level 94 --by B --recording calibrator.wav --frequency 5
expect 64 "the calibrator's level" "$auricle" calibrate microphone --by B --recording calibrator.wav
printf '"Sens Factor =-1.378dB, SERNO: 7000000"\n20 -3\n1000 0\n10000 2\n' >response.txt
expect 0 'not used' "${microphone[@]}" --recording calibrator.wav --response response.txt -o response.json
[ ! -e x.json ]

# A check by ears needs dB HL, three ears, and their mean about 0 dB HL.
printf 'person,ear,frequency,threshold\n1,left,1000,5\n1,right,1000,0\n2,left,1000,-5\n' >ears.csv
expect 78 'no transducer' "$auricle" calibrate ears ears.csv -o ears.json
printf '[calibration.earphone]\nprofile = "airpods-pro-2"\n' >"$configuration"
expect 0 'Checked by 3 ears; the calibration stays provisional' "$auricle" calibrate ears ears.csv --use
grep -q '"person"' "$XDG_CONFIG_HOME"/auricle/earphone-*.json && complain 'expected no names to be kept'
expect 0 'checked by 3 ears' sh -c '"$0" doctor; true' "$auricle"
# What counts as provisional where it is used stays verified in its file, without a source that nobody has stated.
expect 0 'Checked by 3 ears; the calibration stays provisional' "$auricle" calibrate ears ears.csv -o checked.json --config behind.toml
jq -e --slurpfile former behind.json '.device.status == "verified" and .device == $former[0].device and .measurement == $former[0].measurement
  and ([keys[] | select(startswith("ear"))] | length) == 1' checked.json >/dev/null || complain 'expected the same calibration, checked by ears'
# One of another device is not checked, and said not to count.
printf '[device]\nplayback = "hw:CARD=Other,DEV=0"\n[calibration.earphone]\nfile = "%s"\n' "$PWD/earphone.json" >other.toml
expect 78 'found a calibration that was made with another device, expected that of the device in use' \
  "$auricle" calibrate ears ears.csv -o x.json --config other.toml
expect 0 'The calibration of the earphones counts as none: it was made with hw:CARD=Aid,DEV=0, and hw:CARD=Other,DEV=0 is used.' \
  "$auricle" check other.toml
sed 's/,5$/,50/' ears.csv >deaf.csv
expect 65 'a mean beyond 10 dB from 0 dB HL at 1000 Hz' "$auricle" calibrate ears deaf.csv -o x.json
head -3 ears.csv >two.csv
expect 65 'at least 3' "$auricle" calibrate ears two.csv -o x.json
