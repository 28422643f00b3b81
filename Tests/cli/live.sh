# The daemon on a sound card made of software: sound flows, is muted, reloaded, refused, faded out.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64

# A device that is in use: alsa-lib loads a plugin whose opening says EBUSY.
cat >busy.c <<'C'
#include <alsa/asoundlib.h>
#include <errno.h>
SND_DLSYM_BUILD_VERSION(_snd_pcm_busy_open, SND_PCM_DLSYM_VERSION);
int _snd_pcm_busy_open(snd_pcm_t **pcm, const char *name, snd_config_t *root, snd_config_t *conf,
                       snd_pcm_stream_t stream, int mode) {
  return -EBUSY;
}
C
clang -shared -fPIC -DPIC -o busy.so busy.c
cat >>asound.conf <<CONF
pcm_type.busy { lib "$PWD/busy.so" open "_snd_pcm_busy_open" }
pcm.taken { type busy }
CONF

configure() { # DEVICE RATE [LINE...]
  cp "$REPOSITORY/Prescriptions/N3.json" "$XDG_CONFIG_HOME/auricle/N3.json"
  cat >"$configuration" <<TOML
[device]
capture = "$1"
playback = "$1"
rate = $2
[hearing]
audiogram = "N3.json"
[calibration.microphone]
full-scale-level = 100
source = "a digital loop"
status = "provisional"
[calibration.earphone]
full-scale-level = 111
source = "a digital loop"
status = "provisional"
[safety]
ramp = "50 ms"
TOML
  shift 2
  for line in "$@"; do echo "$line" >>"$configuration"; done
}

# A service manager is told when sound flows.
socat -u UNIX-RECV:"$home/notify" CREATE:messages &
helpers+=("$!")
until_true test -S "$home/notify"
configure lat 44100
NOTIFY_SOCKET=$home/notify WATCHDOG_USEC=400000 daemon
until_true state_is running
until_true grep -q 'STATUS=running, 44100 Hz, period 64' messages
grep -q 'READY=1' messages

# What it reports is what it does: delay as the devices tell it, at least the three periods in the playback
# buffer (4.35 ms) and at most what the issue allows in all (6 ms).
until_true sh -c '"$0" status --json | jq -e ".latency.loop_seconds != null"' "$auricle"
"$auricle" status --json >status.json
# A driver may tell a period less by chance.
looped() {
  "$auricle" status --json >status.json
  jq -e '.latency.loop_seconds | . >= 3 * 64 / 44100 - 0.0001 and . <= 0.006' status.json
}
until_true looped
jq -e '.latency.chain_seconds | . > 0 and . <= 0.001' status.json >/dev/null
jq -e '.realtime | has("granted") and has("policy")' status.json >/dev/null
jq -e '.devices.playback | .name == "lat" and .rate_hz == 44100 and .period_frames == 64 and .channels == 2' status.json >/dev/null
jq -e '.clock.shared and .fitting.fitted and .fitting.rule == "NAL-RP-compressive" and .fitting.ears == ["left", "right"]' status.json >/dev/null
jq -e '.fitting.gain_cap_db == null and .calibration.microphone.status == "provisional"' status.json >/dev/null
jq -e '.meters.left | .input_level_db_spl > 40 and .input_calibration == "provisional" and (.bands | length) == 20' status.json >/dev/null
# The prescription amplifies where the meter's tones are.
jq -e '[.meters.left.bands[].gain_db] | max > 10' status.json >/dev/null
# No thresholds in what everybody may read.
if grep -q 'N3' status.json; then complain 'expected no such words'; fi
if grep -qi 'threshold\|dB HL' daemon.log; then complain 'expected no such words'; fi

expect 0 'the chain'"'"'s own' "$auricle" doctor
grep -q "^good *earphones' device *lat" output
if grep -q 'warning *sound cards' output; then complain 'expected no such words'; fi

# Mute and unmute.
expect 0 'Muted' "$auricle" mute
# Silence is told when the fade is over, not when the meter, which forgets 35 dB a second, has followed.
until_true sh -c '"$0" status --json | jq -e ".meters.left | has(\"output_level_db_spl\") | not"' "$auricle"
"$auricle" status --json | jq -e '.meters.left.input_level_db_spl > 40' >/dev/null
expect 0 'muted since' "$auricle" status
grep -q 'out silence' output
expect 1 'Muted. Sound again with: auricle unmute' "$auricle" start
until_true grep -q 'STATUS=muted' messages
expect 0 'Sound is on.' "$auricle" unmute
until_true sh -c '"$0" status --json | jq -e ".meters.left.output_level_db_spl > 40"' "$auricle"

# The watchdog is fed while blocks advance: twice as often as asked.
before=$(grep -o 'WATCHDOG=1' messages | wc -l)

# A broken file changes nothing: everything wrong with it is said, and no block is lost. A server that stands still for a second is a device that
# has gone and is opened anew: then all of it once more.
[ "$(reopened_so_far)" -eq 0 ] || [ "$(jack_xruns)" -gt 0 ] || complain 'expected no device opened anew'
for attempt in 1 2 3 4 5; do
  until_true jack_regained
  cycles=$(jack_xruns)
  reopened=$(reopened_so_far)
  configure lat 44100 'maximum-outptu = 90' 'colour = "red"'
  expect 78 'found the unknown key safety.maximum-outptu' "$auricle" reload
  grep -q 'Did you mean "maximum-output"?' output
  grep -q 'colour' output
  state=$("$auricle" status --json | jq -r .state.name)
  configure lat 44100 'maximum-output = 95'
  sed -i 's/N3.json/gone.json/' "$configuration"
  expect 66 'gone.json: found no such file' "$auricle" reload
  "$auricle" status --json | jq -e '.fitting.maximum_output_db_spl == 111' >/dev/null
  restarts=$(reopened_so_far)
  # A good one is heard at once; a device's setting takes a short mute.
  configure lat 44100 'maximum-output = 95'
  expect 0 'In force now: safety.maximum-output' "$auricle" reload
  grep -q 'Fitted, gain as prescribed.' output
  # So is another audiogram under the same name.
  expect 0 'Nothing has changed.' "$auricle" reload
  cp "$REPOSITORY/Prescriptions/N2.json" "$XDG_CONFIG_HOME/auricle/N3.json"
  expect 0 'In force now: hearing.audiogram' "$auricle" reload
  "$auricle" status --json >status.json
  jq -e '.fitting.maximum_output_db_spl == 95' status.json >/dev/null
  state+=" $(jq -r .state.name status.json)"
  restarts+=" $(reopened_so_far)"
  # The audiogram is the first one again, too.
  configure lat 44100
  sed -i 's/^rate/periods = 4\nrate/' "$configuration"
  jq -e '.reopened == ["device.periods"] and .applied == ["safety.maximum-output", "hearing.audiogram"]' <("$auricle" reload --json) >/dev/null
  until_true state_is running
  restarts+=" $(reopened_so_far)"
  if [ "$state" = 'running running' ] && [ "$restarts" = "$reopened $reopened $((reopened + 1))" ]; then break; fi
  [ "$attempt" -lt 5 ] && [ "$(jack_xruns)" -gt "$cycles" ] ||
    complain "expected devices opened anew once more than $reopened, for the last change alone, and running; found $restarts, $state"
  configure lat 44100
  "$auricle" reload >/dev/null
  until_true state_is running
done
fed() { [ $(($(grep -o 'WATCHDOG=1' messages | wc -l) - before)) -ge 2 ]; }
until_true fed

# Stop gives the devices back; start takes them again.
expect 0 'Sound is off.' "$auricle" stop
expect 0 'no sound' "$auricle" status
absent 'Load'
[ -z "$(jack_lsp | grep -i '^alsa' || true)" ]
expect 0 'Sound is on.' "$auricle" start

# A rate that the device does not have: the former one stays in use, and what is wrong is told until it is corrected.
configure lat 48000
expect 69 'Refused: device.rate' "$auricle" reload
grep -qF 'cannot be used, so the former ones still are: ' output
until_true state_is running
expect 0 'lat does not run at 48000 Hz: it offers 44100 Hz' "$auricle" status
configure lat 44100
expect 0 'In force after a short mute: device.periods' "$auricle" reload
absent 'does not run'
until_true state_is running
# Where nothing sounded before, it is a fault that says what the device offers.
expect 0 'Sound is off.' "$auricle" stop
configure lat 48000
expect 0 'In force after a short mute: device.rate' "$auricle" reload
expect 78 'lat does not run at 48000 Hz: it offers 44100 Hz' "$auricle" start
until_true state_is faulted
expect 1 'lat does not run at 48000 Hz: it offers 44100 Hz' "$auricle" doctor
configure lat 44100
expect 0 'device.rate' "$auricle" reload
until_true state_is running

# TERM fades out and ends in order; how long that takes: make bench, Start.
daemon_end
until_true grep -q 'STOPPING=1' messages

# A device in use: waited for, and taken when it is free.
configure taken 44100
expect 75 'taken is in use by another program' "$auricle" start
expect 1 'taken is in use by another program' "$auricle" doctor
configure lat 44100
expect 0 'device.capture, device.playback' "$auricle" reload
until_true state_is running
expect 0 'Sound is off.' "$auricle" stop
until_true test ! -e "$socket"

# Its run-time folder taken away while sound flows: it would be unreachable and loud. It fades out and ends.
daemon
until_true state_is running
rm -r "$RUNTIME_DIRECTORY"
timeout 60 tail --pid="$daemon" -f /dev/null
found=0
wait "$daemon" || found=$?
daemon=
[ "$found" -eq 75 ]
grep -q 'ending: the control socket or its lock file was taken away' daemon.log
[ -z "$(jack_lsp | grep -i '^alsa' || true)" ]

# kill -9 while sound flows, then start: clean.
daemon
until_true state_is running
kill -KILL "$daemon"
wait "$daemon" || true
daemon=
expect 0 'Sound is on.' "$auricle" start
expect 0 'Sound is off.' "$auricle" stop --daemon
