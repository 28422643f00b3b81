#!/usr/bin/env bash
# Instructions of the audio thread for each block, by callgrind: the running aid with its tap for spectra while nobody
# watches, against the same without the tap, and while somebody watches, against nobody. The sound card is ALSA's null
# device, which never lets anybody wait, with a file of noise as its microphones: every run processes the same sound.
#
# The tap's own instructions are those without which the aid would run if it had none. One watch serves all views, so the
# audio thread's work does not depend on their number; the daemon sends each view its copy from a thread of its own.
# Usage: run.sh FOLDER_OF_PROGRAMS     in the environment: SECONDS_WATCHED (8), real time of each run
set -euo pipefail
programs=$(cd "${1:?folder of programs}" && pwd)
seconds=${SECONDS_WATCHED:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# 60 dB SPL by the benchmark's calibration of 100 dB SPL at full scale, a minute long.
python3 - >noise <<'PYTHON'
import array, random, sys
random.seed(1)
second = array.array("f", (random.gauss(0, 0.00707) for _ in range(2 * 44100)))
for _ in range(60):
    second.tofile(sys.stdout.buffer)
PYTHON
cat >asound.conf <<CONF
</usr/share/alsa/alsa.conf>
pcm.nothing { type null }
pcm.noise { type file slave.pcm "nothing" file "/dev/null" infile "$PWD/noise" format "raw" }
CONF
export ALSA_CONFIG_PATH=$PWD/asound.conf
# valgrind 3.19 ends at Swift's debugging information.
strip --strip-debug -o live "$programs/live-benchmark"

count() { # NAME KIND -> $blocks, $spectra, $instructions of all blocks, $tap of them
  valgrind --tool=callgrind --fair-sched=try --callgrind-out-file="$1.calls" \
    --toggle-collect='$s6Engine9AudioLoopV*4flow*' ./live "$2" noise "$seconds" >"$1.log" 2>&1 || { cat "$1.log"; exit 2; }
  callgrind_annotate --inclusive=yes --threshold=100 "$1.calls" >"$1.table"
  blocks=$(sed -nE 's/.* ([0-9]+) blocks.*/\1/p' "$1.log")
  spectra=$(sed -nE 's/.* ([0-9]+) spectra.*/\1/p' "$1.log")
  instructions=$(awk '/PROGRAM TOTALS/ { gsub(",", "", $1); print $1; exit }' "$1.table")
  tap=$(awk '/SpectrumTapV4look/ { gsub(",", "", $1); sum += $1 } END { print sum + 0 }' "$1.table")
  [ "${blocks:-0}" -gt 0 ] && [ "$tap" -gt 0 ] || { cat "$1.log"; echo "no block was counted"; exit 2; }
}
count nobody aid
idle=$(awk -v i="$instructions" -v b="$blocks" 'BEGIN { print i / b }')
idle_tap=$(awk -v i="$tap" -v b="$blocks" 'BEGIN { print i / b }')
count watched watched
awk -v idle="$idle" -v idle_tap="$idle_tap" -v i="$instructions" -v t="$tap" -v b="$blocks" -v s="$spectra" 'BEGIN {
  expected = b * 64 / 44100 * 25
  without = 100 * idle_tap / (idle - idle_tap)
  watched = 100 * (i / b / idle - 1)
  printf "nobody watches: %.0f instructions a block, of them the tap %.1f: + %.3f %%, must be <= 0.5 %%\n", \
    idle, idle_tap, without
  printf "four views at 25 a second: %.0f instructions a block, of them the tap %.1f: + %.2f %%, must be <= 5 %%\n", \
    i / b, t / b, watched
  # Spectra that were not fetched in time cost nothing, so the figure would be too good.
  if (s < 0.8 * expected) printf "only %d of %d spectra were fetched\n", s, expected
  exit !(without <= 0.5 && watched <= 5 && s >= 0.8 * expected)
}'
