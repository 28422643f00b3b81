#!/usr/bin/env bash
# Objective quality of the shipped program: HASPI v2, HASQI v2 and SII, one table, one picture.
# Needs the network the first time: see Benchmarks/environment.bash.
# Usage: run.sh FOLDER_OF_PROGRAMS [--quick] [--quiet-only] [--ears N2,N3] [--write]
#   --quick       N2 to N4, half of the speech, in quiet, within minutes
#   --write       also replaces the generated part of docs/quality.md, its picture and its figures
# Exits with 1 when a criterion fails, with 2 when nothing could be measured.
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
source "$repository/Benchmarks/environment.bash"

options=()
for option; do
  if [ "$option" = --write ]; then
    options+=(--document "$repository/docs/quality.md" --picture "$repository/docs/quality.png"
      --results "$here/results.json")
  else
    options+=("$option")
  fi
done
cd "$here"
exec nice -n 10 "$python" quality.py --program "$programs/auricle" --memory "$build/judged" "${options[@]}"
