# A person's life with the aid while it is sampled. Sourced by run.
#
#   prepare_prescriptions CARDS   a clinic, its cards for N3, and the first two of them loaded, for quiet and for music
#   live STRETCH SECONDS          for so long: programs, volume, tone, prescriptions tried and taken back, a card scanned, views opened
#                                 and closed, status, lists, mute; a line of deeds.csv for each, what a failed one said in deeds.log
#   silent_card                   configuration of a real card: N3, and nothing above 60 dB below full scale even where nobody is muted

prepare_prescriptions() {
  local number
  echo 'four words are enough' >pass
  "$auricle" clinic init --name 'Clinic of the Soak' --passphrase-file pass
  "$auricle" clinic card clinic.png
  "$auricle" trust add clinic.png --fingerprint "$("$auricle" rx show clinic.png --json | jq -r .fingerprint)"
  card music --environment music
  for number in $(seq 0 "$1"); do card "$number"; done
  "$auricle" rx scan --yes music.png
  "$auricle" rx scan --yes 0.png
}
card() { # NAME [OPTION...]
  "$auricle" rx make --audiogram N3 --given Ada --family Example --born 1950-02-03 --prescriber 'Dr. B. Ear' \
    --volume=-10..5 --tone=-4..4 -o "$1.png" --yes --passphrase-file pass "${@:2}"
}

silent_card() {
  cat <<TOML
[device]
capture = "$device"
playback = "$device"
period = $period
rate = $rate
[hearing]
audiogram = "$REPOSITORY/Prescriptions/N3.json"
[safety]
maximum-output = 70
[calibration.microphone]
full-scale-level = 120
source = "assumed by a soak"
status = "provisional"
[calibration.earphone]
full-scale-level = 130
source = "assumed by a soak"
status = "provisional"
TOML
}

deed() { # COMMAND-OF-AURICLE...
  [ "$SECONDS" -lt "$life_ends" ] || return 0
  carry_out "$@"
}
carry_out() { # COMMAND-OF-AURICLE...
  local status=0
  timeout 30 "$auricle" "$@" >deed 2>&1 || status=$?
  echo "$life_stretch,${*//,/ },$status" >>"$kept/deeds.csv"
  [ "$status" -eq 0 ] || { echo "stretch $life_stretch: $*: exit $status"; cat deed; } >>deeds.log
  # Own choice: a few commands a second at most, more than a person gives.
  sleep 0.3
}
view() { # SECONDS: in the background, as on another terminal
  [ $((SECONDS + $1)) -lt "$life_ends" ] || return 0
  timeout 30 "$auricle" spectrum --json --for "$1s" >/dev/null 2>&1 </dev/null &
  viewers+=("$!")
}
# Also where the stretch ends in between: a mute outlasts stop and start, and the next stretch would wait for sound in vain.
mute_awhile() {
  [ "$SECONDS" -lt "$life_ends" ] || return 0
  carry_out mute
  carry_out unmute
}
# A view whose program is killed, and a client that connects, says half a line and goes.
rude_view() {
  local viewer
  [ $((SECONDS + 3)) -lt "$life_ends" ] || return 0
  "$auricle" spectrum --json --for 30s >/dev/null 2>&1 </dev/null &
  viewer=$!
  sleep 1
  kill -KILL "$viewer" 2>/dev/null || true
  wait "$viewer" 2>/dev/null || true
  python3 -c 'import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); s.send(b"{\"jsonrpc\":")' "$socket" || true
}

live() {
  local viewer
  life_stretch=$1
  SECONDS=0
  life_ends=$2
  viewers=()
  # Every fifth stretch, ten minutes, another card: own choice.
  if [ $((($1 - 1) % 5)) -eq 0 ]; then deed rx scan --yes "$((($1 - 1) / 5 + 1)).png"; fi
  while [ "$SECONDS" -lt "$life_ends" ]; do
    deed status
    deed use conversation-in-noise
    view $((1 + $2 / 20))
    view 1
    deed volume down
    deed tone bright
    deed rx try music --for 20m
    deed status --json
    deed use music
    deed rx revert
    deed volume reset
    deed tone reset
    if [ "$sounds" = running ]; then mute_awhile; fi
    deed use automatic
    deed reload
    rude_view
    deed rx list
    deed use quiet
    deed metrics
  done
  for viewer in "${viewers[@]}"; do wait "$viewer" 2>/dev/null || true; done
}
