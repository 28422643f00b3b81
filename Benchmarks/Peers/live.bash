# Live chains between a player of noise and a recorder. Sourced by live.sh behind Tests/lab/jack.bash.
#
#   live_meter                  starts both; ALSA's `card` is then a duplex device between them. After jack_start
#   live_alsa NAME COMMAND...   a program that opens ALSA's `card`
#   live_auricle NAME PROGRAM   Auricle's daemon at `card`, in a listening program or in none
#   live_pipewire NAME FILE     PipeWire by a configuration in which a filter-chain `peer` stands between two nodes at `card`
#   live_jack NAME COMMAND...   a JACK client `peer` of a JACK server that opens `card`; the server counts too
#
# Late cycles are the server's since the chain was started: one of them lets a loop begin with a period more or less in the devices.
#
# Each prints a line of tab-separated fields: name, ms, seconds of the processor per second, MB of its own, MB shared, late cycles;
# a field is empty where nothing could be measured, and the reason goes to standard error.

window=${LIVE_SECONDS:-3}

live_meter() {
  cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.player { type jack name player playback_ports { 0 system:playback_1 } }
pcm.recorder { type jack name recorder capture_ports { 0 player:out_000 1 system:capture_1 } }
pcm.card {
  type jack
  capture_ports { 0 player:out_000 1 player:out_000 }
  playback_ports { 0 recorder:in_001 1 system:playback_2 }
}
CONF
  "$python" -c 'import sys; sys.path.insert(0, sys.argv[1]); import signals
signals.noise(65, signals.PERIOD / signals.RATE)[:, 0].astype("<f4").tofile("noise")' "$REPOSITORY/Benchmarks/Peers"
  # Ends with the pipe.
  aplay -q -D player -t raw -f FLOAT_LE -c 1 -r 44100 --buffer-time=500000 >player.log 2>&1 < <(while cat noise; do :; done 2>/dev/null) &
  jack_processes=("$!" "${jack_processes[@]}")
  until_there player:out_000
  arecord -q -D recorder -t raw -f FLOAT_LE -c 2 -r 44100 --buffer-time=2000000 --period-time=50000 >recorded 2>recorder.log &
  jack_processes=("$!" "${jack_processes[@]}")
  until_there recorder:in_001
}

until_there() { # PORT
  for _ in $(seq 100); do
    if jack_lsp 2>/dev/null | grep -qx "$1"; then return 0; fi
    sleep 0.1
  done
  echo "$1 does not appear: $(cat player.log recorder.log 2>/dev/null)" >&2
  return 1
}

# Process beside $live without which it would not play.
beside=

# Nanoseconds that all threads of both have run.
ran() {
  { cat "/proc/$live/task/"*/schedstat ${beside:+"/proc/$beside/task/"*/schedstat} 2>/dev/null || true; } | awk '{ sum += $1 } END { printf "%.0f", sum }'
}

resident() { # -> own (private and of files) and shared, MB of 10⁶ bytes
  awk '/^Rss(Anon|File):/ { own += $2 } /^RssShmem:/ { shared += $2 } END { printf "%.1f\t%.1f\n", own * 1.024 / 1000, shared * 1.024 / 1000 }' \
    "/proc/$live/status" ${beside:+"/proc/$beside/status"}
}

# Whatever runs as $live is measured for $window seconds, and ended.
live_measure() { # NAME
  local before after delay cpu memory
  before=$(ran)
  sleep "$window"
  after=$(ran)
  delay=$("$python" "$REPOSITORY/Benchmarks/Peers/delay.py" recorded "$window")
  if ! kill -0 "$live" 2>/dev/null; then
    echo "$1 ended by itself: $(tail -n 2 live.log | tr '\n' ' ')" >&2
    printf '%s\t\t\t\t\t\n' "$1"
    return
  fi
  memory=$(resident)
  # A process that has not run at all has stalled.
  cpu=$(awk -v a="$before" -v b="$after" -v s="$window" 'BEGIN { if (b > a) printf "%.5f", (b - a) / 1e9 / s }')
  [ -n "$delay" ] || echo "$1: what was sent is not heard" >&2
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$delay" "$cpu" "$memory" $(($(jack_xruns) - late))
}

live_end() {
  local process
  for process in $live $beside; do
    kill "$process" 2>/dev/null || true
    for _ in $(seq 30); do
      kill -0 "$process" 2>/dev/null || break
      sleep 0.1
    done
    kill -KILL "$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  live='' beside=''
}

live_start() { # COMMAND...: its standard input, $quiet, is open and says nothing
  late=$(jack_xruns)
  "$@" <&"$quiet" >live.log 2>&1 &
  live=$!
}

live_alsa() {
  live_start "${@:2}"
  sleep 2.5
  live_measure "$1"
  live_end
}

live_auricle() {
  rm -rf state/*
  live_start "$PROGRAMS/auricled" --config "$PWD/auricle.toml"
  for _ in $(seq 100); do
    if [ "$("$PROGRAMS/auricle" status --json 2>/dev/null | jq -r .state.name)" = running ]; then break; fi
    sleep 0.1
  done
  [ "$2" = none ] || "$PROGRAMS/auricle" use "$2" >/dev/null
  sleep 1.5
  live_measure "$1"
  live_end
}

live_pipewire() {
  local ear
  live_start env XDG_RUNTIME_DIR="$PWD/run" pipewire -c "$2"
  for _ in $(seq 100); do
    if XDG_RUNTIME_DIR=$PWD/run timeout 5 pw-link -io 2>/dev/null | grep -q '^peer_out:output_FR'; then break; fi
    sleep 0.1
  done
  for ear in FL FR; do
    XDG_RUNTIME_DIR=$PWD/run timeout 5 pw-link "card_source:capture_$ear" "peer_in:input_$ear" >>live.log 2>&1 || true
    XDG_RUNTIME_DIR=$PWD/run timeout 5 pw-link "peer_out:output_$ear" "card_sink:playback_$ear" >>live.log 2>&1 || true
  done
  sleep 2
  live_measure "$1"
  live_end
}

# Audio ports of the client `peer` that take or give sound.
ports() { # input|output
  jack_lsp -t -p peer 2>/dev/null | awk -v kind="$1" '
    /^[^ \t]/ { name = $0; next }
    /properties:/ { matches = index($0, kind) > 0; next }
    /audio/ { if (matches && name ~ /^peer:/) print name }'
}

# jackd has JACK's functions in a library of its own, in which ALSA's bridge to the laboratory's server would find them; it is to find
# those of the clients' library. Synchronous, as somebody asks for who wants little delay: otherwise it takes a period more.
jack_on_card() { # NAME OF THE SERVER
  local library
  library=$(ldconfig -p | awk '/libjack\.so\.0 / { path = $NF } END { print path }')
  LD_PRELOAD=$library jackd -S -R -P 50 -n "$1" -d alsa -d card -r 44100 -p 64 -n 3 >card.log 2>&1 </dev/null &
  beside=$!
}

live_jack() {
  local laboratory=$JACK_DEFAULT_SERVER card=$JACK_DEFAULT_SERVER-card port
  late=$(jack_xruns)
  jack_on_card "$card"
  export JACK_DEFAULT_SERVER=$card
  for _ in $(seq 100); do
    if jack_lsp >/dev/null 2>&1; then break; fi
    sleep 0.1
  done
  "${@:2}" <&"$quiet" >live.log 2>&1 &
  live=$!
  for _ in $(seq 100); do
    [ -z "$(ports output)" ] || break
    sleep 0.1
  done
  sleep 0.5
  for port in $(ports input | head -n 2); do jack_connect system:capture_1 "$port" >>live.log 2>&1 || true; done
  for port in $(ports output | head -n 1); do
    jack_connect "$port" system:playback_1 >>live.log 2>&1 || echo "$1: $port cannot be joined to the card" >&2
  done
  export JACK_DEFAULT_SERVER=$laboratory
  sleep 1.5
  live_measure "$1"
  live_end
}
