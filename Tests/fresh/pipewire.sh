# Calls and music from a real PipeWire, by the package's example, in a fresh Debian with the installed package: what a program plays
# into the sink Auricle is heard through the aid, without a break, and PipeWire may go and come back.
. "$REPOSITORY/Tests/package/package.bash"
. "$REPOSITORY/Tests/package/root.bash"
set -euo pipefail
fresh_root
mkdir now
tested_package "$PWD/now"
cp now/*.deb "$root/now.deb"
inside_install /now.deb jackd2 libasound2-plugins pipewire pipewire-alsa pipewire-bin wireplumber dbus dbus-user-session
mount -t tmpfs -o mode=1777 none "$root/dev/shm"
inside useradd --create-home --uid 4711 ada
inside install -d -m 700 -o ada /run/user/4711
# WirePlumber ends where logind's folders are not.
inside mkdir -p /run/systemd/{seats,sessions,users,machines}
cat >>"$root/etc/asound.conf" <<'CONF'
pcm.headset {
  type jack
  capture_ports { 0 system:capture_1 1 system:capture_2 }
  playback_ports { 0 system:playback_1 1 system:playback_2 }
}
CONF
person=(chroot "$root" setpriv --reuid ada --regid ada --init-groups env -i -C /home/ada PATH=/usr/bin:/bin HOME=/home/ada LC_ALL=C.UTF-8
  XDG_RUNTIME_DIR=/run/user/4711 DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/4711/bus JACK_NO_START_SERVER=1)
trap '"${person[@]}" timeout 5 auricle stop --daemon >/dev/null 2>&1 || true; kill $(jobs -p) 2>/dev/null || true; pkill -KILL -x -u 4711 auricled || true' EXIT
until_true() { # COMMAND...: within half a minute, which only a hang takes
  local end=$((SECONDS + 30))
  while [ $SECONDS -lt $end ]; do if "$@" >output 2>&1; then return 0; fi; sleep 0.1; done
  cat output pipewire.log wireplumber.log
  "${person[@]}" auricle status || true
  complain "$*: expected success in time"
}

# MARK: - A session: JACK as the sound card, PipeWire as the desktop's server

"${person[@]}" jackd -r -d dummy -r 44100 -p 256 >jackd.log 2>&1 </dev/null &
"${person[@]}" jack_wait --wait --timeout 20 >/dev/null || { cat jackd.log; complain "JACK's dummy server does not start"; }
"${person[@]}" dbus-daemon --session --address=unix:path=/run/user/4711/bus --nofork >bus.log 2>&1 &
# As auricle(1) says.
"${person[@]}" sh -c 'mkdir -p ~/.config/pipewire/pipewire.conf.d
  cp /usr/share/doc/auricle/examples/auricle-stream.conf ~/.config/pipewire/pipewire.conf.d/'
server() {
  "${person[@]}" pipewire >>pipewire.log 2>&1 </dev/null &
  pipewire=$!
  until_true "${person[@]}" timeout 5 pw-cli info 0
  "${person[@]}" wireplumber >>wireplumber.log 2>&1 </dev/null &
  wireplumber=$!
  until_true sh -c '"$@" timeout 5 pw-cli ls Node | grep -q auricle_sink' - "${person[@]}"
}
server

# MARK: - The aid, and a program that plays

"${person[@]}" sh -c 'mkdir -p ~/.config/auricle
  auricle config set device.capture=headset device.playback=headset hearing.audiogram=/usr/share/doc/auricle/examples/N3.json \
    device.stream=pipewire:NODE=auricle_stream' >/dev/null
"${person[@]}" auricle start
"${person[@]}" auricle stream on
python3 - "$root/home/ada/music.wav" <<'PYTHON'
import array, math, sys, wave
with wave.open(sys.argv[1], "wb") as file:
    file.setnchannels(2); file.setsampwidth(2); file.setframerate(48000)
    file.writeframes(array.array("h", (int(6000 * math.sin(n // 2 * 0.0576)) for n in range(2 * 48000 * 60))).tobytes())
PYTHON
stream() { "${person[@]}" timeout 5 auricle status --json; }
plays() { # A JQ-CONDITION on the stream of the status report
  stream | jq -e ".stream | $1"
}
music() { "${person[@]}" pw-play --target auricle_sink music.wav >>pipewire.log 2>&1 </dev/null & }
until_true plays '.state == "silent"'
music
until_true plays '.state == "playing" and .input_level_dbfs > -20'
broken=$("${person[@]}" auricle status --json | jq .stream.interruptions)
sleep 20
"${person[@]}" auricle stream
plays ".state == \"playing\" and .interruptions == $broken" >/dev/null || complain "the stream broke off"

# MARK: - PipeWire goes and comes back

flowing=$("${person[@]}" auricle status --json | jq -c '[.state.name, .state.since_unix_seconds]')
kill "$wireplumber" "$pipewire"
until_true plays '.state == "waiting"'
plays .reason
# For as long as it is away nothing grows.
resident() { awk '/^VmRSS/ { print $2 }' "/proc/$("${person[@]}" auricle status --json | jq .daemon.pid)/status"; }
before=$(resident)
sleep 20
after=$(resident)
echo "resident: $before kB, after 20 s without PipeWire $after kB"
[ "$after" -le $((before + 20000)) ] || complain "memory grows while PipeWire is away"
server
music
until_true plays '.state == "playing"'
[ "$("${person[@]}" auricle status --json | jq -c '[.state.name, .state.since_unix_seconds]')" = "$flowing" ] ||
  complain "the aid's own sound did not go on"
"${person[@]}" auricle stop --daemon
