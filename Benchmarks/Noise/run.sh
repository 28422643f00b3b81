#!/usr/bin/env bash
# What noise reduction gains and costs, by natural voices of Debian packages: tables of the median and the worst voice.
#
# Makes the Python environment where it is missing, and fetches the packages of voices.tsv by name: they are unpacked under
# .build-voices (some 600 MB), not installed, and kept, as is what was scored. A voice whose package cannot be had, or which
# needs ffmpeg where there is none, is skipped and named. `make noise` builds the renderer first.
# Usage: run.sh [OPTION...]     options as of score.py, such as --set choose
# Exits with 1 when a criterion fails, with 2 when nothing could be measured.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
source "$repository/Benchmarks/environment.bash"
folder=${VOICES_BUILD:-$repository/.build-voices}
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

set=judge
for option; do
  [ "${previous:-}" != --set ] || set=$option
  previous=$option
done
command -v ffmpeg >/dev/null || echo "run.sh: no ffmpeg: voices that are kept as G.722 are skipped" >&2
mkdir -p "$folder/sounds"
packages=$("$python" "$here/voices.py" packages "$set")
for package in $packages; do
  [ ! -d "$folder/sounds/$package" ] || continue
  echo "run.sh: fetching $package" >&2
  rm -rf "$folder/part"
  mkdir "$folder/part"
  # Its last words name what is missing: the network, the package's name or its list (apt-get update).
  if (cd "$folder/part" && timeout 600 apt-get download -qq "$package" && dpkg-deb -x ./*.deb unpacked) </dev/null; then
    mv "$folder/part/unpacked" "$folder/sounds/$package"
  else
    echo "run.sh: $package could not be fetched: its voices are skipped" >&2
  fi
done
rm -rf "$folder/part"

"$python" "$here/voices.py" table "$folder/sounds" "$set"
cd "$repository"
exec nice -n 10 "$python" "$here/score.py" "$repository/.build/release/noise-rendering" "$folder/sounds" --memory "$folder/scored" "$@"
