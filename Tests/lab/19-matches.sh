# Bandwidth, masking and, with AURICLE_WHOLE set, residual inhibition by a program that listens: sounds are captured from the live loop, and a person with a tinnitus
# answers by the control socket, to the end; once with a pause in the middle of a sound. Their records are listed, given as JSON and worked out again.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 256
jack_ears >"$configuration"
daemon
# The earphones connect themselves to a program that listens already: none does yet.
until_true state_is waiting-for-device
"$auricle" stop >/dev/null
until_true state_is stopped

matched() { # NAME ORDER [pause]
  jack_listen timeout 300 python3 "$REPOSITORY/Tests/lab/tinnitus.py" "$socket" \
    "{\"order\": {\"name\": \"$1\", \"ear\": \"left\", $2}}" left "${@:3}" >"$1.json" ||
    complain "$1 ends without a result: $(cat "$1.json")"
  "$auricle" stop >/dev/null
  until_true state_is stopped
}
noise='"signal": "narrow-noise", "frequency": 4000, "threshold": 30'
judged() { # NAME JQ-CONDITION
  jq -e "$2" "$1.json" >/dev/null || complain "$1: expected $2, found $(cat "$1.json")"
}

# Fifteen sounds, each told by how it sounds. The one that a pause broke off comes once more.
matched bandwidth '"frequency": 4000, "threshold": 30' pause
paused=("$STATE_DIRECTORY"/procedures/*.jsonl)
[ ${#paused[@]} -eq 1 ] && [ "$(grep -c '"reason":"paused"' "${paused[0]}")" = 1 ] || complain 'expected one record, interrupted by one pause'
judged bandwidth '.notice.result.bandwidth | .sound == "tone" and .tied == false and .ratings.tone.ratings == [80, 80, 80, 80, 80]
  and .ratings.narrow_noise.ratings == [40, 40, 40, 40, 40] and .ratings.broad_noise.ratings == [10, 10, 10, 10, 10]'
# One that the device broke off on a busy machine came once more.
judged bandwidth '(.sounds | length) >= 15'
# Asked for after 0.3 s of a sound, of which the shortest has 1.5 s: it did not go on to its end.
judged bandwidth '.broken_off >= 0.3 and .broken_off < 1.4'

# From the threshold of 30 dB HL by 2 dB, then from there by 1 dB: 32 dB HL each time. Levels of three seconds of a third of an octave differ
# by √(926 Hz · 3 s), 0.2 dB.
matched masking "$noise"
judged masking '.notice.result.masking | .ends == [32, 32, 32] and .level == 32 and .sensation_level == 2 and .unmasked == 0'
judged masking '[.sounds[].level] | length >= 8 and (max - min - 2 | fabs) < 0.6'

kinds=(bandwidth masking)
if [ -n "${AURICLE_WHOLE:-}" ]; then
  # A minute of it, 10 dB louder; then a question every 10 s until it was as usual twice. In `make trials`.
  matched inhibition "$noise"
  judged inhibition '.notice.result.inhibition | .kind == "partial" and .level == 42 and .held_back == false
    and [.ratings[].loudness] == [50, 100, 100] and (.recovery - 10 | fabs) < 1.5 and (.ratings[2].time - 20 | fabs) < 2'
  judged inhibition '.sounds[-1].seconds - 60 | fabs < 0.5'
  jq -e -s '.[1].sounds[-1].level - .[0].sounds[-1].level - 10 | fabs < 0.6' masking.json inhibition.json >/dev/null ||
    complain 'expected 10 dB above the masking level'
  kinds+=(inhibition)
fi
jq -c '{kind: .notice.result | keys[0], sounds: (.sounds | length)}' "${kinds[@]/%/.json}"

# Listed, drawn, given as JSON, and worked out again.
"$auricle" match history --picture matches.pdf >history
tr -s ' ' <history >columns
words=('bandwidth left 4000 Hz' 'tone 80, narrow noise 40, broad noise 10' 'masking left narrow noise, 4000 Hz 32.0 dB HL, 2.0 dB SL')
[ -z "${AURICLE_WHOLE:-}" ] || words+=('inhibition left narrow noise, 4000 Hz partial, least 50 %')
for text in "${words[@]}"; do grep -qF -- "$text" columns || complain "expected '$text', found $(cat history)"; done
[ "$(stat -c %a matches.pdf)" = 600 ]
"$auricle" match history --json >history.json
for kind in "${kinds[@]}"; do
  record=$(jq -r --arg kind "$kind" '.records[] | select(.name == $kind) | .record' history.json)
  jq -e --arg record "$record" --slurpfile found "$kind.json" '.records[] | select(.record == $record) | .result == $found[0].notice.result' \
    history.json >/dev/null || complain "$kind: expected the result that was told"
  expect 0 'all as recorded, and so is the result' "$auricle" match replay "$record"
done
