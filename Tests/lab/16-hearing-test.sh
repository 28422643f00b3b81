# A hearing test taken by a program that listens: tones are captured from the live loop, an ear with a known audiogram answers by the
# control socket, and the audiogram comes back within 5 dB. Killed in the middle, the test goes on where it was.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.ears { type jack name ears capture_ports { 0 system:capture_1 1 system:capture_2 } }
pcm.aid {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 system:capture_1 1 system:capture_2 } }
  playback.pcm { type jack name earphones playback_ports { 0 ears:in_000 1 ears:in_001 } }
}
CONF
cat >"$configuration" <<TOML
[device]
capture = "aid"
playback = "aid"
period = 256
clock = "shared"
[calibration.microphone]
full-scale-level = 120
status = "provisional"
source = "a digital loop"
[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"
TOML
# ISO 389-8 for the HDA 200, dB SPL at 0 dB HL (facts: retspl.md §2).
references='{"500": 11.0, "1000": 5.5, "4000": 9.5}'
ears='{"left": {"500": 22, "1000": 33, "4000": 61}, "right": {"500": 5, "1000": 12, "4000": 48}}'

listen() { # ORDER [LIMIT]
  # It ends by the pipe, which nobody reads any more.
  { arecord -q -D ears -t raw -f FLOAT_LE -c 2 -r 44100 2>arecord.log || true; } |
    timeout 900 python3 "$REPOSITORY/Tests/lab/ear.py" "$socket" "$1" "$ears" 120 "$references" ${2:+"$2"} >listened.json
}

daemon
# The earphones connect themselves to a program that listens already: none does yet.
until_true state_is waiting-for-device
"$auricle" stop >/dev/null
until_true state_is stopped

order='{"order": {"name": "hearing-test", "method": "bayesian", "ears": ["left"], "frequencies": [1000, 4000, 500], "signal": "tone"}}'
if [ -n "${AURICLE_WHOLE:-}" ]; then
  order='{"order": {"name": "hearing-test", "method": "hughson-westlake", "frequencies": [1000, 4000, 500]}}'
fi
listen "$order" || complain "the test ends without a result: $(cat listened.json)"
jq -c '{tones, heard, thresholds: [.notice.result.hearing_test.thresholds[] | [.ear, .frequency, .level]], doubts: .notice.result.hearing_test.doubts}' listened.json
jq -e --argjson ears "$ears" '[.notice.result.hearing_test.thresholds[] | (.level - $ears[.ear][.frequency | tostring]) | fabs] | length >= 3 and all(.[]; . <= 5)' \
  listened.json >/dev/null || complain "a threshold is more than 5 dB off"
