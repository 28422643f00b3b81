# A hearing test taken by a program that listens: tones are captured from the live loop, an ear with a known audiogram answers by the
# control socket, and the audiogram comes back within 5 dB. Killed in the middle, the test goes on where it was.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
jack_ears >"$configuration"
# ISO 389-8:2004 for the HDA 200, dB SPL at 0 dB HL, by three programs that agree (docs/sources.md).
references='{"250": 18.0, "500": 11.0, "1000": 5.5, "2000": 4.5, "3000": 2.5, "4000": 9.5, "6000": 17.0, "8000": 17.5}'
ears='{"left": {"250": 15, "500": 22, "1000": 33, "2000": 41, "3000": 52, "4000": 61, "6000": 58, "8000": 64},
  "right": {"250": 3, "500": 5, "1000": 12, "2000": 24, "3000": 37, "4000": 48, "6000": 55, "8000": 52}}'
order='"order": {"name": "hearing-test", "method": "bayesian", "ears": ["left"], "frequencies": [1000, 4000, 500], "signal": "tone"}'
# The whole test, as a clinic does it: a quarter of an hour, in `make trials`.
[ -z "${AURICLE_WHOLE:-}" ] || order='"order": {"name": "hearing-test", "method": "hughson-westlake"}'

listen() { # START
  jack_listen timeout 2400 python3 "$REPOSITORY/Tests/lab/ear.py" "$socket" "{$1}" "$ears" 120 "$references" >listened.json
}
up() {
  daemon
  # The earphones connect themselves to a program that listens already: none does yet.
  until_true state_is waiting-for-device
  "$auricle" stop >/dev/null
  until_true state_is stopped
}

# Killed after some tones, and left: what was answered is kept.
up
listen "$order" &
listener=$!
answers() { [ "$(cat "$STATE_DIRECTORY"/procedures/*.jsonl 2>/dev/null | grep -c '"line":"answer"')" -ge "$1" ]; }
until_true answers 6
kill -KILL "$daemon"
wait "$daemon" 2>/dev/null || true
daemon=
wait "$listener" && complain "the test has a result though the daemon was killed"
kept=$(echo "$STATE_DIRECTORY"/procedures/*.jsonl)
[ "$(stat -c %a "$kept")" = 600 ]
# Stopped before it was killed, it begins so.
daemon
until_true state_is stopped
name=$("$auricle" match history --json | jq -r '.records[0] | select(.result == null) | .record')
expect 0 "go on with: --resume $name" "$auricle" match history

# It goes on there, and its result is that of the ear.
before=$(grep -c '"line":"answer"' "$kept")
listen "\"resume\": \"$name\"" || complain "the test ends without a result: $(cat listened.json)"
grep -q '"line":"resumed"' "$kept"
head -n "$before" "$kept" | grep -q '"line":"end"' && complain "it had a result before"
jq -c '{tones, heard, lost, thresholds: [.notice.result.hearing_test.thresholds[] | [.ear, .frequency, .level]],
  doubts: .notice.result.hearing_test.doubts}' listened.json
jq -e --argjson ears "$ears" '[.notice.result.hearing_test.thresholds[]
  | (.level - $ears[.ear][.frequency | tostring]) | fabs] | length >= 3 and all(.[]; . <= 5)' \
  listened.json >/dev/null || complain "a threshold is more than 5 dB off"

# Worked out again: the same steps, samples and result.
expect 0 'all as recorded, and so is the result' "$auricle" match replay "$name"
