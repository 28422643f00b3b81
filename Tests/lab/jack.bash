# A sound card made of software: JACK's dummy driver, paced like hardware, behind ALSA's jack plugin. Sourced by
# the scripts of this folder; works without sound hardware and without kernel modules.
#
#   jack_start [RATE [PERIOD]]   starts the server and the delay meter; ALSA's `lat` is then a duplex device
#                                whose input is the meter's click and whose output the meter listens to
#   jack_delay [SECONDS]         what the meter measures for SECONDS from now (default 3), for a loop that is
#                                running: the median round trip in milliseconds; nothing when it hears none
#   jack_calibration             configuration of `lat` as a calibrated device: full scale of the input 80 dB SPL, of the
#                                output 111 dB SPL, so that a digital loop stands for microphones and earphones
#   jack_fitted                  the same, fitted to the sample audiogram N3
#   jack_ears                    ALSA's `ears`, a program that listens to earphones of `aid`; then configuration of `aid`: earphones HDA 200
#                                at 120 dB SPL at full scale, microphones of a digital loop. After jack_start
#   jack_listen PROGRAM...       `ears` into a program (ear.py), which finds in $LOSSES the logs that grow where samples were lost
#   jack_client NAME             the client of that name as the server has it: with a number where it was opened anew before the former one was gone
#   jack_xruns                   number of late cycles the server has noticed so far. One moves the delay between two ports by a period, for as
#                                long as they stay joined: a reading with one in it is taken anew
#   jack_missed NAME COMMAND...  periods that the daemon of daemon.bash misses while the command runs, in $missed, times that its devices are
#                                opened anew, in $reopened, and late cycles of the server, in $late; prints them, and fails where more were
#                                missed than those explain, or devices opened anew where none was late
#   jack_begin, jack_end NAME    the same for what runs between the two
#   jack_counts ATTEMPT          after them: true where no device was opened anew. A server that stands still for a second is a device that has
#                                gone, so what was tried is tried once more; the fifth attempt that does not count fails
#
# Everything runs in the caller's folder under a server name that no other script has, so that a JACK that the user runs, or
# a second test, is not disturbed; it ends with the caller.

jack_folder=$PWD
# JACK's list of servers has eight places, and one of a server that was killed is free again when the next of the same name begins. So names are
# few, and each is held by one script, or by a server that outlived its script.
jack_name() {
  local number held waited
  for waited in $(seq 600); do
    for number in 1 2 3 4 5 6 7; do
      exec {held}>"/dev/shm/auricle-jack-$UID-$number.lock"
      if flock --nonblock "$held"; then
        export JACK_DEFAULT_SERVER=auricle-$number
        # A semaphore of a client that was killed would still be raised.
        rm -f "/dev/shm/jack_sem."*"_$JACK_DEFAULT_SERVER"[_-]*
        return 0
      fi
      exec {held}>&-
    done
    sleep 1
  done
  echo "seven JACK servers of these scripts run already: lsof /dev/shm/auricle-jack-$UID-*.lock tells whose" >&2
  return 1
}
jack_name
# Else a JACK client that finds no server would start the user's.
export JACK_NO_START_SERVER=1
jack_processes=()

jack_stop() {
  local process
  # One that a script has halted would never end.
  for process in "${jack_processes[@]}"; do kill "$process" 2>/dev/null && kill -CONT "$process" || true; done
  for process in "${jack_processes[@]}"; do wait "$process" 2>/dev/null || true; done
  jack_processes=()
}
trap jack_stop EXIT

# Waits until a server takes clients: for a minute, while it lives.
jack_serves() { # SERVER
  local attempt
  for attempt in $(seq 60); do
    if timeout 10 jack_wait --wait --timeout 1 >/dev/null 2>&1; then
      kill -0 "$1" 2>/dev/null
      return
    fi
    kill -0 "$1" 2>/dev/null || return 1
  done
  return 1
}

jack_start() {
  local rate=${1:-44100} period=${2:-64} mode
  cat >"$jack_folder/asound.conf" <<'CONF'
</usr/share/alsa/alsa.conf>
pcm.lat {
  type jack
  capture_ports { 0 jack_delay:out 1 jack_delay:out }
  playback_ports { 0 jack_delay:in 1 system:playback_2 }
}
CONF
  export ALSA_CONFIG_PATH=$jack_folder/asound.conf

  # One script at a time: the first server makes JACK's list.
  local turn
  exec {turn}>/dev/shm/auricle-jack-$UID.lock
  flock "$turn"
  for mode in "-R -P 60" "-r"; do
    # shellcheck disable=SC2086
    jackd $mode --name "$JACK_DEFAULT_SERVER" -d dummy -r "$rate" -p "$period" \
      >"$jack_folder/jackd.log" 2>&1 </dev/null {turn}>&- &
    local server=$!
    if jack_serves "$server"; then
      jack_processes=("$server")
      break
    fi
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  done
  exec {turn}>&-
  if [ ${#jack_processes[@]} -eq 0 ]; then
    echo "JACK's dummy server does not start:" >&2
    cat "$jack_folder/jackd.log" >&2
    echo "Where its list is full of servers that were killed, and none runs: rm /dev/shm/jack-shm-registry" >&2
    return 1
  fi
  [ "$mode" != -r ] || echo "JACK runs without real-time priority; delays may vary"

  local attempt meter=
  for attempt in $(seq 600); do
    kill -0 "$server" 2>/dev/null || break
    # One that begins while the server stands still gives up.
    if [ -z "$meter" ] || ! kill -0 "$meter" 2>/dev/null; then
      stdbuf -oL jack_iodelay >>"$jack_folder/iodelay.log" 2>&1 </dev/null &
      meter=$!
      jack_processes=("$meter" "$server")
    fi
    if jack_lsp 2>/dev/null | grep -qx 'jack_delay:in'; then return 0; fi
    sleep 0.1
  done
  echo "jack_iodelay does not start:" >&2
  cat "$jack_folder/iodelay.log" >&2
  return 1
}

jack_delay() {
  : >"$jack_folder/iodelay.log"
  sleep "${1:-3}"
  sed -nE 's/^ *[0-9.]+ frames +([0-9.]+) ms total roundtrip latency.*/\1/p' "$jack_folder/iodelay.log" |
    sort -n | awk '{ values[NR] = $1 } END { if (NR) print values[int((NR + 1) / 2)] }'
}

jack_client() {
  jack_lsp | sed -nE "s/^($1(-[0-9]+)?):.*/\1/p" | tail -n 1
}

jack_xruns() {
  grep -c 'XRun' "$jack_folder/jackd.log" || true
}

jack_missed() {
  jack_begin
  "${@:2}"
  jack_end "$1"
}
jack_begin() {
  until_true jack_regained
  # First here and last there: a late cycle while the daemon answers counts as one, whichever side of the answer it falls on.
  late_before=$(jack_xruns)
  missed_before=$(missed_so_far)
  reopened_before=$(reopened_so_far)
}
jack_end() {
  # Devices are counted once they are open again.
  until_true jack_regained
  reopened=$(($(reopened_so_far) - reopened_before))
  missed=$(($(missed_so_far) - missed_before))
  late=$(($(jack_xruns) - late_before))
  echo "$1: missed periods $missed, devices opened anew $reopened, late cycles of the laboratory $late"
  # A late cycle can cost one period each way.
  [ "$missed" -le $((2 * late)) ] || { echo "more periods were missed than the laboratory was late for"; exit 1; }
  [ "$reopened" -eq 0 ] || [ "$late" -gt 0 ] || { echo "the devices were opened anew, and the laboratory was not late"; exit 1; }
}
jack_counts() { # ATTEMPT
  [ "$reopened" -ne 0 ] || return 0
  [ "$1" -lt 5 ] || { echo "the devices were opened anew in every attempt"; exit 1; }
  return 1
}
jack_regained() { "$auricle" status --json | jq -e '.state.name | IN("starting", "waiting-for-device") | not'; }
missed_so_far() { "$auricle" status --json | jq '.meters.xruns.capture + .meters.xruns.playback'; }
reopened_so_far() { "$auricle" status --json | jq .meters.xruns.device_reopens; }

jack_calibration() {
  cat <<'TOML'
[device]
capture = "lat"
playback = "lat"
[calibration.microphone]
full-scale-level = 80
source = "a digital loop"
status = "provisional"
[calibration.earphone]
full-scale-level = 111
source = "a digital loop"
status = "provisional"
TOML
}

jack_fitted() {
  jack_calibration
  printf '[hearing]\naudiogram = "%s"\n' "$REPOSITORY/Prescriptions/N3.json"
}

jack_ears() {
  cat >>"$ALSA_CONFIG_PATH" <<'CONF'
pcm.ears { type jack name ears capture_ports { 0 system:capture_1 1 system:capture_2 } }
pcm.aid {
  type asym
  capture.pcm { type jack name microphones capture_ports { 0 system:capture_1 1 system:capture_2 } }
  playback.pcm { type jack name earphones playback_ports { 0 ears:in_000 1 ears:in_001 } }
}
CONF
  cat <<'TOML'
[device]
capture = "aid"
playback = "aid"
period = 256
clock = "shared"
[calibration.microphone]
full-scale-level = 120
status = "provisional"
source = "a digital loop"
[calibration.earphone]
full-scale-level = 120
transducer = "hda200"
status = "provisional"
source = "a digital loop"
TOML
}

jack_listen() {
  local attempt
  # One that has ended is a client until the server has noticed. Beside it the next one would have another name, and hear nothing.
  for attempt in $(seq 100); do
    jack_lsp 2>/dev/null | grep -q '^ears:' || break
    sleep 0.1
  done
  # Two seconds are kept for a program that is kept waiting. It ends by the pipe, which nobody reads any longer.
  { arecord -q -D ears -t raw -f FLOAT_LE -c 2 -r 44100 --buffer-time=2000000 --period-time=50000 2>arecord.log || true; } |
    LOSSES="arecord.log $jack_folder/jackd.log" "$@"
}
