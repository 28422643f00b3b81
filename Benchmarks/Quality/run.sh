#!/usr/bin/env bash
# Objective quality of the shipped program: HASPI v2, HASQI v2 and SII, one table, one picture.
# Builds a virtual environment of its own under .build-quality (some 450 MB; needs the network the first time).
# Usage: run.sh FOLDER_OF_PROGRAMS [--quick] [--quiet-only] [--ears N2,N3] [--write]
#   --quick       N2 to N4, half of the speech, in quiet, within minutes
#   --write       also replaces the generated part of docs/quality.md, its picture and its figures
# Exits with 1 when a criterion fails, with 2 when nothing could be measured.
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
build=${QUALITY_BUILD:-$repository/.build-quality}
python=${QUALITY_PYTHON:-$build/venv/bin/python}

if [ ! -x "$python" ]; then
  python3 -m venv "$build/venv" || { echo "$0: no virtual environment: install python3-venv" >&2; exit 2; }
fi
if ! "$python" -c 'import clarity, scipy, numba, soundfile, matplotlib' 2>/dev/null; then
  # pyclarity's own dependencies bring 6 GB that none of this needs.
  "$python" -m pip install --quiet --no-deps pyclarity==0.9.0 &&
    "$python" -m pip install --quiet numpy==2.4.6 scipy==1.17.1 numba soundfile matplotlib || exit 2
fi

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
