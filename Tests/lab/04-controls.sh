# What a wearer does while sound flows, mute, unmute, reload and another program, costs not one period.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Tests/cli/daemon.bash"
jack_start 44100 64

configure() { # MAXIMUM_OUTPUT
  {
    jack_fitted
    printf '[safety]\nmaximum-output = %s\n' "$1"
  } >"$configuration"
}
configure 111
daemon
until_true state_is running
sleep 1

deeds=(mute unmute reload)
names=$("$auricle" programs --json | jq -r '.programs[].word')
[ "$(wc -w <<<"$names")" -eq 6 ] || { echo "expected six programs, found: $names"; exit 1; }
for name in $names; do deeds+=("use $name"); done

for attempt in 1 2 3 4 5; do
  configure $((111 - attempt))
  jack_begin
  for deed in "${deeds[@]}"; do
    # shellcheck disable=SC2086
    "$auricle" $deed >output 2>&1 || complain "auricle $deed: expected success"
    sleep 0.2
  done
  sleep 0.3
  "$auricle" status --json >status.json
  jack_end "${#deeds[@]} deeds"
  jq -e ".fitting.maximum_output_db_spl == 111 - $attempt" status.json >/dev/null || { cat status.json; exit 1; }
  jack_counts "$attempt" || continue
  jq -e '.state.name == "running"' status.json >/dev/null || { cat status.json; exit 1; }
  [ "$late" -ne 0 ] || break
done
[ "$late" -eq 0 ] || echo "The laboratory was late in every attempt."

# It is still the wearer's sound that comes out.
until_true sh -c '"$0" status --json | jq -e ".meters.left.output_level_db_spl > 40"' "$auricle"
daemon_end
