# The loop's delay on a loop that jack_iodelay measures too: `auricle doctor --loop` in the daemon and without one, what is kept of it,
# and what it refuses.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
rate=44100 period=256
jack_start $rate $period
# A card whose ports have names, so that it can be joined to the judge and to itself while it stays open.
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.judged {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 jack_delay:out 1 jack_delay:out } }
  playback.pcm { type jack name earphones playback_ports { 0 jack_delay:in 1 system:playback_2 } }
}
pcm.loop {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 system:capture_1 1 system:capture_2 } }
  playback.pcm { type jack name earphones playback_ports { 0 microphones:in_000 1 microphones:in_001 } }
}
CONF
kept=$STATE_DIRECTORY/feedback.json
configure() { # DEVICE
  cat >"$configuration" <<TOML
[device]
capture = "$1"
playback = "$1"
period = $period
clock = "shared"
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N3.json"
[safety]
ramp = "200 ms"
TOML
}
expect 64 'goes with --loop' "$auricle" doctor --ear left

# The open devices' ports are joined to the judge, to each other or to nothing. A server that stands still for a second has the daemon open its
# devices anew, which are then joined as asound.conf says; `again` waits for them, and joins them as they were.
joined() { # PLACE
  local port earphones microphones
  place=$1
  earphones=$(jack_client earphones)
  microphones=$(jack_client microphones)
  for port in 0 1; do
    jack_disconnect jack_delay:out "$microphones:in_00$port" || true
    jack_disconnect "$earphones:out_00$port" "$microphones:in_00$port" || true
  done
  jack_disconnect "$earphones:out_000" jack_delay:in || true
  jack_disconnect "$earphones:out_001" system:playback_2 || true
  case $place in
  judge)
    for port in 0 1; do jack_connect jack_delay:out "$microphones:in_00$port" || true; done
    jack_connect "$earphones:out_000" jack_delay:in || true
    jack_connect "$earphones:out_001" system:playback_2 || true
    ;;
  itself) for port in 0 1; do jack_connect "$earphones:out_00$port" "$microphones:in_00$port" || true; done ;;
  esac
} >joined.log 2>&1
again() {
  [ -n "$daemon" ] || return 0
  until_true state_is running
  joined "$place"
}

# A server that is late drops blocks, and a measurement then finds no quiet moment; as many attempts as in 05-feedback.sh.
measured() { # OPTION...
  local attempt found cycles
  for attempt in 1 2 3 4 5; do
    found=0
    cycles=$(jack_xruns)
    timeout 180 "$auricle" doctor --loop --json "$@" >loop.json 2>output || found=$?
    # 1: something else on this machine is bad, such as real time.
    if [ "$found" -le 1 ] && jq -e '.loop != null' loop.json >/dev/null; then return 0; fi
    cat loop.json >>output
    echo "attempt $attempt: exit $found"
    [ "$attempt" -lt 3 ] || { [ "$found" -eq 75 ] && [ "$(jack_xruns)" -gt "$cycles" ]; } || break
    again
  done
  complain "doctor --loop: no result in $attempt attempts"
}

# In the daemon. First the judge, through the whole chain; then the same open devices are joined to themselves.
configure judged
# Counted from before the ports are joined: what a late cycle moves stays moved while they are.
cycles=$(jack_xruns)
daemon
until_true state_is running
sleep 2
# Within 1 ms: both go through the same open buffers, and jack_iodelay's phase takes the filter's group delay at its own tones.
agreed() {
  jq -e --argjson judge "$judge" --argjson chain "$chain" '.schema == 102 and ([.loop.left, .loop.right] | all(
    (1000 * .delay_seconds - ($judge - $chain) | fabs) < 1 and .spread_seconds < 0.0005 and .repetitions == 5 and .rate_hz == 44100
    and .period_frames == 256 and .level_db_spl == 55))' loop.json >/dev/null
}
for attempt in 1 2 3 4 5; do
  judge=$(jack_delay 3)
  until_true state_is running
  chain=$("$auricle" status --json | jq '1000 * .latency.chain_seconds')
  joined itself
  measured
  until_true state_is running
  jq -c '.loop | [.right, .left][] | {delay_seconds, spread_seconds, device_delay_seconds}' loop.json
  echo "jack_iodelay $judge ms, of it the chain's own $chain ms"
  if agreed; then break; fi
  # Where the sound began anew between the two, either direction may have begun a period ahead (02-latency.sh): the judge once more.
  before=$judge
  joined judge
  judge=$(jack_delay 3)
  if agreed; then break; fi
  cp loop.json output
  # A late cycle between the readings moves one of them, as a late daemon does.
  moved() { awk -v a="$before" -v b="$judge" 'BEGIN { exit !((a - b) ^ 2 > 1) }'; }
  if [ "$attempt" -eq 5 ] || { [ "$(jack_xruns)" -eq "$cycles" ] && ! moved; }; then
    complain "expected '$before' or '$judge' ms by jack_iodelay"
  fi
  cycles=$(jack_xruns)
done
[ "$(stat -c %a "$kept")" = 600 ]
# Status tells it, and the canceller goes by it: no path was measured in the ear.
told() {
  "$auricle" status --json >status.json
  jq -e '.schema >= 115 and .feedback.left.delay.these_devices != false
    and (.latency.measured.loop_seconds - .latency.chain_seconds - .feedback.loop_delay_seconds | fabs) < 0.0005' status.json
}
until_true told
expect 0 ', measured on 20' "$auricle" status
expect 0 'Loop: right ' "$auricle" fit feedback --show
# What is amplified is limited by nothing that was measured of a delay.
jq -e '.feedback.left.path == null and .feedback.right.path == null' status.json >/dev/null

# Nothing comes back: refused with what to do, nothing kept, and the sound is back.
before=$(sha256sum "$kept")
joined nothing
refused() { # STATUS TEXT OPTION...
  local attempt found cycles status=$1 text=$2
  shift 2
  for attempt in 1 2 3 4 5; do
    found=0
    cycles=$(jack_xruns)
    timeout 180 "$auricle" doctor --loop "$@" >output 2>&1 || found=$?
    if [ "$found" -eq "$status" ] && grep -qF -- "$text" output; then return 0; fi
    [ "$(jack_xruns)" -gt "$cycles" ] || break
    again
  done
  complain "doctor --loop $*: expected exit $status and '$text', found $found"
}
# Zeros: nothing drives these ports.
refused 74 'not measured: nothing but zeros from the right microphone' --ear right
[ "$(sha256sum "$kept")" = "$before" ]
until_true state_is running

# Ended by a mute, as a feedback test is. A late cycle may end it before the mute.
joined itself
ended_by_a_mute() {
  local test found=0
  : >played
  "$auricle" doctor --loop >played 2>&1 &
  test=$!
  until_true grep -qE 'Rising tones|not measured' played
  "$auricle" status >status
  "$auricle" mute >/dev/null
  wait "$test" || found=$?
  until_true state_is muted
  "$auricle" unmute >/dev/null
  until_true state_is running
  cat played status >output
  grep -q "a test of the loop's delay is under way, process $test; sound comes back when it ends" status &&
    grep -q 'not measured: the aid was muted meanwhile' played && [ "$found" -eq 75 ]
}
for attempt in 1 2 3 4 5; do
  cycles=$(jack_xruns)
  if ended_by_a_mute; then break; fi
  [ "$attempt" -lt 5 ] && [ "$(jack_xruns)" -gt "$cycles" ] || complain 'expected exit 75, the reason, and a status of what is under way'
  again
done
[ "$(sha256sum "$kept")" = "$before" ]
daemon_end

# Another period: what was measured does not count.
sed -i 's/^period = .*/period = 512/' "$configuration"
daemon
until_true state_is running
another() {
  "$auricle" status --json >status.json
  jq -e '.feedback.left.delay.these_devices == false and .latency.measured == null and .latency.loop_seconds != null' status.json
}
until_true another
daemon_end

# Without a daemon, on a card that hears itself, one ear; the other one keeps what it has.
configure loop
measured --ear left
jq -e '.loop.left.playback == "loop" and .loop.right.playback == "judged"' loop.json >/dev/null || { cp loop.json output; complain 'expected the left ear anew'; }
# What the devices tell, within one period: either direction may begin a period ahead (02-latency.sh).
jq -e '.loop.left | (.delay_seconds - .device_delay_seconds | fabs) <= 256 / 44100 + 0.001' loop.json >/dev/null ||
  { cp loop.json output; complain "expected the devices' own delay"; }
expect 0 'Forgotten' "$auricle" fit feedback --clear
[ ! -e "$kept" ]
