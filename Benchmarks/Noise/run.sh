#!/usr/bin/env bash
# What noise reduction gains and costs: one table. Makes the Python environment where it is missing; `make noise` builds the renderer.
# Usage: run.sh [DEPTH] [OPTION...]     DEPTH in dB (12 unless given); options as of score.py, such as --seeds 1,2
# Exits with 1 when a criterion fails.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
source "$repository/Benchmarks/environment.bash"
depth=12
case ${1:-} in [0-9]*) depth=$1; shift ;; esac
cd "$repository"
exec nice -n 10 "$python" "$here/score.py" .build/release/noise-rendering "$depth" "$@"
