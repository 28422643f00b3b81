#!/usr/bin/env bash
# The chain's cost on one core, in units that hold on any machine.
# Usage: run.sh FOLDER_OF_BENCHMARKS [OPTION...]     options as of chain-benchmark
set -euo pipefail
benchmarks=$(cd "${1:?folder of benchmarks}" && pwd)
shift
exec "$benchmarks/chain-benchmark" "$@"
