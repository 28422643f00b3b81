# The laboratory is sound: the device is paced by time, and a loop's delay is measured.
set -euo pipefail
source "$REPOSITORY/Tests/lab/jack.bash"

jack_start 44100 64

# A second of sound takes a second, not less.
start=$(date +%s%N)
timeout 20 arecord -q -D lat -t raw -f FLOAT_LE -c 2 -r 44100 -s 44100 second.raw
took=$((($(date +%s%N) - start) / 1000000))
frames=$(($(stat -c %s second.raw) / 8))
echo "$frames frames in $took ms"
[ "$frames" -eq 44100 ]
[ "$took" -ge 950 ]

# No loop, no delay.
silence=$(jack_delay 1)
[ -z "$silence" ] || { echo "the meter measures $silence ms without a loop"; exit 1; }

# A loop of two programs and a pipe: slow, but a loop.
format="-q -D lat -t raw -f FLOAT_LE -c 2 -r 44100 --period-size=64 --buffer-size=1024"
# shellcheck disable=SC2086
(timeout 5 arecord $format | timeout 5 aplay $format) 2>loop.log &
sleep 1
delay=$(jack_delay 3)
echo "arecord | aplay: ${delay:-no signal} ms, $(jack_xruns) late cycles"
[ -n "$delay" ] || { cat loop.log; tail -n 3 iodelay.log; exit 1; }
# At least its own buffering, one period each way: 2 × 64 / 44100 s = 2.9 ms.
awk -v delay="$delay" 'BEGIN { exit !(delay >= 2.9 && delay < 1000) }'
