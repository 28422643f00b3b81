# The control socket under attack while sound flows: a thousand connections, lines too long, half lines, garbage, floods of commands,
# readers that do not read, requests with something changed. Mute, unmute and status are carried out all the while, though programs
# that go on asking hold every place; no period is missed that the laboratory has not missed, memory stays bounded, every answer is
# honest, and afterwards all is as before.
# In the environment: ATTACK_SECONDS (20).
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
seconds=${ATTACK_SECONDS:-20}
jack_start 44100 64
jack_fitted >"$configuration"
daemon
until_true state_is running
sleep 1

memory() { sed -nE 's/^RssAnon:\s+([0-9]+) kB/\1/p' "/proc/$daemon/status"; }

attack() {
  local attacker end=$((SECONDS + seconds)) now
  python3 "$REPOSITORY/Tests/lab/attack.py" "$socket" "$seconds" >attack.json &
  attacker=$!
  helpers+=("$attacker")
  sleep 1
  while [ "$SECONDS" -lt "$end" ]; do
    expect 0 '"muted":false' "$auricle" unmute --json
    expect 0 '"muted":false' "$auricle" status --json
    expect 0 '"muted":true' "$auricle" mute --json
    mutes=$((mutes + 1))
    now=$(memory)
    [ "$now" -le "$most" ] || most=$now
    sleep 0.3
  done
  wait "$attacker" || { echo "answers that are not honest:"; jq .dishonest attack.json; exit 1; }
}

begun=$(memory)
most=$begun
for attempt in 1 2 3 4 5; do
  mutes=0
  jack_missed 'under attack' attack
  if jack_counts "$attempt"; then break; fi
done
jq -r '"\(.connections) connections, \(.commands) commands, \(.lines) lines of garbage, \(.fuzzed) changed requests; \(.answers) answers, errors \(.errors)"' attack.json
echo "mutes $mutes, memory of its own $begun kB before, $most kB at most"
# Each with an unmute and a question before it.
[ "$mutes" -ge $((seconds / 4)) ]
# A thousand connections, many thousand lines.
jq -e '.connections >= 1000 and .commands + .lines + .fuzzed >= 10000' attack.json >/dev/null || { cat attack.json; exit 1; }
# 80 connections with 64 KiB each of input and of output, an answer and 16 notifications beyond: 16 MB, and what the heap keeps.
[ "$most" -le $((begun + 32000)) ] || { echo "memory grew by $((most - begun)) kB"; exit 1; }

# The wearer's sound is as it was left, and returns.
state_is muted
jack_begin
expect 0 '' "$auricle" unmute
until_true sh -c '"$0" status --json | jq -e ".state.name == \"running\" and .meters.left.output_level_db_spl > 40"' "$auricle"
jack_end 'unmuted'
daemon_end
