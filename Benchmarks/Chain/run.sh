#!/usr/bin/env bash
# The chain's cost on one core, in units that hold on any machine.
# Usage: run.sh FOLDER_OF_PROGRAMS [OPTION...]     options as of chain-benchmark
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
shift
exec "$programs/chain-benchmark" "$@"
