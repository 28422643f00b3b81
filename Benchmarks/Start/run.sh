#!/usr/bin/env bash
# Time from the daemon's start to its first sound, and its memory, on JACK's dummy sound card.
# Usage: run.sh FOLDER_OF_PROGRAMS     in the environment: RUNS (5), lives that count
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
repository=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
cd "$folder"
source "$repository/Tests/lab/jack.bash"
trap 'jack_stop; rm -rf "$folder"' EXIT
jack_start 44100 64

export XDG_STATE_HOME=$folder/state STATE_DIRECTORY=$folder/state RUNTIME_DIRECTORY=$folder/run
mkdir -p "$folder/state" "$folder/run"
chmod 700 "$folder/state" "$folder/run"
cat >auricle.toml <<TOML
[device]
capture = "lat"
playback = "lat"

[hearing]
audiogram = "$repository/Prescriptions/N3.json"

[control]
socket = "$folder/run/control.sock"
TOML
"$programs/start-benchmark" "$programs/auricled" "$folder/auricle.toml" "${RUNS:-5}" 2>auricled.log || { cat auricled.log; exit 1; }
