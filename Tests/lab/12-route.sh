# Other devices while sound flows: tried, kept into the configuration, left to come back by themselves, and refused.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
# The same card under another name, and one that cannot be opened at the rate.
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.other {
  type jack
  playback_ports { 0 jack_delay:in 1 system:playback_2 }
  capture_ports { 0 jack_delay:out 1 jack_delay:out }
}
CONF
jack_fitted | sed 's/^playback/period = 256\nplayback/' >"$configuration"
cp "$configuration" before.toml
daemon
until_true state_is running
until_true sh -c '"$0" status --json | jq -e ".state.name == \"running\""' "$auricle"
plays() { "$auricle" route --json | jq -e --arg name "$1" '.devices.playback == $name' >/dev/null; }

expect 0 'From lat to lat.' "$auricle" route
expect 64 'Name a device' "$auricle" route use
expect 1 'No devices are on trial' "$auricle" route keep

# Nobody keeps them: the former ones come back, and the file is as it was.
expect 0 'then lat and lat come back, unless: auricle route keep' "$auricle" route use --output other
plays other
grep -q 'does not count' output || complain "expected a word on the calibration"
until_true plays lat
sounds() { "$auricle" route | grep -qxF 'Sound is on. From lat to lat.'; }
until_true sounds
cmp "$configuration" before.toml
expect 1 'nobody kept them' "$auricle" route keep

# Devices that are not there: at once.
expect 69 'The former ones are in use again' "$auricle" route use --output hw:CARD=Nowhere
plays lat
"$auricle" status --json | jq -e '.state.name == "running" or .state.name == "starting"' >/dev/null

# Kept: on a terminal by a word, into the file, whose calibration is bound to the device it was made with.
python3 "$REPOSITORY/Tests/lab/person.py" 1 'Do you hear well by them?=y' -- "$auricle" route use --output other >output 2>&1 ||
  complain "route use on a terminal: exit $?"
plays other
grep -q '^playback = "other"' "$configuration"
sleep 11
plays other
# What the file asks for is what is in use: nothing is opened again.
expect 0 '' "$auricle" reload
plays other
# Nor does its calibration count after another start.
daemon_end
daemon
until_true sh -c '"$0" status --json | jq -e ".state.name == \"running\""' "$auricle"
plays other
"$auricle" status --json | jq -e '.calibration.earphone.status == "none"' >/dev/null || complain "a calibration of other earphones counts"
grep -qF 'device = "lat:' "$configuration"
expect 0 'Kept.' "$auricle" route use --output lat --keep
plays lat
"$auricle" status --json | jq -e '.calibration.earphone.status != "none"' >/dev/null || complain "the calibration does not count"

# The daemon's file is gone: none is begun in its place, which would not have the limit that somebody chose.
mv "$configuration" kept.toml
expect 0 'no such file any more' "$auricle" route use --output other --keep
plays other
[ ! -e "$configuration" ] || complain "a configuration was begun anew"
expect 66 'has no file any more' "$auricle" reload
mv kept.toml "$configuration"
expect 0 '' "$auricle" reload
until_true plays lat

expect 64 'plays nothing' "$auricle" route use --output pcm.null

# Without sound there is nothing to hear.
expect 0 'Sound is off' "$auricle" stop
expect 69 'Start it: auricle start' "$auricle" route use --output other
daemon_end
