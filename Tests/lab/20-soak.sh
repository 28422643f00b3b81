# The soak: three short pairs of stretches are sampled and judged; a leak, another latency, a lost command, a run that broke off and more xruns than the
# bare loop's fail; on a named card nothing is heard; Ctrl-C gives the table so far; wrong numbers and devices are refused in words.
set -euo pipefail
soak=$REPOSITORY/Tests/soak/run
unset HOURS MINUTES DEVICE RATE PERIOD

refuses() { # STATUS TEXT COMMAND...
  local found=0
  timeout 60 "${@:3}" >output 2>&1 || found=$?
  [ "$found" -eq "$1" ] && grep -qF -- "$2" output || { echo "expected exit $1 and '$2', found exit $found and:"; cat output; exit 1; }
}
refuses 64 'found HOURS=abc, expected a whole number, 1 or more' env HOURS=abc "$soak"
refuses 64 'found HOURS=0' env HOURS=0 "$soak"
refuses 64 'found MINUTES=-5' env MINUTES=-5 "$soak"
refuses 64 'found MINUTES=5, expected a whole number, 6 or more' env MINUTES=5 "$soak"
refuses 64 'expected one of them' env MINUTES=10 HOURS=1 "$soak"
refuses 64 "found 'now'" "$soak" now
refuses 64 'found --pairs=' "$soak" --pairs
refuses 64 'found RATE=fast' env RATE=fast "$soak"
refuses 64 'expected an ALSA name' env DEVICE='hw:"' "$soak"
refuses 69 'Build it with: make build' env PROGRAMS=/nonexistent "$soak"
refuses 69 'hw:CARD=Nowhere' env DEVICE=hw:CARD=Nowhere SOAK_FOLDER="$PWD/refused" "$soak"
grep -qF 'Nothing was run.' output

# Without stress-ng and JACK in PATH: the one is skipped, the other ends it.
mkdir bare-path
for program in bash env dirname jq python3 mkdir date; do ln -s "$(command -v "$program")" bare-path; done
refuses 69 'jackd is missing' env PATH="$PWD/bare-path" "$soak"

# MARK: - A run

broken() { # the reason last
  jq -c '.stretches, .xruns, (.rows[] | select(.verdict == "fail"))' report.json
  tail -n 5 run/deeds.log run/daemon.log run/jackd.log run/bare.log run/waited.log 2>/dev/null || true
  tail -n 5 told
  exit 1
}
# A busy machine may cost the aid some xruns; everything else is its own. But a cycle that JACK's server was late for moves the meter by a period:
# then once more, up to five times, and one must be flat.
for attempt in 1 2 3 4 5; do
  status=0
  rm -rf run
  MINUTES=6 SOAK_FOLDER="$PWD/run" "$soak" --json --stretch 4 --pairs 3 >report.json 2>told || status=$?
  cat told
  command -v stress-ng >/dev/null || grep -qF 'skipped: load. stress-ng is missing' told
  # Memory has too few samples of such short stretches.
  [ "$status" -eq 1 ] || [ "$status" -eq 75 ] || exit 1
  jq -e '.stretches == {"aid": 3, "bare": 3} and (.rows | length) >= 10' report.json >/dev/null || broken
  failed=$(jq -r '.rows[] | select(.verdict == "fail" and .name != "xruns") | .name' report.json)
  [ -n "$failed" ] || break
  [ "$failed" = 'latency, by jack_iodelay' ] && cat run/jackd*.log | grep -q XRun && [ "$attempt" -lt 5 ] || broken
done
verdict() { python3 "$REPOSITORY/Tests/soak/judge.py" --json "$1" | jq -r --arg name "$2" '.rows[] | select(.name == $name) | .verdict' || true; }
[ "$(verdict run 'commands given')" = flat ]
[ "$(verdict run descriptors)" = flat ]

# A stretch that ends while a person is muted: sound is wanted back all the same.
cat >slow-to-mute <<'SH'
#!/bin/sh
echo "$1" >>commands
[ "$1" != mute ] || sleep 7
SH
chmod +x slow-to-mute
(
  source "$REPOSITORY/Tests/soak/life.bash"
  auricle=$PWD/slow-to-mute kept=$PWD sounds=running
  rude_view() { :; }
  sleep() { :; }
  live 1 6
)
[ "$(tail -n 2 commands | tr '\n' ' ')" = 'mute unmute ' ] || { echo "expected mute and unmute last, found:"; tail -n 3 commands; exit 1; }

# MARK: - What fails

made() { # FOLDER PYTHON: samples of six stretches of each kind, changed by PYTHON, which sees each row and n, its number
  mkdir "$1"
  cp run/*.json run/deeds.csv "$1"
  python3 - "$1" "$2" <<'PYTHON'
import csv, sys
rows = []
for n in range(360):
    stretch, kind = n // 60 + 1, "aid" if n % 60 < 30 else "bare"
    rows.append(dict(seconds=2 * n, kind=kind, stretch=stretch, resident_kb=24000, anonymous_kb=12000, descriptors=20 + n % 2, threads=8,
                     xruns=0, reopens=0, device_frames=192, meter_ms=4.8, late_cycles=0, drift_ppm="", state="running", load=0.5))
for n, row in enumerate(rows):
    exec(sys.argv[2])
with open(sys.argv[1] + "/samples.csv", "w") as file:
    writer = csv.DictWriter(file, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
PYTHON
}
expect() { # FOLDER NAME VERDICT
  local found
  found=$(verdict "$1" "$2")
  [ "$found" = "$3" ] || { echo "$1: $2: expected $3, found $found"; python3 "$REPOSITORY/Tests/soak/judge.py" "$1"; exit 1; }
}
made steady 'pass'
for name in 'resident memory' descriptors threads 'latency, by the devices' 'latency, by jack_iodelay' xruns 'commands given'; do expect steady "$name" flat; done
# A third of a percent is within, one and a half is not.
made small 'row["resident_kb"] += 120 * n / 360'
expect small 'resident memory' flat
made leak 'row["resident_kb"] += 500 * n / 360'
expect leak 'resident memory' fail
made descriptor 'row["descriptors"] += row["stretch"] // 4'
expect descriptor descriptors fail
made thread 'row["threads"] += row["stretch"] == 6'
expect thread threads fail
made period 'row["device_frames"] += 64 * (row["stretch"] % 2)'
expect period 'latency, by the devices' flat
made later 'row["device_frames"] += 65 * (row["stretch"] % 2)'
expect later 'latency, by the devices' fail
# Nine against nine are as one; nine against none one chance in five hundred; ten at once are one event.
made alike 'row["xruns"] = n % 30 // 3 if row["stretch"] == 3 else 0'
expect alike xruns flat
made worse 'row["xruns"] = n % 30 // 3 if row["stretch"] == 3 and row["kind"] == "aid" else 0'
expect worse xruns fail
made burst 'row["xruns"] = 10 * (n % 30 > 15) if row["stretch"] == 3 and row["kind"] == "aid" else 0'
expect burst xruns flat
python3 "$REPOSITORY/Tests/soak/judge.py" worse >output && exit 1
grep -q 'Sound broke off' output
grep -qx fail output
made lost 'pass'
echo '1,use music,75' >>lost/deeds.csv
expect lost 'commands given' fail
made broken 'pass'
jq '.ended = "1"' run/run.json >broken/run.json
expect broken 'the run' fail
mkdir nothing
refuses 65 'cannot be read' python3 "$REPOSITORY/Tests/soak/judge.py" nothing
made short 'pass'
head -n 40 short/samples.csv >few && mv few short/samples.csv
expect short 'resident memory' 'not judged'
refuses 75 'not judged: resident memory' python3 "$REPOSITORY/Tests/soak/judge.py" short
refuses 0 flat python3 "$REPOSITORY/Tests/soak/judge.py" steady

# MARK: - A named card, and Ctrl-C

source "$REPOSITORY/Tests/lab/jack.bash"
jack_start 44100 64
# A shell gives programs in the background no Ctrl-C.
DEVICE=lat SOAK_FOLDER="$PWD/card" python3 -c '
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
os.execv(sys.argv[1], sys.argv[1:])' "$soak" --stretch 4 --pairs 9 >table 2>told &
run=$!
heard=
for _ in $(seq 600); do
  [ "$(cat card/samples.csv 2>/dev/null | wc -l)" -lt 2 ] || break
  sleep 0.2
done
for _ in $(seq 5); do
  sleep 0.8
  # The meter hears its own tones back where something is played.
  heard+=$(jack_delay 0.2)
done
[ -z "$heard" ] || { echo "a soak on a card was heard: $heard"; exit 1; }
found=0
kill -INT "$run" || true
wait "$run" || found=$?
cat told table
[ "$found" -eq 130 ] || { echo "expected exit 130, found $found"; exit 1; }
grep -q 'Nothing is heard' told
grep -qE '^resident memory .* not judged$' table
