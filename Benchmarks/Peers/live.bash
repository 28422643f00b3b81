# Live chains between JACK's delay meter and itself. Sourced by live.sh behind Tests/lab/jack.bash.
#
#   live_alsa NAME COMMAND...   a program that opens ALSA's `lat`
#   live_auricle NAME PROGRAM   Auricle's daemon at `lat`, in a listening program or in none
#   live_pipewire NAME FILE     PipeWire by a configuration in which a filter-chain `peer` stands between two nodes at `lat`
#   live_jack NAME COMMAND...   a JACK client `peer`, joined to the meter once its ports are there
#   live_bare_jack              the meter joined to itself: what JACK takes without any chain
#
# Late cycles are the server's since the chain was started: one of them lets a loop begin with a period more or less in the devices.
#
# Each prints a line of tab-separated fields: name, ms, seconds of the processor per second, MB of its own, MB shared, late cycles;
# a field is empty where nothing could be measured, and the reason goes to standard error.

window=${LIVE_SECONDS:-3}

# Nanoseconds that all threads of a process have run.
ran() { # PID
  { cat "/proc/$1/task/"*/schedstat 2>/dev/null || true; } | awk '{ sum += $1 } END { printf "%.0f", sum }'
}

resident() { # PID -> own (private and of files) and shared, MB of 10⁶ bytes
  awk '/^Rss(Anon|File):/ { own += $2 } /^RssShmem:/ { shared += $2 } END { printf "%.1f\t%.1f\n", own * 1.024 / 1000, shared * 1.024 / 1000 }' \
    "/proc/$1/status"
}

# Whatever runs as $live is measured for $window seconds, and ended.
live_measure() { # NAME
  local before after delay cpu memory
  before=$(ran "$live")
  delay=$(jack_delay "$window")
  after=$(ran "$live")
  if ! kill -0 "$live" 2>/dev/null; then
    echo "$1 ended by itself: $(tail -n 2 live.log | tr '\n' ' ')" >&2
    printf '%s\t\t\t\t\t\n' "$1"
    return
  fi
  memory=$(resident "$live")
  # A process that has not run at all has stalled.
  cpu=$(awk -v a="$before" -v b="$after" -v s="$window" 'BEGIN { if (b > a) printf "%.5f", (b - a) / 1e9 / s }')
  [ -n "$delay" ] || echo "$1: jack_iodelay hears nothing in it that it can measure" >&2
  printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$delay" "$cpu" "$memory" $(($(jack_xruns) - late))
}

live_end() {
  kill "$live" 2>/dev/null || true
  for _ in $(seq 30); do
    kill -0 "$live" 2>/dev/null || break
    sleep 0.1
  done
  kill -KILL "$live" 2>/dev/null || true
  wait "$live" 2>/dev/null || true
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

live_jack() {
  local port count=0
  live_start "${@:2}"
  for _ in $(seq 100); do
    [ -z "$(ports output)" ] || break
    sleep 0.1
  done
  sleep 0.5
  for port in $(ports input | head -n 2); do jack_connect jack_delay:out "$port" >>live.log 2>&1 || true; done
  for port in $(ports output | head -n 1); do
    if jack_connect "$port" jack_delay:in >>live.log 2>&1; then count=1; fi
  done
  [ "$count" = 1 ] || echo "$1: no ports to join: $(tail -n 2 live.log | tr '\n' ' ')" >&2
  sleep 1.5
  live_measure "$1"
  live_end
}

live_bare_jack() {
  local delay
  jack_connect jack_delay:out jack_delay:in
  sleep 1
  delay=$(jack_delay "$window")
  jack_disconnect jack_delay:out jack_delay:in
  printf 'bare JACK\t%s\t\t\t\t\n' "$delay"
}
