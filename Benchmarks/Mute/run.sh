#!/usr/bin/env bash
# Time from `mute` sent to carried out while the control socket is flooded, and the same of an idle daemon in the same run.
# Usage: run.sh FOLDER_OF_PROGRAMS     in the environment: RUNS (200), mutes of each; SECONDS_ATTACKED (15)
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
cd "$folder"
processes=()
trap 'kill "${processes[@]}" 2>/dev/null; wait; rm -rf "$folder"' EXIT
export XDG_STATE_HOME=$folder/state STATE_DIRECTORY=$folder/state RUNTIME_DIRECTORY=$folder/run
mkdir -p state run
chmod 700 state run
# A device that is not there: no sound, so that nothing but the daemon and its clients share the processors.
printf '[device]\ncapture = "none"\nplayback = "none"\n[log]\nlevel = "error"\n' >auricle.toml
socket=$folder/run/control.sock
"$programs/auricled" --config auricle.toml --socket "$socket" 2>auricled.log &
processes+=("$!")
for _ in $(seq 100); do [ -S "$socket" ] && break; sleep 0.1; done

read -r median late longest < <("$programs/mute-benchmark" "$socket" "${RUNS:-200}")
python3 "$repository/Tests/lab/attack.py" "$socket" "${SECONDS_ATTACKED:-15}" >attack.json &
attack=$!
sleep 2
read -r flooded flooded_late flooded_longest < <("$programs/mute-benchmark" "$socket" "${RUNS:-200}")
wait "$attack" || { echo "answers that are not honest:"; jq .dishonest attack.json; exit 1; }
printf 'mute, idle daemon    median %.2f ms, 99 %% within %.2f ms, longest %.2f ms\n' "$median" "$late" "$longest"
printf 'mute, under attack   median %.2f ms, 99 %% within %.2f ms, longest %.2f ms; %.1f times the idle median\n' \
  "$flooded" "$flooded_late" "$flooded_longest" "$(jq -n "$flooded / $median")"
jq -r '"answered meanwhile   \(.answers) lines, \(.commands) commands sent, \(.connections) connections"' attack.json
# A hundred milliseconds later nobody calls it at once.
jq -en "$flooded < 100" >/dev/null || { echo "expected a median of less than 100 ms under attack"; exit 1; }
