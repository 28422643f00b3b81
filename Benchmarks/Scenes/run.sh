#!/usr/bin/env bash
# Tests the classifier of scenes on sounds that it has never heard, and prints the tables of docs/scenes.md.
#
# Debian packages with sounds are fetched by name and unpacked, not installed; nothing of them is kept in the
# repository. Needs ffmpeg. With --train the weights are learnt anew first (and the program built again).
# Usage: run.sh [--train] [FOLDER]     FOLDER keeps the sounds (about 3 GB), otherwise they are removed
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
repository=$(cd "$here/../.." && pwd)
training=
[ "${1:-}" != --train ] || { training=yes; shift; }
command -v ffmpeg >/dev/null || { echo "run.sh: ffmpeg is needed to decode G.722 and Opus" >&2; exit 69; }
if [ $# -gt 0 ]; then
  mkdir -p "$1"
  folder=$(cd "$1" && pwd)
else
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
fi

test_packages=(asterisk-core-sounds-it-g722 asterisk-core-sounds-ru-g722 alsa-utils pocketsphinx-testdata
  asterisk-prompt-fr-armelle hyperrogue-music wesnoth-1.16-music drascula-music asterisk-moh-opsound-wav
  endless-sky-data extremetuxracer-data minetest-mod-homedecor)
train_packages=(asterisk-core-sounds-en-g722 asterisk-core-sounds-fr-g722 asterisk-core-sounds-es-g722
  ktuberling-data singularity-music planetblupi-music-ogg asc-music colobot-common-sounds warzone2100-music
  lincity-ng-data searchandrescue-data codec2-examples unknown-horizons freedroidrpg-data)
packages=("${test_packages[@]}")
[ -z "$training" ] || packages+=("${train_packages[@]}")
mkdir -p "$folder/sounds" "$folder/packages"
for package in "${packages[@]}"; do
  [ ! -d "$folder/sounds/$package" ] || continue
  echo "fetching $package" >&2
  (cd "$folder/packages" && apt-get download -qq "$package")
  mkdir "$folder/sounds/$package.part"
  dpkg-deb -x "$folder/packages/${package}_"*.deb "$folder/sounds/$package.part"
  mv "$folder/sounds/$package.part" "$folder/sounds/$package"
  rm "$folder/packages/${package}_"*.deb
done

if [ ! -x "$folder/venv/bin/python" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install -q numpy==2.4.6 scipy==1.17.1 soundfile==0.14.0
fi
python=$folder/venv/bin/python
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 PYTHONDONTWRITEBYTECODE=1

build() { "${MAKE:-make}" -C "$repository" --no-print-directory build >&2; }
trial=$repository/.build/release/scene-trial

scenes() { # KIND FLAGS CHUNK...
  local kind=$1 flags=$2
  shift 2
  printf '%s\n' "$@" | xargs -P "$(nproc)" -I{} sh -c "
    cd '$here' && '$python' train.py make '$folder/sounds' '$folder/clips' $kind {} 100 &&
    '$trial' $flags <'$folder/clips/$kind-{}.list' >'$folder/clips/$kind-{}.csv' &&
    rm -f '$folder/clips/$kind-{}'-*.wav" || exit 1
}

build
cd "$here"
if [ -n "$training" ]; then
  scenes train --features 0 1 2 3 4 5 6 7 8 9
  "$python" train.py fit "$folder"/clips/train-*.csv -- "$folder"/clips/train-*.json \
    >"$folder/SceneWeights.swift"
  mv "$folder/SceneWeights.swift" "$repository/Sources/Sound/HearingDSP/Scene/SceneWeights.swift"
  build
fi
scenes test '' 0 1 2 3
scenes change '' 0
"$python" train.py table "$folder"/clips/test-*.csv -- "$folder"/clips/test-*.json
"$python" train.py changes "$folder"/clips/change-*.csv -- "$folder"/clips/change-*.json
