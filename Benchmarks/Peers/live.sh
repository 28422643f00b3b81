#!/usr/bin/env bash
# Delay, work and memory of live chains on JACK's dummy sound card at 44.1 kHz in periods of 64 frames, one after the other, round by
# round.
# Usage: live.sh FOLDER_OF_PROGRAMS ROUNDS <LIST
#   LIST: a chain a line, tab-separated: name; alsa or jack, then command and arguments; or auricle, then a listening program
# Prints a line for each chain and round: see live.bash. Bare loops of both routes are among them.
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
rounds=${2:?rounds}
REPOSITORY=$(cd "$(dirname "$0")/../.." && pwd)
PROGRAMS=$programs
list=$(cat)
python=${PEERS_PYTHON:-/usr/bin/python3}
folder=$(mktemp -d)
cd "$folder"
source "$REPOSITORY/Tests/lab/jack.bash"
source "$REPOSITORY/Benchmarks/Peers/live.bash"
live=
trap 'live_end; jack_stop; rm -rf "$folder"' EXIT

jack_start 44100 64
# Written to by nobody, and never at its end.
mkfifo quiet
exec {quiet}<>quiet
export XDG_STATE_HOME=$folder/state STATE_DIRECTORY=$folder/state RUNTIME_DIRECTORY=$folder/run AURICLE_SOCKET=$folder/run/control.sock
unset AURICLE_CONFIG NOTIFY_SOCKET
mkdir -p state run
chmod 700 state run
# The levels that signals.py states.
jack_fitted | sed 's/"lat"/"card"/; s/^full-scale-level = 80$/full-scale-level = 100/' >auricle.toml
live_meter
amplifier=http://lv2plug.in/plugins/eg-amp

for _ in $(seq "$rounds"); do
  # A host with a plugin that does next to nothing, where there are both.
  if command -v jalv >/dev/null && lv2info "$amplifier" >/dev/null 2>&1; then live_jack 'bare JACK' jalv -x -n peer "$amplifier"; fi
  live_alsa 'bare ALSA' "$programs/live-benchmark" bare card $((window + 4))
  while IFS=$'\t' read -r -a line; do
    [ "${#line[@]}" -gt 2 ] || continue
    "live_${line[1]}" "${line[0]}" "${line[@]:2}"
  done <<<"$list"
done
