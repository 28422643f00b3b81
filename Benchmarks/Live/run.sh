#!/usr/bin/env bash
# The live loop's delay against a bare ALSA loop, on JACK's dummy sound card: the test of the laboratory, for its figures.
# Usage: run.sh FOLDER_OF_PROGRAMS
set -euo pipefail
PROGRAMS=$(cd "${1:?folder of programs}" && pwd)
REPOSITORY=$(cd "$(dirname "$0")/../.." && pwd)
export PROGRAMS REPOSITORY
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
bash "$REPOSITORY/Tests/lab/02-latency.sh"
